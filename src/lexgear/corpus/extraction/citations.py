"""Extraction of the articles that a decision is based on, by law and number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexgear.corpus.records import Citation
from lexgear.law.numerals import NUMERAL, chinese_number

_BASIS = re.compile(r"(?:依照|依据|根据|按照|适用|触犯|依)[^。]{2,1500}")
_NUMBER = rf"{NUMERAL}{{1,9}}"
_TOKEN = re.compile(
    r"(?P<issuer>最高人民法院、?(?:最高人民检察院、?)?(?:公安部、?)?(?:司法部、?)?|全国人民代表大会常务委员会)?"
    r"[《〈](?P<law>(?:[^《》]|《[^《》]{0,60}》){1,120})》"
    r"|(?P<bare>(?:中华人民共和国)?(?:刑事诉讼法|刑法|民法通则|侵权责任法|道路交通安全法)(?=\s{0,8}第))"
    rf"|(?:第\s{{0,8}}|(?<=[》、，]))(?P<numbers>{_NUMBER}(?:\s{{0,8}}[、，,和及]\s{{0,8}}第?{_NUMBER}){{0,12}})\s{{0,8}}(?:条|(?=第[一二三四五六七八九十（]{{1,3}}[、款项）]))(?:\s{{0,8}}之\s{{0,8}}(?P<inserted>[一二三四五六七八九十]{{1,3}}))?"
    rf"(?:\s{{0,8}}(?:至|到|—|－|-)\s{{0,8}}第?\s{{0,8}}(?P<last>{_NUMBER})\s{{0,8}}条)?"
)
_SPLIT = re.compile(r"\s{0,8}[、，,和及]\s{0,8}第?")
_BRACKETS = str.maketrans("《》﹤﹥<>＜＞", "〈〉〈〉〈〉〈〉")
_LONGEST_RANGE = 30


def read_citations(text: str) -> tuple[Citation, ...]:
    """Return the articles named after 依照, 依据 or 根据, in order, each once.

    >>> read_citations("依照《中华人民共和国刑法》第二百六十四条、第六十七条第三款之规定")
    (Citation(law='刑法', number='264'), Citation(law='刑法', number='67'))
    """
    found: dict[Citation, None] = {}
    for basis in _BASIS.finditer(text):
        found.update(dict.fromkeys(_cited(basis[0])))
    return tuple(found)


def _cited(text: str) -> Iterator[Citation]:
    law = ""
    for token in _TOKEN.finditer(text):
        if token["law"]:
            law = _law_name(token["issuer"] or "", token["law"])
        elif token["bare"]:
            law = token["bare"].removeprefix("中华人民共和国")
        elif law:
            for number in _numbers(token):
                yield Citation(law, number)


def _law_name(issuer: str, name: str) -> str:
    name = re.sub(r"\s", "", name).translate(_BRACKETS).removeprefix("中华人民共和国")
    return (issuer + name if name.startswith("关于") else name).replace("法院最高", "法院、最高")


def _numbers(token: re.Match[str]) -> Iterator[str]:
    written = [chinese_number(part) for part in _SPLIT.split(token["numbers"])]
    *earlier, final = (str(number) for number in written)
    yield from earlier
    yield f"{final}-{chinese_number(token['inserted'])}" if token["inserted"] else final
    if token["last"]:
        last = chinese_number(token["last"])
        if 0 < last - written[-1] <= _LONGEST_RANGE:
            yield from map(str, range(written[-1] + 1, last + 1))
