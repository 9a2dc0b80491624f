"""docs/extending.md, followed step by step in a copy of the repository: its files, changes and commands."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"([^\n]*)\n\n```(\w+)\n(.*?)```", flags=re.DOTALL)


def steps() -> Iterator[tuple[str, str, str]]:
    """Yield every block of the page: its language, the file that the line above names last, and its content."""
    for above, language, block in BLOCK.findall(PAGE):
        yield language, ["", *re.findall(r"`([\w./-]+/[\w.-]+)`", above)][-1], block


def changed(text: str, difference: str) -> str:
    """Apply a change as the page shows it; every part of it must fit in exactly one place."""
    for part in difference.split("@@\n"):
        lines = part.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] in " -")
        assert text.count(old) == 1, f"the page changes what is not there, or there twice:\n{old}"
        text = text.replace(old, "".join(line[1:] for line in lines if line[0] in " +"))
    return text


def _into(site: Path, command: list[str]) -> list[str]:
    """Let `pip install` work offline and leave the environment alone."""
    if command[:2] != ["pip", "install"]:
        return command
    return [*command[:2], "--no-deps", "--no-build-isolation", "--no-index", "--target", str(site), *command[2:]]


@dataclass
class Walk:
    """A copy of the repository in which the page was followed to its end."""

    clone: Path
    written: list[Path] = field(default_factory=list)
    changes: list[tuple[str, str]] = field(default_factory=list)
    """Changed file and the change."""
    printed: dict[str, str] = field(default_factory=dict)
    """Output by command."""

    def step(self, language: str, name: str, block: str) -> None:
        path = self.clone / name
        if language == "sh":
            for command in block.splitlines():
                self.printed[command] = self.run(*_into(self.site, shlex.split(command)))
        elif language == "diff":
            path.write_text(changed(path.read_text(encoding="utf-8"), block), encoding="utf-8")
            self.changes.append((name, block))
        else:
            assert name, f"the page does not say which file this is:\n{block}"
            assert not path.exists()
            path.parent.mkdir(exist_ok=True)
            path.write_text(block, encoding="utf-8")
            self.written.append(path)

    @property
    def site(self) -> Path:
        """Directory that `pip install` installs into, in place of the environment."""
        return self.clone / "site-packages"

    def run(self, *command: str) -> str:
        programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        own = {"PATH": programs, "PYTHONPATH": os.pathsep.join([str(self.clone / "src"), str(self.site)])}
        done = subprocess.run(
            command, cwd=self.clone, capture_output=True, text=True, env={**os.environ, **own}, check=False
        )
        assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}{done.stderr}"
        return done.stdout

    @property
    def code(self) -> list[Path]:
        """Python files that were written."""
        return [path for path in self.written if path.suffix == ".py"]

    def said(self, beginning: str) -> str:
        """Return the output of the one command that begins so."""
        [printed] = [printed for command, printed in self.printed.items() if command.startswith(beginning)]
        return printed


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Walk:
    clone = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "src", clone / "src", ignore=shutil.ignore_patterns("bases", "__pycache__"))
    (clone / "src" / "lexgear" / "bases").symlink_to(ROOT / "src" / "lexgear" / "bases")
    for name in ("tests", "examples", "docs"):
        shutil.copytree(ROOT / name, clone / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", clone)
    followed = Walk(clone)
    for step in steps():
        followed.step(*step)
    return followed


def test_every_addition_is_one_file_and_one_line(walk: Walk) -> None:
    written = [path.relative_to(walk.clone).as_posix() for path in walk.code]
    assert written == [
        "src/lexgear/rankers/words/ngrams.py",
        "src/lexgear/corpus/datasets/mediator.py",
        "src/lexgear/report/writers/text.py",
        "lexgear-example/lexgear_example.py",
    ]
    lines = {
        name: [line for line in block.splitlines() if line[0] in "+-" and not line.startswith("+from ")]
        for name, block in walk.changes
        if name.endswith(".py")
    }
    assert {name: len(changes) for name, changes in lines.items()} == {
        "src/lexgear/rankers/registry.py": 1,
        "src/lexgear/corpus/datasets/registry.py": 1,
        "src/lexgear/report/formats.py": 1,
    }


def test_the_new_ranker_is_listed_trained_and_finds_the_case(walk: Walk) -> None:
    assert re.search(r"│ length +│ int +│ 2 +│ Characters of an n-gram\.", walk.said("lexgear settings ngrams"))
    assert "ngrams over 6 documents" in walk.said("lexgear train build/mine ")
    assert re.search(r"^ +1 .*陈某某盗窃案  \[j1\]$", walk.said("lexgear search build/mine-ngrams"), flags=re.MULTILINE)


def test_the_new_data_set_is_read_and_skipped_records_are_reported(walk: Walk) -> None:
    printed = walk.said("lexgear import mediator")
    assert "4 documents, 3 queries, 3 labels" in printed
    assert "1  empty ruling" in printed


def test_the_new_format_is_written(walk: Walk) -> None:
    assert "1 in the report" in walk.said("lexgear report")
    report = (walk.clone / "build" / "report.txt").read_text(encoding="utf-8")
    assert report.startswith("类案检索报告\n====")
    assert "现金五千余元" in report


def test_an_installed_package_adds_a_ranker_and_a_data_set(walk: Walk) -> None:
    assert (walk.site / "lexgear_example.py").is_file()
    assert "2 documents" in walk.said("lexgear import gazette")
    assert "1  empty text" in walk.said("lexgear import gazette")
    assert "characters over 2 documents" in walk.said("lexgear train build/gazette")
    assert "Marché  [n2]" in walk.said("lexgear search build/gazette-index")


@pytest.mark.parametrize(("data", "queries"), [("tiny", 6), ("build/mediator", 2)])
def test_the_new_ranker_has_its_row_beside_the_old_ones(walk: Walk, data: str, queries: int) -> None:
    printed = walk.said(f"lexgear reproduce table-retrieval --data {data}")
    assert f"{queries} queries" in printed
    [_, main, *_] = printed.split("\n## ")
    rows = {row[0]: row[-1] for line in main.splitlines() if len(row := line.strip("| ").split(" | ")) == 9}
    assert {"character n-grams", "BM25"} <= set(rows)
    assert float(rows["character n-grams"].strip("‡")) > 0.3


def test_the_new_data_set_is_run_with_the_seeds_of_its_entry(walk: Walk) -> None:
    printed = walk.said("lexgear reproduce table-retrieval --data build/mediator")
    assert re.search(r"^\| random order \| 2 \|", printed, flags=re.MULTILINE)  # seeds


def test_the_tests_of_all_rankers_and_data_sets_include_the_new_ones(walk: Walk) -> None:
    assert "3 passed" in walk.said("pytest")


def test_the_code_of_the_page_passes_the_linter(walk: Walk) -> None:
    walk.run("ruff", "check", "--no-cache", *map(str, walk.code))
    walk.run("ruff", "format", "--no-cache", "--check", *map(str, walk.code))
