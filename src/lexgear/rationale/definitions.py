"""Sources of B2 and B3: the charge book, the text of a law, and accepted descriptions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from lexgear.errors import ErrorCode, InputError
from lexgear.law.charge_book import charge_book
from lexgear.law.tree import LawTree
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.records import Source

NO_DESCRIPTIONS: Mapping[str, str] = MappingProxyType({})


def charge_definitions(law: LawTree, source: Source = "book") -> dict[str, str]:
    """Return the definition of every charge of a law by name; empty for a charge that has none.

    With `book`, charges that the charge book lacks are defined by the text of the law.
    """
    texts = {node.number: node.text for node in law.of_kind("charge")}
    book = charge_book() if source == "book" else {}
    return {name: book[name].definition if name in book else text for name, text in texts.items()}


def charge_lexicon(
    law: LawTree, language: str, source: Source = "book", descriptions: Mapping[str, str] = NO_DESCRIPTIONS
) -> Lexicon:
    """Return B1 and B2 of the charges of a law.

    B2 has the words of the definitions, with `book` also the expressions of the charge book, and those of accepted
    descriptions. With `law` a law without any text is refused, because B2 would be empty.
    """
    definitions = charge_definitions(law, source)
    if source == "law" and definitions and not any(definitions.values()):
        raise InputError(
            "no charge of this law has a text, so that B2 and B3 of f_R would be empty",
            code=ErrorCode.INVALID_SETTING,
            remedy="import the collection with the text of the law, or set definitions=book",
            name="definitions",
        )
    more = dict(descriptions)
    if source == "book":
        for name in definitions.keys() & charge_book().keys():
            words = " ".join(charge_book()[name].expressions)
            more[name] = f"{words}\n{more[name]}" if name in more else words
    return Lexicon.from_charges(definitions, language, more)
