import subprocess
import sys

import lexgear


def test_the_public_surface_is_small_and_known() -> None:
    assert lexgear.__all__ == ["Collection", "Document", "Hit", "Index", "InputError", "Query", "judge", "train"]
    for name in lexgear.__all__:
        assert getattr(lexgear, name).__name__ == name


def test_importing_lexgear_or_its_command_line_loads_nothing_heavy() -> None:
    heavy = ("numpy", "scipy", "bm25s", "ir_measures", "torch")
    code = f"import sys, lexgear.cli; print([name for name in {heavy} if name in sys.modules])"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"
