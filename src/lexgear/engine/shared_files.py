"""Files that all machines of a cluster must see under the same path."""

from __future__ import annotations

import socket
from pathlib import Path

from lexgear.errors import ErrorCode, InputError


def check_seen(path: str | Path) -> None:
    """Raise `InputError` if this machine does not see a path that another machine works on."""
    if not Path(path).exists():
        raise InputError(
            f"the machine {socket.gethostname()} does not see this path",
            code=ErrorCode.FILE_MISSING,
            file=Path(path),
            remedy="keep it on a file system that all machines of the cluster mount under the same path",
        )
