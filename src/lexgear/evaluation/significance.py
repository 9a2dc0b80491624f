"""Statistical significance: paired t-tests, Bonferroni's correction, bootstrap intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

RESAMPLES = 10_000
CONFIDENCE = 0.95
_DRAWS_AT_ONCE = 2_000_000
"""Random indices per block: 16 MB, independent of the number of queries."""


def paired_t_test(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return the two-sided p-value over the same queries; 1 if all values are equal or there is only one query."""
    import numpy as np
    from scipy import stats

    differences = np.asarray(ours, dtype=float) - np.asarray(theirs, dtype=float)
    if len(differences) < 2 or not differences.any():
        return 1.0
    # If all differences are the same, the variance is 0 and t is infinite.
    if np.ptp(differences) < 1e-12:
        return 0.0
    return float(stats.ttest_1samp(differences, 0.0).pvalue)


def bonferroni(p: float, comparisons: int) -> float:
    """Return the p-value corrected for the number of comparisons.

    >>> bonferroni(0.01, comparisons=4)
    0.04
    """
    return min(1.0, p * comparisons)


def bootstrap(values: Sequence[float], seed: int = 0) -> tuple[float, float]:
    """Return the 95% percentile interval of the mean, over 10,000 resamples of the queries.

    For a paired comparison, pass the differences.
    """
    import numpy as np

    sample = np.asarray(values, dtype=float)
    generator = np.random.default_rng(seed)
    block = max(1, _DRAWS_AT_ONCE // len(sample))
    means = np.concatenate(
        [
            sample[generator.integers(len(sample), size=(min(block, RESAMPLES - start), len(sample)))].mean(axis=1)
            for start in range(0, RESAMPLES, block)
        ]
    )
    low, high = np.quantile(means, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)


def bootstrap_of(statistic: Callable[[Sequence[int]], float], queries: int, seed: int = 0) -> tuple[float, float]:
    """Return the 95% percentile interval of any statistic, over 1,000 resamples of the queries.

    `statistic` gets the positions of the drawn queries, some of them several times.
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    values = [statistic(generator.integers(queries, size=queries).tolist()) for _ in range(RESAMPLES // 10)]
    low, high = np.quantile(values, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)
