"""Features of indexes written before segments: all documents in one set of files, IDs with one leaf per document."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from lexgear.corpus.store import read_law
from lexgear.docids.ids import DocIds
from lexgear.docids.law import UNCHARGED
from lexgear.docids.place_sets import LawSymbols, PlaceSet, PlaceSets
from lexgear.files import PartsDirectory, read_json
from lexgear.law.tree import LawTree
from lexgear.lexical.array_files import read_arrays, unpack_strings
from lexgear.lexical.counts import WordCounts
from lexgear.rankers.lexgear.features.document_features import LawWords, law_texts
from lexgear.rankers.lexgear.features.document_vectors import map_vectors
from lexgear.rankers.lexgear.features.law_statistics import LawIdf
from lexgear.rankers.lexgear.features.segment import CONCEPTS, FACTS, LAW, VECTORS, FeatureSegment
from lexgear.rankers.words.segment import WordSegment

IDS, LAW_TREE, LEXICON = "docids.npz", "law.json", "lexicon.json"


def load_earlier(directory: PartsDirectory) -> tuple[LawSymbols, LawWords, FeatureSegment]:
    """Read the features of an index of format 3 or below; statistics of cases are computed from their facts."""
    ids, words = DocIds.load(directory / IDS), WordSegment.load(directory)
    arrays = read_arrays(directory / LAW, ("words", "rarity"))
    idf = LawIdf(tuple(unpack_strings(arrays["words"])), arrays["rarity"].astype(np.float64))
    [head, *_] = read_json(directory / LEXICON)
    law = LawWords(idf, law_texts(_law(directory / LAW_TREE), head["language"], idf))
    facts = cache(lambda: WordCounts.load(directory / FACTS)[0])
    places = _places(ids)
    concepts, vectors = (map_vectors(directory / name, len(words)) for name in (CONCEPTS, VECTORS))
    return _symbols(ids), law, FeatureSegment.of(words, facts(), places, concepts, vectors, idf)


def _law(path: Path) -> LawTree:
    """Return the law of an index; a part of a fusion has none beside it."""
    return read_law(path) if path.exists() else LawTree()


def _symbols(ids: DocIds) -> LawSymbols:
    """Return the symbols of a law; the id of a node begins with that of the node above."""
    names = ids.names[: ids.law_symbols]
    numbers = {name: number for number, name in enumerate(names)}
    parents = [numbers.get(name.rsplit("/", 1)[0], -1) if "/" in name else -1 for name in names]
    return LawSymbols(names, ids.kinds, np.array(parents, dtype=np.int32))


def _places(ids: DocIds) -> PlaceSets:
    """Return the places of all documents of a tree with one leaf per document and place."""
    numbers: dict[PlaceSet, int] = {}
    found = []
    for position in range(ids.document_count):
        ends = ids.trie.parent[ids.trie.leaves_of(position)].tolist()
        found.append(numbers.setdefault(tuple(sorted(_place(ids, end) for end in ends)), len(numbers)))
    return PlaceSets(tuple(numbers), np.array(found, dtype=np.int32))


def _place(ids: DocIds, node: int) -> str:
    kind = ids.node_kind(node)
    if kind == "here":
        node = int(ids.trie.parent[node])
    return UNCHARGED if kind == "uncharged" else ids.node_name(node)
