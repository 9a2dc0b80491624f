"""Lazy registries: tables from a name to `module:attribute`, extended by the entry points of other packages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar, cast

from lexgear.errors import ErrorCode, InputError

T = TypeVar("T")


class BuiltIn(NamedTuple):
    """One row of a registry's own table."""

    target: str
    """Location of the object, as `module:attribute`."""
    summary: str
    """One line for lists."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A name in a registry and the places that claim it."""

    name: str
    summary: str
    targets: tuple[str, ...]
    """One `module:attribute`; several if packages claim the same name."""
    origins: tuple[str, ...]
    """The distribution that each target comes from."""


class Registry(Generic[T]):
    """Named objects that are imported when they are first used.

    `names` and `entries` import nothing. A name that two packages claim, or whose package is broken, raises an
    `InputError` when it is looked up; all other names keep working.
    """

    def __init__(
        self,
        kind: str,
        group: str,
        built_in: Mapping[str, BuiltIn],
        check: Callable[[str, object], str] = lambda name, loaded: "",
    ) -> None:
        """Make a registry.

        `kind` is the word for one of its objects in messages, `group` the entry-point group that extends it. `check`
        returns the problem with a loaded object, or an empty text.
        """
        self.kind, self.group = kind, group
        self._built_in, self._check = built_in, check

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """All entries by name: the built-in ones in the order of their table, then those of plug-ins by name."""
        found = {name: Entry(name, row.summary, (row.target,), ("lexgear",)) for name, row in self._built_in.items()}
        for point in sorted(entry_points(group=self.group), key=lambda point: (point.name, point.value)):
            known = found.get(point.name, Entry(point.name, _summary(point), (), ()))
            targets, origins = (*known.targets, point.value), (*known.origins, _distribution(point))
            found[point.name] = Entry(known.name, known.summary, targets, origins)
        return found

    def names(self) -> tuple[str, ...]:
        """Return all names."""
        return tuple(self.entries)

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, name: object) -> bool:
        return name in self.entries

    def __getitem__(self, name: str) -> T:
        """Import and return the object of a name."""
        entry = self.entries.get(name)
        if entry is None:
            remedy = f"one of {', '.join(self.entries)}"
            raise InputError(f"no {self.kind} named {name!r}", code=ErrorCode.UNKNOWN_NAME, remedy=remedy, name=name)
        if len(entry.targets) > 1:
            claims = " and ".join(entry.origins)
            remedy = "uninstall all but one of them"
            self._refuse(f"the {self.kind} {name!r} is defined by {claims}", entry, remedy)
        [target], [origin] = entry.targets, entry.origins
        try:
            loaded = _imported(target)
        except Exception as error:
            if origin == "lexgear":
                raise
            problem = f"the {self.kind} {name!r} of {origin} cannot be loaded: {type(error).__name__}: {error}"
            self._refuse(problem, entry, f"update or uninstall {origin}", error)
        if problem := self._check(name, loaded):
            self._refuse(f"the {self.kind} {name!r} of {origin} {problem}", entry, f"update or uninstall {origin}")
        return cast("T", loaded)

    @staticmethod
    def _refuse(problem: str, entry: Entry, remedy: str, cause: Exception | None = None) -> NoReturn:
        raise InputError(
            problem, code=ErrorCode.BROKEN_PLUGIN, remedy=remedy, name=entry.name, distributions=entry.origins
        ) from cause


def _imported(target: str) -> Any:
    """Return the object at `module:attribute`."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module.strip()), attribute.strip())


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "an unknown package"


def _summary(point: EntryPoint) -> str:
    """Return the one-line summary of the distribution that defines an entry point."""
    about = {} if point.dist is None else point.dist.metadata.json
    return " ".join(str(about.get("summary", "")).split())
