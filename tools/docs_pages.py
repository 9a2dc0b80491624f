"""MkDocs hook that generates pages and parts of pages from the package itself.

Pages: CHANGELOG.md, CONTRIBUTING.md and the cards of the base models become pages of the site. Parts: a line such as
`<!-- generated: commands -->` in a page is replaced by what `GENERATORS` names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "base-fr.md": "src/lexgear/bases/fr/CARD.md",
    "base-zh.md": "src/lexgear/bases/zh/CARD.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
}
"""Pages of the site that are files of the repository outside docs/."""
MARKER = re.compile(r"^<!-- generated: (\w+) -->$", flags=re.MULTILINE)
LINK = re.compile(r"(\]\()([^)#:\s]+)([)#])")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are kept outside docs/."""
    from mkdocs.structure.files import File

    for page, source in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Fill in the generated parts and turn links between files of the repository into links between pages."""
    source = page.file.src_uri
    return site_links(fill(markdown), ROOT / PAGES.get(source, f"docs/{source}"))


def fill(markdown: str) -> str:
    """Replace every marker by the text it names."""
    return MARKER.sub(lambda match: GENERATORS[match[1]](), markdown)


def site_links(markdown: str, file: Path) -> str:
    """Return the Markdown of a repository file with its relative links pointing to pages of the site."""
    pages = {(ROOT / source).resolve(): page for page, source in PAGES.items()}

    def target(match: re.Match[str]) -> str:
        path = (file.parent / match[2]).resolve()
        page = pages.get(path)
        if page is None and path.is_relative_to(ROOT / "docs"):
            page = path.relative_to(ROOT / "docs").as_posix()
        return f"{match[1]}{page or match[2]}{match[3]}"

    return LINK.sub(target, markdown)


def commands() -> str:
    """Return the reference of all commands, from their help."""
    return "\n\n".join(_command(name, command) for name, command in _typer_app().commands.items())


def rankers() -> str:
    """Return a table of settings for each ranker."""
    from lexgear.rankers.registry import RANKERS
    from lexgear.settings import describe_settings

    sections = []
    for name, entry in RANKERS.entries.items():
        described = describe_settings(RANKERS[name].settings_type)
        rows = [[*(f"`{text}`" if text else "" for text in row[:-1]), _cell(row.meaning)] for row in described]
        table = _table(("setting", "type", "default", "with a backbone", "meaning"), rows) if rows else "No settings."
        sections.append(f"## {name}\n\n{_sentence(entry.summary)}\n\n{table}")
    return "\n\n".join(sections)


GENERATORS: dict[str, Callable[[], str]] = {"commands": commands, "rankers": rankers}


def _typer_app() -> Any:
    import typer

    from lexgear.cli import app

    return typer.main.get_command(app)


def _command(name: str, command: Any) -> str:
    shown = [parameter for parameter in command.params if parameter.name != "help"]
    arguments = [parameter for parameter in shown if parameter.param_type_name == "argument"]
    options = [parameter for parameter in shown if parameter.param_type_name == "option"]
    usage = " ".join(["lexgear", name, *map(_usage, arguments), *(["[OPTIONS]"] if options else [])])
    parts = [f"## lexgear {name}", "\n".join(line.strip() for line in (command.help or "").splitlines())]
    parts.append(f"```text\n{usage}\n```")
    if arguments:
        parts.append(_table(("argument", "default", "meaning"), [*_rows(arguments)]))
    if options:
        parts.append(_table(("option", "default", "meaning"), [*_rows(options)]))
    return "\n\n".join(parts)


def _usage(argument: Any) -> str:
    name = argument.name.upper() + ("..." if argument.nargs == -1 else "")
    return name if argument.required else f"[{name}]"


def _rows(parameters: Sequence[Any]) -> Iterator[list[str]]:
    """Yield name, default and meaning of arguments or options."""
    from lexgear.commands.help import with_names

    for one in parameters:
        names = [one.name.upper()] if one.param_type_name == "argument" else one.opts
        yield [", ".join(f"`{name}`" for name in names), _default(one), _cell(with_names(one.help or ""))]


def _default(parameter: Any) -> str:
    """Return a default in words if the help has it in words, otherwise its value."""
    if parameter.required:
        return "required"
    if isinstance(parameter.show_default, str):
        return _cell(parameter.show_default)
    return "" if parameter.default in (None, False, "") else f"`{parameter.default}`"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."
