from pathlib import Path

import numpy as np

from lexgear.pretraining.data.token_streams import Stream

ROWS = [np.arange(1, 6), np.arange(10, 10), np.arange(20, 50)]
stream = Stream.of(ROWS)


def test_a_window_holds_the_tokens_of_its_text_and_nothing_else() -> None:
    numbers, mask = stream.windows(np.array([2, 0]), 10, np.array([25, 1]))
    assert numbers[0][mask[0]].tolist() == [45, 46, 47, 48, 49]
    assert numbers[1][mask[1]].tolist() == [2, 3, 4, 5]
    assert not numbers[~mask].any()


def test_an_empty_text_has_one_place_that_holds_padding() -> None:
    numbers, mask = stream.windows(np.array([1]))
    assert (mask.sum(), numbers.sum()) == (1, 0)


def test_random_windows_lie_inside_and_begin_anywhere() -> None:
    rng = np.random.default_rng(0)
    firsts = set()
    for _ in range(200):
        numbers, mask = stream.random_windows(np.array([2, 0]), 16, rng, heads=0.0)
        assert mask.sum(1).tolist() == [16, 5]
        assert np.array_equal(np.diff(numbers[0][mask[0]]), np.ones(15))
        firsts.add(int(numbers[0, 0]))
    assert firsts == set(range(20, 35))
    heads = [stream.random_windows(np.array([2]), 16, rng, heads=1.0)[0][0, 0] for _ in range(20)]
    assert set(heads) == {20}


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    stream.save(tmp_path, "facts")
    again = Stream.load(tmp_path, "facts")
    assert [again.row(place).tolist() for place in range(len(again))] == [row.tolist() for row in ROWS]
