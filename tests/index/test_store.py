import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lexgear.api import Index, train
from lexgear.corpus.records import Citation, Collection, Document, Penalty
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from lexgear.errors import InputError
from lexgear.index.catalogue import Catalogue
from lexgear.index.manifest import CHECKSUM, MANIFEST, manifest_text
from lexgear.index.segmented_catalogue import SegmentedCatalogue
from lexgear.index.store import StoredIndex
from lexgear.law.shipped import chinese_criminal_law
from lexgear.rankers.words.bm25 import BM25
from rankers.small import COLLECTION

CASES = Collection(
    name="three",
    language="zh",
    documents=(
        Document(
            "a",
            {"fact": "翻墙进入商店，拿走现金。"},
            charges=("盗窃罪",),
            articles=(Citation("刑法", "264"),),
            penalty=Penalty("imprisonment", months=18, probation_months=24, fine=2000),
            court="某县人民法院",
            level="basic",
            region="江西",
            date="2018-05-01",
        ),
        Document(
            "b", {"fact": "持刀进入商店，抢走现金。"}, charges=("抢劫罪",), level="intermediate", date="2012-01-31"
        ),
        Document("c", {"text": "没有标签的一份文书，提到现金。"}, charges=("自定罪",)),
    ),
    law=chinese_criminal_law(),
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("index") / "index"
    train(CASES, BM25(), directory)
    return directory


@pytest.fixture
def catalogue(built: Path) -> SegmentedCatalogue:
    return StoredIndex(built).catalogue


@pytest.fixture
def index(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "index"))


def test_a_loaded_index_finds_what_was_trained(index: Path) -> None:
    hits = Index.load(index).search("翻墙进入商店", k=2)
    assert [hit.document for hit in hits] == [CASES.documents[0], CASES.documents[1]]
    assert [hit.rank for hit in hits] == [1, 2]


def test_a_hit_has_its_places_in_the_law_and_the_sentence(index: Path) -> None:
    [hit, *_] = Index.load(index).search("翻墙进入商店")
    assert hit.places == ("中华人民共和国刑法 › 2 分则 › 5 侵犯财产罪 › 264 › 盗窃罪",)
    assert hit.sentence == "imprisonment 18 months, probation 24 months"
    row = json.loads(json.dumps(hit.to_row()))
    assert row["paths"] == [[node.id for node in hit.paths[0]]]
    assert (row["rank"], row["id"], row["charges"]) == (1, "a", ["盗窃罪"])


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (["charge=盗窃罪"], {"a"}),
        (["charge!=盗窃罪"], {"b", "c"}),
        (["charge=盗窃"], {"a"}),
        (["charge=贩卖毒品罪"], set()),
        (["charge=自定罪"], {"c"}),
        (["article=刑法264"], {"a"}),
        (["article=264"], {"a"}),
        (["article!=264"], {"b", "c"}),
        (["date=2018"], {"a"}),
        (["date>2012"], {"a"}),
        (["date<=2012-01"], {"b"}),
        (["date!=2012-01-31"], {"a"}),
        (["level!=basic"], {"b"}),
        (["level=intermediate"], {"b"}),
        (["date>=2015-01-01"], {"a"}),
        (["date<2015-01-01"], {"b"}),
        (["months<=18", "region=江西"], {"a"}),
        (["months>18"], set()),
        (["penalty = imprisonment", "court=某县人民法院"], {"a"}),
    ],
)
def test_filters_narrow_a_search(index: Path, filters: list[str], found: set[str]) -> None:
    assert {hit.document.id for hit in Index.load(index).search("现金", filters=filters)} == found


@pytest.mark.parametrize(("filters", "found"), [(["factor=weapon"], {"b"}), (["factor!=weapon"], {"a", "c"})])
def test_a_search_can_be_narrowed_by_a_legal_factor(index: Path, filters: list[str], found: set[str]) -> None:
    assert {hit.document.id for hit in Index.load(index).search("现金", filters=filters)} == found


def test_an_unknown_factor_is_refused(catalogue: SegmentedCatalogue) -> None:
    with pytest.raises(InputError, match="no such factor"):
        catalogue.select(["factor=tuesday"])


def test_a_catalogue_without_factors_opens_and_says_that_it_cannot_filter_by_them(built: Path, tmp_path: Path) -> None:
    old = Path(shutil.copy(StoredIndex(built).catalogue.path, tmp_path / "old.sqlite"))
    with closing(sqlite3.connect(old)) as database:
        database.execute("DROP TABLE factors")
    catalogue = Catalogue(old)
    assert catalogue.select(["charge=盗窃罪"]) == {"a"}
    assert catalogue.stored_rows()["a"].factors is None
    with pytest.raises(InputError, match="build the index again"):
        catalogue.select(["factor=weapon"])


@pytest.mark.parametrize(
    "text",
    [
        *("colour=red", "charge", "charge>盗窃罪", "charge=飞行罪", "charge!=飞行罪", "charge=走私"),
        *("months=many", "months<99999999999999999999", "months>=-3"),
        *("date>=x", "date=2015-13", "date=20150101", "date<2015-02-30", "date='; DROP TABLE documents"),
        *("level>=basic", "court<某县人民法院", "region>江西", "penalty<=fine", "court=\udcff"),
    ],
)
def test_an_invalid_filter_is_refused(catalogue: SegmentedCatalogue, text: str) -> None:
    with pytest.raises(InputError, match="filter"):
        catalogue.select([text])


def test_a_filter_value_is_never_executed_as_sql(catalogue: SegmentedCatalogue) -> None:
    assert not catalogue.select(["court='; DROP TABLE documents; --"])
    assert len(catalogue) == 3


def test_every_document_comes_back_from_the_catalogue(catalogue: SegmentedCatalogue) -> None:
    assert tuple(catalogue.documents()) == CASES.documents
    assert catalogue.charges() == {"a": ("盗窃罪",), "b": ("抢劫罪",), "c": ("自定罪",)}
    with pytest.raises(InputError, match="no document 'z'"):
        catalogue.document("z")


def test_an_intact_index_passes_its_check(index: Path) -> None:
    seen: list[str] = []
    StoredIndex(index).check(seen.append)
    assert sorted(seen) == ["catalogue.sqlite", "law.json", "words.npz"]


@pytest.mark.parametrize("part", ["catalogue.sqlite", "law.json", "words.npz"])
def test_a_flipped_byte_in_any_part_is_found(index: Path, part: str) -> None:
    data = bytearray((index / part).read_bytes())
    data[len(data) // 2] ^= 1
    (index / part).write_bytes(data)
    with pytest.raises(InputError, match=f"{part}: this part is damaged: its checksum"):
        StoredIndex(index).check()


@pytest.mark.parametrize("part", ["catalogue.sqlite", "law.json", "words.npz"])
def test_a_damaged_part_is_never_searched(index: Path, part: str) -> None:
    with (index / part).open("ab") as file:
        file.write(b" ")
    with pytest.raises(InputError, match=f"{part}: this part is damaged: its size"):
        Index.load(index)


def test_a_flipped_byte_of_the_catalogue_is_never_searched(index: Path) -> None:
    path = index / "catalogue.sqlite"
    data = bytearray(path.read_bytes())
    data[-100] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"catalogue\.sqlite: this part is damaged"):
        Index.load(index)


def test_a_catalogue_damaged_after_its_check_is_a_clear_error_when_read(index: Path) -> None:
    path = index / "catalogue.sqlite"
    data = path.read_bytes()
    path.write_bytes(data[:200] + b"\xff" * (len(data) - 200))
    with pytest.raises(InputError, match=r"catalogue\.sqlite: the document catalogue is damaged"):
        StoredIndex(index).catalogue.document("a")


def test_a_flipped_bit_in_any_byte_of_the_manifest_is_found(index: Path) -> None:
    path = index / MANIFEST
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        with pytest.raises(InputError, match="manifest"):
            StoredIndex(index)
    path.write_bytes(whole)
    StoredIndex(index).check()


def stored(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return the files of the first segment."""
    files: dict[str, Any] = manifest["segments"][0]["stored"]
    return files


def spoil(change: Callable[[dict[str, Any]], object], *, checksum: bool = True) -> Callable[[Path], None]:
    """A change to the manifest, with or without a new checksum."""

    def apply(path: Path) -> None:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        old = manifest.pop(CHECKSUM)
        change(manifest)
        path.write_text(
            manifest_text(manifest) if checksum else json.dumps(manifest | {CHECKSUM: old}), encoding="utf-8"
        )

    return apply


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (spoil(lambda manifest: manifest.update(format=99)), r"has format 99, .* reads formats up to 4 \(upgrade"),
        (spoil(lambda manifest: manifest["settings"].update(k1=1.0), checksum=False), "the manifest is damaged"),
        (spoil(lambda manifest: manifest.pop("parts")), "not the manifest of an index"),
        (spoil(lambda manifest: manifest.update(parts={})), "not the manifest of an index"),
        (spoil(lambda manifest: stored(manifest)["parts"].pop("catalogue.sqlite")), "not the manifest of an index"),
        (spoil(lambda manifest: manifest["segments"][0].pop("removed")), "not the manifest of an index"),
        (spoil(lambda manifest: stored(manifest).update(folder="../x")), "not the manifest of an index"),
        (spoil(lambda manifest: stored(manifest).update(documents=4)), "3 documents, but the manifest says 4"),
        (spoil(lambda manifest: stored(manifest).update(prefix="other-")), "not the manifest of an index"),
        (spoil(lambda manifest: manifest["parts"].pop("law.json")), "not the manifest of an index"),
        (spoil(lambda manifest: manifest["parts"].update({"../x": manifest["parts"]["law.json"]})), "not the manifest"),
        (spoil(lambda manifest: manifest["parts"]["law.json"].update(size="1")), "not the manifest of an index"),
        (spoil(lambda manifest: manifest.update(documents="x")), "not the manifest of an index"),
        (spoil(lambda manifest: manifest.update(documents=True)), "not the manifest of an index"),
        (
            spoil(lambda manifest: manifest.update(documents=4)),
            "catalogue.sqlite: 3 documents, but the manifest says 4",
        ),
        (spoil(lambda manifest: manifest.update(ranker=[])), "not the manifest of an index"),
        (spoil(lambda manifest: manifest.update(settings=[])), "not the manifest of an index"),
        (spoil(lambda manifest: manifest.update(extra=1)), "not the manifest of an index"),
        (spoil(lambda manifest: manifest.update(format="x")), "not the manifest of an index"),
        (spoil(lambda manifest: manifest.update(format=0)), "not the manifest of an index"),
        (spoil(lambda manifest: manifest.update(format=True)), "not the manifest of an index"),
        (spoil(lambda manifest: manifest.update(ranker="future")), "no ranker named 'future'"),
        (lambda path: path.write_text("{"), "not valid JSON"),
        (lambda path: path.unlink(), "no manifest"),
    ],
)
def test_an_invalid_manifest_is_refused(index: Path, change: Callable[[Path], None], problem: str) -> None:
    change(index / MANIFEST)
    with pytest.raises(InputError, match=problem):
        Index.load(index)


def test_a_missing_part_or_index_is_named(index: Path) -> None:
    (index / "words.npz").unlink()
    with pytest.raises(InputError, match=r"words\.npz: this part of the index is missing"):
        StoredIndex(index).check()
    with pytest.raises(InputError, match="no such index"):
        Index.load(index / "nowhere")


def test_training_again_replaces_the_index_and_leaves_nothing_else(index: Path) -> None:
    train(COLLECTION, BM25(), index)
    assert StoredIndex(index).manifest.collection == "small"
    assert [path.name for path in index.parent.iterdir()] == ["index"]


def test_training_never_overwrites_a_collection_or_foreign_files(tmp_path: Path) -> None:
    save_collection(COLLECTION, tmp_path / "collection", SkippedRecords())
    before = sorted(path.name for path in (tmp_path / "collection").iterdir())
    with pytest.raises(InputError, match="not written by lexgear"):
        train(COLLECTION, BM25(), tmp_path / "collection")
    assert sorted(path.name for path in (tmp_path / "collection").iterdir()) == before
    (tmp_path / "extension").mkdir()
    (tmp_path / "extension" / MANIFEST).write_text('{"name": "of a browser"}')
    with pytest.raises(InputError, match="not written by lexgear"):
        train(COLLECTION, BM25(), tmp_path / "extension")


@pytest.mark.parametrize(
    "document",
    [Document("\ud800", {"text": "现金"}), Document("1", {"text": "现金"}, penalty=Penalty("fine", months=2**64))],
)
def test_a_document_that_cannot_be_stored_is_named(tmp_path: Path, document: Document) -> None:
    with pytest.raises(InputError, match=r"document '.*' cannot be stored: .*correct the document"):
        train(Collection("odd", "zh", (document,)), BM25(), tmp_path / "index")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_training_leaves_the_old_index(index: Path) -> None:
    twice = Collection("twice", "zh", (CASES.documents[0], CASES.documents[0]))
    with pytest.raises(InputError, match="two documents have the id 'a'"):
        train(twice, BM25(), index)
    Index.load(index).stored.check()
    assert [path.name for path in index.parent.iterdir()] == ["index"]
