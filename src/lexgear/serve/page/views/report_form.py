"""The form of a report: the picked cases in order, what is made of each, and what only its user knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError
from starlette.datastructures import FormData

from lexgear.report.model import Use
from lexgear.serve.api.errors import ApiError, field_errors
from lexgear.serve.api.report_request import ReportCase, ReportRequest
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.form import SearchForm, cleaned, value_of

LINES = ("title", "number", "court", "by", "organisation")
"""What the user enters, a line each; beside the disputed points."""
FORMATS = ("docx", "html", "md", "json", "csv")
USES = (Use.OPEN, Use.FOLLOWED, Use.REFERRED, Use.DISTINGUISHED)


@dataclass(frozen=True)
class PickedCase:
    """A case in the form."""

    id: str
    title: str
    about: Sequence[str]
    use: str = Use.OPEN
    remark: str = ""


@dataclass(frozen=True)
class ReportForm:
    """What stands in the form."""

    search_form: SearchForm
    cases: Sequence[PickedCase]
    lines: Mapping[str, str]
    disputes: str
    format: str
    language: str


def report_form(context: PageContext, form: FormData, search_form: SearchForm) -> ReportForm:
    """The form as it was sent, its cases moved or taken out as a button asks."""
    uses, remarks = _all(form, "use"), _all(form, "remark")
    cases = []
    for place, name in enumerate(search_form.picks):
        use = uses[place] if place < len(uses) and uses[place] in set(Use) else Use.OPEN
        cases.append(_picked(context, name, use, remarks[place] if place < len(remarks) else ""))
    written, language = value_of(form, "format"), value_of(form, "language")
    return ReportForm(
        search_form,
        _moved(cases, value_of(form, "move")),
        {name: value_of(form, name).strip() for name in LINES},
        cleaned(value_of(form, "disputes")),
        written if written in FORMATS else FORMATS[0],
        language if language in {"zh", "fr", "en"} else context.preferences.language,
    )


def report_request(context: PageContext, form: ReportForm) -> ReportRequest:
    """The form as the API takes it."""
    search_form = form.search_form
    asked = {
        "text": search_form.text,
        "k": min(search_form.shown, context.service.settings.k),
        "filters": search_form.given,
        "node": search_form.node or None,
        "cases": [
            ReportCase.model_validate(
                {"id": one.id, "use": None if one.use == Use.OPEN else str(one.use), "remark": one.remark}
            )
            for one in form.cases
        ],
        "disputes": [line.strip() for line in form.disputes.split("\n") if line.strip()],
        "language": form.language,
        "format": form.format,
        "masked": not context.preferences.unmasked,
        **form.lines,
    }
    try:
        return ReportRequest.model_validate(asked)
    except ValidationError as error:
        raise ApiError(422, where=field_errors(error.errors(include_input=False))) from None


def _all(form: FormData, name: str) -> list[str]:
    return [cleaned(value) for value in form.getlist(name) if isinstance(value, str)]


def _picked(context: PageContext, name: str, use: str, remark: str) -> PickedCase:
    document = context.served_index.document(name)
    title = context.maskers.case(document).text(document.title)
    about = [part for part in (document.court, document.number, document.date) if part]
    if document.node:
        title = context.place(document.node)
    return PickedCase(name, title or name, about, use, remark)


def _moved(cases: list[PickedCase], wish: str) -> list[PickedCase]:
    """`up-2` puts the third case before the second, `out-0` takes the first out."""
    way, _, written = wish.partition("-")
    place = int(written) if written.isascii() and written.isdecimal() and len(written) < 4 else len(cases)
    if place >= len(cases):
        return cases
    if way == "out":
        return cases[:place] + cases[place + 1 :]
    other = place - 1 if way == "up" else place + 1
    if 0 <= other < len(cases):
        cases[place], cases[other] = cases[other], cases[place]
    return cases


def moved_to(wish: str, cases: int) -> str:
    """The button that a case was moved by, where it stands now; at an end, that which moves it back."""
    way, _, written = wish.partition("-")
    if way not in {"up", "down"} or not (written.isascii() and written.isdecimal() and len(written) < 4):
        return wish and "out"
    place = int(written) + (1 if way == "down" else -1)
    if not 0 < place < cases - 1:
        way = "down" if place <= 0 else "up"
    return f"{way}-{min(max(place, 0), cases - 1)}"
