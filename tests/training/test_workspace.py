import json
from dataclasses import replace
from pathlib import Path

import pytest

from lexgear.errors import InputError
from lexgear.training.workspace import Workspace, fingerprint
from training.small_collection import small_collection

COLLECTION = small_collection()


def kept(directory: Path, run: str) -> Workspace:
    directory.mkdir()
    (directory / "state.json").write_text(json.dumps({"run": run, "log": [{}, {}], "schedule": 4}))
    return Workspace(directory, run)


def test_a_workspace_stands_beside_its_index_and_knows_how_far_it_is(tmp_path: Path) -> None:
    assert Workspace.beside(tmp_path / "index", "mine").directory == tmp_path / "index.training"
    assert Workspace(tmp_path / "none", "mine").epochs_done() == 0
    assert kept(tmp_path / "index.training", "mine").epochs_done() == 2


def test_the_checkpoint_of_another_run_is_refused_and_stays(tmp_path: Path) -> None:
    theirs = kept(tmp_path / "index.training", "theirs")
    with pytest.raises(InputError, match=r"index\.training: the checkpoint of another training run .*remove it"):
        replace(theirs, run="mine").epochs_done()
    assert theirs.epochs_done() == 2


def test_a_directory_of_somebody_elses_is_refused_at_once_and_never_cleared(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, "mine")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"not written by lexgear"):
        workspace.epochs_done()
    workspace.clear()
    assert (tmp_path / "notes.txt").exists()


def test_a_state_that_is_no_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text('{"schedule"')
    with pytest.raises(InputError, match="damaged checkpoint"):
        Workspace(tmp_path, "mine").epochs_done()


def test_clearing_removes_the_checkpoint(tmp_path: Path) -> None:
    workspace = kept(tmp_path / "index.training", "mine")
    workspace.clear()
    workspace.clear()
    assert not workspace.directory.exists()


def test_every_stage_has_a_place_of_its_own_that_belongs_to_the_run(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "index.training", "mine")
    for name in ("first", "second"):
        assert workspace.stage(name).state() is None
        kept(workspace.stage(name).directory, "mine")
    assert workspace.epochs_done() == 4
    with pytest.raises(InputError, match="another training run"):
        replace(workspace, run="yours").stage("first")
    workspace.clear()
    assert not workspace.directory.exists()


def test_a_fingerprint_tells_settings_texts_labels_and_law_apart() -> None:
    [first, *rest] = COLLECTION.documents
    [query, *others] = COLLECTION.queries
    variants = [
        fingerprint(COLLECTION, "gear", {"rate": 0.1}),
        fingerprint(COLLECTION, "gear", {"rate": 0.2}),
        fingerprint(COLLECTION, "lexgear", {"rate": 0.1}),
        fingerprint(replace(COLLECTION, documents=(replace(first, charges=()), *rest)), "gear", {"rate": 0.1}),
        fingerprint(replace(COLLECTION, queries=(replace(query, text="另一段"), *others)), "gear", {"rate": 0.1}),
        fingerprint(replace(COLLECTION, qrels={**COLLECTION.qrels, query.id: {first.id: 1}}), "gear", {"rate": 0.1}),
        fingerprint(replace(COLLECTION, source={"never_train_on": query.id}), "gear", {"rate": 0.1}),
    ]
    assert len(set(variants)) == len(variants)
    assert fingerprint(small_collection(), "gear", {"rate": 0.1}) == variants[0]
