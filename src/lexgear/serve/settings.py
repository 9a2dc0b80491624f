"""What the service is told: where it listens, who may ask, and how much at once."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from ipaddress import ip_address

from lexgear.errors import InputError
from lexgear.settings import within

LOCAL_NAMES = frozenset({"localhost", "localhost.localdomain", "ip6-localhost"})


@dataclass(frozen=True)
class Limits:
    """How much is taken at once, and for how long."""

    body_bytes: int = 2**20
    """Of a request; counted while it arrives."""
    upload_bytes: int = 10 * 2**20
    """Of a request whose path begins with `/upload`: files are larger than texts."""
    upload_pages: int = 500
    """Of a PDF."""
    upload_seconds: float = 10.0
    """Until a PDF has to be read."""
    text_characters: int = 100_000
    """Of one text; also once it is normalised, which makes 18 characters of some."""
    k: int = 100
    """Most hits of an answer."""
    reach: int = 1000
    """Deepest rank that paging gets to."""
    filters: int = 20
    """Most filters of a search."""
    filter_characters: int = 500
    """Of one filter."""
    batch: int = 32
    """Most searches in one request."""
    together: int = 16
    """Most that the model handles in one pass; 1 switches micro-batching off."""
    queue: int = 64
    """Most that waits for the model; who comes then is told to come again."""
    deadline: float = 30.0
    """Seconds until an answer, the arrival of the request included."""

    def __post_init__(self) -> None:
        for limit in fields(Limits):
            within(limit.name, getattr(self, limit.name), LEAST.get(limit.name, 1))
        within("reach", self.reach, self.k)


LEAST = {"filters": 0, "deadline": 0.001, "upload_seconds": 0.001}
"""Where it is not 1."""


@dataclass(frozen=True)
class ServeSettings(Limits):
    """Where the service listens, who may ask, and its limits; the defaults are safe on a machine of one's own."""

    host: str = "127.0.0.1"
    """Address to listen on; anything but loopback needs an API key."""
    port: int = 8000
    """0 takes any that is free."""
    api_key: str = field(default="", repr=False)
    """Who asks has to show it, as `Authorization: Bearer …` or `X-API-Key`. Empty, on loopback: nobody has to."""
    unmask: bool = True
    """Whether whoever asks may see names of private persons; the page masks them until its switch is used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        within("port", self.port, 0, 2**16 - 1)
        if not self.api_key.isascii() or any(sign.isspace() or not sign.isprintable() for sign in self.api_key):
            raise InputError(
                "the API key has to be of plain signs without spaces", remedy="such as letters and figures"
            )
        if not self.api_key and not is_loopback(self.host):
            raise InputError(
                f"{self.host or 'every address'} can be reached by others, and there is no API key",
                remedy="give one by --api-key-file or LEXGEAR_API_KEY, or listen on 127.0.0.1",
            )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("")
    (True, True, False, False)
    """
    name = host.strip("[]").rstrip(".").lower()
    if name in LOCAL_NAMES:
        return True
    try:
        return ip_address(name.split("%")[0]).is_loopback
    except ValueError:
        return False
