"""Base models: judgments without an index, and indexes without training."""

import json
import shutil
import sys
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from rich.console import Console

from lexgear import cli
from lexgear.api import Index, judge, train
from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.sample.cases import sample_cases
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from lexgear.docids.law import law_ids
from lexgear.errors import InputError
from lexgear.judgment.base_judge import BaseJudge, shipped_judge
from lexgear.judgment.judge import judge as read_judgment
from lexgear.judgment.notes import NO_CHARGES_IN_LAW
from lexgear.model.generator.generator import Generator
from lexgear.pretraining import base as bases
from lexgear.pretraining.base import Base, load_base, save_ranking_weights, shipped_base
from lexgear.privacy.neutral import neutral_document, neutralise
from lexgear.progress import silent
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.generative.gear_settings import GearSettings
from lexgear.rankers.lexgear.adaptation.cross_fitting import adapt
from lexgear.rankers.lexgear.adaptation.data import AdaptationData
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.rankers.lexgear.weighting.labelled_texts import teaching_queries
from lexgear.rankers.lexgear.weighting.weights import Weights
from lexgear.search.whole_law import whole_law
from lexgear.settings import changed, configure
from lexgear.terminal import judgment_view
from tiny_base import CHARGES, judgments, tiny_base

QUERIES = {query.id: query.text for query in sample_cases().queries}
FRAUD, DRUNK = QUERIES["q069"], QUERIES["q048"]
RECIPE = "豆腐切块焯水，锅里放油炒香葱姜，加豆瓣酱和清汤，放入豆腐小火煮五分钟，勾芡，撒上花椒粉即可。"


@pytest.fixture(scope="module")
def base_at(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_base(tmp_path_factory.mktemp("tiny"), judgments())


@pytest.fixture(scope="module")
def base(base_at: Path) -> Base:
    return load_base(base_at)


@pytest.fixture
def shipped(base_at: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the package ship this base model for Chinese, and none for French."""
    shutil.copytree(base_at, tmp_path / "zh")
    monkeypatch.setattr(bases, "SHIPPED", tmp_path)
    for cached in (shipped_base, shipped_judge):
        cached.cache_clear()
    yield
    for cached in (shipped_base, shipped_judge):
        cached.cache_clear()


@pytest.fixture(scope="module")
def some() -> Collection:
    """Sixty cases, some of which the base model was trained on."""
    whole = sample_cases()
    known = {document.id for document in whole.documents[:60]}
    labels = {name: {doc: grade for doc, grade in row.items() if doc in known} for name, row in whole.qrels.items()}
    return replace(whole, documents=whole.documents[:60], qrels=labels, pools={})


@pytest.fixture(scope="module")
def index(some: Collection, base_at: Path, tmp_path_factory: pytest.TempPathFactory) -> Index:
    return train(
        some, Lexgear(configure(LexgearSettings, backbone=str(base_at))), tmp_path_factory.mktemp("index") / "index"
    )


@pytest.mark.parametrize(
    ("text", "charge", "article"),
    [(FRAUD, "诈骗罪", "266"), (DRUNK, "危险驾驶罪", "133-1")],
    ids=["fraud", "drunk driving"],
)
def test_a_base_model_judges_without_an_index(base: Base, text: str, charge: str, article: str) -> None:
    judgment = BaseJudge(base, "zh").judge(text)
    assert judgment.charges[0].name == charge
    assert judgment.charges[0].path[0] == "cn-criminal"
    assert all(0 <= one.probability <= 1 for one in judgment.charges)
    assert judgment.charges[0].rationale[0].text in text
    shares = dict(judgment.walk)
    assert shares[judgment.charges[0].path[1]] > 0.5
    if judgment.charges[0].applies:
        assert judgment.articles[0] == article


def test_a_sentence_supports_the_charge_that_the_generator_predicts_from_it(base: Base) -> None:
    by = BaseJudge(base, "zh")
    nodes = {by.ids.node_name(node).rsplit("/", 1)[-1]: node for node in by.charge_nodes().tolist()}
    spoken = [part for charge in by.judge(FRAUD + DRUNK).charges for part in charge.rationale]
    assert len(spoken) > 3
    for part in spoken:
        alone = np.exp(whole_law(by.ids.trie, by.read(by.names.text(part.text).text)))
        assert part.score == pytest.approx(alone[nodes[part.charge]], abs=1e-3)


@pytest.mark.parametrize("text", ["", "你好", RECIPE])
def test_a_base_model_does_not_judge_texts_that_are_no_case(base: Base, text: str) -> None:
    judgment = BaseJudge(base, "zh").judge(text)
    assert judgment.charges == ()
    assert judgment.note


def test_a_base_model_of_a_law_without_charges_lists_likely_places(tmp_path: Path) -> None:
    by = BaseJudge(load_base(tiny_base(tmp_path, sample_statutes())), "fr")
    judgment = by.judge("Le chien de mon voisin aboie toute la nuit, que puis-je faire ?")
    assert (judgment.charges, judgment.note) == ((), NO_CHARGES_IN_LAW)
    place, _ = max(judgment.walk, key=lambda pair: pair[1])
    title = sample_statutes().law[place].title
    screen = Console(width=120)
    with screen.capture() as printed:
        screen.print(judgment_view(judgment, by.law))
    assert title and title in printed.get()


def test_an_index_takes_vectors_and_charges_from_the_base(index: Index, base: Base, some: Collection) -> None:
    ranker = index.ranker
    assert isinstance(ranker, Lexgear)
    assert ranker.training.log == []
    shown = ranker.parts.inputs.masked_facts(ranker.names.collection(some).documents)[:5]
    for vector, text in zip(ranker.inference.features.vectors.whole, shown, strict=False):
        read = base.generator.read_only(*base.tokens.encode([text], 512))
        assert vector == pytest.approx(base.generator.vectors(read)[0].detach().numpy(), abs=1e-3)
    theirs, ours = (np.exp(one.read(FRAUD).expand([0])[0]) for one in (BaseJudge(base, "zh"), ranker.inference))
    assert ours.sum() == pytest.approx(1)
    assert len(ours) >= len(theirs)


def test_an_index_does_not_need_its_base_model(some: Collection, base_at: Path, tmp_path: Path) -> None:
    shutil.copytree(base_at, tmp_path / "base")
    made = train(some, Lexgear(configure(LexgearSettings, backbone=str(tmp_path / "base"))), tmp_path / "index")
    shutil.rmtree(tmp_path / "base")
    again = Index.load(tmp_path / "index")
    asked = [query for query in some.queries if query.split == "test"][:3]
    assert again.rank(asked, 10) == made.rank(asked, 10)
    assert again.judge(FRAUD) == made.judge(FRAUD)
    assert np.load(tmp_path / "index" / "vectors.npy").dtype == np.float16


def test_weights_are_learnt_on_judgments_that_the_base_model_was_not_trained_on(
    index: Index, base: Base, some: Collection
) -> None:
    assert isinstance(index.ranker, Lexgear)
    neutral = index.ranker.names.collection(some)
    known = [base.knows(document.sections["fact"]) for document in neutral.documents]
    assert 0 < sum(known) < len(known)
    kept = index.ranker.held_out.positions(index.ranker, neutral)
    assert len(kept) == 3  # one in twenty
    assert not any(known[place] for place in kept)


def test_the_weights_of_the_base_model_are_used_if_it_was_trained_on_all_judgments(
    base: Base, base_at: Path, some: Collection
) -> None:
    seen = tuple(one for one in some.documents if base.knows(neutral_document(one).sections["fact"]))
    ranker = Lexgear(configure(LexgearSettings, backbone=str(base_at)))
    ranker.fit(Collection("seen", "zh", seen, law=some.law))
    own = base.about["walk"]
    assert (ranker.inference.weights.slope, ranker.inference.weights.offset) == (own["slope"], own["offset"])
    assert (ranker.inference.weights.generator, ranker.inference.weights.law_words) == (
        own["generator"],
        own["law_words"],
    )


def test_epochs_continue_training_from_the_base_model(base: Base, base_at: Path, some: Collection) -> None:
    few = replace(some, documents=some.documents[:12], queries=(), qrels={})
    ranker = Lexgear(configure(LexgearSettings, backbone=str(base_at), epochs=1, learning_rate=1e-4)).fit(few)
    before, after = base.backbone.encoder.norm.weight, ranker.parts.generator.backbone.encoder.norm.weight
    assert len(ranker.training.log) == 1
    assert not after.equal(before)
    assert (after - before).abs().max() < 0.01


def test_gear_can_start_from_a_base_model(base: Base, base_at: Path, some: Collection) -> None:
    few = replace(some, documents=some.documents[:8], queries=(), qrels={})
    ranker = Gear(configure(GearSettings, backbone=str(base_at), epochs=1, dropout=0, lambda_l=0)).fit(few)
    assert ranker.parts.generator.backbone.shape.width == base.backbone.shape.width
    assert ranker.parts.generator.documents.num_embeddings == 8
    assert ranker.parts.generator.backbone.shape.dropout == 0.0


def test_without_a_base_model_for_the_language_lexgear_ranks_by_words(shipped: None, tmp_path: Path) -> None:
    made = train(sample_statutes(), Lexgear(), tmp_path / "index")
    assert isinstance(made.ranker, Lexgear)
    assert not made.ranker.parts.has_generator
    assert not (tmp_path / "index" / "model.safetensors").exists()
    asked = [query for query in sample_statutes().queries if query.split == "test"][:3]
    assert Index.load(tmp_path / "index").rank(asked, 5) == made.rank(asked, 5)


def test_the_shipped_base_model_is_the_default(shipped: None, some: Collection) -> None:
    few = replace(some, documents=some.documents[:5], queries=(), qrels={})
    assert Lexgear().fit(few).parts.has_generator
    assert judge(FRAUD).charges[0].name == "诈骗罪"
    with pytest.raises(InputError, match="no base model for 'fr'"):
        judge("Mon voisin fait du bruit la nuit.", language="fr")


def test_the_command_line_judges_without_an_index(
    shipped: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [Query("q", FRAUD, charges=("诈骗罪",)), Query("r", RECIPE)]
    Path("queries.jsonl").write_text(
        "".join(json.dumps({"id": q.id, "text": q.text, "charges": q.charges}) + "\n" for q in rows)
    )

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["lexgear", *arguments])
        with pytest.raises(SystemExit) as end:
            cli.main()
        assert not end.value.code
        return capsys.readouterr().out

    assert json.loads(run("judge", "--text", FRAUD, "--json"))["charges"][0]["name"] == "诈骗罪"
    assert "侵犯财产罪" in run("judge", "zh", "--text", FRAUD)
    assert "2 judgments" in run("judge", "--queries", "queries.jsonl", "--out", "judged.jsonl")
    judged = [json.loads(line) for line in Path("judged.jsonl").read_text().splitlines()]
    assert [bool(row["charges"]) for row in judged] == [True, False]


def test_a_base_model_predicts_only_charges_of_its_own_law(base: Base) -> None:
    named = {charge.name for charge in BaseJudge(base, "zh").judge(FRAUD).charges[:3]}
    assert named
    assert named <= CHARGES


def test_a_base_model_recognises_its_own_law_and_no_other(base: Base) -> None:
    documents = (Document("a", {"fact": FRAUD}, charges=("诈骗罪",)),)
    assert base.knows_law(BaseJudge(base, "zh").ids)
    strange = Collection("own", "zh", documents, law=sample_statutes().law)
    assert not base.knows_law(law_ids(strange, whole_law=True, reserve_symbols=True))


def test_with_queries_equals_fitting_on_the_new_queries(index: Index, some: Collection, base_at: Path) -> None:
    other = replace(some, queries=tuple(replace(query, split="train") for query in some.queries[::2]))
    again = index.ranker.with_queries(other)
    fresh = Lexgear(configure(LexgearSettings, backbone=str(base_at))).fit(other)
    assert isinstance(again, Lexgear)
    assert isinstance(index.ranker, Lexgear)
    assert again.inference.weights == fresh.inference.weights != index.ranker.inference.weights
    assert again.search(some.queries[:3], 10) == fresh.search(some.queries[:3], 10)


def test_documents_without_a_text_are_found_by_their_charges(base_at: Path, some: Collection, tmp_path: Path) -> None:
    bare = tuple(Document(document.id, charges=document.charges) for document in some.documents)
    without_queries = replace(some, documents=bare, queries=(), qrels={})
    made = train(without_queries, Lexgear(configure(LexgearSettings, backbone=str(base_at))), tmp_path / "index")
    [first, *_] = made.search(FRAUD, k=3)
    assert "诈骗罪" in first.document.charges
    assert Index.load(tmp_path / "index").search(FRAUD, k=3) == made.search(FRAUD, k=3)


def test_queries_that_the_base_model_was_trained_on_teach_nothing(base: Base, base_at: Path, some: Collection) -> None:
    seen = next(document for document in some.documents if base.knows(neutralise(document.sections["fact"]).text))
    query = Query("known", seen.sections["fact"], charges=seen.charges, split="train")
    asked = replace(some, queries=(*some.queries, query), qrels={**some.qrels, "known": {some.documents[0].id: 3}})
    ranker = Lexgear(configure(LexgearSettings, backbone=str(base_at))).fit(asked)
    labelled = [one for one in asked.queries if one.split == "train" and asked.qrels.get(one.id)]
    train_queries = [ranker.names.query(one) for one in labelled]
    assert teaching_queries(ranker, train_queries[-3:]) == train_queries[-3:-1]


def test_ranking_weights_of_the_base_are_the_start(base_at: Path, some: Collection, tmp_path: Path) -> None:
    shutil.copytree(base_at, tmp_path / "base")
    save_ranking_weights(tmp_path / "base", "articles", {"content": 9.0})
    save_ranking_weights(tmp_path / "base", "cases", {"content": 2.5, "charge": 1.5})
    without_queries = replace(some, queries=(), qrels={})
    ranker = Lexgear(configure(LexgearSettings, backbone=str(tmp_path / "base"))).fit(without_queries)
    weights = ranker.inference.weights
    assert (weights.content, weights.charge, weights.concepts) == (2.5, 1.5, Weights().concepts)


def test_a_few_queries_do_not_change_the_ranking_weights_of_the_base(
    base_at: Path, some: Collection, tmp_path: Path
) -> None:
    shutil.copytree(base_at, tmp_path / "base")
    save_ranking_weights(tmp_path / "base", "cases", {"content": 2.5, "charge": 1.5})
    labelled = [one for one in some.queries if one.split == "train" and some.qrels.get(one.id)]
    few = replace(some, queries=tuple(labelled[:5]))
    assert len(labelled) > 20
    learnt = [
        Lexgear(configure(LexgearSettings, backbone=str(tmp_path / "base"), adapt="none")).fit(one).inference.weights
        for one in (few, replace(some, queries=tuple(labelled)))
    ]
    assert (learnt[0].content, learnt[0].charge) == (2.5, 1.5)
    assert (learnt[1].content, learnt[1].charge) != (2.5, 1.5)


def test_queries_are_read_by_an_encoder_that_was_not_tuned_on_them(index: Index, some: Collection) -> None:
    assert isinstance(index.ranker, Lexgear)
    ranker = index.ranker.copied()
    ranker.settings = changed(ranker.settings, adapt="full")
    ranker.parts.base = None
    some = ranker.names.collection(some)
    queries = teaching_queries(ranker, [one for one in some.queries if one.split == "train" and some.qrels[one.id]])
    texts = {tuple(ranker.encoder_inputs([query.text])[0][0][0].tolist()) for query in queries}
    learnt: list[set[tuple[int, ...]]] = []

    def tune(generator: Generator, data: AdaptationData, seed: int) -> tuple[Generator, NDArray[np.float32]]:
        learnt.append({tuple(row.tolist()) for row in data.queries})
        return deepcopy(generator), np.zeros((len(data.documents), 64), np.float32)

    ranker.tune = tune
    labelled = adapt(ranker, some, queries, silent)
    *folds, everything = learnt
    assert len(labelled) == len(queries)
    assert everything == texts
    assert set.union(*(texts - fold for fold in folds)) == texts
    assert not any((texts - one) & (texts - other) for one, other in combinations(folds, 2))
    assert not any(one.leaves.content.any() for one in labelled)  # by the vectors of the tuned encoder, here zeros
    assert ranker.inference.features.vectors.whole.any()


def test_with_queries_tunes_the_encoder_from_the_base_again(base_at: Path, some: Collection, tmp_path: Path) -> None:
    few = tuple(query for query in some.queries if query.split == "train" and any(some.qrels[query.id].values()))[:30]
    settings = configure(LexgearSettings, backbone=str(base_at), adapt="full", max_length=32)
    made = train(replace(some, queries=few), Lexgear(settings), tmp_path / "index")
    assert Index.load(tmp_path / "index").rank(few[:2], 10) == made.rank(few[:2], 10)
    other = replace(some, queries=few[:25])
    again, fresh = made.ranker.with_queries(other), Lexgear(settings).fit(other)
    assert isinstance(again, Lexgear)
    assert again.inference.weights == fresh.inference.weights
    assert np.array_equal(again.inference.features.vectors.whole, fresh.inference.features.vectors.whole)
    assert again.search(few[:2], 10) == fresh.search(few[:2], 10)


def test_tuning_the_encoder_for_many_documents_needs_a_gpu(base_at: Path, some: Collection) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    many = tuple(replace(some.documents[at % 60], id=f"d{at}") for at in range(501))
    settings = configure(LexgearSettings, backbone=str(base_at), adapt="full", max_length=16)
    with pytest.raises(InputError, match="adapt=query"):
        Lexgear(settings).fit(replace(some, documents=(*some.documents, *many)))


def test_cross_validation_over_an_index_trains_each_fold(
    index: Index, some: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    queries = some.queries[::4]
    few = replace(some, queries=queries, qrels={query.id: some.qrels[query.id] for query in queries})
    save_collection(few, tmp_path / "few", SkippedRecords())
    command = ("crossvalidate", str(tmp_path / "few"), "--folds", "2", "--run", str(tmp_path / "run.trec"))
    monkeypatch.setattr(sys, "argv", ["lexgear", *command, "--index", str(index.stored.directory)])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert not end.value.code
    assert "30 queries, none seen in training, 2 folds" in capsys.readouterr().out
    codes = {
        ("--ranker", "charge_fusion"): 0,
        ("--ranker", "vector_fusion"): 0,
        ("--ranker", "bm25"): 2,
        ("--set", "k1=3"): 2,
    }
    for more, code in codes.items():
        monkeypatch.setattr(sys, "argv", ["lexgear", *command, "--index", str(index.stored.directory), *more])
        with pytest.raises(SystemExit) as end:
            cli.main()
        assert (end.value.code or 0) == code


def test_a_walk_lists_only_places_of_the_law_if_articles_and_chapters_are_siblings(tmp_path: Path) -> None:
    statutes = sample_statutes()
    backbone = str(tiny_base(tmp_path, statutes))
    ranker = Lexgear(changed(LexgearSettings(), backbone=backbone)).fit(statutes)
    assert "here" in ranker.parts.ids.kinds  # what is not of the law, though the walk passes it
    steps = [
        place
        for query in statutes.queries[:20]
        for place, _ in read_judgment(ranker.inference, statutes.law, query.text, ranker.names).walk
    ]
    assert len(steps) > 20
    assert all(place in statutes.law for place in steps)
