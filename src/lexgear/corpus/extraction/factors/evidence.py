"""Lists of evidence in the facts of a judgment: they state nothing by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexgear.corpus.extraction.factors.anchors import Places

EVIDENCE = re.compile(
    r"(?<!供述)(?<!述了)(?<!交代)(?<!代了)(?:上述|以上|上列|前述|认定)[^。；，]{0,12}事实[^。；]{0,60}?(?:证据|证实|证明|证言|供述|书证|笔录|下列)|(?:有|由)下列(?:经[^。；]{0,20})?证据"
    r"|(?<![^。；\s])上述事实[，,]|(?:下列|以下)[^。；，]{0,10}证据|证据(?:有|如下)?\s{0,2}[：:]"
    r"|[0-9][、．.)）] ?(?:证人|被害人|同案|被告人|侦查)[^，。；：、]{1,14}的?(?:证言|陈述|供述)"
    r"|证人[^，。；：、]{1,12}的?证言[，：:]?(?:证[实明]|[：:])"
)
"""Announcement of a list of evidence."""
EVIDENCE_ITEM = re.compile(
    r"(?:笔录|证言|陈述|供述|辩解|清单|登记表|鉴定书|意见书|报告书?|结论书?|决定书|判决书|裁定书|照片|截图|经过|证明书?|说明|信息|材料|通知书|记录)(?=[，、；,;及和等])"
)
_MIN_ITEMS = 4
"""Fewest items that make an enumeration of evidence."""
_MAX_GAP = 60
"""Most characters between two of its items."""
_EVIDENCE_END = re.compile(
    "另查明|还查明|又查明|再查明|(?<!与)审理查明|再审查明|本院认为|本院(?:综合)?评判如下|(?:公诉机关|该院)[^。；，]{0,6}认为|宣判后"
    r"|(?:原审|原判|一审)[^。；，]{0,8}认为|检察院[^。；，]{0,8}认为|。\s?[^。；，]{0,8}审理(?:过程中|期间|阶段)"
    r"|[。\s][（(]?[一二三四五六七八九十]{1,2}[）)、.．]\s?[^。；，：]{0,24}(?:罪|犯罪事实|的事实)(?=[。：\s])"
    r"|[。\s](?:案发后|归案后)，(?:各|[二两三四五])?(?:原审)?(?:被告人|上诉人)"
    r"|[。\s](?:[一二三四五六七八九十]{1,3}[、.．]|[0-9]{1,2}[、.．]|（[一二三四五六七八九十]{1,3}）、?)\s?(?:20|19)[0-9]{2}年[^。；：]{0,30}(?:被告人|上诉人|同案犯)"
    r"(?![^。；]{0,60}(?:供述|陈述|辨认|指认|讯问|询问|检测|到案|抓获|查获|提取|扣押|笔录|证[实明]))"
)


def evidence(text: str, places: Places) -> list[tuple[int, int]]:
    """Return the lists of evidence: from their announcement to the next finding."""
    spans, end = [], 0
    for opening in places.matches(EVIDENCE, text):
        if opening.start() < end:
            continue
        finding = _EVIDENCE_END.search(text, opening.end())
        end = finding.start() if finding else len(text)
        spans.append((opening.start(), end))
    return [*spans, *_lists(text, places)]


def _lists(text: str, places: Places) -> Iterator[tuple[int, int]]:
    """Yield the enumerations of evidence that nothing announces (抓获经过、搜查笔录、扣押清单、证人证言)."""
    start = end = items = 0
    for item in places.matches(EVIDENCE_ITEM, text):
        if item.start() - end > _MAX_GAP or "。" in text[end : item.start()]:
            if items >= _MIN_ITEMS:
                yield start, end
            start, items = max(text.rfind(sign, end, item.start()) + 1 for sign in "，、；。"), 0
        end, items = item.end(), items + 1
    if items >= _MIN_ITEMS:
        yield start, end
