"""Every regular expression of the package, and strings made to be slow for it.

A pattern takes quadratic time if it looks far ahead from many places. The strings repeat what a pattern repeats, after
what it expects before, and end with a sign that it does not expect.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import re._constants as constants  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lexgear

SOURCES = Path(lexgear.__file__).parent
LONG = 8
"""Number of repetitions from which a repetition is worth attacking."""
OTHERS = ("\0", "\ue000", "x", "一", "1", " ")
"""Signs of which one ends a repetition, for any pattern."""


@dataclass(frozen=True, slots=True, order=True)
class Pattern:
    """A regular expression and the module in which it was compiled."""

    module: str
    source: str
    flags: int


def package_patterns() -> list[Pattern]:
    """Return the patterns of all modules: those compiled on import, by the rules of factors, and in functions."""
    found: set[Pattern] = set()
    original = re._compiler.compile  # type: ignore[attr-defined]

    def recorded(written: Any, flags: int = 0) -> Any:
        compiled = original(written, flags)
        if isinstance(compiled.pattern, str):
            found.add(Pattern(_caller(), compiled.pattern, compiled.flags))
        return compiled

    re.purge()
    re._compiler.compile = recorded  # type: ignore[attr-defined]
    try:
        for module in _modules():
            importlib.import_module(module)
        _load_lazy_patterns()
    finally:
        re._compiler.compile = original  # type: ignore[attr-defined]
    ours = {one for one in found if one.module.startswith("lexgear")}
    known = {(one.source, one.flags) for one in ours}
    return sorted(ours | {one for one in _written_in_functions() if (one.source, one.flags) not in known})


@dataclass(frozen=True, slots=True)
class Attack:
    """A string that a pattern may take long to search, for any length."""

    start: str
    repeated: str
    end: str

    def text(self, length: int) -> str:
        """Return the string of about a length."""
        return self.start + self.repeated * (length // len(self.repeated)) + self.end


def attacks(pattern: Pattern) -> list[Attack]:
    """Return strings that a pattern may take long to search."""
    tree = parser.parse(pattern.source, pattern.flags & ~re.DEBUG)
    found: dict[Attack, None] = {}
    for prefix, pumped in _pumps(list(tree), ""):
        for end in _ends(pumped) if pumped else ():
            found[Attack(prefix, pumped, end)] = None
            found[Attack("", prefix + pumped, end)] = None
            found[Attack("", prefix + pumped * 20 + end, "")] = None
    return list(found)


def unbounded_attacks(pattern: Pattern) -> list[Attack]:
    """Return the few strings of `attacks` that repeat what a pattern repeats without a bound."""
    tree = parser.parse(pattern.source, pattern.flags & ~re.DEBUG)
    found: dict[Attack, None] = {}
    for prefix, body in _unbounded(list(tree), ""):
        for pumped in dict.fromkeys(_sample(body, variant) for variant in range(3)):
            for end in list(_ends(pumped))[:1] if pumped else ():
                found[Attack(prefix, pumped, end)] = None
                found[Attack("", prefix + pumped, end)] = None
    return list(found)


def _unbounded(items: list[Any], before: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield what stands before each repetition without a bound, and what it repeats."""
    for operator, argument in items:
        if operator in {constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT}:
            if argument[1] is constants.MAXREPEAT:
                yield before, list(argument[2])
            yield from _unbounded(list(argument[2]), before)
        elif operator is constants.SUBPATTERN:
            yield from _unbounded(list(argument[3]), before)
        elif operator is constants.BRANCH:
            for branch in argument[1]:
                yield from _unbounded(list(branch), before)
        elif operator in {constants.ASSERT, constants.ASSERT_NOT}:
            yield from _unbounded(list(argument[1]), before)
        elif operator is constants.ATOMIC_GROUP:
            yield from _unbounded(list(argument), before)
        before += _sample([(operator, argument)], 0)


def _pumps(items: list[Any], before: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before each repetition, and what it repeats."""
    for at, (operator, argument) in enumerate(items):
        if operator in {constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT}:
            _, most, body = argument
            if most is constants.MAXREPEAT or most >= LONG:
                for variant in range(3):
                    yield before, _sample(list(body), variant)
                following = _sample(items[at + 1 :], 0)
                yield before, _sample(list(body), 0) + following
            yield from _pumps(list(body), before)
        elif operator is constants.SUBPATTERN:
            yield from _pumps(list(argument[3]), before)
        elif operator is constants.BRANCH:
            for branch in argument[1]:
                yield from _pumps(list(branch), before)
                yield before, _sample(list(branch), 0)
        elif operator in {constants.ASSERT, constants.ASSERT_NOT}:
            yield from _pumps(list(argument[1]), before)
        elif operator is constants.ATOMIC_GROUP:
            yield from _pumps(list(argument), before)
        before += _sample([(operator, argument)], 0)
    if before:
        yield "", before


def _sample(items: list[Any], variant: int) -> str:
    """Return a short string that the items match."""
    return "".join(_one(operator, argument, variant) for operator, argument in items)


def _one(operator: Any, argument: Any, variant: int) -> str:  # noqa: PLR0911 (one case per operator)
    if operator is constants.LITERAL:
        return chr(argument)
    if operator is constants.NOT_LITERAL:
        return next(sign for sign in "a一1" if ord(sign) != argument)
    if operator is constants.ANY:
        return "a一1"[variant % 3]
    if operator is constants.IN:
        return _member(argument, variant)
    if operator is constants.BRANCH:
        return _sample(list(argument[1][variant % len(argument[1])]), variant)
    if operator is constants.SUBPATTERN:
        return _sample(list(argument[3]), variant)
    if operator is constants.ATOMIC_GROUP:
        return _sample(list(argument), variant)
    if operator in {constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT}:
        least, _, body = argument
        return _sample(list(body), variant) * min(max(int(least), variant % 2), 50)
    return ""


def _member(members: list[Any], variant: int) -> str:
    """Return a sign of a class."""
    if members and members[0][0] is constants.NEGATE:
        excluded = {chr(value) for kind, value in members if kind is constants.LITERAL}
        return str(next(sign for sign in (*"a一1"[variant % 3 :], "\ue000") if sign not in excluded))
    choices = []
    for kind, value in members:
        if kind is constants.LITERAL:
            choices.append(chr(value))
        elif kind is constants.RANGE:
            choices += [chr(value[0]), chr(value[1])]
        elif kind is constants.CATEGORY:
            choices.append({constants.CATEGORY_DIGIT: "1", constants.CATEGORY_SPACE: " "}.get(value, "a"))
    return str(choices[(variant * 7) % len(choices)])


def _ends(pumped: str) -> Iterable[str]:
    return [sign for sign in OTHERS if sign not in pumped][:2]


def _modules() -> Iterator[str]:
    for module in pkgutil.walk_packages([str(SOURCES)], "lexgear."):
        if ".adapters." not in module.name and not module.name.endswith("__main__"):
            yield module.name


def _load_lazy_patterns() -> None:
    """Compile what is compiled when it is first used: the rules of factors, and what reading one judgment needs."""
    from lexgear.corpus.extraction.factors.find import find_factors
    from lexgear.corpus.sample.cases import sample_cases

    for document in sample_cases().documents[:3]:
        find_factors(document.sections)


def _caller() -> str:
    """Return the module that compiles a pattern."""
    frame: Any = sys._getframe(2)
    while frame.f_globals["__name__"] in {"re", "functools"}:
        frame = frame.f_back
    return str(frame.f_globals["__name__"])


def _written_in_functions() -> Iterator[Pattern]:
    """Yield literal patterns in calls such as `re.sub("…", …)`, which are compiled when the call runs."""
    for path in SOURCES.rglob("*.py"):
        module = ".".join(("lexgear", *path.relative_to(SOURCES).with_suffix("").parts))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.args
                and isinstance(node.args[0], ast.Constant)
                and isinstance(node.args[0].value, str)
                and node.func.attr in {"compile", "findall", "finditer", "fullmatch", "match", "search", "split", "sub"}
            ):
                yield Pattern(module, node.args[0].value, int(re.compile(node.args[0].value).flags))


def searched(patterns: Iterable[Pattern]) -> list[Pattern]:
    """Return the patterns that are searched for in a text, not just matched at a place.

    A pattern counts as matched if it is a global of its module and all uses of its name call `match` or `fullmatch`.
    """
    written = "\n".join(path.read_text("utf-8") for path in SOURCES.rglob("*.py"))
    found = []
    for pattern in patterns:
        names = [
            name
            for name, value in vars(importlib.import_module(pattern.module)).items()
            if isinstance(value, re.Pattern) and (value.pattern, value.flags) == (pattern.source, pattern.flags)
        ]
        uses = [use for name in names for use in re.findall(rf"\b{name}\b(?! *=)(\.\w+)?", written)]
        if not names or not all(use in {".match", ".fullmatch", ".pattern"} for use in uses):
            found.append(pattern)
    return found
