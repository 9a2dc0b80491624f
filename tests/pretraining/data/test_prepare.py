from pathlib import Path

import numpy as np
import pytest

from lexgear.atomic import DirectoryMarker, atomic_directory
from lexgear.errors import InputError
from lexgear.law.charges import shipped_charges
from lexgear.model.tokenizer import Tokens
from lexgear.pretraining.data.prepare import Sources, prepare
from lexgear.pretraining.data.prepared import TOKENIZER, Prepared
from lexgear.privacy.neutral import neutral_document
from lexgear.settings import changed
from pretraining.small import SETTINGS, part_of_the_sample


def charges(prepared: Prepared, case: int) -> set[str]:
    return {prepared.ids.node_name(node).rsplit("/", 1)[-1] for node in prepared.charges.row(case).tolist()}


def test_the_arrays_hold_the_masked_texts_and_charges_of_the_cases(prepared: Prepared, prepared_at: Path) -> None:
    tokens = Tokens.load(prepared_at / TOKENIZER)
    rows = {tuple(prepared.facts.row(case).tolist()): case for case in range(len(prepared.facts))}
    documents = part_of_the_sample().documents
    for document in (neutral_document(document, "zh") for document in documents):
        facts, reasoning = (shipped_charges().masked(document.sections[part]) for part in ("fact", "reasoning"))
        case = rows[tuple(tokens.encode([facts], SETTINGS.max_facts_length)[0][0].tolist())]
        assert (
            prepared.reasoning.row(case).tolist()
            == tokens.encode([reasoning], SETTINGS.max_reasoning_length)[0][0].tolist()
        )
        assert charges(prepared, case) == set(document.charges)
    training = [query for query in part_of_the_sample().queries if query.split == "train"]
    assert len(prepared.facts) == len(documents) + len(training) + 1  # 1: the charge in the statute


def test_the_law_is_the_whole_shipped_law_without_documents(prepared: Prepared) -> None:
    assert prepared.ids.document_count == 0
    leaves = np.flatnonzero(prepared.ids.trie.child_count == 0).tolist()
    assert {prepared.ids.node_kind(leaf) for leaf in leaves} == {"charge"}
    assert {prepared.ids.node_name(leaf).rsplit("/", 1)[-1] for leaf in leaves} == set(shipped_charges().names)


def test_cases_kept_out_are_nobodys_neighbours(prepared: Prepared) -> None:
    assert len(prepared.facts) - prepared.learnt == SETTINGS.validation_size
    assert len(prepared.neighbours) == prepared.learnt
    assert max(prepared.neighbours.max(), prepared.negatives.max()) < prepared.learnt


def test_near_cases_share_charges_more_often_than_others(prepared: Prepared) -> None:
    def shared(others: list[int]) -> float:
        return float(np.mean([bool(charges(prepared, case) & charges(prepared, o)) for case, o in enumerate(others)]))

    far = np.random.default_rng(0).permutation(prepared.learnt).tolist()
    assert shared(prepared.neighbours[:, 0].tolist()) > shared(far) + 0.2


def test_data_that_is_there_is_not_prepared_again_until_it_or_the_settings_change(
    sources: Sources, prepared_at: Path, tmp_path: Path
) -> None:
    stamp = (prepared_at / "facts.npy").stat().st_ino
    said = prepare(sources, changed(SETTINGS, steps=99, hidden_size=64), prepared_at)
    assert (prepared_at / "facts.npy").stat().st_ino == stamp
    assert said[0].startswith("sample-zh: 1")
    out = tmp_path / "other"
    prepare(sources, changed(SETTINGS, validation_size=3), out)
    first = Prepared.load(out).about["run"]
    prepare(sources, SETTINGS, out)
    again = Prepared.load(out)
    assert again.about["run"] != first
    assert again.about["run"] == Prepared.load(prepared_at).about["run"]
    for name in ("facts.npy", "charges.npy", "neighbours.npy", "tokenizer.json"):
        assert (out / name).read_bytes() == (prepared_at / name).read_bytes()


def test_a_strangers_directory_and_missing_data_are_refused(sources: Sources, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="not written by lexgear"):
        prepare(sources, SETTINGS, tmp_path / "mine")
    with pytest.raises(InputError, match="no such file"):
        Prepared.load(tmp_path / "nothing")
    with atomic_directory(tmp_path / "half", DirectoryMarker("prepared.json", '"learnt"')) as half:
        (half / "prepared.json").write_text('{"learnt": 3, "words": 10}')
    with pytest.raises(InputError, match="damaged"):
        Prepared.load(tmp_path / "half")
