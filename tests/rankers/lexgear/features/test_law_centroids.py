"""Centroids of the law, compared with arithmetic by hand, and walks along their potentials."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.docids.place_sets import PlaceSets
from lexgear.docids.trie import Trie
from lexgear.lexical.counts import WordCounts, merged
from lexgear.rankers.lexgear.features.law_centroids import LAW_TEXT_WEIGHT, LawCentroids, potentials
from lexgear.rankers.lexgear.features.law_statistics import LawIdf, LawStatistics

# Two chapters (1, 2); the first has the charges 3 and 4, the second 5; document 1 hangs under 3 and 5.
TRIE = Trie.build(np.array([[1, 3, 10], [1, 3, 11], [1, 4, 12], [2, 5, 11], [2, 6, -1]]), np.array([0, 1, 2, 1, -1]))
TEXTS = [["knife", "night", "night"], ["knife", "money"], ["fire"]]
COUNTS = WordCounts.of(TEXTS)
PLACES = PlaceSets((("1/3",), ("1/3", "2/5"), ("1/4",)), np.arange(3, dtype=np.int32))


def centroids_of(counts: WordCounts = COUNTS, law: Sequence[str] = ()) -> LawCentroids:
    """Return centroids of the cases, with a text of the law at the place without cases."""
    texts = WordCounts.of([law] if law else [])
    idf = LawIdf.of(merged([counts, texts]))
    of_law = LawStatistics.of(texts, PlaceSets((("2/6",),), np.zeros(min(len(law), 1), np.int32)), idf, LAW_TEXT_WEIGHT)
    statistics = LawStatistics.combined([(1, LawStatistics.of(counts, PLACES, idf)), (1, of_law)])
    nodes = {name: node(*map(int, name.split("/"))) for name in ("1/3", "1/4", "2/5", "2/6")}
    return LawCentroids.of(nodes, TRIE.node_count, statistics, idf)


def node(*symbols: int) -> int:
    return next(place for place in range(TRIE.node_count) if TRIE.path(place) == symbols)


def by_hand() -> dict[int, dict[str, float]]:
    """Compute the centroids with plain dictionaries."""
    rarity = {word: np.log(4 / (1 + sum(word in text for text in TEXTS))) for text in TEXTS for word in text}
    cases = []
    for text in TEXTS:
        vector = {word: (1 + np.log(text.count(word))) * rarity[word] for word in text}
        length = np.sqrt(sum(value**2 for value in vector.values()))
        cases.append({word: value / length for word, value in vector.items()})
    held: dict[int, list[tuple[dict[str, float], float]]]
    held = {
        node(1, 3): [(cases[0], 1.0), (cases[1], 0.5)],
        node(1, 4): [(cases[2], 1.0)],
        node(2, 5): [(cases[1], 0.5)],
    }
    centroids = {}
    for place, shared in held.items():
        sums: dict[str, float] = {}
        for case, share in shared:
            for word, value in case.items():
                sums[word] = sums.get(word, 0.0) + share * value
        length = np.sqrt(sum(value**2 for value in sums.values()))
        count = sum(share for _, share in shared)
        centroids[place] = {word: value / length * np.sqrt(count / (count + 1)) for word, value in sums.items()}
    return centroids


def test_a_case_of_two_charges_counts_half_for_each() -> None:
    cosines = centroids_of().cosines(["money"])
    expected = {place: centroid.get("money", 0.0) for place, centroid in by_hand().items()}
    assert {place: pytest.approx(cosines[place], abs=1e-6) for place in expected} == expected


def test_a_text_is_nearest_to_the_charge_whose_cases_use_its_words() -> None:
    cosines = centroids_of().cosines(["night", "knife"])
    assert int(np.argmax(cosines)) == node(1, 3)


@pytest.mark.parametrize("words", [[], ["unheard"]])
def test_a_text_without_known_words_has_cosine_zero(words: list[str]) -> None:
    assert not centroids_of().cosines(words).any()


def test_documents_without_words_are_ignored() -> None:
    centroids = centroids_of(COUNTS.without([2]))
    assert centroids.cosines(["fire", "knife"])[node(1, 4)] == 0


def test_a_walk_along_potentials_is_a_softmax_over_all_places() -> None:
    cosines = centroids_of().cosines(["knife", "money"])
    reach = potentials(TRIE, 7.0 * cosines)
    places = [node(1, 3), node(1, 4), node(2, 5), node(2, 6)]
    flat = np.exp(7.0 * cosines[places])
    walked = [
        np.exp(reach[place] - reach[TRIE.parent[place]]) * np.exp(reach[TRIE.parent[place]] - reach[0])
        for place in places
    ]
    assert walked == pytest.approx(flat / flat.sum())


def test_statistics_come_back_from_disk(tmp_path: Path) -> None:
    idf = LawIdf.of(COUNTS)
    statistics = LawStatistics.of(COUNTS, PLACES, idf)
    statistics.save(tmp_path / "law-words.npz")
    idf.save(tmp_path / "law-idf.npz")
    again = LawStatistics.load(tmp_path / "law-words.npz")
    assert (again.words, again.places) == (statistics.words, statistics.places)
    assert np.array_equal(again.sums, statistics.sums)
    assert np.array_equal(LawIdf.load(tmp_path / "law-idf.npz").of_words(["fire", "unheard"]), [idf.rarest] * 2)


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), min_size=2, max_size=9), st.data())
def test_statistics_add_up_however_documents_are_divided(texts: list[list[str]], data: st.DataObject) -> None:
    sets = st.sampled_from([("x",), ("y",), ("x", "y"), ("",)])
    places = PlaceSets.merged([PlaceSets((data.draw(sets),), np.zeros(1, np.int32)) for _ in texts])
    counts, cut = WordCounts.of(texts), data.draw(st.integers(1, len(texts) - 1))
    idf = LawIdf.of(WordCounts.of(texts[::2]))

    def of(rows: range) -> LawStatistics:
        return LawStatistics.of(counts.rows(rows), places.rows(rows), idf)

    def table(parts: list[tuple[int, LawStatistics]]) -> dict[tuple[str, str], int]:
        found = LawStatistics.combined(parts)
        names = [divmod(cell, len(found.places)) for cell in found.cells.tolist()]
        sums = zip(names, found.sums.tolist(), strict=True)
        return {(found.words[word], found.places[place]): total for (word, place), total in sums if total}

    whole, first, rest = of(range(len(texts))), of(range(cut)), of(range(cut, len(texts)))
    assert table([(1, first), (1, rest)]) == table([(1, rest), (1, first)]) == table([(1, whole)])
    assert table([(1, whole), (-1, first)]) == table([(1, rest)])


def test_the_text_of_the_law_counts_as_a_case_even_without_other_cases() -> None:
    bare = node(2, 6)
    centroids = centroids_of(law=["arson", "fire"])
    assert int(np.argmax(centroids.cosines(["arson"]))) == bare
    assert centroids.cosines(["fire"])[node(1, 4)] > centroids.cosines(["fire"])[bare] > 0
    assert centroids_of().cosines(["fire"])[bare] == 0


def test_unknown_words_make_a_text_less_familiar() -> None:
    centroids = centroids_of()
    known = ["night", "knife"]
    assert centroids.familiarity(known) == pytest.approx(centroids.cosines(known).max())
    growing = [centroids.familiarity([*known, *(f"unheard{n}" for n in range(more))]) for more in (0, 1, 5, 50)]
    assert growing == sorted(growing, reverse=True)
    assert growing[-1] < 0.2 * growing[0]
    assert centroids.familiarity([]) == centroids.familiarity(["unheard"]) == 0
