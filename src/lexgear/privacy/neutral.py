"""Neutral texts: every person name replaced by one placeholder, so that who a person is never matters.

The placeholder is one token whatever the length of the name. Chinese names are found after roles (被告人王小明) and
if a court has anonymised them (赵某, 钱某甲, 李×, 甲); in other languages after titles such as M. and Mme. All further
mentions of a name that was found once are replaced too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from lexgear.corpus.document_files import mapped
from lexgear.corpus.records import Collection, Document, Query
from lexgear.privacy.anonymised import find_anonymised
from lexgear.privacy.forms_of_address import find_forms_of_address
from lexgear.privacy.french.names import find_french_names, parts_of
from lexgear.privacy.masking import Masked, Replacement, apply_replacements
from lexgear.privacy.name_matching import Mention, NameMatcher
from lexgear.privacy.names import filter_persons, find_names, find_title_names
from lexgear.privacy.nicknames import find_nicknames
from lexgear.privacy.surnames import HAN
from lexgear.privacy.unannounced.full_names import find_unannounced, given_alone

_HAN = re.compile(HAN)
PLACEHOLDERS = {"zh": "某"}
"""Placeholder of a name by language; X in all others."""
_LONGEST_REPEATED = 80
"""Maximum length of a name whose further mentions are looked for, in languages with spaces between words."""

_FAMILIAR = 2
"""Number of characters of a familiar form such as 小林 or 阿强."""
_REMEMBERED = 64
"""Documents whose neutral texts are kept: those of all would fill as much memory as the collection."""


def neutralise(text: str, language: str = "", known: Iterable[str] = ()) -> Masked:
    """Return a text with every person name replaced by one placeholder; `known` are names of persons of its case.

    Without a language, a text with Chinese characters is taken as Chinese.

    >>> neutralise("被告人赵某甲伙同欧阳某将王小明打伤。", "zh", ["王小明"]).text
    '被告人某伙同某将某打伤。'
    >>> neutralise("M. Jean Dupont a vendu sa maison à Mme Z.", "fr").text
    'M. X a vendu sa maison à Mme X.'
    """
    language = language or ("zh" if _HAN.search(text) else "fr")
    placeholder = PLACEHOLDERS.get(language, "X")
    mentions = _chinese(text, known) if language == "zh" else _latin(text, known)
    replaced = tuple(
        Replacement(start, end, placeholder)
        for start, end in _merged(mentions, joins=language == "zh")
        if text[start:end] != placeholder
    )
    return Masked(apply_replacements(text, replaced), replaced)


def neutral_document(document: Document, language: str = "") -> Document:
    """Return a judgment with neutral title and sections; statutory articles name no persons and stay as they are.

    The sections are read as one text, so that a name found once is found in all of them, when one is first used: a
    ranker does not read documents again that it knows.
    """
    if document.node:
        return document
    title = neutralise(document.title, language, find_title_names(document.title)).text
    return replace(document, title=title, sections=_NeutralSections(document, language))


def neutral_sections(document: Document, language: str) -> dict[str, Masked]:
    """Return the sections of a document as neutral texts with their replacements."""
    if document.node:
        return {name: Masked(part) for name, part in document.sections.items()}
    whole = neutralise("\n".join(document.sections.values()), language, _parties(document))
    parts, start = {}, 0
    for name, part in document.sections.items():
        end = start + len(part)
        own = [one for one in whole.replaced if start <= one.start < end]
        replaced = tuple(Replacement(one.start - start, one.end - start, one.shown) for one in own)
        parts[name] = Masked(apply_replacements(part, replaced), replaced)
        start = end + 1
    return parts


def _parties(document: Document) -> list[str]:
    return [*(defendant.name for defendant in document.defendants), *find_title_names(document.title)]


@dataclass(frozen=True, eq=False, slots=True)
class _Original:
    """A document with its names, and its language."""

    document: Document
    language: str


@lru_cache(_REMEMBERED)
def _neutral_texts(original: _Original) -> dict[str, str]:
    """Return the neutral sections of a document; those of the last documents are kept."""
    return {name: part.text for name, part in neutral_sections(original.document, original.language).items()}


class _NeutralSections(Mapping[str, str]):
    """Neutral sections of a document, made when the first of them is read."""

    __slots__ = ("_original",)

    def __init__(self, document: Document, language: str) -> None:
        self._original = _Original(document, language)

    def __getitem__(self, name: str) -> str:
        return _neutral_texts(self._original)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._original.document.sections)

    def __len__(self) -> int:
        return len(self._original.document.sections)


@dataclass(frozen=True, slots=True)
class Neutraliser:
    """Treatment of person names in everything a ranker reads: placeholders, or the names themselves."""

    keeps_names: bool = False
    """True for rankers that are asked to keep names, and for indexes of versions that had no placeholders."""

    def text(self, text: str) -> Masked:
        """Return a text as the ranker reads it."""
        return Masked(text) if self.keeps_names else neutralise(text)

    def document_text(self, document: Document) -> Masked:
        """Return the text of a document as the ranker reads it."""
        if self.keeps_names or document.node:
            return Masked(document.text)
        return neutralise(document.text, known=_parties(document))

    def query(self, query: Query) -> Query:
        """Return a query as the ranker reads it."""
        return replace(query, text=self.text(query.text).text)

    def collection(self, collection: Collection) -> Collection:
        """Return a collection as the ranker reads it."""
        if self.keeps_names:
            return collection
        documents = mapped(collection.documents, neutral_document)
        return replace(collection, documents=documents, queries=tuple(map(self.query, collection.queries)))


def _chinese(text: str, known: Iterable[str]) -> Iterator[Mention]:
    names = dict.fromkeys((*filter_persons(known, (text,)), *find_names((text,)), *find_nicknames(text)))
    names.update(dict.fromkeys(find_unannounced(text, NameMatcher(names).find(text))))
    names.update(dict.fromkeys(given_alone(tuple(names), text)))
    for start, end in NameMatcher(names).find(text):
        familiar = end - start == _FAMILIAR and text[start] in "小阿"  # 小林 like 小王: 小某
        yield Mention(start + familiar, end)
    yield from find_anonymised(text)
    yield from find_forms_of_address(text)


def _latin(text: str, known: Iterable[str]) -> Iterator[Mention]:
    found = list(find_french_names(text))
    yield from found
    names = {text[start:end] for start, end in found} | set(known)
    names.update([part for name in names for part in parts_of(name)])
    yield from NameMatcher(sorted(name for name in names if 2 < len(name) <= _LONGEST_REPEATED), whole_words=True).find(
        text
    )


def _merged(mentions: Iterable[Mention], *, joins: bool) -> list[Mention]:
    """Return the mentions in order, those that overlap merged; `joins` also merges those that touch."""
    merged: list[Mention] = []
    for start, end in sorted(set(mentions)):
        if merged and start < merged[-1].end + joins:
            merged[-1] = Mention(merged[-1].start, max(end, merged[-1].end))
        else:
            merged.append(Mention(start, end))
    return merged
