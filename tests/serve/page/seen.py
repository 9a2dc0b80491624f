"""Contents of a page as a browser reads it, and checks for contents that no page may have."""

from html.parser import HTMLParser
from typing import Any

VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "rect", "line", "path"})
KNOWN_SCRIPTS = tuple(f"/static/{name}.js" for name in ("htmx.min", "page", "records", "reading"))


class Element:
    """One element: its name, attributes and all text inside."""

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name, self.attributes, self.text = name, attributes, ""


class Seen(HTMLParser):
    """The elements of a page."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.html = html
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        for place in range(len(self._open) - 1, -1, -1):
            if self._open[place].name == tag:
                del self._open[place:]
                return

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def all(self, name: str = "", /, **attributes: str) -> list[Element]:
        """Elements by name and attributes; `data_case` is `data-case`, an empty value takes any."""
        wanted = {key.strip("_").replace("_", "-"): value for key, value in attributes.items()}
        return [
            one
            for one in self.elements
            if name in ("", one.name)
            and all(key in one.attributes and value in ("", one.attributes[key]) for key, value in wanted.items())
        ]

    def one(self, name: str = "", /, **attributes: str) -> Element:
        """The only one."""
        found = self.all(name, **attributes)
        assert len(found) == 1, (name, attributes, len(found))
        return found[0]


def seen(answer: Any, status: int = 200) -> Seen:
    """The page in an answer, which keeps what the policy asks for: no script and no style but ours, every id once."""
    assert answer.status_code == status, answer.text[:2000]
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    page = Seen(answer.text)
    for script in page.all("script"):
        assert script.attributes["src"].split("?")[0] in KNOWN_SCRIPTS
        assert not script.text.strip()
    assert not page.all("style")
    for element in page.elements:
        assert not [name for name in element.attributes if name == "style" or name.startswith("on")]
        assert not element.attributes.get("href", "").lower().strip().startswith("javascript:")
    ids = [one.attributes["id"] for one in page.elements if "id" in one.attributes]
    assert len(ids) == len(set(ids)), sorted(one for one in ids if ids.count(one) > 1)
    for control in page.elements:
        for attribute in ("form", "for", "aria-labelledby", "aria-describedby"):
            if "HX-Request" not in answer.request.headers:
                missing = [one for one in control.attributes.get(attribute, "").split() if one not in ids]
                assert not missing, (control.name, attribute, missing)
    return page
