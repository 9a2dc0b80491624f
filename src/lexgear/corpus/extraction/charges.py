"""Extraction of charges from sentences (犯…罪, 构成…罪, 指控…犯…罪) and titles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from lexgear.law.charges import ChargeMention, other_names, shipped_charges, spell

_SPAN = 120  # characters; no list of charges in 9,088 judgments is longer, and the limit keeps the work linear
_STOP = re.compile(r"[。；;]")
_LEAD = re.compile(r"[\s有了下列“”\"'‘’《]*(?:[^，,。；;：:（）罪犯判处]{1,20}、)?")
_GAP = re.compile(
    r"(?:犯?罪|[\s、，,和与及暨“”\"'‘’《》]|以及|（[^（）]{0,40}）)*(?:[^，,。；;：:（）罪犯判处]{1,15}、)?"
)
_CLOSED = re.compile(r"[\s”\"’》]*+(?:（[^（）]{0,40}）[\s”\"’》]*+)?(?:罪|犯罪|一?案|[，,]?\s*(?:判|免|单处|处|均))")


_CLOSING_SIGN = re.compile("[罪案判免处均]")


@dataclass(frozen=True, slots=True)
class ChargeList:
    """A list of charges such as 盗窃罪、诈骗罪, and the offset of its end."""

    charges: tuple[str, ...]
    end: int


def read_charge_list(text: str, start: int) -> ChargeList | None:
    """Return the list of charges that begins at `start`; None if there is none.

    >>> read_charge_list("犯贩卖毒品、容留他人吸毒罪，判处", 1).charges
    ('走私、贩卖、运输、制造毒品罪', '容留他人吸毒罪')
    """
    window = text[start : start + _SPAN]
    if stop := _STOP.search(window):
        window = window[: stop.start()]
    if not _CLOSING_SIGN.search(window):
        return None
    named: list[ChargeMention] = []
    end = 0
    for mention in shipped_charges().find(window, bare=True):
        between = _GAP if named else _LEAD
        if not between.fullmatch(window, end, mention.start):
            break
        named.append(mention)
        end = mention.end
    while named and window[named[-1].end - 1] != "罪" and not _CLOSED.match(window, named[-1].end):
        named.pop()
    if not named:
        return _read_compact_name(window, start)
    return ChargeList(tuple(dict.fromkeys(mention.name for mention in named)), start + named[-1].end)


_ONE_NAME = re.compile(r"(?:犯罪|[^，,。；;：:（）犯判处]){2,40}罪")
_ALIKE = 0.8  # similarity: 污染坏境罪 is 污染环境罪; chosen on the 45 misspelt names in 9,088 verdicts


def _read_compact_name(window: str, start: int) -> ChargeList | None:
    """Return the charge of a name written without 、 between its choices, as in 掩饰隐瞒犯罪所得罪."""
    if (written := _ONE_NAME.match(window)) and (name := _without_commas().get(written[0].replace("、", ""))):
        return ChargeList((name,), start + written.end())
    return None


def read_misspelt_charge(text: str, start: int) -> ChargeList | None:
    """Return the charge most similar to the unknown name at `start`, if a sentence follows it."""
    written = _ONE_NAME.match(text, start, start + _SPAN)
    if not written or not _CLOSED.match(text, written.end()):
        return None
    name = written[0].replace("、", "")
    near = get_close_matches(name, _without_commas(), n=1, cutoff=_ALIKE)
    if not near or name in near[0]:  # an abbreviated name such as 国家机关证件罪 may be any of several
        return None
    return ChargeList((_without_commas()[near[0]],), written.end())


@cache
def _without_commas() -> dict[str, str]:
    patterns = ((name, pattern) for name, written in other_names().items() for pattern in written)
    spelt = {written.replace("、", ""): name for name, pattern in patterns for written in spell(pattern)}
    return {name.replace("、", ""): name for name in shipped_charges().names} | spelt


_VERB = re.compile(
    "构成|触犯|犯(?!罪)|涉嫌|以(?=[^，。；]{2,40}罪(?:追究|定罪|论处|处罚|对|判))|(?:认定|定性|变更|改判|定)为?"
)
_DENIED = re.compile(r"(?:不|未|非|否|无|没有)[^，。；]{0,6}$")
_OTHERS = re.compile("辩护|辩称|辩解|提出|诉称|上诉理由|抗诉|曾|另案|前科|累犯|司法解释|规定")
_REFUSED = re.compile("(?:不能|不)成立|不当|有误|错误|不足|不予|变更|不妥|不准|欠妥|不构成")
_SENTENCE = re.compile(r"[^。；;]+")


def charges_in_reasoning(text: str) -> tuple[str, ...]:
    """Return the charges that the court itself finds proven, not those that others allege."""
    return _charges(text, found_only=True)


def charges_mentioned(text: str) -> tuple[str, ...]:
    """Return every charge that the text says was committed or alleged, denied or not."""
    return _charges(text, found_only=False)


def _charges(text: str, *, found_only: bool) -> tuple[str, ...]:
    charges: dict[str, None] = {}
    for sentence in _SENTENCE.finditer(text):
        for start, chain in _charge_lists(sentence[0]):
            before = sentence[0][max(0, start - 300) : start]
            after = re.split("[，,]", sentence[0][chain.end : chain.end + 60])
            denied = _DENIED.search(before) or _OTHERS.search(before) or "指控" in before
            if found_only and (denied or _REFUSED.search(after[0])):
                continue
            charges.update(dict.fromkeys(chain.charges))
    return tuple(charges)


def _charge_lists(text: str) -> Iterator[tuple[int, ChargeList]]:
    end = 0
    for verb in _VERB.finditer(text):
        if verb.start() >= end and (chain := read_charge_list(text, verb.end())):
            end = chain.end
            yield verb.start(), chain


_ACCUSED = re.compile("指控|起诉|控诉|自诉|控告")


def charges_accused(text: str) -> tuple[str, ...]:
    """Return the charges of the first sentence with an accusation."""
    for sentence in _SENTENCE.finditer(text):
        if _ACCUSED.search(sentence[0]) and (charges := charges_mentioned(sentence[0])):
            return charges
    return ()


def charges_in_title(title: str) -> tuple[str, ...]:
    """Return the charges of a title, with or without 罪.

    >>> charges_in_title("王某盗窃、诈骗一案")
    ('盗窃罪', '诈骗罪')
    """
    return tuple(dict.fromkeys(mention.name for mention in shipped_charges().find(title, bare=True)))
