"""Elements of the charges of a case, and the expressions of the charge book that a text and the case use."""

from __future__ import annotations

from collections.abc import Iterator

from lexgear.corpus.records import Document
from lexgear.law.charge_book import charge_book
from lexgear.serve.api.models import ResponseModel

MAX_CHARGES = 3
"""Charges of a case that are compared."""


class ChargeElements(ResponseModel):
    """Conduct that a charge requires, in the words of the charge book, and expressions of either side."""

    charge: str
    conduct: str
    shared: list[str]
    """Expressions that both use."""
    text_only: list[str]
    case_only: list[str]


def compare_elements(text: str, document: Document) -> list[ChargeElements]:
    """Return the elements of the charges of a case that either side uses an expression of."""
    return list(_elements(text, document))


def _elements(text: str, document: Document) -> Iterator[ChargeElements]:
    whole = document.text
    for charge in document.charges[:MAX_CHARGES]:
        if (entry := charge_book().get(charge)) is None:
            continue
        expressions = _longest([one for one in entry.expressions if one in text or one in whole])
        if expressions:
            yield ChargeElements(
                charge=charge,
                conduct=entry.conduct,
                shared=[one for one in expressions if one in text and one in whole],
                text_only=[one for one in expressions if one in text and one not in whole],
                case_only=[one for one in expressions if one in whole and one not in text],
            )


def _longest(expressions: list[str]) -> list[str]:
    """Return the expressions without those inside a longer one."""
    return [one for one in expressions if not any(one != other and one in other for other in expressions)]
