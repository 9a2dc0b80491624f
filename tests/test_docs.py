"""The documentation: navigation, links, generated parts and the file names it mentions. The site is not built here."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from lexgear.cli import COMMANDS
from lexgear.rankers.registry import RANKERS
from lexgear.settings import describe_settings
from tools.docs_pages import MARKER, PAGES, fill, site_links

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
REPOSITORY_FILES = ["README.md", "README.zh.md", "CHANGELOG.md", "CONTRIBUTING.md"]


def pages() -> dict[str, str]:
    """Return the Markdown of every page of the site, with links as the site has them."""
    written = {path.relative_to(DOCS).as_posix(): path for path in DOCS.rglob("*.md")}
    files = written | {page: ROOT / source for page, source in PAGES.items()}
    return {page: site_links(path.read_text(encoding="utf-8"), path) for page, path in files.items()}


def nav_pages(entries: list[Any]) -> Iterator[str]:
    for entry in entries:
        for target in entry.values():
            if isinstance(target, str):
                yield target
            else:
                yield from nav_pages(target)


def without_code(markdown: str) -> str:
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", markdown, flags=re.DOTALL | re.MULTILINE))


def links(markdown: str) -> list[str]:
    targets = re.findall(r"\]\(([^)\s]+)\)", without_code(markdown))
    return [target for target in targets if "://" not in target]


def anchors(markdown: str) -> set[str]:
    """Return the anchors that Python-Markdown gives to the headings of a page."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"^```.*?^```", "", markdown, flags=re.DOTALL | re.MULTILINE), re.MULTILINE
    )
    plain = [
        re.sub(r"[^\w\s-]", "", heading.encode("ascii", "ignore").decode()).strip().lower() for heading in headings
    ]
    return {re.sub(r"[-\s]+", "-", heading) for heading in plain}


def test_the_navigation_lists_every_page_once() -> None:
    listed = [*nav_pages(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])]
    assert sorted(listed) == sorted(pages())


def test_every_internal_link_of_the_site_resolves() -> None:
    texts, offenders = pages(), []
    for page, markdown in texts.items():
        for link in links(markdown):
            target, _, anchor = link.partition("#")
            target = target or page
            known = target in texts or (DOCS / target).is_file()
            if not known or (anchor and anchor not in anchors(texts[target])):
                offenders.append(f"{page}: {link}")
    assert offenders == []


def test_every_link_of_the_repository_files_resolves() -> None:
    offenders = []
    for name in REPOSITORY_FILES:
        targets = links((ROOT / name).read_text(encoding="utf-8"))
        offenders += [f"{name}: {target}" for target in targets if not (ROOT / target.partition("#")[0]).exists()]
    assert offenders == []


def test_the_command_reference_covers_every_command_and_option_of_search() -> None:
    text = fill((DOCS / "cli.md").read_text(encoding="utf-8"))
    assert re.findall(r"^## lexgear (\w+)$", text, flags=re.MULTILINE) == [*COMMANDS]
    search = text.split("## lexgear search")[1].split("\n## ")[0]
    assert {"`--text`", "`--queries`", "`--filter`", "`--k`"} <= set(re.findall(r"`--\w+`", search))
    assert not MARKER.search(text)


def test_the_settings_reference_covers_every_ranker() -> None:
    text = fill((DOCS / "rankers.md").read_text(encoding="utf-8"))
    assert re.findall(r"^## (\w+)$", text, flags=re.MULTILINE) == [*RANKERS]
    assert re.search(r"^\| `k1` \| `float` \| `1\.5` \| .+ \|$", text, flags=re.MULTILINE)


def test_every_file_that_the_explanations_name_exists() -> None:
    files = [
        path.as_posix()
        for folder in ("src", "runs", "configs", "tests", "tools")
        for path in Path(ROOT / folder).rglob("*.*")
    ]
    offenders = []
    for page in ("architecture.md", "walk.md", "training.md", "settings.md", "formats.md"):
        names = re.findall(r"`([\w./-]+\.(?:py|sh|toml))`", pages()[page])
        offenders += [f"{page}: {name}" for name in names if not any(file.endswith(f"/{name}") for file in files)]
    assert offenders == []


def test_every_setting_that_the_documentation_assigns_exists() -> None:
    known = {"name"} | {row[0] for name in RANKERS for row in describe_settings(RANKERS[name].settings_type)}
    offenders = []
    for page in ("settings.md", "training.md", "gpu.md", "own-judgments.md"):
        assigned = re.findall(r"`(\w+)=[^`]+`", pages()[page]) + re.findall(r"--(?:set|grid) (\w+)=", pages()[page])
        offenders += [f"{page}: {name}" for name in assigned if name not in known]
    assert offenders == []
