"""The `report` command."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO, cast

import typer

from lexgear.errors import InputError

if TYPE_CHECKING:
    from lexgear.report.model import Entries


def report(
    index: Annotated[Path, typer.Argument(help="An index directory made by lexgear train.")],
    text: Annotated[Path, typer.Option(help="File with the facts that are searched for.")],
    out: Annotated[Path, typer.Option(help="The report to write: .docx, .html, .md, .json, or .csv for the results.")],
    cases: Annotated[str, typer.Option(help="Ids of the cases that go into it, in your order: id1,id2,…")] = "",
    use: Annotated[
        list[str] | None, typer.Option(help="ID=followed, referred or distinguished: your choice; repeatable.")
    ] = None,
    remark: Annotated[list[str] | None, typer.Option(help="ID=TEXT: why; repeatable.")] = None,
    k: Annotated[int, typer.Option(min=1, help="How many documents are searched for.")] = 10,
    filter_: Annotated[list[str] | None, typer.Option("--filter", help="As in lexgear search; repeatable.")] = None,
    by: Annotated[str, typer.Option(help="Who searched.")] = "",
    organisation: Annotated[str, typer.Option(help="Court, firm or office of who searched.")] = "",
    title: Annotated[str, typer.Option(help="The pending case.")] = "",
    number: Annotated[str, typer.Option(help="Its case number.")] = "",
    court: Annotated[str, typer.Option(help="Its court; without it few authority tiers can be told.")] = "",
    dispute: Annotated[list[str] | None, typer.Option(help="A disputed point of it; repeatable.")] = None,
    language: Annotated[str, typer.Option(help="zh, fr or en.")] = "zh",
    format_: Annotated[
        str | None, typer.Option("--format", help="docx, html, markdown, json or csv; by the name of --out otherwise.")
    ] = None,
    names: Annotated[
        bool, typer.Option("--names", help="Show the names of private persons, masked otherwise.")
    ] = False,
) -> None:
    """Write the similar-case report (类案检索报告) on a search: what was found by authority, key points quoted."""
    from lexgear.files import read_text

    _check_installed()
    from lexgear.report.formats import format_named

    chosen = format_named(format_, out.name)
    picks = _picks(cases, use or (), remark or ())
    entries = _entries(
        text=read_text(text).strip(),
        at=datetime.now().astimezone(),
        by=by,
        organisation=organisation,
        k=k,
        filters=filter_ or (),
        pending={"title": title, "number": number, "court": court, "disputes": dispute or ()},
        cases=picks,
        language=language,
        masked=not names,
    )
    from lexgear.api import Index
    from lexgear.atomic import atomic_file
    from lexgear.report.build import build_report

    made = build_report(Index.load(index), entries)
    written = chosen.bytes_of(made)
    with atomic_file(out) as file:
        cast("TextIO", file).buffer.write(written)
    print(f"{out}: {made.search.found:,} found, {len(made.cases):,} in the report")
    if not names:
        print("names of private persons are masked as far as they are recognised: read it before you pass it on")


def _check_installed() -> None:
    from importlib.util import find_spec

    for needed in ("pydantic", "docx"):
        if find_spec(needed) is None:
            raise InputError(f"reports need {needed}", remedy="pip install 'lexgear[serve]'")


def _entries(**given: Any) -> Entries:
    from pydantic import ValidationError

    from lexgear.report.model import Entries

    try:
        return Entries(**given)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{where}: {first['msg']}", remedy="`lexgear report --help` says what it takes") from error


def _picks(cases: str, uses: Sequence[str], remarks: Sequence[str]) -> list[dict[str, str]]:
    """Ids in order, each with what was said of it."""
    picks = {name: {"id": name} for part in cases.split(",") if (name := part.strip())}
    if len(picks) < sum(bool(part.strip()) for part in cases.split(",")):
        raise InputError("--cases names a case twice", remedy="each id once")
    for field, said in (("use", uses), ("remark", remarks)):
        for entry in said:
            name, equals, value = entry.partition("=")
            if not equals or name.strip() not in picks:
                raise InputError(f"--{field} {entry!r} is not about one of --cases", remedy=f"--{field} ID=…")
            picks[name.strip()][field] = value.strip()
    return list(picks.values())
