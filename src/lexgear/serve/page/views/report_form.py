"""View of the report form: the picked cases in order, their use, and the entries of the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError
from starlette.datastructures import FormData

from lexgear.report.formats import FORMATS as REPORT_FORMATS
from lexgear.report.model import Use
from lexgear.serve.api.errors import ApiError, field_errors
from lexgear.serve.api.models import CaseBrief
from lexgear.serve.api.requests import ReportCase, ReportRequest
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.form import SearchForm, clean_text, value_of
from lexgear.wording.translations import LANGUAGES

LINES = ("title", "number", "court", "by", "organisation")
"""Entries of one line each; the disputed points have a text area."""
FORMATS = tuple(one.suffix.removeprefix(".") for one in REPORT_FORMATS.values())
"""Suffixes of the report formats, in the order of the form."""
USES = (Use.OPEN, Use.FOLLOWED, Use.REFERRED, Use.DISTINGUISHED)


@dataclass(frozen=True)
class PickedCase:
    """Case in the form."""

    id: str
    title: str
    about: Sequence[str]
    uses: Sequence[Use]
    """Uses to choose from; article 9 reserves 参照 for guiding cases."""
    use: str = Use.OPEN
    remark: str = ""

    @property
    def may_follow(self) -> bool:
        """True for a guiding case."""
        return Use.FOLLOWED in self.uses


@dataclass(frozen=True)
class ReportForm:
    """Contents of the form."""

    search_form: SearchForm
    cases: Sequence[PickedCase]
    lines: Mapping[str, str]
    disputes: str
    format: str
    language: str


def report_form(
    context: PageContext, form: FormData, search_form: SearchForm, picked: Sequence[CaseBrief]
) -> ReportForm:
    """Return the form as it was sent, with a case moved or removed if a button asks for it."""
    uses, remarks = _all(form, "use"), _all(form, "remark")
    cases = []
    for place, case in enumerate(picked):
        offered = uses_of(case)
        use = uses[place] if place < len(uses) and uses[place] in offered else Use.OPEN
        cases.append(_picked(context, case, use, remarks[place] if place < len(remarks) else ""))
    written, language = value_of(form, "format"), value_of(form, "language")
    return ReportForm(
        search_form,
        _reordered(cases, value_of(form, "move")),
        {name: value_of(form, name).strip() for name in LINES},
        clean_text(value_of(form, "disputes")),
        written if written in FORMATS else FORMATS[0],
        language if language in LANGUAGES else context.preferences.language,
    )


def report_request(context: PageContext, form: ReportForm) -> ReportRequest:
    """Return the form as a request to the API."""
    search_form = form.search_form
    body = {
        "text": search_form.text,
        "k": min(search_form.shown, context.service.settings.k),
        "filters": search_form.api_filters,
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
        return ReportRequest.model_validate(body)
    except ValidationError as error:
        raise ApiError(422, where=field_errors(error.errors(include_input=False))) from None


def uses_of(case: CaseBrief) -> tuple[Use, ...]:
    """Return the uses that article 9 of the opinion allows for a case: only guiding cases are followed (参照)."""
    return tuple(use for use in USES if use != Use.FOLLOWED or case.authority == "guiding")


def focused_button(move: str, cases: int) -> str:
    """Return the id of the button to focus after a move: the same one, or at an end the one that moves back."""
    direction, _, written = move.partition("-")
    if direction not in {"up", "down"} or not _is_index(written):
        return move and "out"
    place = int(written) + (1 if direction == "down" else -1)
    if not 0 < place < cases - 1:
        direction = "down" if place <= 0 else "up"
    return f"{direction}-{min(max(place, 0), cases - 1)}"


def _all(form: FormData, name: str) -> list[str]:
    return [clean_text(value) for value in form.getlist(name) if isinstance(value, str)]


def _picked(context: PageContext, case: CaseBrief, use: str, remark: str) -> PickedCase:
    about = [part for part in (case.court, case.number, context.format.day(case.date) if case.date else "") if part]
    title = context.heading(case)
    return PickedCase(case.id, title or case.id, about, uses_of(case), use, remark)


def _reordered(cases: list[PickedCase], move: str) -> list[PickedCase]:
    """Apply a move: `up-2` puts the third case before the second, `out-0` removes the first."""
    direction, _, written = move.partition("-")
    place = int(written) if _is_index(written) else len(cases)
    if place >= len(cases):
        return cases
    if direction == "out":
        return cases[:place] + cases[place + 1 :]
    other = place - 1 if direction == "up" else place + 1
    if 0 <= other < len(cases):
        cases[place], cases[other] = cases[other], cases[place]
    return cases


def _is_index(written: str) -> bool:
    return written.isascii() and written.isdecimal() and len(written) < 4
