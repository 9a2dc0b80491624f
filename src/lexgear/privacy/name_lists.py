"""Detection of person names in Chinese lists that say so: 张建国、李小红夫妻二人, 王强和赵敏三人."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexgear.privacy.surnames import HAN, NO_NAME_WORD, SURNAME

_NAME = rf"{SURNAME}{HAN}{{1,2}}"
_LIST = re.compile(
    rf"(?:(?<!{HAN})|(?<=[被由将对给向]))({_NAME}(?:[、和与及]{_NAME}){{1,19}})"
    "(?=夫妻|夫妇|父子|父女|母子|母女|兄弟|兄妹|姐妹|姐弟|[俩仨]|[二两三四五六七八九十]人|"
    "等(?:[二三四五六七八九十]{1,3}|多)?人(?![民员]))"
)
_AND = re.compile("[、和与及]")


def find_listed_names(text: str) -> Iterator[str]:
    """Yield the full names in lists of persons.

    >>> list(find_listed_names("张建国、李小红夫妻二人冒充客服。"))
    ['张建国', '李小红']
    """
    for match in _LIST.finditer(text):
        names = _AND.split(match[1])
        if not any(NO_NAME_WORD.match(name) for name in names):
            yield from names
