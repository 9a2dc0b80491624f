"""Authority of a published decision: guiding, gazette, reference and typical cases of the Supreme People's Court."""

from __future__ import annotations

import re

from lexgear.corpus.records import Document

AUTHORITIES = ("guiding", "gazette", "reference", "typical")
"""指导性案例, 公报案例, 人民法院案例库入库案例 and 典型案例, highest first."""
_WRITTEN = {
    "guiding": ("指导性案例", "指导案例"),
    "gazette": ("公报案例",),
    "reference": ("入库案例", "参考案例"),
    "typical": ("典型案例",),
}
_BY_NAME = {name: code for code, names in _WRITTEN.items() for name in (code, *names)}
_OF_PROSECUTORS = re.compile("检例|最高人民检察院")
_IN_TITLES = {
    "guiding": re.compile("指导性?案例"),
    "gazette": re.compile("公报案例|最高人民法院.{0,20}公报"),
    "reference": re.compile("入库案例|人民法院案例库"),
    "typical": re.compile("最高人民法院.{0,20}典型案例"),
}


def authority_code(written: str) -> str:
    """Return the code of an authority as people write it; empty if it is unknown.

    >>> authority_code("指导性案例"), authority_code("gazette"), authority_code("important")
    ('guiding', 'gazette', '')
    """
    return _BY_NAME.get(written.strip(), "")


def authority_of(document: Document) -> str:
    """Return the authority of a document: as recorded, else as its title tells; empty if it has none.

    >>> authority_of(Document("1", title="指导案例12号：李飞故意杀人案"))
    'guiding'
    """
    if document.authority or document.node or _OF_PROSECUTORS.search(document.title):
        return document.authority
    return next((code for code, pattern in _IN_TITLES.items() if pattern.search(document.title)), "")
