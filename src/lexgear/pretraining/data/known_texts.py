"""Fingerprints by which a base model recognises its training texts, whatever the names in them.

A ranker sees texts whose names are neutralised, and the rules for names change. The fingerprint is therefore taken
from symbols that names and their neutral forms hardly ever contain. Of 1,200 judgments of LeCaRD, 25 have another
fingerprint when their names are neutralised.
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b

from lexgear.pretraining.data.leak_guard import fingerprint

NEUTRAL_TEXT, NAMELESS = 1, 2
"""Versions of the fingerprints of a base model: of the neutral text, or of the symbols outside names."""
MIN_SYMBOLS = 8
"""Symbols that identify a text. Of the 18,000 Chinese training cases, 14 share all symbols with another one; 0.9% have
fewer symbols than this."""
_SYMBOLS = re.compile(
    # Ideographs: pronouns and particles, and words of crimes, money and health.
    "[他她它你们这哪吗呢怎把被是了在使但却因此没未否已很或则即据所按属数量"
    "罪犯罚盗窃抢劫骗诈杀死毒赌伪假枪款债赔损失违讼证辩押拘捕逃拒绝租卖购借贷价病疗孕遗抵欠拖退换货"
    "骂打踢砍碰毁破恶抓撬砸烧谎偷藏匿销赃输吸获缉抽血测诊]"
    # Numbers of three digits, as 李某1 is a person; lower-case words of four letters, longer than most particles.
    r"|\d{3,}|(?<!\w)[a-zß-ÿ]{4,}(?!\w)"
)


def nameless_fingerprint(text: str) -> int:
    """Return a 64-bit fingerprint of a text that its person names do not change.

    A text with fewer than `MIN_SYMBOLS` symbols outside names is identified by all its characters.

    >>> told = "被告人{}趁他不在，撬门窃得货款，逃跑后被抓获。"
    >>> nameless_fingerprint(told.format("张三")) == nameless_fingerprint(told.format("某"))
    True
    """
    symbols = _SYMBOLS.findall(unicodedata.normalize("NFKC", text))
    if len(symbols) < MIN_SYMBOLS:
        return fingerprint(text)
    return int.from_bytes(blake2b(" ".join(symbols).encode(), digest_size=8).digest(), "little")


def fingerprint_of(text: str, version: int) -> int:
    """Return the fingerprint of a version."""
    return fingerprint(text) if version == NEUTRAL_TEXT else nameless_fingerprint(text)
