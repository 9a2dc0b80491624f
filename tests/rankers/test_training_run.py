"""Validation, early stopping and logs of rankers that train in epochs; test queries are never used."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from lexgear import api
from lexgear.corpus.records import Collection
from lexgear.errors import InputError
from lexgear.evaluation.experiment import run_of
from lexgear.evaluation.measures import Measure
from lexgear.evaluation.scoring import score
from lexgear.files import read_jsonl
from lexgear.index.store import StoredIndex
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.training_run import validation_mrr
from lexgear.settings import changed, settings_from
from lexgear.training.query_split import relevant, split_queries
from training.small_collection import GEAR, LEXGEAR, small_collection

COLLECTION = small_collection()
TRAIN = [query for query in COLLECTION.queries if query.split == "train"]
KINDS = [(Gear, changed(GEAR, patience=5)), (Lexgear, changed(LEXGEAR, patience=5))]


@pytest.fixture(scope="module", params=KINDS, ids=["gear", "lexgear"])
def ranker(request: pytest.FixtureRequest) -> Gear | Lexgear:
    kind, settings = request.param
    fitted: Gear | Lexgear = kind(settings).fit(COLLECTION)
    return fitted


def test_with_patience_every_epoch_has_its_validation_value(ranker: Gear | Lexgear) -> None:
    assert [row["epoch"] for row in ranker.training.log] == [1, 2]
    assert all(0 < row["validation"] <= 1 for row in ranker.training.log)
    assert "for validation" in ranker.training.notes[0]


def test_validation_is_the_mrr_that_evaluation_measures(ranker: Gear | Lexgear) -> None:
    run = run_of(TRAIN, ranker.search(TRAIN, 100))
    labels = {query.id: dict.fromkeys(relevant(COLLECTION, query), 1) for query in TRAIN}
    [values] = score(run, labels, [Measure("RR")]).values()
    assert validation_mrr(ranker, COLLECTION, TRAIN) == pytest.approx(sum(values.values()) / len(values))


def test_the_weights_kept_are_those_of_the_best_epoch() -> None:
    ranker = Gear(changed(GEAR, patience=1, epochs=6, learning_rate=0.01)).fit(COLLECTION)
    best = max(row["validation"] for row in ranker.training.log)
    _, held_out = split_queries(COLLECTION, GEAR.training.validation_share, GEAR.training.seed)
    assert validation_mrr(ranker, COLLECTION, held_out) == pytest.approx(best)


def test_lexgear_validates_and_learns_weights_on_different_queries() -> None:
    split = Lexgear(changed(LEXGEAR, patience=1)).training.split(COLLECTION, learns_weights=True)
    parts = [{query.id for query in part} for part in (split.learnt, split.validation, split.weighing)]
    assert all(parts)
    assert sum(map(len, parts)) == len(set.union(*parts)) == len(TRAIN)


def test_queries_are_held_out_only_if_something_is_chosen_on_them() -> None:
    assert len(Gear(GEAR).training.split(COLLECTION).learnt) == len(TRAIN)
    assert len(Lexgear(LEXGEAR).training.split(COLLECTION, learns_weights=True).weighing) == round(len(TRAIN) / 4)


def test_patience_without_queries_to_validate_on_is_refused_before_any_work() -> None:
    few = replace(COLLECTION, queries=tuple(TRAIN[:1]))
    with pytest.raises(InputError, match=r"patience=3 needs training queries .*has 1 with labels.*set patience=0"):
        Gear(changed(GEAR, patience=3)).fit(few)


@pytest.mark.parametrize(("kind", "settings"), [(Gear, GEAR), (Lexgear, LEXGEAR)])
def test_without_training_queries_training_uses_the_documents(kind: type[Gear | Lexgear], settings: object) -> None:
    ranker = kind(settings).fit(replace(COLLECTION, queries=(), qrels={}))
    assert ranker.training.notes == ["no labelled training queries: trained on the documents alone"]
    assert len(ranker.search(COLLECTION.queries[:1], 5)[0]) == 5


def altered(collection: Collection, barred: str) -> Collection:
    """Return the collection with other texts, charges and labels of its test queries and of one barred query."""
    documents = [document.id for document in collection.documents]
    queries, qrels = [], dict(collection.qrels)
    for place, query in enumerate(collection.queries):
        hidden = query.split == "test" or query.id == barred
        queries.append(replace(query, text=f"另一段事实{place}", charges=("放火罪",)) if hidden else query)
        if hidden:
            qrels[query.id] = {documents[-place]: 3}
    return replace(collection, queries=tuple(queries), qrels=qrels)


@pytest.mark.parametrize(("kind", "settings"), [(kind, changed(settings, epochs=1)) for kind, settings in KINDS])
def test_test_queries_and_barred_queries_do_not_change_the_weights(
    kind: type[Gear | Lexgear], settings: object
) -> None:
    barred = replace(COLLECTION, source={"never_train_on": TRAIN[0].id})
    one, other = (kind(settings).fit(collection) for collection in (barred, altered(barred, TRAIN[0].id)))
    assert one.training.log == other.training.log
    assert isinstance(one, Gear | Lexgear)
    assert isinstance(other, Gear | Lexgear)
    mine, theirs = one.parts.generator.state_dict(), other.parts.generator.state_dict()
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)


def test_the_index_holds_the_log_and_its_curves(ranker: Gear | Lexgear, tmp_path: Path) -> None:
    api.save(COLLECTION, ranker, tmp_path / "index")
    assert [row for _, row in read_jsonl(tmp_path / "index" / "training.jsonl")] == ranker.training.log
    assert {"training.jsonl", "training.svg"} <= StoredIndex(tmp_path / "index").manifest.parts.keys()


def test_without_matplotlib_the_log_is_written_without_curves(
    ranker: Gear | Lexgear, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    api.save(COLLECTION, ranker, tmp_path / "index")
    parts = StoredIndex(tmp_path / "index").manifest.parts
    assert "training.jsonl" in parts
    assert "training.svg" not in parts


def test_a_loaded_ranker_has_no_log_and_writes_none(ranker: Gear | Lexgear, tmp_path: Path) -> None:
    api.save(COLLECTION, ranker, tmp_path / "index")
    loaded = api.Index.load(tmp_path / "index").ranker
    assert isinstance(loaded, Gear | Lexgear)
    loaded.training.save(tmp_path)
    assert not (tmp_path / "training.jsonl").exists()


def test_training_from_python_resumes_and_removes_its_checkpoints(tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    def stop(done: int, total: int | None, note: str = "") -> None:
        if note.startswith("epoch 2"):
            raise StoppedError

    with pytest.raises(StoppedError):
        api.train(COLLECTION, Gear(GEAR), tmp_path / "index", stop)
    assert [path.name for path in tmp_path.iterdir()] == ["index.training"]
    seen: list[str] = []
    api.train(COLLECTION, Gear(GEAR), tmp_path / "index", lambda done, total, note="": seen.append(note))
    assert {note.split()[1] for note in seen if note} == {"2/2"}
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
    whole = Gear(GEAR).fit(COLLECTION)
    assert [row for _, row in read_jsonl(tmp_path / "index" / "training.jsonl")] == whole.training.log


@pytest.mark.parametrize(
    ("name", "value"), [("patience", -1), ("validation_share", 1.0), ("gradient_accumulation", 0), ("warmup", 2.0)]
)
def test_invalid_settings_of_the_loop_are_refused(name: str, value: object) -> None:
    with pytest.raises(InputError, match=f"setting {name}"):
        settings_from(type(GEAR), {name: value})


def test_settings_of_the_loop_reach_the_loop() -> None:
    settings = changed(GEAR, gradient_accumulation=3, warmup=0.2, patience=4)
    loop = settings.training.loop()
    assert (loop.gradient_accumulation, loop.warmup, loop.patience) == (3, 0.2, 4)
