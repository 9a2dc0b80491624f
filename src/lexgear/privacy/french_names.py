"""Detection of person names in French texts: after titles and the like (M., Mme, Maître, docteur, époux, née)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexgear.privacy.name_matching import Mention

_TITLE = (
    r"(?:M\.|M(?:me|lle|r|e|s)\.?|[Mm]onsieur|[Mm]adame|[Mm]ademoiselle|[Mm]a[iî]tre|[Dd]octeur|[Pp]rofesseur|Dr\.?|Pr\.?|"
    r"[Vv]euve|[Nn]ée?|[Ss]ieur|[Dd]ame|[Dd]énommée?|[Nn]ommée?)"
)
_TITLE_OF_SEVERAL = r"(?:MM\.|M(?:mes|lles|rs)\.?|[Mm]esdames|[Mm]essieurs|[ÉéEe]poux|[Cc]onsorts)"
_SENTENCE = (
    "Il|Elle|Ils|Elles|Le|La|Les|Un|Une|Des|Ce|Cet|Cette|Ces|Sa|Son|Ses|Mon|Ma|Mes|Je|Nous|Vous|On|Que|Qui|Quel|Quelle|"
    "Pour|Dans|En|Par|Si|Mais|Et|Or|Donc|Puis|Est|Peut|Doit|Comment|Lors|Au|Aux|Du|De|Cela|Ceci|Comme|Après|Avant|À"
)
_INITIAL = r"[A-ZÀ-Ý]\."
_WORD = r"[A-ZÀ-Ý][\w'’\-]*"
_PARTICLE = r"(?:de la|de|du|des|le|la|van der|van den|van|von|ben|el|d['’])"
_PART = rf"(?:{_INITIAL}(?=[\s\-]?(?!(?:{_SENTENCE})(?!\w))[A-ZÀ-Ý])|{_WORD})"
_OFFICE = (
    r"(?:Président|Maire|Ministre|Préfet|Juge|Procureur|Direct(?:eur|rice)|Conseill?|Greffi|Bâtonnier|Commissaire|Avocat|Notaire|"
    r"Secrétaire|Gouverneur|Bourgmestre|Rapporteur)(?:e|ère?|er|s)?(?!\w)"
)
_ARTICLE = rf"L[ea]\s(?!{_OFFICE})(?=[A-ZÀ-Ý])"
"""Beginning of a name such as Le Goff."""
_FURTHER = rf"(?:[\s\-](?:{_ARTICLE}|{_PARTICLE}\s?|(?!(?:{_SENTENCE})(?!\w))){_PART})*"
_NAME = rf"(?:{_ARTICLE}|{_PARTICLE}\s?(?!{_OFFICE}))?{_PART}{_FURTHER}"
_FIRST = rf"(?:(?={_ARTICLE})|(?!(?:{_SENTENCE})(?!\w)))"
_TITLED = re.compile(rf"(?<![\w\-]){_TITLE}\s{_FIRST}({_NAME})")
_SEVERAL = re.compile(rf"(?<![\w\-]){_TITLE_OF_SEVERAL}\s(?={_FIRST}{_NAME})")
_ONE_OF_SEVERAL = re.compile(rf"(?!l[ae]s?\s|du\s){_FIRST}({_NAME})(?:,\s|\s(?:et|ou)\s)?")


def find_french_names(text: str) -> Iterator[Mention]:
    """Yield the names that follow a title, and those in a list that a plural title begins.

    >>> text = "M. J.-P. Dupont et Madame de La Tour ont vendu. MM. Petit et Roche ont payé Maître X."
    >>> [text[start:end] for start, end in find_french_names(text)]
    ['J.-P. Dupont', 'de La Tour', 'X', 'Petit', 'Roche']
    """
    for match in _TITLED.finditer(text):
        yield Mention(*match.span(1))
    for title in _SEVERAL.finditer(text):
        end = title.end()
        while name := _ONE_OF_SEVERAL.match(text, end):
            yield Mention(*name.span(1))
            if name.end() == name.end(1):
                break
            end = name.end()
