"""Preferences of a visitor: language, display of names, and the part of the page that htmx requests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from lexgear.serve.page.same_origin import is_cross_site
from lexgear.wording.translations import LANGUAGES

LANGUAGE, NAMES = "lexgear_language", "lexgear_names"
"""Names of the cookies."""
YEAR = 365 * 24 * 3600
_WEIGHT = re.compile(r";\s*q=([0-9.]{1,6})")


@dataclass(frozen=True)
class Preferences:
    """Preferences of the visitor who makes a request."""

    language: str
    unmasked: bool = False
    """True if names of private persons are shown."""
    target: str = ""
    """HTML id of the part that htmx requests; empty for a whole page."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Cookies to set, from the query string."""

    def set_cookies(self, response: Response) -> None:
        """Set the chosen cookies: the language for a year, the display of names until the browser closes."""
        for name, value in self.chosen.items():
            response.set_cookie(
                name, value, max_age=YEAR if name == LANGUAGE else None, httponly=True, samesite="strict"
            )


def read_preferences(request: Request, own: str, *, may_unmask: bool) -> Preferences:
    """Read the preferences from query string, cookies and headers; `own` is the language of the index.

    `?lang=` and `?names=` are stored in cookies.
    """
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
    """Return the chosen language, else the best accepted one, else that of the index."""
    wanted = [chosen, *_accepted(accepted), own]
    return next((language for language in wanted if language in LANGUAGES), LANGUAGES[-1])


def _accepted(header: str) -> list[str]:
    """Return the languages of an Accept-Language header, by descending weight.

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
