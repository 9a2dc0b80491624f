"""Denial of a surrender by the court, which overrules what the facts tell."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lexgear.corpus.extraction.factors.factor import Factor

TERM = "自首"
_NO_SURRENDER = re.compile(
    r"(?:不构成|不成立|不认定|不予认定|不应认定|不应当认定|不能认定|不宜认定|不能(?:视为|构成|成立)|不符合|不属于?|不具有|不具备|不以|不是|并非|未构成)"
    rf"[^，。；]{{0,16}}{TERM}"
)
_REFUSED = re.compile(
    rf"{TERM}[^。；]{{0,40}}(?:不予采纳|不能成立|不成立|不予认定|不予支持|不予采信|不予确认|不符(?!合从))"
)


def without_denied_surrender(found: list[Factor], sections: Mapping[str, str]) -> list[Factor]:
    """Return the factors; if the court denies a surrender, only places that say 自首 afterwards remain.

    They are about a co-defendant. Somebody who came to the police (投案) but did not tell the truth has not
    surrendered, whatever the accusation says.
    """
    if not any(factor.name == "surrender" for factor in found):
        return found
    reasoning = sections.get("reasoning", "")
    told = max((denial.end() for denial in _NO_SURRENDER.finditer(sections.get("fact", ""))), default=0)
    if not told and not _NO_SURRENDER.search(reasoning) and not _REFUSED.search(reasoning):
        return found
    return [factor for factor in found if factor.name != "surrender" or _named(factor, sections, told)]


def _named(factor: Factor, sections: Mapping[str, str], told: int) -> bool:
    """Return True if a place says 自首, in the facts after the last denial there."""
    if factor.section == "fact" and factor.start < told:
        return False
    return TERM in sections[factor.section][factor.start : factor.end]
