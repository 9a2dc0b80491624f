"""Settings of the service: address, API key, limits."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from ipaddress import ip_address

from lexgear.errors import ErrorCode, InputError
from lexgear.settings import within

LOCAL_NAMES = frozenset({"localhost", "localhost.localdomain", "ip6-localhost"})


@dataclass(frozen=True)
class Limits:
    """Limits of requests."""

    body_bytes: int = 2**20
    """Maximum size of a request body; counted while it arrives."""
    upload_bytes: int = 10 * 2**20
    """Maximum size of a request body for paths that begin with `/upload`."""
    upload_pages: int = 500
    """Maximum number of pages of a PDF."""
    upload_seconds: float = 10.0
    """Maximum time for reading a PDF or Word file."""
    text_characters: int = 100_000
    """Maximum length of a text, also after normalisation (NFKC), which turns some characters into 18."""
    names: int = 1000
    """Maximum number of persons that a text names, if their names are masked in the answer."""
    k: int = 100
    """Maximum number of hits in an answer."""
    reach: int = 1000
    """Maximum rank that paging reaches."""
    filters: int = 20
    """Maximum number of filters of a search."""
    filter_characters: int = 500
    """Maximum length of a filter."""
    batch: int = 32
    """Maximum number of searches in one request."""
    together: int = 16
    """Maximum number of tasks that the model handles in one pass; 1 turns batching off."""
    queue: int = 64
    """Maximum number of waiting tasks; further requests are answered with 429."""
    deadline: float = 30.0
    """Maximum seconds until an answer, including the arrival of the body; also for a client to read on."""
    head_seconds: float = 10.0
    """Maximum seconds until the head of a request has arrived; the connection is closed then."""

    def __post_init__(self) -> None:
        for limit in fields(Limits):
            within(limit.name, getattr(self, limit.name), MINIMUM.get(limit.name, 1))
        within("reach", self.reach, self.k)


MINIMUM = {"filters": 0, "deadline": 0.001, "upload_seconds": 0.001, "head_seconds": 0.001}
"""Minimum of the limits, if it is not 1."""


@dataclass(frozen=True)
class ServeSettings(Limits):
    """Address, API key and limits. The defaults serve this machine only."""

    host: str = "127.0.0.1"
    """Address to listen on. Any address but loopback needs an API key."""
    port: int = 8000
    """Port; 0 chooses a free one."""
    api_key: str = field(default="", repr=False)
    """Key that clients must send as `Authorization: Bearer …` or `X-API-Key`; empty (loopback only): none."""
    unmask: bool = True
    """True if clients may see the names of private persons. The page masks them until its switch is used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        within("port", self.port, 0, 2**16 - 1)
        if not self.api_key.isascii() or any(char.isspace() or not char.isprintable() for char in self.api_key):
            raise InputError(
                "the API key may contain only printable ASCII characters without spaces",
                code=ErrorCode.INVALID_SETTING,
                remedy="use letters and digits",
                name="api_key",
            )
        if not self.api_key and not is_loopback(self.host):
            raise InputError(
                f"{self.host or 'the wildcard address'} can be reached from other machines, and there is no API key",
                code=ErrorCode.API_KEY_MISSING,
                remedy="set an API key, or listen on 127.0.0.1",
                host=self.host,
            )


def is_loopback(host: str) -> bool:
    """Return whether an address can be reached from this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("")
    (True, True, False, False)
    """
    name = host.strip("[]").removesuffix(".").lower()
    if name in LOCAL_NAMES:
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
