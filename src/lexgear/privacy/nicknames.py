"""Detection of nicknames, and of names of several parts, which Uyghurs and others bear."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexgear.privacy.surnames import HAN

_NICKNAME = re.compile(
    rf"(?:绰号|外号|诨名|人称|网名|昵称|微信名|小名|乳名)(?:叫做?|为|是|[：:])?"
    rf"(?:[“\"‘']({HAN}{{2,5}})[”\"’']|({HAN}{{2,3}})(?=[，。、；）)]))"
)
_SOUNDS = (
    "阿艾安巴白比布达迪丁多尔伊依赛萨塞古库哈合海孜提买麦米莫姆木穆奴努帕热如茹沙色司斯塔太图吐托瓦乌吾西"
    "夏娅亚叶玉再扎兹加江杰卡克拉兰力丽利里列林鲁罗洛马玛满曼美那纳尼娜苏肉巧凯别波德登顿格贡嘎珠次仁旺央"
    "宗"
)
"""Characters that write the sounds of foreign names."""
_OF_PARTS = re.compile(rf"([{_SOUNDS}]{{2,8}})(?:[·•．][{_SOUNDS}]{{2,8}})+")


def find_nicknames(text: str) -> Iterator[str]:
    """Yield nicknames that a text announces, and names with dots whose parts sound foreign.

    >>> list(find_nicknames("赵某（绰号“大炮”）和买买提·艾力一起来的。"))
    ['大炮', '买买提·艾力']
    """
    for match in _NICKNAME.finditer(text):
        yield match[1] or match[2]
    for match in _OF_PARTS.finditer(text):
        yield match[0]
