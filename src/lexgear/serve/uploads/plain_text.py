"""Decoding of plain text. Files whose encoding is uncertain are rejected."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE

from lexgear.serve.uploads.errors import UploadError, UploadProblem

_COMMON = 0.8
"""Minimum share of non-ASCII characters that are in GB2312. In a GB18030 text all but rare names are; damaged UTF-8 or
a Western encoding, decoded as GB18030, yields at limit half."""


def decode(data: bytes) -> str:
    """Decode UTF-8 with or without a byte-order mark, UTF-16 with one, or GB18030.

    >>> decode("盗窃".encode("gb18030")), decode("盗窃".encode("utf-16"))
    ('盗窃', '盗窃')
    """
    try:
        if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            return data.decode("utf-16")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raise UploadError(422, UploadProblem.DAMAGED_TEXT) from None
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        raise UploadError(422, UploadProblem.DAMAGED_TEXT) from None
    beyond = [sign for sign in text if not sign.isascii()]
    known = len("".join(beyond).encode("gb2312", "ignore")) / 2
    if known < _COMMON * len(beyond):
        raise UploadError(422, UploadProblem.DAMAGED_TEXT)
    return text
