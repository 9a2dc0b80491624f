"""Keywords of a search: words and phrases that a document must or must not contain, as filters on its text."""

from __future__ import annotations

import re
from collections.abc import Iterable

_TERM = re.compile(r"""([+＋\-−－–]?)(?:"([^"]*)"|“([^“”]*)”|「([^「」]*)」|«([^«»]*)»|(\S+))""")
_EXCLUDED = frozenset("-−－–")


def keyword_filters(written: str) -> list[str]:
    """Return the filters of keywords: all terms must occur, those after a minus sign must not.

    Quotation marks hold a phrase together, and `自首|坦白` asks for either.

    >>> keyword_filters('自首 "如实供述 罪行" -累犯')
    ['text=自首', 'text=如实供述 罪行', 'text!=累犯']
    """
    filters = []
    for sign, *forms in _TERM.findall(written):
        term = next(filter(None, forms), "").strip(" \u00a0\u202f|+-−")
        if term:
            filters.append(f"text{'!=' if sign in _EXCLUDED else '='}{term}")
    return list(dict.fromkeys(filters))


def written_keywords(filters: Iterable[str]) -> str:
    """Return the keywords of filters on the text, as `keyword_filters` reads them.

    >>> written_keywords(['text=自首', 'text=如实供述 罪行', 'text!=累犯'])
    '自首 "如实供述 罪行" -累犯'
    """
    terms = []
    for one in filters:
        sign, term = ("-", one.removeprefix("text!=")) if one.startswith("text!=") else ("", one.removeprefix("text="))
        terms.append(f'{sign}"{term}"' if " " in term else f"{sign}{term}")
    return " ".join(terms)
