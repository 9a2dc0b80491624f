"""Relation of two courts as far as their names reveal it: the same court, a court above it, or neither."""

from __future__ import annotations

import re
from enum import StrEnum

from lexgear.corpus.extraction.courts import court_level, read_region

_SEAT = re.compile("(?P<seat>.{2,}(?:市|州|盟|地区))中级人民法院")
"""Name of an intermediate court that contains its prefecture; the numbered courts of large cities do not."""
_PREFECTURE = re.compile("^.{2,8}?(?:省|自治区)(?P<name>.{2,12}?(?:市|州|盟|地区))(?=.+[区县市旗])")
"""Prefecture in the name of a basic court, as in 江西省南昌市青山湖区人民法院."""


class Relation(StrEnum):
    """Relation of a deciding court to the court of a pending case."""

    SUPREME = "supreme"
    PROVINCE = "province"
    """High court of the same province."""
    ABOVE = "above"
    OWN = "own"
    OTHER = "other"
    REGION_MISSING = "region_missing"
    """High court, but one of the two provinces is unknown."""
    UNKNOWN = "court_above_unknown"
    """Intermediate court that may be above the other; the names do not tell."""


AT_LEAST_OWN = frozenset({Relation.SUPREME, Relation.PROVINCE, Relation.ABOVE, Relation.OWN})
"""Relations of the court itself and of those above it."""


def relation_of(court: str, level: str, region: str, pending: str) -> Relation:
    """Return the relation of a court, with its level and region, to the court of a pending case.

    >>> relation_of("江西省南昌市中级人民法院", "intermediate", "江西", "江西省南昌市青山湖区人民法院")
    <Relation.ABOVE: 'above'>
    """
    if level == "supreme":
        return Relation.SUPREME
    own_level, own_region = court_level(pending), read_region(pending, "", "")
    one_province = region == own_region if region and own_region else None
    if level == "high":
        found = {True: Relation.PROVINCE, False: Relation.OTHER, None: Relation.REGION_MISSING}
        return found[one_province]
    if court == pending:
        return Relation.OWN
    if level == "basic" or own_level not in {"basic", "special"} or one_province is False:
        return Relation.OTHER  # only intermediate, high and special courts of the same province are above a court
    return _of_intermediate(court, pending)


def _of_intermediate(court: str, pending: str) -> Relation:
    """Return the relation of an intermediate court: above a basic court if both names contain the same prefecture."""
    seat = _SEAT.fullmatch(court)
    if seat and pending.startswith(seat["seat"]):
        return Relation.ABOVE
    own = _PREFECTURE.match(pending)
    if seat and own and not seat["seat"].endswith(own["name"]):
        return Relation.OTHER
    return Relation.UNKNOWN
