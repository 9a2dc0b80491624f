"""Key points of a judgment: sentences that f_R selects for its charges and that match the query.

Key points are offsets, not texts: quotations are cut out of the judgment, so that nothing can be invented or altered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from lexgear.api import Index
from lexgear.corpus.extraction.paragraphs import Paragraph, paragraphs
from lexgear.corpus.records import Document
from lexgear.lexical.words import segmenter
from lexgear.privacy.neutral import neutral_sections, neutralise
from lexgear.rationale.definitions import charge_lexicon
from lexgear.rationale.extract import Extractor
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.records import Part, RationaleSettings

_ALL = RationaleSettings(k1=0, k2=0, k3=2000, passages="all")
"""Settings that return every sentence with its score."""
_FIGURE, _WORD = re.compile(r"\d"), re.compile(r"[^\W_]+")
_SECTIONS = ("fact", "reasoning", "verdict")
_PARTIES = ("charged", "defence")
"""Speakers in the facts of a judgment other than the court."""
_REMARK = re.compile(r"[（(][^（）()]{1,15}[）)]\s*")
_FORMULA = re.compile(
    r"\A(?![^。]*(?:判处|并处))(?>[^。]*?(?:罚金|刑期|缓刑考验期|先行羁押))[^。]*(?:缴纳|交纳|缴清|国库|折抵|起至|计算)"
)
"""Remarks of a verdict on the payment of a fine or the days of a term."""
_PROPERTY = re.compile(
    "(?![^。]*(?:判处|并处|构成|从轻|从重|减轻|没收个人))[^。]*"
    "(?:(?:予以|应予|依法|应当|应)[^。，；]{0,4}(?:没收|追缴|销毁|发还|返还|上缴)|责令[^。]{0,60}退赔|上缴国库|随案移送)"
)
"""Orders on seized things and proceeds, which every judgment of such a charge has."""


class KeyPoint(NamedTuple):
    """Sentence of a document: `document.sections[section][start:end]`."""

    section: str
    start: int
    end: int
    matched: tuple[str, ...]
    """Words in common with the query, as they occur in the sentence."""


@dataclass(frozen=True, slots=True)
class KeyPointSettings:
    """Number and minimum score of the sentences to quote."""

    fact: int = 2
    reasoning: int = 3
    verdict: int = 2
    otherwise: int = 4
    """Number for any other section."""
    least: float = 0.25
    """Minimum score. The maximum is 2: one for f_R, one for the query. Sentences below are boilerplate."""
    rarest_form: float = 0.7
    """Minimum rarity of a matching word; half of the documents contain words below it."""
    shortest: int = 6
    """Minimum length in characters of a Chinese sentence."""
    shortest_french: int = 25
    """Minimum length in characters of a French sentence: "§ 1er." says nothing."""


class KeyPoints:
    """Finds the key points of the documents of an index."""

    def __init__(
        self,
        lexicon: Lexicon,
        rarity: Callable[[str], float] = lambda word: 1.0,
        settings: KeyPointSettings | None = None,
    ) -> None:
        self.rarity, self.settings = rarity, settings or KeyPointSettings()
        self.language, self.words = lexicon.language, segmenter(lexicon.language)
        self.extractor = Extractor(lexicon, _ALL)

    @classmethod
    def of(
        cls, index: Index, settings: KeyPointSettings | None = None, rarity: Callable[[str], float] | None = None
    ) -> KeyPoints:
        """Return a finder for the charges of an index's law and the rarity of words in it."""
        lexicon = charge_lexicon(index.law, index.stored.manifest.language)
        return cls(lexicon, rarity or index.ranker.word_rarity, settings)

    def find(self, document: Document, query: str, charges: Sequence[str] = ()) -> tuple[KeyPoint, ...]:
        """Return the key points of a document, in document order.

        They are about those of the `charges` that the document has, or else about all charges of the document.
        """
        about = tuple(charge for charge in document.charges if charge in charges) or document.charges
        sections = {name: text for name, text in document.sections.items() if text.strip()}
        neutral = neutral_sections(document, self.language)
        rationales = self.extractor.many([neutral[name].text for name in sections], [about] * len(sections))
        words = set(self.words(neutralise(query, self.language).text))
        asked = frozenset(word for word in words if self._is_meaningful(word))
        found = []
        for name, rationale in zip(sections, rationales, strict=True):
            quota = getattr(self.settings, name) if name in _SECTIONS else self.settings.otherwise
            worth_quoting = list(self._worth_quoting(name, neutral[name].text, rationale.sentences))
            best = self._best(name, neutral[name].text, worth_quoting or rationale.sentences, asked, quota)
            for point in best:
                start, end = neutral[name].original(point.start, point.end)
                found.append(point._replace(start=start, end=end))
        return tuple(found)

    def _worth_quoting(self, section: str, text: str, sentences: Sequence[Part]) -> Iterator[Part]:
        """Yield the sentences but short ones, evidence, testimony in the first person, and formulas on property.

        What the parties say is left out if the court states its own findings. A remark in brackets at the beginning
        belongs to the sentence before and is cut off.
        """
        shortest = self.settings.shortest if self.language == "zh" else self.settings.shortest_french
        parts = paragraphs(text, section)
        silent = _PARTIES if _mostly_found(parts) else ()
        left_out = [one for one in parts if one.speaker in ("evidence", *silent) or one.is_note]
        for part in sentences:
            remark = _REMARK.match(text, part.start, part.end)
            start = remark.end() if remark and part.end - remark.end() >= shortest else part.start
            if (
                part.end - start < shortest
                or (section == "fact" and text[start] == "我")
                or _FORMULA.match(text[start : part.end])
                or _PROPERTY.match(text[start : part.end])
            ):
                continue
            if not any(one.start <= start < one.end for one in left_out):
                yield part._replace(start=start)

    def _best(
        self, section: str, text: str, sentences: Sequence[Part], asked: frozenset[str], quota: int
    ) -> list[KeyPoint]:
        """Return the sentences with the highest sum of f_R score and query match; ties go to the earlier one."""
        words = [frozenset(self.words(text[part.start : part.end])) for part in sentences]
        matches = [sum(map(self.rarity, own & asked)) / sqrt(max(len(own), 1)) for own in words]
        scores = [
            one + other
            for one, other in zip(_scaled([part.score for part in sentences]), _scaled(matches), strict=True)
        ]
        first = {text[part.start : part.end].strip(): at for at, part in reversed([*enumerate(sentences)])}
        ranked = sorted(first.values(), key=lambda at: (-scores[at], at))  # a judgment may say a sentence twice
        best = [at for at in ranked if scores[at] >= self.settings.least][:quota] or ranked[:1]
        return [
            KeyPoint(section, part.start, part.end, self._as_written(text[part.start : part.end], asked))
            for part in (sentences[at] for at in sorted(best, key=lambda at: sentences[at].start))
        ]

    def _is_meaningful(self, word: str) -> bool:
        """Return whether a common word is meaningful: numbers are mostly dates, frequent words are boilerplate."""
        return not _FIGURE.search(word) and self.rarity(word) >= self.settings.rarest_form

    def _as_written(self, sentence: str, asked: frozenset[str]) -> tuple[str, ...]:
        """Return the words of the query as they occur in the sentence, not their stems."""
        if self.language == "fr":
            return tuple(
                dict.fromkeys(word for word in _WORD.findall(sentence) if asked.intersection(self.words(word)))
            )
        return tuple(word for word in dict.fromkeys(self.words(sentence)) if word in asked and word in sentence)


def _mostly_found(parts: Sequence[Paragraph]) -> bool:
    """Return whether a court states its findings, and does not merely refer to the charges."""
    found, charged = (sum(one.end - one.start for one in parts if one.speaker == who) for who in ("found", "charged"))
    return found > 0 and 2 * found >= charged


def _scaled(scores: Sequence[float]) -> list[float]:
    """Divide scores by the highest one."""
    highest = max(scores, default=0.0)
    return [score / highest if highest > 0 else 0.0 for score in scores]
