"""The bill of materials lists what is installed, in the form of CycloneDX 1.5."""

import json
import re
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.utils import canonicalize_name
from packaging.version import Version

from tools.lock import CONSTRAINTS, LOCK, locked_files, pins
from tools.sbom import bill_of_materials, main

FILES = locked_files(LOCK.read_text(encoding="utf-8"))
BUILD = {"editables", "hatchling", "tomlkit", "trove-classifiers"}
"""Requirements of the build, which pip installs into an environment of their own unless told otherwise."""


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    return bill_of_materials(distributions(), FILES)


def test_every_dependency_of_the_lock_file_is_listed_with_its_version(bill: dict[str, Any]) -> None:
    versions = {str(canonicalize_name(one["name"])): Version(one["version"]).public for one in bill["components"]}
    for name, version in pins(CONSTRAINTS.read_text(encoding="utf-8")).items():
        if name in versions or name not in BUILD:
            assert versions.get(name) == str(Version(version)), name


def test_the_required_fields_are_valid(bill: dict[str, Any]) -> None:
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.5", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    product = bill["metadata"]["component"]
    assert (product["type"], product["name"]) == ("application", "lexgear")
    assert product["licenses"] == [{"expression": "Apache-2.0"}]
    for one in bill["components"]:
        assert one["type"] == "library" and one["name"] and one["version"]
        assert re.fullmatch(r"pkg:pypi/[a-z0-9-]+@[\w.%-]+", one["purl"])
        assert all(licence.keys() in ({"expression"}, {"license"}) for licence in one.get("licenses", []))


def test_dependencies_refer_to_listed_components(bill: dict[str, Any]) -> None:
    listed = [one["bom-ref"] for one in (bill["metadata"]["component"], *bill["components"])]
    assert len({*listed}) == len(listed)
    assert [one["ref"] for one in bill["dependencies"]] == listed
    needed = {row["ref"]: row["dependsOn"] for row in bill["dependencies"]}
    assert {ref for refs in needed.values() for ref in refs} <= {*listed}
    assert any(ref.startswith("pkg:pypi/torch@") for ref in needed[listed[0]])


def test_hashes_are_those_of_the_lock_file(bill: dict[str, Any]) -> None:
    hashes = {canonicalize_name(one["name"]): one["hashes"] for one in bill["components"] if "hashes" in one}
    assert "rich" in hashes
    for name, [stated] in hashes.items():
        assert stated["alg"] == "SHA-256" and stated["content"] in FILES[name].values()


def test_equal_environments_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        main(str(tmp_path / name / "sbom.json"))
    assert (tmp_path / "one/sbom.json").read_bytes() == (tmp_path / "two/sbom.json").read_bytes()
    assert json.loads((tmp_path / "one/sbom.json").read_bytes())["components"]
