"""N shards give the results of one index, to the last digit."""

import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.sharded_samples import FILTERS, collection, trained
from lexgear.api import Index, train
from lexgear.api.cluster import open_on, open_shard
from lexgear.api.sharding import shard_index
from lexgear.corpus.records import Document, Query
from lexgear.engine.in_process import InProcessEngine, LocalObject
from lexgear.errors import ErrorCode, InputError
from lexgear.index.manifest import MANIFEST, manifest_sha256, read_manifest
from lexgear.index.shards import shard_directories, shard_of
from lexgear.rankers.lexgear.shard import LexgearShard
from lexgear.rankers.words.bm25 import BM25

LANGUAGES = ("zh", "fr")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Index]:
    place = tmp_path_factory.mktemp("whole")
    return {language: trained(language, place / language) for language in LANGUAGES}


@cache
def queries(language: str) -> tuple[Query, ...]:
    """Return queries with own judgments to leave out, unknown and everyday words, and a past question."""
    asked = collection(language).queries
    everyday = Query("everyday", "Mon proprio garde ma caution, peut-il me mettre dehors ?")
    return (*asked[:2], asked[-1], everyday, Query("unknown", "xyzzy"), Query("empty", ""))


def answers(index: Index, language: str) -> list[Any]:
    """Return everything that a user can ask an index."""
    found: list[Any] = [
        index.run(queries(language), 1000),
        index.run(queries(language), 3),
        index.run(queries(language), 20, FILTERS[language]),
    ]
    text = queries(language)[0].text
    found += [index.search(text, 5), index.search(text, 5, FILTERS[language])]
    return [*found, index.judge(text).to_row() if language == "zh" else None]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("shards", [1, 2, 3, 7])
def test_shards_give_the_answers_of_one_index(
    whole: dict[str, Index], language: str, shards: int, tmp_path: Path
) -> None:
    expected = answers(whole[language], language)
    assert expected[0][queries(language)[0].id]
    sharded = shard_index(whole[language], shards, tmp_path / "sharded")
    assert len(shard_directories(tmp_path / "sharded")) == shards
    assert len(sharded) == len(whole[language])
    assert answers(sharded, language) == expected
    assert answers(open_on(InProcessEngine(), tmp_path / "sharded"), language) == expected


@settings(max_examples=2)
@given(steps=st.lists(st.sets(st.integers(0, 119), min_size=1, max_size=9), min_size=1, max_size=3))
def test_changes_of_a_sharded_index_are_those_of_one_index(
    whole: dict[str, Index], tmp_path_factory: pytest.TempPathFactory, steps: list[set[int]]
) -> None:
    place = tmp_path_factory.mktemp("changed")
    one = Index.load(shutil.copytree(whole["zh"].stored.directory, place / "one"))
    many = shard_index(one, 3, place / "many")
    documents = collection("zh", 120).documents
    for step in steps:
        chosen = [documents[at] for at in sorted(step)]
        there = {document.id for document in chosen} & set(one.stored.catalogue.ids())
        for index in (one, many):
            if there:
                index.remove(there)
            if new := [document for document in chosen if document.id not in there]:
                index.add(new)
    expected = one.run(queries("zh"), 1000)
    assert many.run(queries("zh"), 1000) == expected
    again = Index.load(place / "many")
    again.stored.check()
    assert sorted(again.stored.catalogue.ids()) == sorted(one.stored.catalogue.ids())
    assert open_on(InProcessEngine(), place / "many").run(queries("zh"), 1000) == expected
    again.compact()
    assert [len(read_manifest(shard).segments) for shard in shard_directories(place / "many")] == [1, 1, 1]
    assert again.run(queries("zh"), 1000) == expected


def test_documents_are_placed_by_their_ids_and_duplicates_are_refused(whole: dict[str, Index], tmp_path: Path) -> None:
    index = shard_index(whole["fr"], 3, tmp_path / "sharded")
    for number, directory in enumerate(shard_directories(tmp_path / "sharded")):
        assert {shard_of(name, 3) for name in Index.load(directory).stored.catalogue.ids()} == {number}
    known = next(iter(index.stored.catalogue.ids()))
    with pytest.raises(InputError) as caught:
        index.add([Document("new", {"text": "bail"}), Document(known, {"text": "bail"})])
    assert caught.value.code == ErrorCode.DUPLICATE_ID
    assert "new" not in Index.load(tmp_path / "sharded").stored.catalogue.ids()
    index.add([Document(known, {"text": "un autre bail"})], replace=True)
    assert Index.load(tmp_path / "sharded").document(known).text == "un autre bail"


def test_the_last_document_of_a_shard_stays(whole: dict[str, Index], tmp_path: Path) -> None:
    index = shard_index(whole["fr"], 7, tmp_path / "sharded")
    first = [name for name in index.stored.catalogue.ids() if shard_of(name, 7) == 0]
    with pytest.raises(InputError, match="a shard must have at least one document"):
        index.remove(first)
    assert len(Index.load(tmp_path / "sharded")) == len(whole["fr"])


def test_word_rankers_are_sharded_too(tmp_path: Path) -> None:
    one = train(collection("zh"), BM25(), tmp_path / "one")
    expected = one.run(queries("zh"), 1000)
    assert shard_index(one, 3, tmp_path / "many").run(queries("zh"), 1000) == expected
    with pytest.raises(InputError, match="cannot be searched on a cluster"):
        open_on(InProcessEngine(), tmp_path / "many")


def test_what_cannot_be_sharded_says_so(whole: dict[str, Index], tmp_path: Path) -> None:
    for shards in (0, 1000):
        with pytest.raises(InputError):
            shard_index(whole["fr"], shards, tmp_path / "out")
        assert not (tmp_path / "out").exists()
    with pytest.raises(InputError, match="not sharded"):
        open_on(InProcessEngine(), whole["fr"].stored.directory)


def test_an_index_that_changes_while_it_is_opened_on_a_cluster_is_read_again(
    whole: dict[str, Index], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The positions of the old index would otherwise be those of other documents of the new shards."""
    shard_index(whole["fr"], 3, tmp_path / "many")
    changed: list[str] = []
    load = Index.load

    def changed_after(directory: Path) -> Index:
        index = load(directory)
        if not changed:
            changed.append(next(iter(index.stored.catalogue.ids())))
            load(directory).remove(changed)
            load(directory).compact()
        return index

    with monkeypatch.context() as patched:
        patched.setattr(Index, "load", changed_after)
        opened = open_on(InProcessEngine(), tmp_path / "many")
    assert opened.run(queries("fr"), 1000) == load(tmp_path / "many").run(queries("fr"), 1000)
    assert changed[0] not in opened.run(queries("fr"), 1000)[queries("fr")[0].id]


def test_the_actors_of_an_index_that_cannot_be_opened_are_ended(
    whole: dict[str, Index], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shard_index(whole["fr"], 3, tmp_path / "many")
    ended: list[LocalObject] = []

    def close(actor: LocalObject) -> None:
        ended.append(actor)

    monkeypatch.setattr(LocalObject, "close", close)
    monkeypatch.setattr(LexgearShard, "sets", lambda shard: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        open_on(InProcessEngine(), tmp_path / "many", replicas=2)
    assert len(ended) == 6


@pytest.fixture
def sharded(whole: dict[str, Index], tmp_path: Path) -> Path:
    shard_index(whole["fr"], 3, tmp_path / "sharded")
    return tmp_path / "sharded"


def test_a_damaged_or_foreign_shard_is_refused(whole: dict[str, Index], sharded: Path, tmp_path: Path) -> None:
    manifest = (sharded / MANIFEST).read_text(encoding="utf-8")
    (sharded / MANIFEST).write_text(manifest.replace("shard.1", "shard.7"), encoding="utf-8")
    with pytest.raises(InputError, match="does not match its own checksum"):
        Index.load(sharded)
    (sharded / MANIFEST).write_text(manifest, encoding="utf-8")
    shutil.move(sharded / "shard.1", tmp_path / "elsewhere")
    with pytest.raises(InputError, match="no such index"):
        Index.load(sharded)
    shard_index(whole["zh"], 3, tmp_path / "other")
    shutil.copytree(tmp_path / "other" / "shard.1", sharded / "shard.1")
    with pytest.raises(InputError, match="was not made with the first one"):
        Index.load(sharded)


def test_a_shard_that_changed_is_not_searched_with_old_statistics(sharded: Path) -> None:
    before = manifest_sha256(read_manifest(sharded / "shard.0"))
    own = next(name for name in map(str, range(100)) if shard_of(name, 3) == 0)
    Index.load(sharded).add([Document(own, {"text": "un bail"})])
    with pytest.raises(InputError, match="has changed since the index was opened"):
        open_shard(str(sharded / "shard.0"), before)


def test_a_removal_that_was_interrupted_between_two_shards_can_be_repeated(
    sharded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = Index.load(sharded).stored.catalogue.ids()
    chosen = [next(name for name in names if shard_of(name, 3) == number) for number in range(3)]
    update = Index._update

    def interrupted(index: Index, *arguments: Any) -> None:
        if index.stored.directory.name == "shard.1":
            raise KeyboardInterrupt
        update(index, *arguments)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Index, "_update", interrupted)
        Index.load(sharded).remove(chosen)
    assert len(Index.load(sharded)) == len(names) - 1
    with pytest.raises(InputError, match="has no document 'never'"):
        Index.load(sharded).remove([*chosen, "never"])
    Index.load(sharded).remove(chosen)
    assert Index.load(sharded).stored.catalogue.ids() == tuple(name for name in names if name not in chosen)
    with pytest.raises(InputError, match="has no document"):
        Index.load(sharded).remove(chosen)
