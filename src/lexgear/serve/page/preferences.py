"""Who looks at the page: their language, whether they may see names, and which part of the page they ask for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from lexgear.serve.page.same_origin import is_cross_site
from lexgear.wording.translations import LANGUAGES

LANGUAGE, NAMES = "lexgear_language", "lexgear_names"
"""Cookies."""
YEAR = 365 * 24 * 3600
_WEIGHT = re.compile(r";\s*q=([0-9.]{1,6})")


@dataclass(frozen=True)
class Preferences:
    """What is known of who asks."""

    language: str
    unmasked: bool = False
    """Whether names of private persons are shown."""
    target: str = ""
    """Id of the part that htmx wants; empty where a whole page is wanted."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Cookies to set, since the address says so."""

    def remember(self, response: Response) -> None:
        """Sets what was chosen: a language for a year, names for as long as the browser is open."""
        for name, value in self.chosen.items():
            response.set_cookie(
                name, value, max_age=YEAR if name == LANGUAGE else None, httponly=True, samesite="strict"
            )


def read_preferences(request: Request, own: str, *, may_unmask: bool) -> Preferences:
    """Who asks, where `own` is the language of the index; `?lang=` and `?names=` choose for later too."""
    chosen = {}
    if (asked := request.query_params.get("lang", "")) in LANGUAGES:
        chosen[LANGUAGE] = asked
    names = request.query_params.get("names", "")
    if may_unmask and names in {"shown", "masked"} and not is_cross_site(request):
        chosen[NAMES] = names
    cookies = {**request.cookies, **chosen}
    return Preferences(
        language=_language(cookies.get(LANGUAGE, ""), request.headers.get("Accept-Language", ""), own),
        unmasked=may_unmask and cookies.get(NAMES) == "shown",
        target=request.headers.get("HX-Target", "") if "HX-Request" in request.headers else "",
        chosen=chosen,
    )


def _language(chosen: str, accepted: str, own: str) -> str:
    """What was chosen, else the best that the browser accepts, else the language of the index."""
    wanted = [chosen, *_accepted(accepted), own]
    return next((language for language in wanted if language in LANGUAGES), LANGUAGES[-1])


def _accepted(header: str) -> list[str]:
    """The languages of an Accept-Language header, the most welcome first.

    >>> _accepted("de, fr-CH;q=0.9, en;q=0.95")
    ['de', 'en', 'fr']
    """
    weighed = []
    for part in header[:500].split(","):
        weight = _WEIGHT.search(part)
        try:
            weighed.append((-float(weight[1]) if weight else -1.0, part.split(";")[0].strip()[:2].lower()))
        except ValueError:
            continue
    return [name for weight, name in sorted(weighed, key=lambda one: one[0]) if weight < 0]
