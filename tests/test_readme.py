"""Every command and every example of the READMEs is run here."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
READMES = ["README.md", "README.zh.md"]


def blocks(readme: str, language: str) -> list[str]:
    text = (ROOT / readme).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def run(command: list[str], where: Path) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command, cwd=where, capture_output=True, text=True, env={**os.environ, "PATH": path}, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory as a user has it after `make demo`."""
    where = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "examples", where / "examples")
    printed = run(["lexgear", "demo"], where)
    assert "BM25" in printed
    assert "build/sample-index" in printed
    return where


@pytest.mark.parametrize("readme", READMES)
def test_every_shell_command_works(readme: str, clone: Path) -> None:
    commands = [line for block in blocks(readme, "sh") for line in block.splitlines() if line]
    assert len(commands) >= 9
    for line in commands:
        command = shlex.split(line)
        if command[0] == "make":  # what it would run is tested: the demo above, the tests themselves
            printed = run(["make", "-n", *command[1:]], ROOT)
            assert {"demo": "lexgear demo", "test": "pytest", "serve": "lexgear serve"}[command[1]] in printed
        else:
            assert run(command, clone).strip()


@pytest.mark.parametrize("readme", READMES)
def test_every_python_example_works(readme: str, clone: Path) -> None:
    [example] = blocks(readme, "python")
    printed = run([sys.executable, "-c", example], clone)
    assert printed.count("中华人民共和国刑法 ›") >= 3


@pytest.mark.parametrize("readme", READMES)
def test_every_command_of_the_table_exists_and_none_is_missing(readme: str) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    table = set(re.findall(r"^\| `lexgear (\w+)", text, flags=re.MULTILINE))
    printed = run(["lexgear", "--help"], ROOT)
    assert table == set(re.findall(r"^│ (\w+) ", printed, flags=re.MULTILINE))


@pytest.mark.parametrize("readme", READMES)
def test_every_picture_has_a_description_and_is_quick_to_load(readme: str) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text)
    assert len(pictures) >= 5
    for description, path in pictures:
        assert len(description) > 4, path
        assert (ROOT / path).stat().st_size < 300_000, path
        assert (ROOT / path).read_bytes().startswith(b"\x89PNG"), path


@pytest.mark.parametrize("readme", READMES)
def test_every_link_leads_somewhere(readme: str) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert (ROOT / target).exists(), target
