"""The READMEs: every command and every example is run, every command is listed, every link and picture exists."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
READMES = ["README.md", "README.zh.md"]
DEMO = "demo.txt"
"""File with the output of the demo."""
MAKE = {"demo": "lexgear demo", "test": "pytest", "serve": "lexgear serve"}
"""The targets that the READMEs name, and a part of what each runs."""


def blocks(readme: str, language: str) -> list[str]:
    text = (ROOT / readme).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def run(command: Sequence[str], where: Path) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command, cwd=where, capture_output=True, text=True, env={**os.environ, "PATH": path}, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


run_once = cache(run)
"""Most commands are in both READMEs."""


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in the state that `make demo` leaves."""
    where = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "examples", where / "examples")
    printed = run(["lexgear", "demo"], where)
    assert "BM25" in printed
    assert "build/sample-index" in printed
    (where / DEMO).write_text(printed, encoding="utf-8")
    return where


def test_the_demo_ranks_above_words_alone_and_names_the_charges(clone: Path) -> None:
    printed = (clone / DEMO).read_text(encoding="utf-8")
    [words, own, *_] = re.findall(r"^│ (?:BM25|lexgear) +│ +(0\.\d+)", printed, flags=re.MULTILINE)
    assert float(own) > float(words) + 0.05
    [first_correct] = re.findall(r"^│ all +│ +40 (?:│ +\S+ ){2}│ +(\d\.\d+)", printed, flags=re.MULTILINE)
    assert float(first_correct) > 0.9


@pytest.mark.parametrize("readme", READMES)
def test_every_shell_command_works(readme: str, clone: Path) -> None:
    commands = [line for block in blocks(readme, "sh") for line in block.splitlines() if line]
    assert len(commands) >= 9
    for line in commands:
        command = shlex.split(line)
        if command[0] == "make":  # what it would run is tested: the demo above, the tests themselves
            assert MAKE[command[1]] in run(["make", "-n", *command[1:]], ROOT)
        elif command[0] == ".":  # the environment that make creates
            assert command[1] == ".venv/bin/activate"
            assert re.search(r"^VENV +:= \.venv$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        else:
            assert run_once(tuple(command), clone).strip()


@pytest.mark.parametrize("readme", READMES)
def test_every_python_example_works(readme: str, clone: Path) -> None:
    [example] = blocks(readme, "python")
    printed = run([sys.executable, "-c", example], clone)
    assert printed.count("中华人民共和国刑法 ›") >= 4  # three hits of the sample and one of the example judgments
    assert re.search(r"^盗窃罪 \d+% \[", printed, flags=re.MULTILINE)
    assert "周某抢劫案" in printed.splitlines()[-1]


@pytest.mark.parametrize("readme", READMES)
def test_the_table_lists_every_command(readme: str) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    table = set(re.findall(r"^\| `lexgear (\w+)", text, flags=re.MULTILINE))
    printed = run(["lexgear", "--help"], ROOT)
    assert table == set(re.findall(r"^│ (\w+) ", printed, flags=re.MULTILINE))


@pytest.mark.parametrize("readme", READMES)
def test_a_readme_has_at_most_150_lines(readme: str) -> None:
    assert len((ROOT / readme).read_text(encoding="utf-8").splitlines()) <= 150


@pytest.mark.parametrize("readme", READMES)
def test_every_picture_has_a_description_and_is_quick_to_load(readme: str) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text)
    assert pictures
    for description, path in pictures:
        assert len(description) > 4, path
        assert (ROOT / path).stat().st_size < 300_000, path
        assert (ROOT / path).read_bytes().startswith(b"\x89PNG"), path


def test_both_readmes_show_the_same_figures_and_examples() -> None:
    english, chinese = ((ROOT / readme).read_text(encoding="utf-8") for readme in READMES)
    assert re.findall(r"\.\d{3}\b", english) == re.findall(r"\.\d{3}\b", chinese)
    for language in ("sh", "python"):
        assert blocks("README.md", language) == blocks("README.zh.md", language)


def test_the_figures_stand_in_the_results() -> None:
    results = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    figures = set(re.findall(r"\.\d{3}\b", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert sorted(figure for figure in figures if figure not in results) == []


def test_the_citation_names_the_version_of_the_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (str(citation["version"]), citation["license"]) == (project["version"], project["license"])
    assert len(citation["references"][0]["authors"]) == 6
