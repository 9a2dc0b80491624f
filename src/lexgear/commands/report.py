"""The `report` command."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO, cast

import typer

from lexgear.errors import ErrorCode, InputError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from lexgear.report.model import Entries


def report(
    index: Annotated[Path, typer.Argument(help="Index directory, made by lexgear train.")],
    text: Annotated[Path, typer.Option(help="Text file with the facts of the pending case.")],
    out: Annotated[
        Path, typer.Option(help="Report to write: .docx, .html, .md or .json; .csv for a table of the results.")
    ],
    cases: Annotated[str, typer.Option(help="Ids of the cases to include, in your order: ID1,ID2,…")] = "",
    use: Annotated[
        list[str] | None,
        typer.Option(help="How you use a case: ID=followed, ID=referred or ID=distinguished; repeatable."),
    ] = None,
    remark: Annotated[list[str] | None, typer.Option(help="Remark on a case: ID=TEXT; repeatable.")] = None,
    k: Annotated[int, typer.Option(min=1, max=1000, help="Number of documents to search for.")] = 10,
    filter_: Annotated[
        list[str] | None, typer.Option("--filter", help="Filter as in lexgear search; repeatable.")
    ] = None,
    by: Annotated[str, typer.Option(help="Name of the person who searched.")] = "",
    organisation: Annotated[str, typer.Option(help="Court, firm or office of that person.")] = "",
    title: Annotated[str, typer.Option(help="Title of the pending case.")] = "",
    number: Annotated[str, typer.Option(help="Number of the pending case.")] = "",
    court: Annotated[str, typer.Option(help="Court of the pending case; needed for most authority tiers.")] = "",
    dispute: Annotated[list[str] | None, typer.Option(help="Disputed issue of the pending case; repeatable.")] = None,
    language: Annotated[str, typer.Option(help="Language of the report: zh, fr or en.")] = "zh",
    format_: Annotated[
        str | None,
        typer.Option("--format", help="docx, html, markdown, json or csv.", show_default="by the suffix of --out"),
    ] = None,
    names: Annotated[
        bool, typer.Option("--names", help="Show the names of private persons instead of masking them.")
    ] = False,
) -> None:
    """Write a similar-case report (类案检索报告): precedents by authority, with key points quoted."""
    from lexgear.files import read_text

    _check_installed()
    from lexgear.report.formats import format_named

    chosen = format_named(format_, out.name)
    picks = _picks(cases, use or (), remark or ())
    facts = read_text(text).strip()
    if not facts:
        raise InputError("no text", file=text, remedy="write the facts of the case in it")
    entries = _entries(
        text=facts,
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
        print("names of private persons are masked if they are recognised; check the report before you pass it on")


def _check_installed() -> None:
    from importlib.util import find_spec

    for needed in ("pydantic", "docx"):
        if find_spec(needed) is None:
            raise InputError(
                f"reports need the package {needed}",
                code=ErrorCode.MISSING_DEPENDENCY,
                remedy="pip install 'lexgear[serve]'",
            )


def _entries(**given: Any) -> Entries:
    from pydantic import ValidationError

    from lexgear.report.model import Entries

    try:
        return Entries(**given)
    except ValidationError as error:
        first = error.errors()[0]
        name = [part for part in first["loc"] if isinstance(part, str)][-1]
        option = {"disputes": "dispute", "filters": "filter"}.get(name, name)
        problem, remedy = _problem_of(first)
        raise InputError(f"--{option}: {problem}", code=ErrorCode.INVALID_ARGUMENT, remedy=remedy) from error


def _problem_of(error: ErrorDetails) -> tuple[str, str]:
    """Return what is wrong with an entry and what to do, in our own words as far as there are any."""
    given, limits = error["input"], error.get("ctx", {})
    if error["type"] in {"literal_error", "enum"}:
        return f"{given!r} is none of the choices", f"choose {limits['expected']}"
    if error["type"] == "string_too_long":
        return f"{len(given):,} characters", f"write at most {limits['max_length']:,}"
    if error["type"] == "too_long":
        return f"{len(given):,} entries", f"give at most {limits['max_length']:,}"
    return error["msg"], ""


def _picks(cases: str, uses: Sequence[str], remarks: Sequence[str]) -> list[dict[str, str]]:
    """Return the chosen cases in order, each with its use and remark."""
    picks = {name: {"id": name} for part in cases.split(",") if (name := part.strip())}
    if len(picks) < sum(bool(part.strip()) for part in cases.split(",")):
        raise InputError("--cases has the same id twice", code=ErrorCode.USAGE, remedy="give each id once")
    for field, given in (("use", uses), ("remark", remarks)):
        for entry in given:
            name, equals, value = entry.partition("=")
            if not equals or name.strip() not in picks:
                raise InputError(
                    f"--{field} {entry!r} does not begin with an id of --cases",
                    code=ErrorCode.USAGE,
                    remedy=f"write --{field} ID=…",
                )
            picks[name.strip()][field] = value.strip()
    return list(picks.values())
