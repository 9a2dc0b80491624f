import numpy as np

from lexgear.pretraining.data.masked_spans import corrupt

END, FIRST, SENTINELS = 1000, 1001, 64


def restored(numbers: list[int], targets: list[int]) -> list[int]:
    """Return the text with each sentinel replaced by its target span."""
    spans: dict[int, list[int]] = {}
    for number in targets:
        if number >= FIRST:
            spans[number] = []
        elif number != END:
            spans[max(spans)].append(number)
    return [one for number in numbers for one in (spans[number] if number >= FIRST else [number])]


def test_the_hidden_spans_put_back_give_the_text() -> None:
    rng = np.random.default_rng(0)
    lengths = np.array([1, 2, 30, 200, 400])
    mask = np.arange(400) < lengths[:, None]
    numbers = np.where(mask, rng.integers(1, 900, mask.shape), 0)
    text = corrupt(numbers, mask, rng, 0.15, END, FIRST, SENTINELS)
    for row, length in enumerate(lengths):
        shown, targets = text.numbers[row][text.mask[row]].tolist(), text.targets[row][text.wanted[row]].tolist()
        assert targets[-1] == END
        assert restored(shown, targets) == numbers[row, :length].tolist()
        sentinels = [number for number in shown if number >= FIRST]
        assert sentinels == list(range(FIRST, FIRST + len(sentinels)))


def test_about_the_wanted_share_is_hidden_in_spans_of_about_three() -> None:
    numbers, mask = np.ones((200, 300), dtype=np.int64), np.ones((200, 300), dtype=bool)
    text = corrupt(numbers, mask, np.random.default_rng(1), 0.15, END, FIRST, SENTINELS)
    hidden, spans = (text.targets[text.wanted] == 1).sum(), (text.targets[text.wanted] >= FIRST).sum()
    assert 0.12 < hidden / numbers.size < 0.16
    assert 2.7 < hidden / spans < 3.6


def test_there_are_never_more_spans_than_sentinels() -> None:
    numbers, mask = np.ones((4, 600), dtype=np.int64), np.ones((4, 600), dtype=bool)
    text = corrupt(numbers, mask, np.random.default_rng(2), 0.9, END, FIRST, 3)
    assert text.numbers.max() == FIRST + 2
    for row in range(4):
        assert (
            restored(text.numbers[row][text.mask[row]].tolist(), text.targets[row][text.wanted[row]].tolist())
            == [1] * 600
        )
