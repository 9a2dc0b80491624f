"""Factors with a measured value: drugs in grams, blood alcohol, number of deaths."""

from __future__ import annotations

import re

from lexgear.corpus.extraction.factors.factor import Factor
from lexgear.corpus.extraction.factors.negation import denied
from lexgear.corpus.extraction.factors.passages import Passages
from lexgear.corpus.extraction.factors.people import of_another
from lexgear.law.numerals import NUMERAL, chinese_number

_KIND = (
    "海洛因|甲基苯丙胺|冰毒|氯胺酮|[Kk]粉|大麻|摇头丸|麻古|麻果|鸦片|可卡因|美沙酮|"
    "咖啡因|吗啡|[Mm][Dd][Mm][Aa]|甲卡西酮|四氢大麻酚|三唑仑|曲马多|可待因|艾司唑仑|杜冷丁|哌替啶|安钠咖|芬太尼|苯丙胺|罂粟|毒品|白粉|神仙水|恰特草"
)
DRUG_NAME = re.compile(_KIND)
_FIGURES = r"[0-9０-９]{1,12}(?:[.．][0-9０-９]{1,12})?"
_GRAMS = rf"({_FIGURES}|[一二三四五六七八九十百千两]{{1,12}})\s{{0,4}}(余?克|[gG](?![a-zA-Z])|千克|公斤|kg|KG)"
_DRUG = re.compile(
    rf"(?P<kind>{_KIND})[^。]{{0,40}}?{_GRAMS}|(?<![0-9.．])(?:净重|重|重量|重约)[^。；，]{{0,8}}?{_GRAMS}[^。；]{{0,60}}?(?P<later>{_KIND})"
    rf"|{_GRAMS}[^。；，0-9]{{0,6}}?(?P<after>{_KIND})"
)
_SAME_KIND = {"冰毒": "甲基苯丙胺", "K粉": "氯胺酮", "k粉": "氯胺酮", "白粉": "海洛因", "麻果": "麻古"}
_WIDE = str.maketrans("０１２３４５６７８９．", "0123456789.")
_ALCOHOL_NAME = re.compile("酒精|乙醇|血醇")
_ALCOHOL = re.compile(
    rf"({_FIGURES})\s{{0,4}}(?:mg|毫克|㎎|MG|Mg|ｍｇ)(?:乙醇)?\s{{0,4}}[/／每∕]?\s{{0,4}}(100|一百|l00|１００|lOO)?\s{{0,4}}(?:ml|毫升|㎖|ML|mL|m1|ｍｌ|Ml)"
)
_STANDARD = re.compile(r"(?:超过|大于|≥|＞|标准为?|达到|以上|不得|高于|规定)[^，。；]{0,6}$")
_VICTIM = re.compile(r"(?:被害人|受害人|死者)(?:(?!被告人|上诉人)[^。；]){0,40}$")
"""Clause about a victim, whose blood alcohol says nothing about a defendant."""
_DEATH = re.compile(
    rf"(?:({NUMERAL}{{1,3}})(?:名[^，。；\d]{{0,6}}|人)(?:当场)?)?死亡(?!两只|的?[一二三四五六七八九十0-9]+[只头]|赔偿|证明|伤残|推断|医学|注销|户|通知|为|补偿|的?(?:时间|原因))|杀死|打死(?!你)|捅死(?!你)|砍死(?!你)|刺死|勒死|掐死|致死|毒死(?!亡|的?[一二三四五六七八九十0-9]+[只头条])|溺亡|身亡|杀害(?!(?:、[^，。；、]{{1,4}}){{0,3}}(?:国家|珍贵|濒危|野生))"
)
_CAUSED = re.compile(r"致|确认|掩埋|造成|当场|抢救|无效|事故|系|导致|后|经|人$|，$|某$")


def drugs(section: str, passage: Passages) -> list[Factor]:
    """Return the largest quantity of each drug."""
    if DRUG_NAME not in passage.places:
        return []
    best: dict[str, Factor] = {}
    for match in _DRUG.finditer(passage.stated):
        written = match["kind"] or match["later"] or match["after"]
        number, unit = [part for part in match.groups() if part and part != written][:2]
        kind = _SAME_KIND.get(written, written)
        grams = _number(number) * (1000 if unit in {"千克", "公斤", "kg", "KG"} else 1)
        if kind not in best or grams > (best[kind].value or 0):
            best[kind] = Factor("drugs", section, match.start(), match.end(), grams, kind)
    return list(best.values())


def alcohol(section: str, passage: Passages) -> list[Factor]:
    """Return the highest blood alcohol content of a defendant in mg/100 ml."""
    text = passage.with_evidence
    if not _ALCOHOL_NAME.search(text):
        return []
    found = [
        Factor("alcohol", section, *match.span(), round(_number(match[1]) * (1 if match[2] else 100), 2))
        for match in _ALCOHOL.finditer(text)
        if _ALCOHOL_NAME.search(text, max(0, match.start() - 60), match.end() + 20)
        and not _STANDARD.search(text, max(0, match.start() - 14), match.start())
        and not _VICTIM.search(text, max(0, match.start() - 50), match.start())
        and not ("被告人" in text and of_another(text, match.start()))
    ]
    return [max(found, key=lambda factor: factor.value or 0)] if found else []


def deaths(section: str, passage: Passages) -> list[Factor]:
    """Return the statement of the largest number of deaths."""
    text = passage.stated
    if "死" not in text and "亡" not in text and "杀害" not in text:
        return []
    found = []
    for match in _DEATH.finditer(text):
        word = match[0]
        if denied(text, match.start(), match.end()) or re.search(
            r"(?:以|扬言|威胁|声称|要|想|欲|可能|足以|易致|危及|自然|病|意图|[的猪牛羊鱼树])[^，。；]{0,8}$",
            text[max(0, match.start() - 10) : match.start()],
        ):
            continue
        if (
            word.endswith("死亡")
            and not _CAUSED.search(text, max(0, match.start() - 18), match.start())
            and not match[1]
        ):
            continue
        count = chinese_number(match[1]) if match[1] else 1
        found.append(Factor("death", section, *match.span(), float(count if 0 < count < 1000 else 1)))
    return [max(found, key=lambda factor: factor.value or 0)] if found else []


def _number(text: str) -> float:
    plain = text.translate(_WIDE)
    return float(plain) if plain[0].isdecimal() else float(chinese_number(plain))
