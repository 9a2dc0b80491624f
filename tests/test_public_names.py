"""The public surface: what can be imported from `lexgear`, and what importing it loads."""

import subprocess
import sys

import pytest

import lexgear
import lexgear.api

NAMES = [
    "Collection",
    "Document",
    "ErrorCode",
    "Explanation",
    "Hit",
    "Index",
    "InputError",
    "Judgment",
    "Query",
    "evaluate",
    "experiment",
    "import_dataset",
    "judge",
    "load_collection",
    "make_ranker",
    "open_collection",
    "read_run",
    "train",
    "write_run",
]
HEAVY = ("torch", "transformers", "scipy", "numpy", "pandas", "ir_measures", "typer", "rich")


def test_the_public_names_are_known_and_importable() -> None:
    assert lexgear.__all__ == NAMES
    for name in NAMES:
        public = getattr(lexgear, name)
        assert public.__name__ == name
        assert public.__doc__
    assert lexgear.__version__
    assert {*NAMES, "__version__"} <= set(dir(lexgear))


@pytest.mark.parametrize(("old", "new"), [("Found", "Hit"), ("Opinion", "Judgment")])
def test_former_names_still_work_with_a_warning(old: str, new: str) -> None:
    for module in (lexgear, lexgear.api):
        with pytest.warns(DeprecationWarning, match=f"{old} is now lexgear.{new}"):
            assert getattr(module, old) is getattr(lexgear, new)


def test_a_name_that_never_existed_is_an_attribute_error() -> None:
    for module in (lexgear, lexgear.api):
        with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
            module.Nothing  # noqa: B018


def loaded_by(statement: str) -> str:
    code = f"import sys; {statement}; print([name for name in {HEAVY} if name in sys.modules])"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_importing_lexgear_loads_nothing_heavy() -> None:
    assert loaded_by("import lexgear; lexgear.InputError; lexgear.__version__") == "[]"


def test_naming_a_ranker_loads_no_torch_until_it_is_made() -> None:
    assert "torch" not in loaded_by("import lexgear; lexgear.make_ranker('bm25')")
