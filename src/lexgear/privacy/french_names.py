"""Detection of person names in French texts: after titles such as M., Mme and Maître."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexgear.privacy.name_matching import Mention

_TITLE = r"(?:MM?\.|M(?:me|mes|lle|lles|r|rs|s)\.?|Monsieur|Madame|Mesdames|Messieurs|Mademoiselle|Ma[iî]tre)"
_SENTENCE = (
    "Il|Elle|Ils|Elles|Le|La|Les|Un|Une|Des|Ce|Cet|Cette|Ces|Sa|Son|Ses|Mon|Ma|Mes|Je|Nous|Vous|On|Que|Qui|Quel|Quelle|"
    "Pour|Dans|En|Par|Si|Mais|Et|Or|Donc|Puis|Est|Peut|Doit|Comment|Lors|Au|Aux|Du|De|Cela|Ceci|Comme|Après|Avant|À"
)
_INITIAL = r"[A-ZÀ-Ý]\."
_WORD = r"[A-ZÀ-Ý][\w'’\-]*"
_PARTICLE = r"(?:de la|de|du|des|le|la|van der|van den|van|von|ben|el|d['’])"
_PART = rf"(?:{_INITIAL}(?=[\s\-]?(?!(?:{_SENTENCE})(?!\w))[A-ZÀ-Ý])|{_WORD})"
_NAME = rf"(?:{_PARTICLE}\s?)?{_PART}(?:[\s\-](?:{_PARTICLE}\s?|(?!(?:{_SENTENCE})(?!\w))){_PART})*"
_TITLED = re.compile(rf"(?<!\w){_TITLE}\s(?!(?:{_SENTENCE})(?!\w))({_NAME})")


def find_french_names(text: str) -> Iterator[Mention]:
    """Yield the names that follow a title.

    >>> text = "M. J.-P. Dupont et Madame de La Tour ont vendu. Il a payé Maître X."
    >>> [text[start:end] for start, end in find_french_names(text)]
    ['J.-P. Dupont', 'de La Tour', 'X']
    """
    for match in _TITLED.finditer(text):
        yield Mention(*match.span(1))
