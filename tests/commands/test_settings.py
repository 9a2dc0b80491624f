import pytest
from typer.testing import CliRunner

from lexgear.cli import app
from lexgear.rankers.registry import RANKERS
from lexgear.settings import describe_settings, settings_row


@pytest.mark.parametrize("name", RANKERS)
def test_every_setting_of_a_ranker_is_listed(name: str) -> None:
    printed = CliRunner().invoke(app, ["settings", name]).output
    assert printed.startswith(f"{name}: {RANKERS.entries[name].summary}\n")
    first_column = {line.split("│")[1].strip() for line in printed.splitlines() if line.startswith("│")}
    assert first_column - {""} == set(settings_row(RANKERS[name].settings_type()))


def test_type_default_and_meaning_stand_beside_the_name() -> None:
    printed = CliRunner().invoke(app, ["settings", "bm25"]).output
    [row] = [line for line in printed.splitlines() if line.startswith("│ k1 ")]
    assert [cell.strip() for cell in row.strip("│").split("│")][:3] == ["k1", "float", "1.5"]


def test_defaults_with_a_backbone_have_a_column() -> None:
    printed = CliRunner().invoke(app, ["settings", "dsi"]).output
    [row] = [line for line in printed.splitlines() if line.startswith("│ learning_rate ")]
    assert [cell.strip() for cell in row.strip("│").split("│")][2:4] == ["0.003", "5e-05"]


def test_without_a_ranker_all_of_them_are_listed() -> None:
    printed = CliRunner().invoke(app, ["settings"]).output
    for entry in RANKERS.entries.values():
        assert f" {entry.name} " in printed
        assert entry.summary in printed


@pytest.mark.parametrize("name", RANKERS)
def test_every_setting_has_a_meaning(name: str) -> None:
    assert [one.name for one in describe_settings(RANKERS[name].settings_type) if not one.meaning] == []
