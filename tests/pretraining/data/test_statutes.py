"""French base model: articles with their questions and titles, and the headings above them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lexgear.corpus.records import Collection, Query
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from lexgear.errors import InputError
from lexgear.model.tokenizer import Tokens
from lexgear.pretraining.data.gather import Gathered, gather
from lexgear.pretraining.data.known_texts import nameless_fingerprint
from lexgear.pretraining.data.prepare import Sources, prepare
from lexgear.pretraining.data.prepared import ASKED, TITLED, TOKENIZER, Prepared
from lexgear.pretraining.data.statutes import headings_of
from lexgear.pretraining.learning.run import PretrainingRun
from lexgear.pretraining.learning.tasks import OwnFacts
from lexgear.settings import changed
from pretraining.small import SETTINGS, part_of_the_sample, sample_of

LAW = sample_statutes()
TRAINING = [query for query in LAW.queries if query.split == "train"]


@pytest.fixture(scope="module")
def french_at(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("french")
    save_collection(LAW, directory / "law", SkippedRecords())
    prepare(Sources([directory / "law"]), changed(SETTINGS, validation_size=5), directory / "prepared")
    return directory / "prepared"


@pytest.fixture
def french(french_at: Path) -> Prepared:
    return Prepared.load(french_at)


def gathered(collection: Collection, tmp_path: Path) -> Gathered:
    save_collection(collection, tmp_path / "law", SkippedRecords())
    return gather([tmp_path / "law"], [], [])


def test_an_article_is_learnt_once_for_its_titles_and_once_for_each_training_question(tmp_path: Path) -> None:
    found = gathered(LAW, tmp_path)
    assert found.language == "fr"
    by_titles = [case for case in found.cases if not case.asked]
    assert [case.facts for case in by_titles] == [document.text for document in LAW.documents]
    for case, document in zip(by_titles, LAW.documents, strict=True):
        above = LAW.law.path(LAW.law[document.node])[:-1]
        assert case.titles == case.reasoning == " ".join(node.title for node in above)
        assert case.place == above[-1].id
    asked = {(case.reasoning, case.facts) for case in found.cases if case.asked}
    texts = {document.id: document.text for document in LAW.documents}
    assert asked == {(query.text, texts[name]) for query in TRAINING for name in LAW.qrels[query.id]}
    assert found.report() == ["sample-fr: 89 articles, 60 questions; refused: not a training query 40"]


def test_a_training_question_that_repeats_a_test_question_is_refused(tmp_path: Path) -> None:
    test = next(query for query in LAW.queries if query.split == "test")
    copied = Query("copy", f"Bonjour, {test.text.lower()} Merci !", split="train")
    leaking = replace(
        LAW, queries=(*LAW.queries, copied), qrels={**LAW.qrels, "copy": LAW.qrels[TRAINING[0].id], test.id: {}}
    )
    found = gathered(leaking, tmp_path)
    assert found.counts["sample-fr"]["refused: overlaps a held-out text"] == 1
    assert found.counts["sample-fr"]["questions"] == 60
    questions = {query.text for query in LAW.queries if query.split == "test"} | {copied.text}
    assert not questions & {case.reasoning for case in found.cases}


def test_collections_of_two_languages_are_refused(tmp_path: Path) -> None:
    save_collection(LAW, tmp_path / "fr", SkippedRecords())
    save_collection(part_of_the_sample(), tmp_path / "zh", SkippedRecords())
    with pytest.raises(InputError, match="several languages: sample-fr is fr, sample-zh is zh"):
        gather([tmp_path / "fr", tmp_path / "zh"], [], [])


def test_chinese_articles_are_learnt_from_without_a_place_in_the_criminal_law(tmp_path: Path) -> None:
    law = replace(LAW, name="statutes", language="zh")
    save_collection(law, tmp_path / "law", SkippedRecords())
    save_collection(part_of_the_sample(), tmp_path / "cases", SkippedRecords())
    prepare(Sources([tmp_path / "cases", tmp_path / "law"]), SETTINGS, tmp_path / "prepared")
    prepared = Prepared.load(tmp_path / "prepared")
    articles = np.flatnonzero(prepared.kinds == TITLED)
    assert len(articles) == 89
    assert not prepared.charges.lengths[articles].any()
    leaves = np.flatnonzero(prepared.ids.trie.child_count == 0).tolist()
    assert {prepared.ids.node_kind(leaf) for leaf in leaves} == {"charge"}
    near = prepared.neighbours[articles]
    assert set(np.unique(prepared.kinds[near[near >= 0]]).tolist()) <= {TITLED, ASKED}


def test_every_article_leads_to_the_heading_it_stands_under(french: Prepared, french_at: Path) -> None:
    tokens = Tokens.load(french_at / TOKENIZER)
    rows = {tuple(french.facts.row(case).tolist()): case for case in range(len(french.facts))}
    for document in LAW.documents:
        *above, _ = LAW.law.path(LAW.law[document.node])
        titles, text = (
            tokens.encode([part], SETTINGS.max_facts_length)[0][0].tolist()
            for part in (" ".join(node.title for node in above), document.text)
        )
        case = rows[tuple(titles[: SETTINGS.max_reasoning_length] + text)]
        assert french.titles[case] == min(len(titles), SETTINGS.max_reasoning_length)
        [node] = french.charges.row(case).tolist()
        assert french.ids.node_name(node).removesuffix("/here") == above[-1].id
        assert french.ids.trie.child_count[node] == 0


def test_headings_are_cut_off_where_they_become_too_many() -> None:
    places = [LAW.law[document.node].parent or "" for document in LAW.documents]
    whole = headings_of(LAW.law, places, 3000)
    assert whole.ids.document_count == 0
    assert {whole.ids.node_name(node or 0) for node in map(whole.node, places)} >= {places[0], places[-1]}
    short = headings_of(LAW.law, places, 10)
    assert short.ids.law_symbols < 10
    for place in places:
        name = short.ids.node_name(short.node(place) or 0)
        assert place.startswith(name.removesuffix("/here"))


def test_the_texts_that_were_learnt_from_are_known_and_those_kept_out_are_not(french: Prepared) -> None:
    seen = set(french.seen.tolist())
    assert french.seen.tolist() == sorted(seen)
    assert all(nameless_fingerprint(document.text) in seen for document in LAW.documents)
    asked = [query for query in TRAINING if nameless_fingerprint(query.text) in seen]
    assert len(asked) == len(TRAINING) - 5
    assert not any(nameless_fingerprint(query.text) in seen for query in LAW.queries if query.split == "test")
    assert set(french.kinds[french.learnt :].tolist()) == {ASKED}


def test_articles_that_one_question_asks_for_do_not_count_against_each_other(french: Prepared) -> None:
    rows = [french.reasoning.row(case).tolist() for case in range(french.learnt)]
    titled = np.flatnonzero(french.kinds[: french.learnt] == TITLED).tolist()
    first, second = next((a, b) for a in titled for b in titled if a < b and rows[a] == rows[b])
    other = next(case for case in titled if rows[case] != rows[first])
    drawn = OwnFacts(0.1).sample(sample_of(french, [first, second, other]))
    assert drawn is not None
    assert drawn.excluded[:, :2].tolist() == [[False, True], [True, False], [False, False]]
    asked = int(np.flatnonzero(french.kinds[: french.learnt] == ASKED)[0])
    twin = int(french.first[asked])
    assert french.kinds[twin] == TITLED
    drawn = OwnFacts(0.1).sample(sample_of(french, [asked, twin]))
    assert drawn is not None
    assert drawn.excluded.tolist() == [[False, True], [True, False]]


def test_a_french_base_learns_all_five_tasks(french: Prepared) -> None:
    settings = replace(
        SETTINGS, validation_size=5, steps=25, log_every=5, checkpoint_every=1000, learning_rate=0.01, dropout=0.0
    )
    _, end = PretrainingRun(french, settings).run()
    first, *_, last, measures = end.log
    for task in ("spans", "law", "retelling", "own_facts", "likeness"):
        assert last[task] < first[task], task
    assert set(measures) == {"step", "first", "top3", "own"}
