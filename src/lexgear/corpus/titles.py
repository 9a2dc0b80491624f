"""Titles of documents; a judgment without one gets a title from its first defendant, its charges and its number."""

from __future__ import annotations

import re

from lexgear.corpus.records import Document

_KIND = re.compile("(?:刑事|民事|行政|附带){0,4}(?:判决书|裁定书|决定书|调解书)")
_MAX_CHARGES = 2


def title_of(document: Document) -> str:
    """Return the title of a document, or a derived one; empty if nothing is known.

    The derived title contains a name and has to be masked like a title of the source.

    >>> title_of(Document("1", charges=("盗窃罪",), number="（2018）赣0199刑初8071号"))
    '盗窃案 （2018）赣0199刑初8071号'
    """
    if document.title or document.node:
        return document.title
    return " ".join(part for part in (case_name(document), document.number) if part)


def case_name(document: Document) -> str:
    """Return the name of a case as lawyers use it: 王某某等盗窃、抢劫案; empty if person and charge are unknown."""
    charges = "、".join(charge.removesuffix("罪") for charge in document.charges[:_MAX_CHARGES])
    more = "等" if len(document.charges) > _MAX_CHARGES else ""
    persons = document.defendants[0].name if document.defendants else ""
    persons += "等" if len(document.defendants) > 1 else ""
    return f"{persons}{charges}{more}案" if persons or charges else ""


def kind_of_decision(title: str) -> str:
    """Return the kind of decision that a title names, such as 刑事判决书; 刑事判决书 if it names none."""
    found = _KIND.findall(title)
    return found[-1] if found else "刑事判决书"
