"""The lock file pins what constraints.txt pins, with a hash for every supported Python."""

import hashlib
import tomllib
from pathlib import Path

import pytest
from packaging.tags import compatible_tags, cpython_tags
from packaging.utils import canonicalize_name, parse_wheel_filename
from packaging.version import Version

from tools.lock import CONSTRAINTS, LOCK, PYTHONS, ROOT, directory_files, entry, locked_files, pins, wheels_of

FILES = locked_files(LOCK.read_text(encoding="utf-8"))
PINS = pins(CONSTRAINTS.read_text(encoding="utf-8"))
LINUX = [*(f"manylinux_2_{minor}_x86_64" for minor in range(5, 40)), "manylinux1_x86_64", "manylinux2014_x86_64"]


def test_the_lock_file_and_the_constraints_agree_on_every_version() -> None:
    assert pins(LOCK.read_text(encoding="utf-8")) == PINS


def test_every_hash_is_that_of_a_file_of_the_pinned_version() -> None:
    for name, files in FILES.items():
        for file in files:
            named, version, _, _ = parse_wheel_filename(file)
            assert (named, Version(version.public)) == (name, Version(PINS[name])), file


@pytest.mark.parametrize("minor", PYTHONS)
def test_every_requirement_installs_on_linux_with_every_supported_python(minor: int) -> None:
    python = (3, minor)
    tags = {*cpython_tags(python, platforms=LINUX), *compatible_tags(python, f"cp3{minor}", LINUX)}
    fitting = {name for name, files in FILES.items() if any(parse_wheel_filename(file)[3] & tags for file in files)}
    assert PINS.keys() - fitting == set()


def test_torch_has_the_hashes_of_official_and_local_wheels() -> None:
    versions = {str(parse_wheel_filename(file)[1]) for file in FILES["torch"]}
    assert versions == {PINS["torch"], f"{PINS['torch']}+cpu"}


def test_the_build_requirement_is_the_pinned_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["build-system"]["requires"] == [f"hatchling=={PINS['hatchling']}"]


def test_the_lock_file_names_no_host() -> None:
    assert "://" not in LOCK.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "listed"),
    [
        ("bees-1.2-py3-none-any.whl", True),
        ("bees-1.2-py2.py3-none-any.whl", True),
        ("bees-1.2.0-cp312-cp312-manylinux_2_28_x86_64.whl", True),
        ("bees-1.2+cpu-cp311-cp311-linux_x86_64.whl", True),
        ("bees-1.2-cp39-abi3-macosx_11_0_arm64.whl", True),
        ("bees-1.2-cp310-cp310-manylinux_2_28_x86_64.whl", False),
        ("bees-1.2-cp313-cp313t-manylinux_2_28_x86_64.whl", False),
        ("bees-1.2-cp312-cp312-win_amd64.whl", False),
        ("bees-1.2.1-py3-none-any.whl", False),
        ("bees-1.2.tar.gz", False),
    ],
)
def test_wheels_of_the_version_for_supported_pythons_are_listed(file: str, listed: bool) -> None:
    assert (file in wheels_of("1.2", [(file, "0" * 64)])) is listed


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    wheel, other = tmp_path / "Honey_Bees-1.2-py3-none-any.whl", tmp_path / "wasps-1.2-py3-none-any.whl"
    wheel.write_bytes(b"honey")
    other.write_bytes(b"sting")
    files = wheels_of("1.2", directory_files(tmp_path, canonicalize_name("honey.bees")))
    written = f"# head\n\n{entry('honey-bees', '1.2', files)}"
    assert pins(written) == {"honey-bees": "1.2"}
    assert locked_files(written) == {"honey-bees": {wheel.name: hashlib.sha256(b"honey").hexdigest()}}


def test_a_version_without_wheels_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"bees 1\.2 has no wheel"):
        entry("bees", "1.2", {})
