"""Extraction of the defendants that a clause names: 上诉人（原审被告人）甲某、乙某."""

from __future__ import annotations

import re

ROLE = r"(?:原审|被)?(?:上诉人|被告人|被告单位|上诉单位|被告|罪犯|被申请人|申诉人)"
"""Pattern of the roles that precede the name of a defendant."""

_ALONE = re.compile(rf"{ROLE}(?:（[^（）]*）)?[^，。；因]{{2,4}}$")
_BETWEEN = re.compile(r"[、，,\s]+|(?<=[^、，,\s]{2})[和与及](?=[^、，,\s]{2})")
_AFTER = re.compile(r"(?:的|判处|有期|于[12]).*|（[^（）]*）", re.DOTALL)
_COURT_WORD = re.compile("[院审判]")
_ADVERB = re.compile("(?:均|分别|共同|又){1,4}$|(?<=^.某)所$|(?<=^...)所$")  # 甲某所犯, but neither 李长所 nor 某研究所


def named_parties(clause: str) -> tuple[str, ...]:
    """Return the defendants that a clause begins with; empty if it names none.

    >>> named_parties("上诉人（原审被告人）甲某、被告人乙某和丙某均")
    ('甲某', '乙某', '丙某')
    """
    roles = re.split(ROLE, clause, maxsplit=1)
    if len(roles) == 2:
        listed = re.sub(rf"[，,、和与及]?\s*{ROLE}", "、", roles[1])
        return split_names(re.split("[，,]", listed)[0])
    bare = re.split("认定|判决|裁定|[以即对]", clause)[-1].strip()
    return split_names(bare) if 2 <= len(bare) <= 4 and not _COURT_WORD.search(bare) else ()


def split_names(text: str) -> tuple[str, ...]:
    """Return the names of a list, each once."""
    parts = (part.strip("：:“”") for part in _BETWEEN.split(_AFTER.sub("", text)))
    names = (_ADVERB.sub("", part) for part in parts)
    return tuple(dict.fromkeys(name for name in names if 1 <= len(name) <= 30))


def is_only_a_name(clause: str) -> bool:
    """Return whether a clause is just one defendant: in 被告人李原犯… the 原 belongs to the name."""
    return _ALONE.match(clause.strip()) is not None
