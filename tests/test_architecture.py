"""The house rules that a machine can check."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "lexgear"
ORDER = [
    *(
        "errors",
        "progress",
        "files",
        "trec",
        "law",
        "corpus",
        "catalogue",
        "index",
        "lexical",
        "rankers",
        "api",
        "evaluation",
    ),
    *("display", "demo", "cli"),
]
MODULES = sorted(SOURCE.rglob("*.py"))


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def imported(path: Path) -> Iterator[str]:
    """lexgear modules imported at run time; what only type checkers see does not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for statement in tree.body:
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.dump(statement.test):
            statement.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("lexgear."):
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("lexgear."))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_folder_imports_only_from_those_above_it(path: Path) -> None:
    own = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    if own == "__init__":
        return
    below = [module for module in imported(path) if ORDER.index(room(module)) > ORDER.index(own)]
    assert below == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_file_holds_more_than_one_idea_can_fill(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_nothing_is_pickled() -> None:
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        assert "pickle" not in text.replace("allow_pickle=False", "").replace("no pickle", ""), path
