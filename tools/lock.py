"""Write requirements.lock: the pins of constraints.txt with the SHA-256 hashes of their files.

usage: python -m tools.lock INDEX_URL [WHEEL_DIRECTORY]

The hashes are those that the package index states, for every supported Python and platform, and those of wheels in a
directory, such as a CPU build of torch. A comment names the file of each hash, in the same order.
"""

from __future__ import annotations

import hashlib
import re
import sys
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from packaging.tags import Tag
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
LOCK = ROOT / "requirements.lock"
PYTHONS = (11, 12, 13)
"""Minor versions of Python 3 that are supported, as the classifiers of pyproject.toml say."""
PLATFORM = re.compile(r"any|(?:manylinux|linux|macosx)\w*_(?:x86_64|aarch64|arm64|universal2)")
HEADER = "# Written by tools/lock.py from constraints.txt; install with `make setup-locked`.\n"
_LINK = re.compile(r'<a\s[^>]*href="[^"#]*/([^"#/]+)#sha256=([0-9a-f]{64})"')


def pins(text: str) -> dict[str, str]:
    """Return the version of every requirement `name==version`, by normalised name."""
    found = re.findall(r"^([\w.-]+)==([^\s\\]+)", text, flags=re.MULTILINE)
    return {str(canonicalize_name(name)): version for name, version in found}


def locked_files(text: str) -> dict[str, dict[str, str]]:
    """Return the hashes of a lock file: per normalised name, the hash of every file name."""
    files: dict[str, dict[str, str]] = {}
    for block in text.split("\n\n")[1:]:
        [name] = pins(block)
        named, hashes = re.findall(r"^# (.+)$", block, re.MULTILINE), re.findall(r"sha256:([0-9a-f]{64})", block)
        files[name] = dict(zip(named, hashes, strict=True))
    return files


def is_supported(tag: Tag) -> bool:
    """Return whether a wheel with this tag installs on a supported Python and platform."""
    stable = tag.abi == "abi3" or (tag.abi == "none" and tag.interpreter.startswith("py3"))
    python = re.fullmatch(r"(?:cp|py)3(\d*)", tag.interpreter)
    minor = int(python[1] or 0) if python else 99
    fits = minor <= max(PYTHONS) if stable else minor in PYTHONS and tag.abi in {"none", f"cp3{minor}"}
    return fits and PLATFORM.fullmatch(tag.platform) is not None


def wheels_of(version: str, files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the files, name and hash, that are supported wheels of a version, local builds of it included."""
    chosen = {}
    for name, digest in files:
        try:
            _, found, _, tags = parse_wheel_filename(name)
        except InvalidWheelFilename:  # a source archive, or a name of long ago
            continue
        if Version(found.public) == Version(version) and any(map(is_supported, tags)):
            chosen[name] = digest
    return dict(sorted(chosen.items()))


def index_files(index: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield name and hash of every file of a package, as the index states them."""
    with urllib.request.urlopen(f"{index.rstrip('/')}/{name}/", timeout=60) as answer:
        page = answer.read().decode("utf-8")
    for file, digest in _LINK.findall(page):
        yield unquote(unescape(file)), digest


def directory_files(directory: Path, name: str) -> Iterator[tuple[str, str]]:
    """Yield name and hash of the wheels of a package in a directory."""
    for path in sorted(directory.glob("*.whl")):
        if canonicalize_name(path.name.split("-")[0]) == name:
            with path.open("rb") as file:
                yield path.name, hashlib.file_digest(file, "sha256").hexdigest()


def entry(name: str, version: str, files: Mapping[str, str]) -> str:
    """Return the lines of one requirement."""
    if not files:
        raise SystemExit(f"{name} {version} has no wheel for Python 3.{PYTHONS[0]} to 3.{PYTHONS[-1]}: choose another")
    hashes = " \\\n".join(f"    --hash=sha256:{digest}" for digest in files.values())
    return "".join(f"# {file}\n" for file in files) + f"{name}=={version} \\\n{hashes}\n"


def main(index: str, directory: str | None = None) -> None:
    """Write the lock file."""
    entries = []
    for name, version in pins(CONSTRAINTS.read_text(encoding="utf-8")).items():
        files = [*index_files(index, name), *(directory_files(Path(directory), name) if directory else ())]
        entries.append(entry(name, version, wheels_of(version, files)))
    LOCK.write_text("\n".join([HEADER, *entries]), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
