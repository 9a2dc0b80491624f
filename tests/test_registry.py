from pathlib import Path

import pytest

from lexgear.errors import ErrorCode, InputError
from lexgear.registry import BuiltIn, Registry

TABLE = {"decoder": BuiltIn("json:JSONDecoder", "decodes JSON"), "absent": BuiltIn("no_such_module:Thing", "is broken")}


def distribution(site: Path, name: str, entry_points: str) -> None:
    """Write the metadata of an installed package."""
    about = site / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\nSummary: things of {name}\n")
    (about / "entry_points.txt").write_text(f"[test.things]\n{entry_points}\n")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def registry() -> Registry[type]:
    def problem(name: str, loaded: object) -> str:
        return "" if isinstance(loaded, type) else "is not a class"

    return Registry("thing", "test.things", TABLE, problem)


def test_names_and_summaries_are_listed_without_importing_anything() -> None:
    assert registry().names() == ("decoder", "absent")
    assert [entry.summary for entry in registry().entries.values()] == ["decodes JSON", "is broken"]
    assert "decoder" in registry()
    assert "encoder" not in registry()


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"no thing named 'encoder' \(one of decoder, absent\)") as refused:
        registry()["encoder"]
    assert refused.value.code is ErrorCode.UNKNOWN_NAME


def test_a_package_adds_a_name_with_its_own_summary(site: Path) -> None:
    distribution(site, "more-things", "encoder = json:JSONEncoder")
    assert registry().names() == ("decoder", "absent", "encoder")
    assert registry().entries["encoder"].summary == "things of more-things"
    assert registry()["encoder"].__name__ == "JSONEncoder"
    assert registry()["decoder"].__name__ == "JSONDecoder"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("broken = no_such_module:Thing", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
        ("broken = json:NoSuchName", "cannot be loaded: AttributeError"),
        ("broken = json:dumps", "is not a class"),
    ],
)
def test_a_broken_package_is_named_when_its_name_is_used_and_not_before(site: Path, line: str, problem: str) -> None:
    distribution(site, "bad-things", line)
    assert registry()["decoder"].__name__ == "JSONDecoder"
    with pytest.raises(
        InputError, match=f"the thing 'broken' of bad-things {problem}.*uninstall bad-things"
    ) as refused:
        registry()["broken"]
    assert refused.value.code is ErrorCode.BROKEN_PLUGIN


def test_a_name_that_two_packages_claim_is_refused_with_both(site: Path) -> None:
    distribution(site, "one-things", "decoder = json:JSONEncoder\ntwice = json:JSONEncoder")
    distribution(site, "other-things", "twice = json:JSONDecoder\nonce = json:JSONDecoder")
    things = registry()
    assert things["once"].__name__ == "JSONDecoder"
    with pytest.raises(InputError, match="'decoder' is defined by lexgear and one-things"):
        things["decoder"]
    with pytest.raises(InputError, match="'twice' is defined by other-things and one-things"):
        things["twice"]


def test_a_mistake_of_our_own_is_not_hidden_as_bad_input() -> None:
    with pytest.raises(ModuleNotFoundError):
        registry()["absent"]
