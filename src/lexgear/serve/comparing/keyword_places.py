"""Places of the keywords of a search in the texts of a case."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from lexgear.corpus.records import Document
from lexgear.index.filters import OR, TEXT
from lexgear.index.keywords import keyword_filters
from lexgear.lexical.words import segmenter
from lexgear.serve.api.models import ResponseModel
from lexgear.serve.privacy.personal_data import PersonalData

MAX_LINES = 2
"""Lines per case that show keywords."""
_AROUND = 45
"""Characters before and after a keyword that a line shows, if its sentence is longer."""
_PAUSE = re.compile(r"[，、：,:]\s*|\s+")
_WORD = re.compile(r"[^\W_]+")
_END = re.compile("[。；！？;!?\n]|[.](?= )")


class KeywordLines(ResponseModel):
    """Lines of a case that contain keywords."""

    case: Annotated[str, PersonalData.CASE_ID]
    lines: Annotated[list[str], PersonalData.TEXT]


def wanted_terms(keywords: str) -> list[str]:
    """Return the terms that must occur, alternatives one by one.

    >>> wanted_terms('自首|坦白 "如实供述 罪行" -累犯')
    ['自首', '坦白', '如实供述 罪行']
    """
    wanted = (one.removeprefix(f"{TEXT}=") for one in keyword_filters(keywords) if one.startswith(f"{TEXT}="))
    return [term for terms in wanted for term in terms.split(OR) if term]


def term_spans(text: str, terms: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield start and end of every place of the terms; upper and lower case are alike."""
    if terms:
        longest_first = sorted(terms, key=len, reverse=True)
        for match in re.finditer("|".join(map(re.escape, longest_first)), text, re.IGNORECASE):
            yield match.span()


def word_spans(text: str, words: Sequence[str], language: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of every place of the words; French words in any form with the same stem."""
    if language != "fr":
        yield from term_spans(text, words)
        return
    segment = segmenter(language)
    stems = {stem for word in words for stem in segment(word)}
    for match in _WORD.finditer(text):
        if stems.intersection(segment(match[0])):
            yield match.span()


def keyword_lines(document: Document, terms: Sequence[str]) -> KeywordLines:
    """Return the first lines of a case that contain the terms, one per term."""
    lines: dict[str, None] = {}
    for term in terms:
        if not any(_occurs(term, line) for line in lines) and (line := _line(document.sections, term)):
            lines[line] = None
    return KeywordLines(case=document.id, lines=list(lines)[:MAX_LINES])


def _occurs(term: str, text: str) -> bool:
    return any(True for _ in term_spans(text, [term]))


def _line(sections: Mapping[str, str], term: str) -> str:
    """Return the sentence of the first place of a term, in the reasoning if possible, or the part around the term."""
    for _, text in sorted(sections.items(), key=lambda one: one[0] != "reasoning"):
        for start, end in term_spans(text, [term]):
            ends = [match.end() for match in _END.finditer(text, max(0, start - 2 * _AROUND), start)]
            begin = ends[-1] if ends else _after_pause(text, max(0, start - _AROUND), start)
            close = _END.search(text, end, end + 2 * _AROUND)
            stop = close.end() if close else _before_pause(text, end, min(len(text), end + _AROUND))
            before = "" if ends or not begin else "…"
            after = "" if close or stop == len(text) else "…"
            return f"{before}{text[begin:stop].strip()}{after}"
    return ""


def _after_pause(text: str, begin: int, end: int) -> int:
    """Return where a line may begin between two places without cutting a word: after a pause."""
    pause = _PAUSE.search(text, begin, end) if begin else None
    return pause.end() if pause else begin


def _before_pause(text: str, begin: int, end: int) -> int:
    """Return where a line may stop between two places without cutting a word: before the last pause."""
    pauses = [pause.start() for pause in _PAUSE.finditer(text, begin, end)] if end < len(text) else []
    return pauses[-1] if pauses else end
