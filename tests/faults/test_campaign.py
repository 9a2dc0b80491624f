"""The fault campaign in small: kinds of faults that no other test tries, a few times each, and every one survived."""

from faults.campaign import KINDS, run

TESTED_ELSEWHERE = ("patterns", "forged_parts", "cluster_kills")


def test_every_fault_is_survived() -> None:
    counts = run(seed=0, times=6, kinds=tuple(kind for kind in KINDS if kind not in TESTED_ELSEWHERE))
    assert all(tried == survived > 0 for tried, survived in counts.values()), counts
