"""Replacement of Kangxi radicals, which some PDFs contain instead of characters: ⼈⺠法院 for 人民法院.

If a font has one glyph for both, the PDF loses the distinction. No word would match such a text.
"""

from __future__ import annotations

import unicodedata

_KANGXI = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x2F00, 0x2FD6)}
_RADICALS = "⺁⺄⺊⺎⺒⺓⺝⺟⺠⺧⺩⺬⺮⺶⺻⺽⻁⻄⻅⻆⻉⻊⻋⻑⻓⻔⻗⻘⻙⻚⻛⻜⻝⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳"
_CHARACTERS = "厂乙卜兀巳幺月母民牛王示竹羊聿臼虎西见角贝足车長长门雨青韦页风飞食马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟"
_SUPPLEMENT = {ord(radical): sign for radical, sign in zip(_RADICALS, _CHARACTERS, strict=True)}
"""Supplement to Unicode's normalisation, which covers the Kangxi radicals and two of these."""
_TABLE = _KANGXI | _SUPPLEMENT


def replace_radicals(text: str) -> str:
    """Replace radicals by the characters that were meant, one for one.

    >>> replace_radicals("⼈⺠法院，⻓⻋")
    '人民法院，长车'
    """
    return text.translate(_TABLE)
