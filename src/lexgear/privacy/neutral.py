"""Neutral texts: every person name replaced by one placeholder, so that who a person is never matters.

The placeholder is one token whatever the length of the name. Chinese names are found after roles (被告人王小明) and
if a court has anonymised them (赵某, 钱某甲, 李×, 甲); in other languages after titles such as M. and Mme. All further
mentions of a name that was found once are replaced too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from lexgear.corpus.records import Document
from lexgear.privacy.anonymised import Mention, find_anonymised
from lexgear.privacy.french_names import find_french_names
from lexgear.privacy.masking import Masked, Replacement, apply_replacements
from lexgear.privacy.names import filter_persons, find_names, find_title_names

PLACEHOLDERS = {"zh": "某"}
"""Placeholder of a name by language; X in all others."""


def neutralise(text: str, language: str, known: Iterable[str] = ()) -> Masked:
    """Return a text with every person name replaced by one placeholder; `known` are names of persons of its case.

    >>> neutralise("被告人赵某甲伙同欧阳某将王小明打伤。", "zh", ["王小明"]).text
    '被告人某伙同某将某打伤。'
    >>> neutralise("M. Jean Dupont a vendu sa maison à Mme Z.", "fr").text
    'M. X a vendu sa maison à Mme X.'
    """
    placeholder = PLACEHOLDERS.get(language, "X")
    mentions = _chinese(text, known) if language == "zh" else _latin(text, known)
    replaced = tuple(
        Replacement(start, end, placeholder)
        for start, end in _merged(mentions, joins=language == "zh")
        if text[start:end] != placeholder
    )
    return Masked(apply_replacements(text, replaced), replaced)


def neutral_document(document: Document, language: str) -> Document:
    """Return a judgment with neutral title and sections, read as one text so that a name found once is found in all.

    Statutory articles name no persons and stay as they are.
    """
    if document.node:
        return document
    known = [*(defendant.name for defendant in document.defendants), *find_title_names(document.title)]
    parts = {"": document.title, **document.sections}
    neutral = neutralise("\n".join(parts.values()), language, known)
    start = 0
    for name, part in parts.items():
        first, last = neutral.span(start, start + len(part))
        parts[name] = neutral.text[first:last]
        start += len(part) + 1
    return replace(document, title=parts.pop(""), sections=parts)


def _chinese(text: str, known: Iterable[str]) -> Iterator[Mention]:
    names = dict.fromkeys((*filter_persons(known, (text,)), *find_names((text,))))
    yield from _mentions(names, text, "{}")
    yield from find_anonymised(text)


def _latin(text: str, known: Iterable[str]) -> Iterator[Mention]:
    found = list(find_french_names(text))
    yield from found
    names = {text[start:end] for start, end in found} | set(known)
    yield from _mentions((name for name in names if len(name) > 2), text, r"(?<!\w)(?:{})(?!\w)")


def _mentions(names: Iterable[str], text: str, pattern: str) -> Iterator[Mention]:
    longest_first = sorted((name for name in names if name), key=lambda name: (-len(name), name))
    if longest_first:
        for match in re.finditer(pattern.format("|".join(map(re.escape, longest_first))), text):
            yield Mention(*match.span())


def _merged(mentions: Iterable[Mention], *, joins: bool) -> list[Mention]:
    """Return the mentions in order, those that overlap merged; `joins` also merges those that touch."""
    merged: list[Mention] = []
    for start, end in sorted(set(mentions)):
        if merged and start < merged[-1].end + joins:
            merged[-1] = Mention(merged[-1].start, max(end, merged[-1].end))
        else:
            merged.append(Mention(start, end))
    return merged
