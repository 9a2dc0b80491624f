"""Helpers for typed settings: read them from TOML and `key=value` texts, check their values, write them as rows."""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from lexgear.errors import InputError
from lexgear.files import read_text


def read_settings(settings_type: type[Any], config: Path | None, assignments: Iterable[str]) -> Any:
    """Settings from a TOML file and from `key=value` texts, the latter winning."""
    values = {} if config is None else _from_toml(config, settings_type)
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not equals:
            raise InputError(f"--set {assignment!r} is not key=value", remedy=_known(settings_type))
        values[key.strip()] = value.strip()
    return settings_from(settings_type, values)


def settings_from(settings_type: type[Any], values: Mapping[str, Any]) -> Any:
    """A settings object from plain values; unknown names and values of the wrong type are refused."""
    types = get_type_hints(settings_type)
    defaults = {field.name: field.default for field in fields(settings_type)}
    for name in values:
        if name not in defaults:
            raise InputError(f"no setting named {name!r}", remedy=_known(settings_type))
    return settings_type(
        **{name: _converted(name, value, defaults[name], types[name]) for name, value in values.items()}
    )


def settings_row(settings: Any) -> dict[str, Any]:
    """Settings as plain values, for the manifest."""
    return asdict(settings)


def _from_toml(config: Path, settings_type: type[Any]) -> dict[str, Any]:
    """The values in a file, tried alone so that an error names the file."""
    try:
        values = tomllib.loads(read_text(config))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", file=config, remedy="one `name = value` a line") from error
    try:
        settings_from(settings_type, values)
    except InputError as error:
        raise InputError(error.problem, file=config, remedy=error.remedy) from error
    return values


def _known(settings_type: type[Any]) -> str:
    """The settings with their defaults: `the settings are k1=1.5, b=0.75`."""
    return f"the settings are {', '.join(f'{field.name}={field.default}' for field in fields(settings_type))}"


def _converted(name: str, value: Any, default: Any, wanted: type[Any]) -> Any:
    text = str(value).strip()
    try:
        if wanted is bool:
            return {"true": True, "false": False}[text.lower()]
        return wanted(text)
    except (KeyError, ValueError):
        said = {bool: "true or false", int: "a whole number", float: "a number"}.get(wanted, wanted.__name__)
        raise InputError(f"setting {name}: {text!r} is not {said}", remedy=f"such as {name}={default}") from None


def within(name: str, value: float, low: float, high: float = math.inf) -> None:
    """Refuses a setting that is no number between two limits.

    >>> within("b", 7, 0, 1)
    Traceback (most recent call last):
    lexgear.errors.InputError: setting b: 7 is out of range (from 0 to 1)
    """
    if not (math.isfinite(value) and low <= value <= high):
        limits = f"{low} or more" if high == math.inf else f"from {low} to {high}"
        raise InputError(f"setting {name}: {value} is out of range", remedy=limits)


def one_of(name: str, value: str, choices: Sequence[str]) -> None:
    """Refuses a setting that is none of the choices.

    >>> one_of("search", "depth", ("exact", "beam"))
    Traceback (most recent call last):
    lexgear.errors.InputError: setting search: 'depth' (one of exact, beam)
    """
    if value not in choices:
        raise InputError(f"setting {name}: {value!r}", remedy=f"one of {', '.join(choices)}")


class SettingDescription(NamedTuple):
    """One setting as `lexgear settings` shows it."""

    name: str
    type: str
    """Such as `int`, or the allowed values: `exact | beam`."""
    default: str
    meaning: str
    """The docstring under the field."""


def describe_settings(settings_type: type[Any]) -> list[SettingDescription]:
    """Return name, type, default and meaning of every setting, those of nested parts under their flat names."""
    return [*_descriptions(settings_type(), _field_docs(settings_type))]


def _descriptions(settings: Any, docs: Mapping[str, str]) -> Iterator[SettingDescription]:
    types = get_type_hints(type(settings))
    for field in fields(settings):
        value = getattr(settings, field.name)
        if is_dataclass(value):
            yield from _descriptions(value, _field_docs(type(value)))
        else:
            yield SettingDescription(
                field.name, _type_name(types[field.name]), _value_text(value), docs.get(field.name, "")
            )


def _type_name(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " | ".join(get_args(kind))
    return kind.__name__ if isinstance(kind, type) else str(kind)


def _value_text(value: Any) -> str:
    """Return a default as it is written in a TOML file."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _field_docs(kind: type[Any]) -> dict[str, str]:
    """Return the docstring under each field of a dataclass and of its bases."""
    docs: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if not is_dataclass(base):
            continue
        [definition] = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        assert isinstance(definition, ast.ClassDef)
        for field, below in pairwise(definition.body):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(below, ast.Expr)
                and isinstance(below.value, ast.Constant)
            ):
                docs[field.target.id] = " ".join(str(below.value.value).split())
    return docs
