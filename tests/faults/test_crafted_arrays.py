"""Single arrays of a `lexgear` index written by an attacker are refused in one line when they are first used.

The searches, changes and merges that follow would otherwise end in a traceback, never end, or rank differently.
"""

import shutil
from collections.abc import Callable
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.sharded_samples import collection
from faults.crafted import forge
from lexgear.api import Index, train
from lexgear.docids.trie import Trie
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_json, write_json_list
from lexgear.lexical.array_files import read_arrays, save_arrays
from lexgear.pretraining.charge_words import ChargeWords
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.settings import configure

Change = Callable[[Any], Any]


def _with(at: int, value: float, kind: type | None = None) -> Change:
    """Return a change of one value."""

    def change(array: Any) -> Any:
        changed = np.array(array, kind or array.dtype)
        changed.reshape(-1)[at] = value
        return changed

    return change


FORGED: dict[str, tuple[str, str, Change]] = {
    "an idf of minus infinity": ("concepts.npz", "rarity", lambda one: np.full_like(one, -np.inf)),
    "a centre at infinity": ("concepts.npz", "centre", _with(0, np.inf)),
    "a centre far away": ("concepts.npz", "centre", _with(0, 6e4)),
    "complex directions": ("concepts.npz", "directions", lambda one: one.astype(np.complex128)),
    "dates as directions": ("concepts.npz", "directions", lambda one: one.astype(np.int64).astype("M8[s]")),
    "whole numbers as directions": ("concepts.npz", "directions", lambda one: one.astype(np.int8)),
    "vectors of concepts without the last direction": ("concept-vectors.npy", "", lambda one: one[:, :-1]),
    "words of facts that are no text": ("facts.npz", "words", lambda one: one[:-1]),
    "words of facts as large numbers": ("facts.npz", "words", lambda one: one.astype(np.int64)),
    "complex counts": ("facts.npz", "times", lambda one: one.astype(np.complex128)),
    "words that occur no times": ("facts.npz", "times", np.zeros_like),
    "documents in reverse order": ("facts.npz", "documents", lambda one: one[::-1]),
    "documents beyond 32 bits": ("facts.npz", "documents", lambda one: one.astype(np.int64) + 2**32),
    "facts of more documents": ("facts.npz", "document_count", lambda one: one + 1),
    "fewer ids than documents": ("words.npz", "ids", lambda one: one[:10]),
    "words that occur a negative number of times": ("words.npz", "times", lambda one: -one.astype(np.int32)),
    "fractions of documents": ("words.npz", "document_count", lambda one: one + 0.5),
    "a circle of places": ("law-symbols.npz", "parents", np.zeros_like),
    "a place above itself": ("law-symbols.npz", "parents", lambda one: np.arange(len(one), dtype=one.dtype)),
    "places without kinds": ("law-symbols.npz", "kinds", lambda one: one[:4]),
    "documents without places": ("places.npz", "of_document", lambda one: one[:-1]),
    "places before the first": ("places.npz", "of_document", _with(3, -1)),
    "an infinite idf of the law": ("law-idf.npz", "idf", _with(-1, np.inf)),
    "a negative idf of the law": ("law-idf.npz", "idf", lambda one: -one - 1),
    "sums of words that do not exist": ("law-words.npz", "cells", _with(-1, 2**40)),
    "sums of words before the first": ("law-words.npz", "cells", _with(0, -1)),
    "cases of fewer places": ("law-words.npz", "cases", lambda one: one[:-1]),
    "df of fewer words": ("law-words.npz", "df", lambda one: one[:-1]),
    "a removed document that does not exist": ("removed-words.npz", "positions", lambda one: one + 1000),
    "a removed document before the first": ("removed-words.npz", "positions", lambda one: one - 1000),
    "two removed documents for the counts of one": ("removed-words.npz", "positions", lambda one: [*one, 9]),
    "removed documents with negative counts": ("removed-words.npz", "documents", lambda one: one - 5),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("arrays") / "index"
    documents = collection("zh", 40)
    index = train(documents, Lexgear(configure(LexgearSettings, backbone="")), directory)
    index.remove([documents.documents[3].id])
    return directory


def rewrite(path: Path, array: str, change: Change) -> None:
    """Change one array of a file."""
    if path.suffix == ".npy":
        file = BytesIO()
        np.save(file, change(np.load(path)))
        path.write_bytes(file.getvalue())
    else:
        arrays = {name: np.array(one) for name, one in read_arrays(path, ()).items()}
        save_arrays(path, **arrays | {array: np.asarray(change(arrays[array]))})


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_array_is_refused_in_one_line(built: Path, tmp_path: Path, name: str) -> None:
    part, array, change = FORGED[name]
    index = Path(shutil.copytree(built, tmp_path / "index"))
    [path] = [one for one in index.rglob(f"*{part}") if one.name.removeprefix("removed.0-") == part]
    forge(index, path, lambda file: rewrite(file, array, change))
    with pytest.raises(InputError) as refused:
        loaded = Index.load(index)
        loaded.search("被告人翻墙进入商店")
        loaded.remove([loaded.stored.catalogue.ids()[0]])
        loaded.compact()
    assert refused.value.code == ErrorCode.INDEX_DAMAGED
    assert "\n" not in str(refused.value)


NO_WEIGHTS = (float("nan"), float("inf"), 1e30, "1", None, [1.0])


@pytest.mark.parametrize(
    ("weight", "value"),
    [("charge", 0.0), ("charge", -1.0), *product(("charge", "law_words", "concepts", "slope"), NO_WEIGHTS)],
)
def test_a_forged_weight_is_refused_in_one_line(built: Path, tmp_path: Path, weight: str, value: object) -> None:
    index = Path(shutil.copytree(built, tmp_path / "index"))
    [row] = read_json(index / "mixture.json")
    forge(index, index / "mixture.json", lambda path: write_json_list(path, [row | {weight: value}]))
    with pytest.raises(InputError, match=f"do not fit together: the weight '{weight}' is") as refused:
        Index.load(index)
    assert refused.value.code == ErrorCode.INDEX_DAMAGED


LESSON = {"id": "q", "words": ["盗窃"], "answers": ["1"]}


@pytest.mark.parametrize(
    "rows",
    [
        [{"barred": ["\ud800"]}],
        [{"barred": "1"}],
        *([{"barred": []}, LESSON | change] for change in ({"id": "\ud800"}, {"id": 7}, {"id": ""})),
        *(
            [{"barred": []}, LESSON | {"words": words}]
            for words in (["盗\udc00窃"], "盗窃", ["盗窃", None], [["盗窃"]])
        ),
        *([{"barred": []}, LESSON | {"answers": answers}] for answers in (["1\ud800"], "1", ["1", "1"], {"1": 2})),
        [{"barred": []}, LESSON, LESSON],
    ],
)
def test_forged_training_queries_are_refused_in_one_line(built: Path, tmp_path: Path, rows: list[object]) -> None:
    index = Path(shutil.copytree(built, tmp_path / "index"))
    forge(index, index / "lessons.json", lambda path: write_json_list(path, rows))
    with pytest.raises(InputError) as refused:
        Index.load(index)
    assert refused.value.code == ErrorCode.INDEX_DAMAGED
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("part", ["parent", "first_child"])
def test_a_tree_whose_nodes_form_a_circle_is_refused(tmp_path: Path, part: str) -> None:
    Trie.build(np.array([[2, 5, 7], [2, 6, 7]]), np.array([0, 1])).save(tmp_path / "docids.npz")
    assert Trie.load(tmp_path / "docids.npz").path(5) == (2, 6, 7)
    rewrite(tmp_path / "docids.npz", part, lambda one: np.where(np.arange(len(one)) == 1, 1, one))
    with pytest.raises(InputError, match="the nodes of the tree are not in order"):
        Trie.load(tmp_path / "docids.npz")


@pytest.mark.parametrize(
    ("array", "change"),
    [
        ("starts", lambda one: one[::-1]),
        ("charges", lambda one: one + 1000),
        ("weights", lambda one: one * np.inf),
        ("rarity", lambda one: one[1:]),
    ],
)
def test_forged_words_of_charges_are_refused(tmp_path: Path, array: str, change: Change) -> None:
    words = ChargeWords(
        ("theft", "fraud"),
        np.array([1, 2], np.float32),
        np.array([0, 1, 3], np.int32),
        np.array([0, 0, 1], np.uint16),
        np.array([0.5, 0.5, 1], np.float16),
        ("take", "money"),
    )
    words.save(tmp_path / "charge-words.npz")
    assert ChargeWords.load(tmp_path / "charge-words.npz").words == words.words
    rewrite(tmp_path / "charge-words.npz", array, change)
    with pytest.raises(InputError) as refused:
        ChargeWords.load(tmp_path / "charge-words.npz")
    assert refused.value.code == ErrorCode.INDEX_DAMAGED
