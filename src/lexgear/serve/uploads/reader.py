"""Reading of PDF and Word files in a separate process with limits on time and memory.

Parsers of foreign files may loop, crash or fill the memory, and a regular expression holds the interpreter: in the
process of the service one file would stop every request.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore

from lexgear.serve.settings import ServeSettings
from lexgear.serve.uploads.errors import UploadError
from lexgear.serve.uploads.file_types import FileType
from lexgear.serve.uploads.refusals import UploadProblem

MEMORY = 2**30
"""Memory limit of the process in bytes; a judgment needs a tenth of it."""
MAX_PROCESSES = 2
"""Number of processes at a time."""
_SLOTS = BoundedSemaphore(MAX_PROCESSES)
_PROCESS = ("-m", "lexgear.serve.uploads.reader_process")
_SOURCES = Path(__file__).parents[3]
"""Directory that contains the package; the process imports the same sources as the service."""
_KINDS = {FileType.PDF: ("pdf", UploadProblem.DAMAGED_PDF), FileType.WORD: ("word", UploadProblem.DAMAGED_WORD)}
"""Name of each type on the command line, and the problem that is reported if the process fails."""


def read_confined(kind: FileType, data: bytes, settings: ServeSettings) -> str:
    """Return the normalised text of a PDF or Word file. Raises UploadError if it cannot be read."""
    seconds = settings.upload_seconds
    if not _SLOTS.acquire(timeout=seconds):
        pause = math.ceil(seconds)
        raise UploadError(429, UploadProblem.BUSY, seconds=pause, headers={"Retry-After": str(pause)})
    name, damaged = _KINDS[kind]
    try:
        answer = _run(name, data, settings)
    finally:
        _SLOTS.release()
    match answer:
        case {"text": str(text)}:
            return text
        case {"status": int(status), "problem": str(problem), "parameters": dict(parameters)}:
            raise UploadError(status, UploadProblem(problem), **parameters)
    raise UploadError(422, damaged)


def _run(name: str, data: bytes, settings: ServeSettings) -> object:
    """Return the answer of the process; None if it failed."""
    limits = (settings.upload_pages, settings.text_characters, MEMORY, math.ceil(settings.upload_seconds))
    command = [sys.executable, "-P", "-X", "utf8", *_PROCESS, name, *map(str, limits)]
    sources = os.pathsep.join(filter(None, (str(_SOURCES), os.environ.get("PYTHONPATH", ""))))
    try:
        done = subprocess.run(
            command,
            input=data,
            capture_output=True,
            timeout=settings.upload_seconds,
            check=False,
            env={**os.environ, "PYTHONPATH": sources},
        )
    except subprocess.TimeoutExpired:
        raise UploadError(422, UploadProblem.SLOW, seconds=f"{settings.upload_seconds:g}") from None
    try:
        return json.loads(done.stdout) if done.returncode == 0 else None
    except ValueError:
        return None
