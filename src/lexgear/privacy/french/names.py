"""Detection of person names in French texts.

Names are found after titles and the like (M., Mme, Maître, docteur, époux, née), after relations (mon voisin, ma sœur,
je m'appelle), and by common first names (Jean Dupont).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexgear.privacy.french.first_names import FIRST_NAMES, NAMES_AND_WORDS
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
_PARTICLE = (
    r"(?:de la|de|du|des|le|la|van der|van den|van de|van|von|den|der|ten|ter|ben|bin|el|al|da|di|del|della|dos|d['’])"
)
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
_PERSON = (
    r"(?:voisine?|sœur|soeur|frère|fils|fille|mari|époux|épouse|femme|compagne|compagnon|conjointe?|partenaire|ami|amie|copine|"
    r"copain|fiancée?|collègue|père|mère|cousine?|neveu|nièce|oncle|tante|beau-[a-zè]+|belle-[a-zèœ]+|grand-[a-zè]+|"
    r"ex-[a-zé]+|propriétaire|bailleur|bailleresse|locataire|employeur|patron|patronne|enfant|bébé|colocataire)"
)
_RELATED = re.compile(
    rf"(?<![\w\-])(?:(?:[MmTtSs](?:on|a)|[NnVv]otre|[Ll]eur)\s(?:\w+\s)?{_PERSON}(?:\s\(|,?\s)|[Jj]e\sm['’]appelle\s|s['’]appelle\s|"
    rf"(?:[Ll]e|[Ll]a|l['’])\s?(?:juge|notaire|avocate?|huissier|voisine?|bailleur|locataire)\s(?!d[eu]s?\s))(?={_FIRST}{_NAME})({_NAME})"
)
"""Words before a person whom a layperson names, with the name."""
_CAPITALISED = re.compile(r"(?<![\w\-])(?<!['’])[A-ZÀ-Ý][a-zß-ÿœ]+(?![\w'’])")
_ALL_FIRST_NAMES = FIRST_NAMES | NAMES_AND_WORDS
_AFTER_FIRST = re.compile(rf"(?:-{_WORD})?{_FURTHER}")
_FAMILY = re.compile(
    rf"(?:[Vv]oisins|[Aa]mis|[Ff]amille),?\s(?:les\s)?({_NAME})|(?<![\w\-'’])({_WORD})(?=\s(?:et|&)\s(?:[Ff]ils|[Ff]rères|[Cc]ie)(?!\w))"
)
"""Family names: mes voisins, les Dupont; la société Dupont et fils."""
_BEFORE_PLACE = re.compile(
    r"(?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Pp]lace|[Qq]uai|[Ss]aint|[Ss]ainte|[Ll]ycée|[Cc]ollège|[Éé]cole|[Hh]ôpital|[Ll]oi|[Aa]rrêt|Code|"
    r"[Ll]ivre|[Tt]itre|[Cc]hapitre|[Ss]ection)\s(?:\w+\s)?$|[Ss]ainte?-$"
)
"""Words before the name of a place, a law or an institution."""
_LONGEST_PLACE = 24
_SENTENCE_BEGINS = re.compile(r"(?:^|[.!?…:;\n«\"(])\s*$")
_TITLED = re.compile(rf"(?<![\w\-]){_TITLE}\s{_FIRST}({_NAME})")
_SEVERAL = re.compile(rf"(?<![\w\-]){_TITLE_OF_SEVERAL}\s(?={_FIRST}{_NAME})")
_ONE_OF_SEVERAL = re.compile(rf"(?!l[ae]s?\s|du\s){_FIRST}({_NAME})(?:,\s|\s(?:et|ou)\s)?")


def find_french_names(text: str) -> Iterator[Mention]:
    """Yield the names after a title or a relation, those in a list that a plural title begins, and common first names.

    >>> text = "M. J.-P. Dupont et Madame de La Tour ont vendu. MM. Petit et Roche ont payé Maître X, Léo aussi."
    >>> [text[start:end] for start, end in find_french_names(text)]
    ['J.-P. Dupont', 'de La Tour', 'X', 'Petit', 'Roche', 'Léo']
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
    for pattern in (_RELATED, _FAMILY):
        for match in pattern.finditer(text):
            yield Mention(*match.span(match.lastindex or 0))
    for match in _CAPITALISED.finditer(text):
        if match[0] in _ALL_FIRST_NAMES:
            further = _AFTER_FIRST.match(text, match.end())
            end = further.end() if further else match.end()
            if _is_person(text, match, end):
                yield Mention(match.start(), end)


def parts_of(name: str) -> Iterator[str]:
    """Yield the first name and the family name of a full name: Jean and Van den Berghe."""
    first, _, rest = name.partition(" ")
    if first in FIRST_NAMES and rest:
        yield first
        yield rest


def _is_person(text: str, first: re.Match[str], end: int) -> bool:
    """Return whether a first name names a person here, rather than a street, a law or a word that begins a sentence."""
    before = text[max(first.start() - _LONGEST_PLACE, 0) : first.start()]
    if _BEFORE_PLACE.search(before):
        return False
    return first[0] in FIRST_NAMES or end > first.end() or _SENTENCE_BEGINS.search(before) is None
