"""Authority tier of a decision by article 4 of the 2020 opinion, as far as court and title reveal it.

The article also requires that a judgment has taken effect. An index does not know that; the report says so.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from lexgear.corpus.extraction.courts import court_level, read_region
from lexgear.corpus.records import Document
from lexgear.report.model import Tier

_GUIDING = re.compile("指导性?案例")
_OF_PROSECUTORS = re.compile("检例|最高人民检察院")
_PUBLISHED = re.compile("最高人民法院.{0,20}(?:典型案例|公报)|公报案例")
_SEAT = re.compile("(?P<seat>.{2,}(?:市|州|盟|地区))中级人民法院")
"""Name of an intermediate court that contains its prefecture; the numbered courts of large cities do not."""
_PREFECTURE = re.compile("^.{2,8}?(?:省|自治区)(?P<name>.{2,12}?(?:市|州|盟|地区))(?=.+[区县市旗])")
"""Prefecture in the name of a basic court, as in 江西省南昌市青山湖区人民法院."""


class Placed(NamedTuple):
    """Tier and the code of the reason for it."""

    tier: Tier
    reason: str


_OTHER = Placed(Tier.OTHER, "other")


def tier_of(document: Document, pending_court: str = "") -> Placed:
    """Return the tier of a document; without the court of the pending case only the first two can be determined.

    >>> tier_of(Document("1", court="江西省高级人民法院", level="high", region="江西"), "江西省南昌市中级人民法院")
    Placed(tier=<Tier.HIGH: 'high'>, reason='province')
    """
    level = document.level or court_level(document.court)
    if known := _by_itself(document, level):
        return known
    if not pending_court.strip():
        return Placed(Tier.UNKNOWN, "pending_court_missing")
    return _among_courts(document, level, pending_court.strip())


def _by_itself(document: Document, level: str) -> Placed | None:
    """Return the tier if it does not depend on the court of the pending case."""
    title = document.title
    if document.node:
        return Placed(Tier.PROVISION, "provision")
    if _GUIDING.search(title) and not _OF_PROSECUTORS.search(title):
        return Placed(Tier.GUIDING, "title")
    if level == "supreme" or _PUBLISHED.search(title):
        return Placed(Tier.SUPREME, "court" if level == "supreme" else "title")
    return None if level else Placed(Tier.UNKNOWN, "court_missing")


def _among_courts(document: Document, level: str, pending: str) -> Placed:
    """Return the tier by the relation of the document's court to the court of the pending case."""
    own_level, own_region = court_level(pending), read_region(pending, "", "")
    region = document.region or read_region(document.court, document.number, "")
    one_province = region == own_region if region and own_region else None
    if level == "high":
        return {True: Placed(Tier.HIGH, "province"), False: _OTHER, None: Placed(Tier.UNKNOWN, "region_missing")}[
            one_province
        ]
    if document.court == pending:
        return Placed(Tier.ABOVE_OR_OWN, "own")
    if level == "basic" or own_level not in {"basic", "special"} or one_province is False:
        return _OTHER  # only intermediate, high and special courts of the same province are above a court
    return _intermediate(document.court, pending)


def _intermediate(court: str, pending: str) -> Placed:
    """Return the tier of an intermediate court; it is above a basic court if both names contain the same prefecture."""
    seat = _SEAT.fullmatch(court)
    if seat and pending.startswith(seat["seat"]):
        return Placed(Tier.ABOVE_OR_OWN, "above")
    own = _PREFECTURE.match(pending)
    if seat and own and not seat["seat"].endswith(own["name"]):
        return _OTHER
    return Placed(Tier.UNKNOWN, "court_above_unknown")
