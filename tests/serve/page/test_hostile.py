"""Markup in every text that anybody may have written is text on every page; names of persons are masked on all."""

from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from serve.page.conftest import HOSTILE, HTMX, MARKUP, PRODUCT
from serve.page.seen import Seen, seen

ID = HOSTILE.documents[0].id
TEXT = f"翻墙进入商店，拿走现金五千元。{MARKUP}"
OTHER = {"text": TEXT, "node": "", "shown": MARKUP, "pick": [ID]}


def pages(client: TestClient, **extra: str) -> dict[str, Seen]:
    """Every page, over documents and with entries that try something."""
    place = "cn-criminal/2/5/264/盗窃罪"
    sent = {"with": ID, "remark": [MARKUP], "use": [MARKUP], "by": MARKUP, "title": MARKUP, "disputes": MARKUP}
    return {
        "home": seen(client.get("/", params=extra)),
        "search": seen(client.post("/search", data={**OTHER, "article": ""}, params=extra)),
        "answer": seen(client.post("/search", data=OTHER, headers={**HTMX, "HX-Target": "answer"}, params=extra)),
        "hits": seen(client.post("/search", data=OTHER, headers={**HTMX, "HX-Target": "precedents"}, params=extra)),
        "region": seen(client.post("/search", data={**OTHER, "region": MARKUP}, params=extra)),
        "compare": seen(client.post("/compare", data={**OTHER, **sent}, params=extra)),
        "case": seen(client.get(f"/cases/{quote(ID)}", params=extra)),
        "law": seen(client.get("/law", params=extra)),
        "place": seen(client.get(f"/law/{quote(place)}", params=extra)),
        "report": seen(client.post("/report", data={**OTHER, **sent}, params=extra)),
        "wrong filter": seen(client.post("/search", data={**OTHER, "charge": MARKUP}, params=extra), 422),
        "wrong node": seen(client.post("/search", data={**OTHER, "node": MARKUP}, params=extra), 404),
        "nowhere": seen(client.get(f"/{quote(MARKUP)}", params=extra), 404),
        "wrong part": seen(client.post("/search", data={**OTHER, "from": MARKUP}, headers=HTMX, params=extra), 422),
    }


def test_markup_is_text_everywhere(hostile_browser: TestClient) -> None:
    for name, page in pages(hostile_browser).items():
        assert not page.all("img"), name
        assert not page.all("b"), name
        assert PRODUCT not in page.html, name
        if name in {"search", "answer", "hits", "compare", "case", "report", "place"}:
            assert "<script>alert(1)</script>" in "".join(one.text for one in page.elements), name


@pytest.mark.parametrize("name", ["search", "answer", "hits", "compare", "case", "place", "report", "home", "law"])
def test_names_are_masked_on_every_page_until_the_switch(hostile_browser: TestClient, name: str) -> None:
    hostile_browser.cookies.clear()
    own = ("marked", "text", "left")
    masked = pages(hostile_browser)[name]
    texts = [one for one in masked.elements if one.attributes.get("id") not in own]
    cards = [one for one in texts if one.name in {"article", "li", "h1", "h2", "h4", "dd"} and "李明辉" in one.text]
    assert not [one.text for one in cards if "审判长 李明辉" not in one.text]
    shown = pages(hostile_browser, names="shown")[name]
    hostile_browser.cookies.clear()
    if name in {"search", "answer", "hits", "compare", "case", "place", "report"}:
        assert "李明辉" in "".join(one.text for one in shown.elements if one.name in {"h1", "h3", "h4", "a", "li"})


def test_the_switch_is_kept_for_the_session_and_needs_a_page_of_ours(hostile_browser: TestClient) -> None:
    hostile_browser.cookies.clear()
    hostile_browser.get("/?names=shown", headers={"Sec-Fetch-Site": "cross-site"})
    assert "lexgear_names" not in hostile_browser.cookies
    cookie = hostile_browser.get("/?names=shown").headers["Set-Cookie"]
    assert "Max-Age" not in cookie
    assert "expires" not in cookie.lower()
    assert "HttpOnly" in cookie
    page = seen(hostile_browser.get(f"/cases/{quote(ID)}"))
    assert page.one("h1").text.startswith("李明辉")
    assert page.one(role="switch").attributes["aria-checked"] == "false"
    hostile_browser.get("/?names=masked")
    assert seen(hostile_browser.get(f"/cases/{quote(ID)}")).one("h1").text.startswith("李某")
    hostile_browser.cookies.clear()
