"""Authority tier of a decision by article 4 of the 2020 opinion, as far as court and title reveal it.

The article also requires that a judgment has taken effect. An index does not know that; the report says so.
"""

from __future__ import annotations

from typing import NamedTuple

from lexgear.corpus.authority import authority_of
from lexgear.corpus.extraction.court_hierarchy import Relation, relation_of
from lexgear.corpus.extraction.courts import court_level, read_region
from lexgear.corpus.records import Document
from lexgear.report.model import Tier

_RELATIONS = {Relation.PROVINCE: Tier.HIGH, Relation.ABOVE: Tier.ABOVE_OR_OWN, Relation.OWN: Tier.ABOVE_OR_OWN}
"""Tiers of the relations of courts; others are unknown or, if the court is none of those above, other."""


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
    if document.node:
        return Placed(Tier.PROVISION, "provision")
    authority, told_by = authority_of(document), "record" if document.authority else "title"
    if authority == "guiding":
        return Placed(Tier.GUIDING, told_by)
    if level == "supreme" or authority in {"gazette", "typical"}:
        return Placed(Tier.SUPREME, "court" if level == "supreme" else told_by)
    return None if level else Placed(Tier.UNKNOWN, "court_missing")


def _among_courts(document: Document, level: str, pending: str) -> Placed:
    """Return the tier by the relation of the document's court to the court of the pending case."""
    region = document.region or read_region(document.court, document.number, "")
    relation = relation_of(document.court, level, region, pending)
    if relation == Relation.OTHER:
        return _OTHER
    return Placed(_RELATIONS.get(relation, Tier.UNKNOWN), str(relation))
