"""Citations of judgments and statutory articles, in the form and language in which lawyers cite them."""

from __future__ import annotations

from collections.abc import Sequence

from lexgear.corpus.records import Document
from lexgear.corpus.titles import case_name, kind_of_decision
from lexgear.law.tree import LawNode

_MONTHS = (
    *("janvier", "février", "mars", "avril", "mai", "juin"),
    *("juillet", "août", "septembre", "octobre", "novembre", "décembre"),
)


def citation(document: Document, path: Sequence[LawNode], language: str) -> str:
    """Return how to cite a document; `path` is that of an article, `language` that of the documents.

    >>> decision = {"court": "某区人民法院", "date": "2018-05-02", "number": "（2018）X01刑初4号"}
    >>> citation(Document("1", charges=("盗窃罪",), **decision), (), "zh")
    '盗窃案，某区人民法院（2018）X01刑初4号刑事判决书，2018年5月2日。'
    """
    if document.node and path:
        return _french_article(document, path) if language == "fr" else _chinese_article(path)
    decision = f"{document.court}{document.number}{kind_of_decision(document.title) if document.number else ''}"
    parts = [case_name(document) or document.title, decision, chinese_date(document.date)]
    return f"{'，'.join(part for part in parts if part)}。" if any(parts) else document.id


def french_date(date: str) -> str:
    """Return a date in French; day and month may be unknown.

    >>> french_date("2019-03-01"), french_date("2019-03"), french_date("2019")
    ('1er mars 2019', 'mars 2019', '2019')
    """
    year, *rest = (int(part) for part in date.split("-"))
    months = [_MONTHS[month - 1] for month in rest[:1]]
    days = ["1er" if day == 1 else str(day) for day in rest[1:]]
    return " ".join((*days, *months, str(year)))


def chinese_date(date: str) -> str:
    """Return a date in Chinese; day and month may be unknown.

    >>> chinese_date("2019-03-01"), chinese_date("2019-03"), chinese_date("2019")
    ('2019年3月1日', '2019年3月', '2019年')
    """
    return "".join(f"{int(part)}{unit}" for part, unit in zip(date.split("-"), "年月日", strict=False) if part)


def _chinese_article(path: Sequence[LawNode]) -> str:
    number, _, sub = path[-1].number.partition("-")
    return f"《{path[0].title or path[0].number}》第{number}条{f'之{sub}' if sub else ''}"


def _french_article(document: Document, path: Sequence[LawNode]) -> str:
    """Return `Code civil, art. 1382 (en vigueur depuis le 1er mars 2019)`."""
    cited = f"{path[0].title or path[0].number}, art. {path[-1].number}"
    if not document.in_force_from:
        return cited
    since = french_date(document.in_force_from)
    if document.in_force_until:
        return f"{cited} (en vigueur du {since} au {french_date(document.in_force_until)})"
    return f"{cited} (en vigueur depuis le {since})"
