"""Search for regular expressions whose time grows with more than the length of a text."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator, Sequence
from random import Random

from faults.patterns import Attack, Pattern, attacks, package_patterns, searched, unbounded_attacks

SEARCHED_IN_PARTS = {
    "lexgear.corpus.extraction.factors.amounts": "the 30 characters before 元",
    "lexgear.corpus.extraction.factors.anchors": "our own patterns",
    "lexgear.index.filters": "a filter of at most 500 characters, matched as a whole",
    "lexgear.report.phrases": "a filter of at most 500 characters",
    "lexgear.evaluation.measures": "names of measures on the command line",
    "lexgear.corpus.datasets.stard": "one citation",
    "lexgear.corpus.extraction.act_dates": "one sentence, matched as a whole",
    "lexgear.corpus.extraction.court_hierarchy": "the name of a court",
}
"""Modules with patterns that never see a whole text, and what they see."""
BOUNDED_LENGTH = 1000
"""Length of the strings for such patterns, and for those that are matched at one place of a text."""


def patterns_to_check() -> tuple[list[Pattern], list[Pattern]]:
    """Return the patterns that are searched for in whole foreign texts, and all others.

    The others see short texts, or are matched at one place of a text. Patterns are collected while modules are
    imported, so this is called once per process.
    """
    known = package_patterns()
    whole = [one for one in searched(known) if one.module not in SEARCHED_IN_PARTS]
    return whole, [one for one in known if one not in whole]


def slow_patterns(patterns: Sequence[Pattern], length: int, seconds: float, most: int, seed: int) -> Iterator[str]:
    """Yield a line per pattern that takes more than `seconds` of CPU time for a string of this length.

    A child process searches, because a search cannot be interrupted otherwise. `most` strings per pattern are tried,
    and all that repeat what the pattern repeats without a bound.
    """
    random, tasks = Random(seed), []
    for pattern in patterns:
        known, first = attacks(pattern), unbounded_attacks(pattern)
        chosen = dict.fromkeys([*first, *random.sample(known, min(most, len(known)))])
        tasks += [(pattern, attack) for attack in chosen]
    while tasks:
        done = _searched(tasks, length, seconds)
        if done == len(tasks):
            return
        slow, attack = tasks[done]
        yield f"{slow.module}: {slow.source[:120]!r} on {attack}"
        tasks = [task for task in tasks[done:] if task[0] != slow]


def _searched(tasks: Sequence[tuple[Pattern, Attack]], length: int, seconds: float) -> int:
    """Return the number of searches that a child process finishes before one takes too long."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        for pattern, attack in tasks:
            text, compiled = attack.text(length), re.compile(pattern.source, pattern.flags)
            signal.setitimer(signal.ITIMER_PROF, seconds)
            for _ in compiled.finditer(text):
                pass
            os.write(write, b".")
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as progress:
        done = len(progress.read())
    os.waitpid(child, 0)
    return done
