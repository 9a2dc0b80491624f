"""The text of a PDF, read by a process of its own: one that takes too long or too much memory is ended."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore

from lexgear.serve.settings import ServeSettings
from lexgear.serve.uploads.refusals import Refused

MEMORY = 2**30
"""Bytes that the process may take; reading a judgment takes a tenth."""
AT_ONCE = 2
"""Processes; who comes then waits."""
_TURN = BoundedSemaphore(AT_ONCE)
_READER = Path(__file__).with_name("pdf_reader.py")
_WIDE = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_FULL = 0.8
"""Part of the longest line of a page from which a line was broken for want of room."""
_ENDS = "。！？；!?;"
"""After these a line may have ended by itself; so has an empty one."""


def pdf_text(data: bytes, settings: ServeSettings) -> str:
    """The text of a PDF, page after page, each line that went on in the next joined to it."""
    seconds = settings.upload_seconds
    if not _TURN.acquire(timeout=seconds):
        pause = math.ceil(seconds)
        raise Refused(429, "busy", seconds=pause, headers={"Retry-After": str(pause)})
    try:
        answer = _asked(data, settings)
    finally:
        _TURN.release()
    match answer:
        case {"pages": list(pages)} if pages:
            return "\n".join(map(unwrapped, pages))
        case {"too_many": int(pages)}:
            raise Refused(413, "pages", pages=pages, most=settings.upload_pages)
        case {"reason": "encrypted"}:
            raise Refused(422, "encrypted_pdf")
        case {"pages": []}:
            raise Refused(422, "scanned")
    raise Refused(422, "damaged_pdf")


def _asked(data: bytes, settings: ServeSettings) -> object:
    """What the process answers; nothing where it failed."""
    limits = (settings.upload_pages, settings.text_characters, MEMORY, math.ceil(settings.upload_seconds))
    command = [sys.executable, "-P", "-X", "utf8", str(_READER), *map(str, limits)]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=settings.upload_seconds, check=False)
    except subprocess.TimeoutExpired:
        raise Refused(422, "slow_pdf", seconds=f"{settings.upload_seconds:g}") from None
    try:
        return json.loads(done.stdout) if done.returncode == 0 else None
    except ValueError:
        return None


def unwrapped(page: str) -> str:
    r"""A page whose lines end where its author ended them; as far as can be told by their lengths.

    >>> unwrapped("被告人深夜翻墙进\n入商店。\n次日被抓获。")
    '被告人深夜翻墙进入商店。\n次日被抓获。'
    """
    lines = [line.strip() for line in page.splitlines()]
    full = _FULL * max(map(len, lines), default=0)
    pieces: list[str] = []
    last = ""
    for line in lines:
        if pieces:
            pieces.append(_joint(last, line) if len(last) >= full and last[-1:] not in _ENDS else "\n")
        pieces.append(line)
        last = line
    return "".join(pieces)


def _joint(line: str, following: str) -> str:
    """What stands between two parts of a sentence that a line's end parted: nothing in Chinese, a space elsewhere."""
    if not following:
        return "\n"
    return "" if _WIDE.match(line[-1]) or _WIDE.match(following) else " "
