"""Text of a PDF, read in a separate process with limits on time and memory."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore

from lexgear.serve.settings import ServeSettings
from lexgear.serve.uploads.errors import UploadError, UploadProblem
from lexgear.serve.uploads.kangxi_radicals import replace_radicals
from lexgear.serve.uploads.line_joining import join_lines

MEMORY = 2**30
"""Memory limit of the process in bytes; a judgment needs a tenth of it."""
MAX_PROCESSES = 2
"""Number of processes at a time."""
_SLOTS = BoundedSemaphore(MAX_PROCESSES)
_READER = Path(__file__).with_name("pdf_process.py")


def pdf_text(data: bytes, settings: ServeSettings) -> str:
    """Return the text of a PDF."""
    seconds = settings.upload_seconds
    if not _SLOTS.acquire(timeout=seconds):
        pause = math.ceil(seconds)
        raise UploadError(429, UploadProblem.BUSY, seconds=pause, headers={"Retry-After": str(pause)})
    try:
        answer = _read(data, settings)
    finally:
        _SLOTS.release()
    match answer:
        case {"pages": list(pages)} if pages:
            return join_lines([replace_radicals(page) for page in pages])
        case {"too_many": int(pages)}:
            raise UploadError(413, UploadProblem.PAGES, pages=pages, limit=settings.upload_pages)
        case {"reason": "encrypted"}:
            raise UploadError(422, UploadProblem.ENCRYPTED_PDF)
        case {"pages": []}:
            raise UploadError(422, UploadProblem.SCANNED)
    raise UploadError(422, UploadProblem.DAMAGED_PDF)


def _read(data: bytes, settings: ServeSettings) -> object:
    """Return the answer of the process; None if it failed."""
    limits = (settings.upload_pages, settings.text_characters, MEMORY, math.ceil(settings.upload_seconds))
    command = [sys.executable, "-P", "-X", "utf8", str(_READER), *map(str, limits)]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=settings.upload_seconds, check=False)
    except subprocess.TimeoutExpired:
        raise UploadError(422, UploadProblem.SLOW_PDF, seconds=f"{settings.upload_seconds:g}") from None
    try:
        return json.loads(done.stdout) if done.returncode == 0 else None
    except ValueError:
        return None
