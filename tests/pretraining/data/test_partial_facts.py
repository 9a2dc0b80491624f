import numpy as np

from lexgear.pretraining.data.partial_facts import MAX_SHARE, PARTIAL_SHARE, RUN_LENGTH, partial_facts, sample_facts
from lexgear.pretraining.data.token_streams import Stream

LENGTH_SHARES = [1, 6, 40, 300, 900]
STREAM = Stream.of(np.arange(1, length + 1) for length in LENGTH_SHARES)


def test_what_is_told_in_part_keeps_its_order_and_comes_in_runs() -> None:
    rng = np.random.default_rng(0)
    rows = np.repeat(np.arange(len(LENGTH_SHARES)), 200)
    numbers, mask = partial_facts(STREAM.windows(rows), 200, rng)
    runs = []
    for row, shown, length in zip(numbers, mask, np.array(LENGTH_SHARES)[rows], strict=True):
        tokens = row[shown].astype(int)
        assert 1 <= len(tokens) <= min(200, length)
        assert (np.diff(tokens) > 0).all()
        assert tokens[-1] <= length
        if length == 900:
            runs.append(len(tokens) / (1 + (np.diff(tokens) > 1).sum()))
    assert RUN_LENGTH - 2 < np.mean(runs) < 2 * RUN_LENGTH
    assert not numbers[~mask].any()


def test_long_texts_fill_what_may_be_read_and_short_ones_lose_some() -> None:
    numbers, mask = partial_facts(STREAM.windows(np.repeat([3, 4], 400)), 200, np.random.default_rng(1))
    counts = mask.sum(1)
    assert 80 < counts[:400].mean() < MAX_SHARE * 200
    assert counts[400:].max() == 200
    assert numbers[400:].max() > 850  # from the whole text, not only its beginning


def test_a_share_of_the_texts_is_told_in_part_and_what_comes_after_the_titles_alone() -> None:
    rows = np.full(2000, 3)
    after = np.full(2000, 50)
    numbers, mask = sample_facts(STREAM, rows, 120, np.random.default_rng(2), heads=1.0, after=after)
    assert numbers[mask].min() == 51
    whole = mask.sum(1) == 120
    heads = whole & (numbers[:, 0] == 51) & (numbers[:, 119] == 170)
    assert abs(heads.mean() - (1 - PARTIAL_SHARE)) < 0.05
