"""House rules that a machine can check, each as one test over the whole package with a list of offenders."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from conftest import SLOW

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "lexgear"
ORDER = [
    *(
        "errors",
        "progress",
        "files",
        "replacing",
        "atomic",
        "trec",
        "registry",
        "settings",
        "engine",
        "law",
        "corpus",
        "privacy",
    ),
    *("index", "lexical", "rationale", "docids", "model", "search", "training", "pretraining", "rankers"),
    *("judgment", "evaluation", "api", "adapters", "wording", "report", "serve", "terminal", "demo", "commands", "cli"),
]
"""Folders and top-level modules in the order of docs/architecture.md; each may import from those before it."""
PUBLIC = "lexgear.api"
"""The module that defines the names the package exports."""
MODULES = sorted(SOURCE.rglob("*.py"))
OTHER_MODULES = sorted(path for name in ("tests", "tools", "bench", "runs") for path in (ROOT / name).rglob("*.py"))
"""Modules outside the package."""
MAX_LINES = 400
MAX_RANKER_DEPTH = 2
RIDDLE = re.compile(r"(What|Who|Whom|Whose|Where|Whether|How|All that)\b")
"""Openings of docstrings that do not name the thing first."""
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
COMMAND_LINE = ("cli.py", "demo.py", "commands/")
"""Modules that may mention command-line options."""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def place(path: Path, node: ast.expr | ast.stmt | None = None) -> str:
    """Return the file, and the line if there is one, as an offender is listed."""
    name = path.relative_to(SOURCE).as_posix() if path.is_relative_to(SOURCE) else path.name
    return f"{name}:{node.lineno}" if node is not None else name


def folder(module: str) -> str:
    """Return the folder or top-level module that a dotted module name belongs to."""
    return module.split(".")[1] if "." in module else module


def imported(path: Path) -> Iterator[str]:
    """Yield the lexgear modules that a file imports at run time; imports for type checkers alone do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for statement in tree.body:
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.dump(statement.test):
            statement.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{place(path, node)}: a relative import"
            if node.module == "lexgear":
                names = [alias.name for alias in node.names if alias.name != "__version__"]
                yield from (f"lexgear.{name}" if name in ORDER else PUBLIC for name in names)
            elif str(node.module).startswith("lexgear."):
                yield str(node.module)
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.split(".")[0] == "lexgear"]
            yield from (PUBLIC if name == "lexgear" else name for name in names)


def test_a_folder_imports_only_from_those_above_it() -> None:
    offenders = []
    for path in MODULES:
        own = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if own == "__init__":
            continue
        below = [module for module in imported(path) if ORDER.index(folder(module)) > ORDER.index(own)]
        offenders += [f"{place(path)} imports {module}" for module in below]
    assert offenders == []


@pytest.mark.parametrize(
    ("line", "found"),
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
def test_the_import_rule_sees_every_form_of_import(line: str, found: str, tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(line)
    assert [name.removeprefix("lexgear.") for name in imported(tmp_path / "module.py")] == found.split()


def test_the_architecture_page_lists_every_folder_in_the_order_of_the_rule() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    first_column = re.findall(r"^\| (`.*?) \|", text, flags=re.MULTILINE)
    listed = [name for cell in first_column for name in re.findall(r"`(\w+)(?:/|\.py)`", cell)]
    assert listed == ORDER
    folders = {path.name for path in SOURCE.iterdir() if any(path.glob("*.py"))}
    assert folders | {path.stem for path in SOURCE.glob("*.py")} - {"__init__"} == {*ORDER}


def test_no_file_is_too_long() -> None:
    lines = {place(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {name: count for name, count in lines.items() if count > MAX_LINES} == {}


def test_nothing_is_pickled() -> None:
    offenders = []
    for path in MODULES:
        code = ast.unparse(_without_docstrings(ast.parse(path.read_text(encoding="utf-8"))))
        if place(path) == "model/weight_files.py":  # files of published checkpoints, which users name
            code = re.sub(r"torch\.load\([^()]*, weights_only=True\)", "", code)
        if place(path) == "engine/processes.py":  # between processes of one command, never in files
            code = re.sub(r"pickle\.(dumps|loads)\(|import pickle", "", code)
        if re.search(r"pickle|torch\.load", code.replace("allow_pickle=False", "")):
            offenders.append(place(path))
    assert offenders == []


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(None)
    return tree


def test_no_module_but_the_engine_of_clusters_imports_ray() -> None:
    offenders = {
        place(path)
        for path in MODULES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [str(node.module)])
        if name.split(".")[0] == "ray"
    }
    assert offenders == {"engine/ray_cluster.py"}


def test_every_entry_of_the_slow_list_names_existing_tests() -> None:
    offenders = []
    for entry in SLOW:
        file, _, function = entry.partition("::")
        path = ROOT / "tests" / file
        if not path.exists() or (function and f"def {function}" not in path.read_text(encoding="utf-8")):
            offenders.append(entry)
    assert offenders == []


def library_modules() -> list[Path]:
    return [path for path in MODULES if not place(path).startswith(COMMAND_LINE)]


def docstrings(path: Path) -> Iterator[ast.Constant]:
    """Yield docstrings, including those of attributes: every string that stands as a statement."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value


def called(path: Path, name: str) -> Iterator[ast.Call]:
    """Yield the calls of a function or class, by its name alone."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call) and name in (getattr(node.func, "id", ""), getattr(node.func, "attr", "")):
            yield node


def test_docstrings_name_the_thing_first() -> None:
    modules = [*MODULES, *OTHER_MODULES]
    texts = [(place(path, node), str(node.value).strip()) for path in modules for node in docstrings(path)]
    assert [f"{where} {text[:40]}" for where, text in texts if RIDDLE.match(text)] == []


def test_every_input_error_of_the_library_has_a_code() -> None:
    offenders = []
    for path in library_modules():
        for call in called(path, "InputError"):
            if not {keyword.arg for keyword in call.keywords} & {"code", None}:  # None: **parameters
                offenders.append(place(path, call))
    assert offenders == []


def messages(path: Path) -> Iterator[ast.expr]:
    """Yield the expressions that make up error messages: arguments of `InputError`, and variables named for them."""
    for call in called(path, "InputError"):
        yield from [*call.args, *(keyword.value for keyword in call.keywords)]
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Assign) and any(
            getattr(one, "id", "") in {"problem", "remedy"} for one in node.targets
        ):
            yield node.value


def test_library_messages_mention_no_command_line_option() -> None:
    offenders = []
    for path in library_modules():
        constants = [node for message in messages(path) for node in ast.walk(message) if isinstance(node, ast.Constant)]
        for node in constants:
            offenders += [f"{place(path, node)} {option}" for option in OPTION.findall(str(node.value))]
    assert offenders == []


def test_rankers_are_at_most_two_levels_below_ranker() -> None:
    bases = {
        node.name: [getattr(base, "id", getattr(getattr(base, "value", None), "id", "")) for base in node.bases]
        for path in MODULES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef)
    }

    def depth(name: str) -> int | None:
        """Return the levels between a class and `Ranker`; None if it is not a ranker."""
        if name == "Ranker":
            return 0
        above = [level for base in bases.get(name, ()) if (level := depth(base)) is not None]
        return 1 + max(above) if above else None

    levels = {name: level for name in bases if (level := depth(name)) is not None}
    assert len(levels) > 20
    assert {name: level for name, level in levels.items() if level > MAX_RANKER_DEPTH} == {}


def test_objects_are_not_copied_through_vars() -> None:
    assert [place(path, call) for path in MODULES for call in called(path, "vars")] == []
