"""Write a software bill of materials (CycloneDX 1.5, JSON) of the installed distributions.

usage: python -m tools.sbom OUT

Hashes are those of requirements.lock, if a file of the lock has the tags of the installed wheel. Equal environments
give equal bytes: there is no time stamp, and the serial number is computed from the contents.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from packaging.requirements import Requirement
from packaging.tags import parse_tag
from packaging.utils import canonicalize_name, parse_wheel_filename

from tools.lock import LOCK, locked_files

PRODUCT = "lexgear"
LEFT_OUT = {PRODUCT, "pip"}
"""The product itself, which is described apart, and the installer."""
MAX_LICENCE = 100
"""Longest name of a licence; some packages put its whole text into the field."""


def purl(one: Distribution) -> str:
    """Return the package URL of a distribution.

    >>> purl(distribution("numpy")).split("@")[0]
    'pkg:pypi/numpy'
    """
    return f"pkg:pypi/{canonicalize_name(one.name)}@{quote(one.version, safe='')}"


def licences(one: Distribution) -> list[dict[str, Any]]:
    """Return the licences that the metadata states: the SPDX expression, else a name, else the classifiers."""
    values = one.metadata.get_all
    if expressions := values("License-Expression"):
        return [{"expression": expressions[0]}]
    stated = [value for value in values("License") or () if value and "\n" not in value and len(value) <= MAX_LICENCE]
    classified = [value for value in values("Classifier") or () if value.startswith("License ::")]
    names = stated or [value.rsplit(" :: ", 1)[-1] for value in classified]
    return [{"license": {"name": name}} for name in names]


def file_hash(one: Distribution, files: Mapping[str, str]) -> str | None:
    """Return the hash of the wheel that was installed; None if no file of the lock has its version and tags."""
    stated = re.findall(r"^Tag: (\S+)$", one.read_text("WHEEL") or "", flags=re.MULTILINE)
    tags = frozenset(tag for line in stated for tag in parse_tag(line))
    for name, digest in files.items():
        _, version, _, named = parse_wheel_filename(name)
        if str(version) == one.version and named == tags:
            return digest
    return None


def component(one: Distribution, kind: str, files: Mapping[str, str]) -> dict[str, Any]:
    """Return the entry of a distribution."""
    row: dict[str, Any] = {"type": kind, "bom-ref": purl(one), "name": one.name, "version": one.version}
    if stated := licences(one):
        row["licenses"] = stated
    if digest := file_hash(one, files):
        row["hashes"] = [{"alg": "SHA-256", "content": digest}]
    return {**row, "purl": purl(one)}


def required(one: Distribution, installed: Mapping[str, Distribution]) -> list[str]:
    """Return the package URLs of the installed distributions that a distribution requires, without its extras."""
    needed = [Requirement(line) for line in one.requires or ()]
    names = {canonicalize_name(need.name) for need in needed if need.marker is None or need.marker.evaluate()}
    return sorted(purl(installed[name]) for name in names if name in installed)


def bill_of_materials(found: Iterable[Distribution], lock: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """Return the bill of materials of distributions, sorted by name."""
    installed = {str(canonicalize_name(one.name)): one for one in found}
    product = distribution(PRODUCT)
    others = {name: one for name, one in sorted(installed.items()) if name not in LEFT_OUT}
    contents = {
        "metadata": {"component": component(product, "application", {})},
        "components": [component(one, "library", lock.get(name, {})) for name, one in others.items()],
        "dependencies": [{"ref": purl(one), "dependsOn": required(one, others)} for one in (product, *others.values())],
    }
    serial = uuid5(NAMESPACE_URL, json.dumps(contents, sort_keys=True))
    head = {"bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{serial}", "version": 1}
    return {**head, **contents}


def main(out: str) -> None:
    """Write the bill of materials of this environment."""
    bill = bill_of_materials(distributions(), locked_files(LOCK.read_text(encoding="utf-8")))
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    Path(out).write_text(json.dumps(bill, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    known = sum("hashes" in one for one in bill["components"])
    print(f"{out}: {len(bill['components'])} components, {known} with a hash")


if __name__ == "__main__":
    main(*sys.argv[1:])
