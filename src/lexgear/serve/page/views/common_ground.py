"""Highlights of a document that is opened from a search: similar sentences, keywords, common factors and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lexgear.corpus.extraction.factors.find import find_factors
from lexgear.serve.api.models import Comparison
from lexgear.serve.comparing.keyword_places import term_spans, word_spans
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.highlights import Mark
from lexgear.serve.page.models import ReadCase


@dataclass(frozen=True)
class CommonGround:
    """Marks by section; those with an anchor, `match-1` and so on, are visited one after the other."""

    sentences: Mapping[str, Sequence[Mark]]
    words: Mapping[str, Sequence[Mark]]
    """Keywords, factors and common words, which may stand within sentences."""
    looks: Sequence[str]
    """Kinds of marks there are: `match`, `keyword`, `factor` and `common`."""
    stops: int
    """Number of marks that are visited."""


def common_ground(context: PageContext, read: ReadCase, terms: Sequence[str]) -> CommonGround:
    """Return what a document has in common with the search that it was opened from."""
    sentences, words, stops = {}, {}, 0
    seen: set[str] = set()
    for section, text in read.case.sections.items():
        own = sorted(_sentences(context, read, section), key=lambda one: one.start)
        inside = [
            *_keywords(context, text, terms),
            *_factors(context, read, section),
            *common_words(context, text, read.comparison if read.case.node else None),
        ]
        numbered: dict[Mark, Mark] = {}
        for mark in sorted([*own, *inside], key=lambda one: one.start):
            nested = mark not in own and any(mark.start < one.end and one.start < mark.end for one in own)
            if not nested and not (mark.look in {"factor", "common"} and mark.why in seen):
                stops += 1
                numbered[mark] = replace(mark, anchor=f"match-{stops}")
                seen.add(mark.why)
        sentences[section] = [numbered.get(one, one) for one in own]
        words[section] = [numbered.get(one, one) for one in inside]
    found = {mark.look for marks in (*sentences.values(), *words.values()) for mark in marks}
    return CommonGround(
        sentences, words, [one for one in ("match", "keyword", "factor", "common") if one in found], stops
    )


def common_words(context: PageContext, text: str, comparison: Comparison | None) -> Iterator[Mark]:
    """Yield marks for the words that a statutory article and a question have in common."""
    shared = (comparison.words.shared or ()) if comparison else ()
    for start, end in word_spans(text, shared, context.served_index.language):
        yield Mark(start, end, "common", context.reading("match.common", word=text[start:end].lower()))


def _sentences(context: PageContext, read: ReadCase, section: str) -> Iterator[Mark]:
    for one in read.comparison.matches if read.comparison else ():
        if one.right.section == section:
            why = context.reading("match.why", text=one.left.text)
            yield Mark(one.right.start, one.right.end, "match", why)


def _keywords(context: PageContext, text: str, terms: Sequence[str]) -> Iterator[Mark]:
    for start, end in term_spans(text, terms):
        yield Mark(start, end, "keyword", context.reading("match.keyword"))


def _factors(context: PageContext, read: ReadCase, section: str) -> Iterator[Mark]:
    """Yield one place per legal factor that the search states too: the first one of at least two characters, if any."""
    compared = read.comparison.factors if read.comparison else None
    shared = {one.name for one in compared.shared} if compared else set()
    if shared:
        found = find_factors({section: read.case.sections[section]})
        for one in sorted(found, key=lambda one: (one.end - one.start < 2, one.start)):
            if one.name in shared:
                shared.remove(one.name)
                yield Mark(one.start, one.end, "factor", context.format.factors.name(one.name))
