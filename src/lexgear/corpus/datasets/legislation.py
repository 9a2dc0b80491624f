"""Reader of statutes as text files, in one or several versions with their dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from lexgear.corpus.datasets.jsonl import is_chinese
from lexgear.corpus.field_values import is_date
from lexgear.corpus.records import Collection, Document
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_text
from lexgear.law.markdown import read_markdown_statute
from lexgear.law.statutes import read_statute
from lexgear.law.tree import LawTree
from lexgear.law.versions import Version, Wording, merge_versions
from lexgear.progress import Progress

SUFFIXES = (".md", ".txt")
_SINCE = ("in_force_from", "effective_date", "last_updated")
_UNTIL = ("in_force_until", "repealed_date")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"([\w-]+)[ \t]*:[ \t]*(.*?)[ \t]*")
_LAYOUT = "give a directory of statutes, one .md or .txt file per version of a law"


@dataclass(frozen=True, slots=True)
class _StatuteFile:
    """A file with one version of a law."""

    path: Path
    law: str
    """Identifier that all versions of a law share."""
    title: str
    version: Version


def read_legislation(source: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    """Read a directory of statutes; every wording of an article is a document with the days it was in force."""
    paths = sorted(path for path in source.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    paths = [path for path in paths if path.stem.lower() not in ("readme", "license", "licence")]
    laws: dict[str, list[_StatuteFile]] = {}
    for done, path in enumerate(paths, start=1):
        for file in _read_file(path, source, skipped):
            laws.setdefault(file.law, []).append(file)
        progress(done, len(paths))
    if not laws:
        raise InputError("no statute in it", code=ErrorCode.FILE_MISSING, file=source, remedy=_LAYOUT)
    trees: list[LawTree] = []
    documents: list[Document] = []
    for files in laws.values():
        _refuse_same_day(files)
        tree, wordings = merge_versions([file.version for file in files])
        trees.append(tree)
        documents += _documents(max(files, key=_first_day).title, tree, wordings)
    language = "zh" if is_chinese(document.text for document in documents) else "fr"
    return Collection(
        name=source.name,
        language=language,
        documents=tuple(documents),
        law=LawTree.forest(*trees),
        source={"data set": "legislation", "directory": source.name},
    )


def _read_file(path: Path, source: Path, skipped: SkippedRecords) -> Iterator[_StatuteFile]:
    text = read_text(path).replace("\r\n", "\n")
    matter = _FRONT_MATTER.match(text)
    fields = _fields(matter[1]) if matter else {}
    body = text[matter.end() :] if matter else text
    law = fields.get("identifier") or path.stem
    title = fields.get("title") or law
    days = dict.fromkeys(("since", "until"), "")
    for name, keys in (("since", _SINCE), ("until", _UNTIL)):
        days[name] = next((fields[key] for key in keys if fields.get(key)), "")
    # A directory named by a date holds the versions of that day.
    days["since"] = days["since"] or next((part for part in reversed(path.parts) if is_date(part)), "")
    for day in days.values():
        if day and not is_date(day):
            skipped.add(path, None, law, f"{day!r} is not a valid date of the form YYYY-MM-DD")
            return
    read = read_statute if is_chinese([body]) else read_markdown_statute
    tree = read(body, code=law, title=title)
    if not tree.of_kind("article"):
        skipped.add(path, None, law, "no articles found")
        return
    since, until = (date.fromisoformat(day) if day else None for day in (days["since"], days["until"]))
    yield _StatuteFile(path, law, title, Version(tree, since, until))


def _fields(front_matter: str) -> Mapping[str, str]:
    """Return the fields of a front matter, one `name: value` per line; nested values are left out."""
    found = (_FIELD.fullmatch(line) for line in front_matter.splitlines())
    return {match[1]: match[2].strip("\"'") for match in found if match and match[2]}


def _refuse_same_day(files: list[_StatuteFile]) -> None:
    days: dict[date | None, Path] = {}
    for file in files:
        if (other := days.setdefault(file.version.since, file.path)) != file.path:
            raise InputError(
                f"{other.name} and {file.path.name} are versions of {file.law!r} of the same day",
                code=ErrorCode.DUPLICATE_ID,
                file=file.path,
                remedy="give every version its own in_force_from",
                id=file.law,
            )


def _first_day(file: _StatuteFile) -> date:
    return file.version.since or date.min


def _documents(title: str, tree: LawTree, wordings: tuple[Wording, ...]) -> Iterator[Document]:
    """Yield a document per wording; its id is the place in the law, with the first day if there are several."""
    counts: dict[str, int] = {}
    for one in wordings:
        counts[one.node] = counts.get(one.node, 0) + 1
    for one in wordings:
        yield Document(
            id=f"{one.node}@{one.since}" if counts[one.node] > 1 else one.node,
            sections={"text": one.text},
            title=f"{title} {tree[one.node].number}",
            node=one.node,
            in_force_from=str(one.since or ""),
            in_force_until=str(one.until or ""),
        )
