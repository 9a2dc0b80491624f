"""The house rules that a machine can check."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "lexgear"
ORDER = [
    *("errors", "progress", "files", "atomic", "trec", "registry", "settings", "law", "corpus", "privacy"),
    *(
        "index",
        "lexical",
        "rationale",
        "docids",
        "model",
        "search",
        "training",
        "pretraining",
        "rankers",
        "judgment",
        "evaluation",
    ),
    *("api", "wording", "report", "serve", "terminal", "demo", "commands", "cli"),
]
PUBLIC = "lexgear.api"
"""Where the package itself gets its public names."""
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
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            if node.module == "lexgear":
                names = [alias.name for alias in node.names if alias.name != "__version__"]
                yield from (f"lexgear.{name}" if name in ORDER else PUBLIC for name in names)
            elif str(node.module).startswith("lexgear."):
                yield str(node.module)
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.split(".")[0] == "lexgear"]
            yield from (PUBLIC if name == "lexgear" else name for name in names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_folder_imports_only_from_those_above_it(path: Path) -> None:
    own = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    if own == "__init__":
        return
    below = [module for module in imported(path) if ORDER.index(room(module)) > ORDER.index(own)]
    assert below == []


@pytest.mark.parametrize(
    ("line", "room"),
    [
        ("import lexgear", "api"),
        ("import lexgear.cli", "cli"),
        ("from lexgear import Index, __version__, cli", "api cli"),
        ("from lexgear.cli import main", "cli"),
        ("def f():\n    from lexgear.cli import main", "cli"),
        ("import json, os.path", ""),
        ("if TYPE_CHECKING:\n    from lexgear.cli import main", ""),
    ],
)
def test_no_way_to_import_escapes_the_rule(line: str, room: str, tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(line)
    assert [name.removeprefix("lexgear.") for name in imported(tmp_path / "module.py")] == room.split()


def test_the_document_lists_every_room_in_the_order_the_rule_has() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    first_column = re.findall(r"^\| (`.*?) \|", text, flags=re.MULTILINE)
    listed = [name for cell in first_column for name in re.findall(r"`(\w+)(?:/|\.py)`", cell)]
    assert listed == ORDER
    rooms = {path.name for path in SOURCE.iterdir() if any(path.glob("*.py"))}
    assert rooms | {path.stem for path in SOURCE.glob("*.py")} - {"__init__"} == {*ORDER}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_file_holds_more_than_one_idea_can_fill(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_nothing_is_pickled() -> None:
    for path in MODULES:
        code = ast.unparse(_without_docstrings(ast.parse(path.read_text(encoding="utf-8"))))
        assert not re.search(r"pickle|torch\.load", code.replace("allow_pickle=False", "")), path


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(None)
    return tree
