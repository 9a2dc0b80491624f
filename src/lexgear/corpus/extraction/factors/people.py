"""Ages of victims and defendants, and the names of victims."""

from __future__ import annotations

import re

from lexgear.corpus.extraction.factors.factor import Factor
from lexgear.corpus.extraction.factors.passages import Passages
from lexgear.law.numerals import NUMERAL, chinese_number

_AGE = rf"({NUMERAL}{{1,3}})(?:周岁|岁)"
_VICTIM_AGE = re.compile(
    rf"(?:被害人|受害人|被害儿童|幼女|幼童|女童|死者|失主)[^。；（(，与和及]{{0,12}}(?:(?:[（(][^）)。；]{{0,30}}?|，[^）)。；，]{{0,8}}?)(?:时年|现年|殁年|年仅|未满|不满|女|男)?[，,：:]?\s{{0,4}}(?:年仅|时年|殁年)?|(?:时年|年仅|殁年|未满|不满|年满|是))\s{{0,4}}{_AGE}"
)
_MENTIONED_AGE = re.compile(
    rf"(?:殁年|年仅|明知[^，。；]{{0,12}}(?:不满|未满)|(?:奸淫|猥亵)[^，。；]{{0,8}}(?:不满|未满))\s*{_AGE}"
)
_DEFENDANT_AGE = re.compile(
    rf"(?:被告人|上诉人|原审被告人)(?:(?!被害|受害|明知)[^。；（]){{0,40}}?(?:犯罪时|作案时|案发时|罪时)[^，。；]{{0,10}}?(?:已满|未满|不满|年满|年仅)[^，。；]{{0,12}}?{_AGE}(?:[^，。；]{{0,8}}?(?:未满|不满)\s*{_AGE})?"
)
VICTIM = re.compile(
    r"(?:被害人|受害人|失主)[\u4e00-\u9fff](?P<given>某(?![0-9.，]{1,9}[万余元])[某甲乙丙丁戊]?[0-9]{0,2}|[×xXＸ*＊]{1,2}[0-9]?)"
)
OWNER = re.compile(r"(?P<given>某[某甲乙丙丁戊0-9]?)(?:停放|家中|家内|的(?:摩托|手机|电动|现金))")
_BORN = re.compile(
    r"(?P<name>[\u4e00-\u9fff][某×][0-9某甲乙丙丁]?)[（(][^）)。；]{0,8}?(?P<year>(?:19|20)[0-9]{2})年(?P<month>[0-9]{1,2})月(?P<day>[0-9]{1,2})日(?:出生|生)"
)
_BORN_ON = re.compile(
    r"(?:被害人|受害人|死者)(?P<name>[\u4e00-\u9fff][某×][0-9某甲乙丙丁]?)(?:，[男女])?(?:，?出?生于|，)"
    r"(?P<year>(?:19|20)[0-9]{2})年(?P<month>[0-9]{1,2})月(?P<day>[0-9]{1,2})日"
)
_DATE = re.compile(r"((?:19|20)[0-9]{2})年([0-9]{1,2})月([0-9]{1,2})日")
_BELOW = re.compile(r"[未不]满[^，。；]{0,3}$")
_SEVERAL = 3
_SUBJECT = re.compile(
    r"(?:[，。；：、）)和及与为]|证[实明]|发现|看到|得知)\s?[后遂但因而由]?(?P<name>[\u4e00-\u9fff](?:某|[×xXＸ*＊])[某×xXＸ*＊甲乙丙丁戊]?[0-9]?)"
    r"(?:（[^）]{0,12}）)?[^，。；：、（）]{0,14}$"
)

_CERTIFIED = re.compile(r"证[实明][，：:]?\s?(?!原审|上诉|被告|其|该|上述|本案)(?P<name>[\u4e00-\u9fff]{2,3})$")
"""Person whom a document is about (判决书证实，王小明因犯…), whose name need not be anonymous."""

_INJURED = re.compile(
    r"(?:^|[，。；：、])(?:被告人|上诉人)?(?P<name>[\u4e00-\u9fff][\u4e00-\u9fff某×0-9]{1,3}?)(?:的|所受|人体)?(?:损伤|伤情|伤势)[^，。；：]{0,12}$"
)


def ages(section: str, text: str) -> list[Factor]:
    """Return the factors that follow from ages and birth dates: minors, children and old people."""
    found = _born(section, text) if "生）" in text or "生于" in text or "出生" in text else []
    if "岁" not in text:
        return found
    for pattern in (_VICTIM_AGE, _MENTIONED_AGE):
        for match in pattern.finditer(text):
            found += _of_victim(chinese_number(match[1]) - _is_below(match), section, match)
    for match in _DEFENDANT_AGE.finditer(text):
        age = chinese_number(match[2]) - 1 if match[2] else chinese_number(match[1]) - _is_below(match)
        if 11 < age < 18:
            found.append(Factor("minor_offender", section, *match.span()))
        elif 75 <= age < 120:
            found.append(Factor("elderly_offender", section, *match.span()))
    return found


def _of_victim(age: int, section: str, match: re.Match[str]) -> list[Factor]:
    limits = (("minor_victim", age < 18), ("child_victim", age < 14), ("elderly_victim", 60 <= age < 120))
    return [Factor(name, section, *match.span()) for name, holds in limits if holds and age > 0]


def _born(section: str, text: str) -> list[Factor]:
    """Return the factors that follow from the birth dates of victims, at the first date that the text names."""
    act = _DATE.search(text)
    found: list[Factor] = []
    named = _BORN_ON.finditer(text) if "生于" in text or "出生" in text else ()
    for match in (*_BORN.finditer(text), *named):
        if act and (match.re is _BORN_ON or f"被害人{match['name']}" in text):
            birthday = (int(match["month"]), int(match["day"]))
            age = int(act[1]) - int(match["year"]) - ((int(act[2]), int(act[3])) < birthday)
            found += _of_victim(age, section, match)
    return found


def of_another(text: str, place: int) -> bool:
    """Return whether the words right before a place name a person whom the section never calls a defendant.

    >>> of_another("被告人王某，证人李某因吸毒被拘留", 11), of_another("被告人王某归案，王某因吸毒被拘留", 10)
    (False, False)
    >>> of_another("被告人王某。判决书证明李某因吸毒被拘留", 13)
    True
    """
    subject = _SUBJECT.search(text, max(0, place - 40), place) or _CERTIFIED.search(text, max(0, place - 20), place)
    if not subject:
        return False
    name = re.escape(subject["name"])
    return re.search(rf"(?:被告人|上诉人|罪犯)(?:[^，。；：]{{0,40}}[、和及与])?{name}", text) is None


def of_defendant(text: str, place: int) -> bool:
    """Return whether the words right before a place tell an injury of a person whom the section calls a defendant.

    >>> of_defendant("被告人王某打人，经鉴定，王某的损伤程度属轻微伤", 19)
    True
    """
    injured = _INJURED.search(text, max(0, place - 40), place)
    return injured is not None and any(f"{title}{injured['name']}" in text for title in ("被告人", "上诉人"))


def _is_below(match: re.Match[str]) -> bool:
    """Return whether the text says that the age has not been reached (不满十四周岁)."""
    return _BELOW.search(match.string, match.start(), match.start(1)) is not None


def named_victims(section: str, passage: Passages) -> list[Factor]:
    """Return the places where a section first names three different victims; none if it names fewer."""
    named: dict[str, re.Match[str]] = {}
    for match in (*passage.places.matches(VICTIM, passage.with_evidence), *passage.matches(OWNER)):
        named.setdefault(match.string[match.start("given") - 1 : match.end("given")], match)
    if len(named) < _SEVERAL:
        return []
    return [Factor("many_victims", section, *match.span()) for match in list(named.values())[:_SEVERAL]]
