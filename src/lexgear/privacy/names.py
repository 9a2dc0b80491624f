"""Detection of person names in Chinese texts: after roles such as 被告人, 被害人, 证人, and in titles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial

from lexgear.corpus.extraction.factors.anchors import beginnings, matches_at
from lexgear.corpus.extraction.parties import ROLE, split_names
from lexgear.law.charges import shipped_charges
from lexgear.privacy.evidence import LONGEST_NAME, NameEvidence
from lexgear.privacy.forms_of_address import TITLE
from lexgear.privacy.name_lists import find_listed_names
from lexgear.privacy.name_matching import encodable
from lexgear.privacy.surnames import (
    COMPOUND_SURNAMES,
    HAN,
    MOSTLY_NAMES,
    NO_NAME,
    OFTEN_WORDS,
    RELATION,
    SURNAME,
    no_name_before,
)
from lexgear.privacy.unannounced.given_names import FIRST_GIVEN, LAST_GIVEN, is_likely_given

_ROLE = (
    rf"(?:{ROLE}|被害人|受害人|证人|自诉人|(?:附带民事诉讼)?原告人?|(?:犯罪)?嫌疑人|同案(?:人|犯|被告人)|同伙|死者|伤者|"
    r"法定代理人|第三人|被执行人|申请执行人|辩护人|民警|失主|[吸购]毒人员|司机|(?<!城中)村民|纠集|伙同|又名|曾用名|别名|我叫|名叫)"
)
_AT_ROLE = re.compile(rf"{_ROLE}(?:（[^（）]{{0,12}}）)?[“\"：:\s]?")
_BEGINS_ROLE = re.compile(f"[{''.join(sorted({word[0] for word in beginnings(_ROLE)}))}]")
_AT_RELATION = re.compile(
    rf"{RELATION}[“\"]?(?![家师班管那谈傅]|代[打为理]|周[转末围边岁期]|{SURNAME}(?:{TITLE}))(?={SURNAME})"
)
_NOTE = re.compile(
    r"[，,（(](?=\s*[男女][，,性。；）)]|(?<=[（(])(?:均|系|已)?(?:另案|另行|在逃|判|化名|不起诉|殁年|时年))"
)
"""Sign after a name that begins a note on the person: 王强，男，; 王强（另案处理）."""
_BEFORE_NOTE = re.compile(rf"(?:(?<!{HAN})|(?<=[与和向给由被将同及对]))({SURNAME}{HAN}{{1,2}})(?={_NOTE.pattern})")
_PERSON = re.compile(rf"({SURNAME})({HAN}{{1,2}})")
_ONE_HAN = re.compile(HAN)
_WITH_DOT = re.compile(rf"{HAN}{{1,10}}(?:[·•．]({HAN}{{1,10}}))+")
_AND = re.compile(r"\s{0,9}[、和与及]\s{0,9}")
_MASKED = re.compile(
    rf"{HAN}{{0,2}}(?:[某×xX*＊ＸA-Za-z]|[0-9]{{1,2}}某|[甲乙丙丁](?!{HAN}))"
    r"[某×xX*＊Ｘ甲乙丙丁戊己庚辛0-9０-９A-Za-z]*"
)
_INSTITUTION = re.compile(
    "[公厂店社院局所会部站校区县省府团委矿场馆行处](?:司)?$|中心|公司|学校|银行|企业|医院|集团|委员"
)
_ENDS_DOTTED = frozenset("犯与和及于在因的系对将等")
_RARE_END, _MIN_MENTIONS = 0.15, 3
_FIXED_SURNAME = "廖"
"""A surname that begins few words of the segmenter's dictionary; with 王, 李明辉 would be 王明 and 辉."""
_LIKELY_GIVEN = 7
"""Log odds of two characters that are taken for a given name whatever words they are part of."""
_NO_NOUN = frozenset("vpdcu")
"""Parts of speech that begin what follows a name."""
_AHEAD = 10
"""Number of characters from the beginning of a name that the segmenter sees."""
_EVIDENCE = 50_000
"""Number of characters searched for other mentions of a name: three times the longest judgment of LeCaRD's sample."""


def is_masked(name: str) -> bool:
    """Return whether a name is already masked: 张某, 李某某, 王×, 陈AA."""
    return _MASKED.search(name) is not None and not name.isascii()


def is_institution(name: str) -> bool:
    """Return whether a party is a company or an office rather than a person."""
    return len(name) > 3 and _INSTITUTION.search(name) is not None


def filter_persons(known: Iterable[str], texts: Sequence[str]) -> tuple[str, ...]:
    """Return the parties known to an index that are persons with an unmasked name; extraction may have erred."""
    whole = "\n".join(texts)
    return tuple(dict.fromkeys(name for name in known if _is_person(name, whole)))


def _is_person(name: str, whole: str) -> bool:
    if len(name) < 2 or is_masked(name) or is_institution(name):
        return False
    if not re.fullmatch(f"{HAN}+", name):
        return _WITH_DOT.fullmatch(name) is not None
    return (
        _PERSON.fullmatch(name) is not None
        or re.search(f"{_ROLE}(?:（[^（）]*）)?{re.escape(name)}", whole) is not None
    )


def find_names(texts: Sequence[str], title: str = "") -> tuple[str, ...]:
    """Return the unmasked names where a judgment names a person, in the order of the texts.

    >>> find_names(["被告人李明辉、王强于夜间翻墙，被害人陈某报案。李明辉供述。"])
    ('李明辉', '王强')
    """
    name_at = cache(partial(_name_ahead, evidence=NameEvidence("\n".join(texts)[:_EVIDENCE])))
    found = dict.fromkeys(find_title_names(title))
    for text in texts:
        for role in _roles(text):
            found.update(dict.fromkeys(_names_from(text, role.end(), name_at)))
        for relation in _AT_RELATION.finditer(text):
            if not _is_word_ahead(text[relation.end() : relation.end() + _AHEAD]):
                found.update(dict.fromkeys(_names_from(text, relation.end(), name_at)))
        found.update(dict.fromkeys(find_listed_names(text)))
        found.update(
            (match[1], None) for match in _noted(text) if not no_name_before(text[match.end()]).match(match[1])
        )
    return tuple(name for name in found if not is_masked(name) and not is_institution(name))


def _roles(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of `_AT_ROLE`."""
    return matches_at(_AT_ROLE, text, (sign.start() for sign in _BEGINS_ROLE.finditer(text)))


def _noted(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of `_BEFORE_NOTE`."""
    lengths = range(2, LONGEST_NAME + 1)
    before = {max(note.start() - length, 0) for note in _NOTE.finditer(text) for length in lengths}
    return matches_at(_BEFORE_NOTE, text, sorted(before))


def find_title_names(title: str) -> Iterator[str]:
    """Yield the names that a title begins with, before its charge: 张三、李四盗窃一审刑事判决书."""
    charge = next(iter(shipped_charges().find(title, bare=True)), None)
    if charge is not None:
        for name in split_names(re.split("犯|涉嫌|被控|等", title[: charge.start])[0]):
            if _PERSON.fullmatch(name):
                yield name


def _names_from(text: str, start: int, name_at: Callable[[str], str]) -> Iterator[str]:
    """Yield the names of the list that begins at `start`."""
    while True:
        if masked := _MASKED.match(text, start):
            end = masked.end()
        elif dotted := _WITH_DOT.match(text, start):
            end = _end_of_dotted(text, dotted.start(1), dotted.end())
            yield text[start:end]
        elif name := name_at(text[start : start + _AHEAD]):
            yield name
            end = start + len(name)
        else:
            return
        if not (joint := _AND.match(text, end)):
            return
        start = joint.end()


def _end_of_dotted(text: str, start: int, end: int) -> int:
    """Return the end of a dotted name such as 买吾拉·麦麦提, whose last part begins at `start`."""
    for place in range(start + 2, end):
        if text[place] in _ENDS_DOTTED or _begins_word(text[place : place + _AHEAD]):
            return place
    return end


def _name_ahead(ahead: str, evidence: NameEvidence) -> str:
    """Return the person name that a piece of text begins with; empty if there is none.

    Which surname it is does not matter, except for the words of `NO_NAME`.
    """
    match = _PERSON.match(ahead)
    if match is None or NO_NAME.match(ahead):
        return ""
    long, known = match[0], len(match[1])
    short = long[: known + 1]
    if "某" in ahead[: known + 3] or (
        long[0] in OFTEN_WORDS
        and not is_likely_given(ahead[1:3])
        and _begins_verb(ahead[1:])
        and evidence.count(long) < _MIN_MENTIONS
    ):
        return ""
    if long == short or evidence.count(long) == evidence.count(short) >= _MIN_MENTIONS:
        return long
    goes_on = _ONE_HAN.match(ahead, len(long)) is not None
    if goes_on and long[-1] not in LAST_GIVEN and short[-1] in LAST_GIVEN and _begins_no_noun(ahead[len(short) :]):
        return short
    ends_short, ends_long = evidence.end_share(short), evidence.end_share(long)
    if ends_short != ends_long:
        often = 2 * evidence.count(long) >= evidence.count(short) or ends_short < _RARE_END
        return long if ends_long > ends_short and often else short
    return ahead[: known + _given_length(ahead[known:])]


@lru_cache(50_000)
def _given_length(ahead: str) -> int:
    """Return the length of the given name that a text begins with, by its characters or by segmentation.

    Segmentation stands after a fixed surname.
    """
    import rjieba

    one, two = ahead[:1] in LAST_GIVEN, ahead[:1] in FIRST_GIVEN and ahead[1:2] in LAST_GIVEN
    if two and not one:
        return 2
    if one and not two and _begins_no_noun(ahead[1:]):
        return 1
    if two and FIRST_GIVEN[ahead[0]] + LAST_GIVEN[ahead[1]] >= _LIKELY_GIVEN:
        return 2
    length = len(rjieba.cut(f"{_FIXED_SURNAME}{encodable(ahead)}")[0]) - 1
    return length if length in {1, 2} else 1 if _begins_word(ahead[1:]) else 2


def _begins_word(text: str) -> bool:
    """Return whether a text begins with a dictionary word that is not a name."""
    word, tag = _first_word(text)
    return len(word) > 1 and not tag.startswith("nr")


def _is_word_ahead(text: str) -> bool:
    """Return whether a text that begins with a surname begins with a word rather: 高兴地, but not 王国庆."""
    if text[:2] in COMPOUND_SURNAMES or is_likely_given(text[1:3]):
        return False
    word, tag = _first_word(text)
    if text[0] in OFTEN_WORDS or len(word) == 1:
        return text[0] in OFTEN_WORDS
    named = tag.startswith("nr") or (tag == "ns" and len(word) > 2)  # 高建国 is a place in the dictionary
    return not named and not (text[0] in MOSTLY_NAMES and tag.startswith("n"))


def _begins_verb(text: str) -> bool:
    """Return whether a text begins with a dictionary word that is neither a noun nor a name."""
    word, tag = _first_word(text)
    return len(word) > 1 and not tag.startswith("n")


def _begins_no_noun(text: str) -> bool:
    """Return whether a text begins with a verb, preposition, adverb, conjunction or particle."""
    return _first_word(text)[1][:1] in _NO_NOUN


def _first_word(text: str) -> tuple[str, str]:
    """Return the first word of a text with its part of speech, without guessing unknown words."""
    import rjieba

    tagged = rjieba.tag(encodable(text), False)
    return tagged[0] if tagged else ("", "")
