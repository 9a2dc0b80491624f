"""Typed settings: composed of frozen dataclasses, read and written under flat names.

A settings class may hold parts, which are settings classes themselves. Users never see the parts: in TOML files,
`key=value` texts and manifests every setting goes by its own name, so names are unique within a settings class.

A settings class with the setting `backbone` may have a mapping `with_backbone`: defaults that apply instead if
`backbone` names a model to start from. `configure` and `settings_from` insert them, so that settings always hold the
values that are used.
"""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_text

Settings = TypeVar("Settings")

RENAMED = {
    "tokens": "max_length",
    "vocabulary": "vocab_size",
    "width": "hidden_size",
    "heads": "num_heads",
    "encoder_layers": "num_encoder_layers",
    "decoder_layers": "num_decoder_layers",
    "batch": "batch_size",
    "rate": "learning_rate",
    "warm_up": "warmup",
    "accumulate": "gradient_accumulation",
    "held_out": "validation_share",
    "taught_epochs": "query_epochs",
    "beams": "num_beams",
    "train_beams": "num_train_beams",
    "shape": "id_shape",
    "thin": "token_dropout",
    "window": "attention_window",
    "negatives": "hard_negatives",
    "refresh": "negative_refresh",
    "queries_a_batch": "queries_per_batch",
    "pace": "id_rate_factor",
    "pairs": "pairs_per_document",
    "written": "queries_per_document",
    "query_tokens": "max_query_length",
    "kept": "kept_queries",
    "search_pace": "search_rate_factor",
    "tuning_pace": "tuning_rate_factor",
    "how": "combine",
}
"""Names of settings before version 0.2, which manifests of older indexes hold."""

BEFORE = {"passages": "all"}
"""Values of settings for indexes of versions that lacked them, which keep reading as they were trained."""


class Setting(NamedTuple):
    """One setting under its flat name."""

    name: str
    type: Any
    default: Any
    part: str
    """Name of the part that holds it; empty if the settings class itself does."""
    owner: type[Any]
    """The dataclass that declares it."""


def settings_of(settings_type: type[Any]) -> Iterator[Setting]:
    """Yield every setting of a settings class in the order of declaration, parts included."""
    types, defaults = get_type_hints(settings_type), settings_type()
    for field in fields(settings_type):
        default = getattr(defaults, field.name)
        if is_dataclass(default):
            for inner in fields(default):
                kind = get_type_hints(type(default))[inner.name]
                yield Setting(inner.name, kind, getattr(default, inner.name), field.name, type(default))
        else:
            yield Setting(field.name, types[field.name], default, "", settings_type)


def configure(settings_type: type[Settings], /, **values: Any) -> Settings:
    """Return settings with some values changed from the defaults, given by their flat names."""
    defaults = settings_type()
    starts_from = values.get("backbone", getattr(defaults, "backbone", ""))
    return changed(defaults, **(_with_backbone(settings_type) if starts_from else {}) | values)


def changed(settings: Settings, /, **values: Any) -> Settings:
    """Return settings with some values changed, given by their flat names."""
    kind = type(settings)
    known = {one.name: one for one in settings_of(kind)}
    own: dict[str, Any] = {}
    parts: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        if name not in known:
            raise _unknown(name, kind)
        part = known[name].part
        (parts.setdefault(part, {}) if part else own)[name] = value
    own |= {part: replace(getattr(settings, part), **inner) for part, inner in parts.items()}
    made: Settings = replace(settings, **own)  # type: ignore[type-var]
    return made


def read_settings(settings_type: type[Any], config: Path | None, assignments: Iterable[str]) -> Any:
    """Return settings from a TOML file and from `key=value` texts; the latter win."""
    values = {} if config is None else _from_toml(config, settings_type)
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not equals:
            raise InputError(
                f"{assignment!r} is not key=value", code=ErrorCode.INVALID_SETTING, remedy=_known(settings_type)
            )
        values[key.strip()] = value.strip()
    return settings_from(settings_type, values)


def settings_from(settings_type: type[Settings], values: Mapping[str, Any]) -> Settings:
    """Return settings from plain values; unknown names and values of the wrong type raise `InputError`."""
    known = {one.name: one for one in settings_of(settings_type)}
    for name in values:
        if name not in known:
            raise _unknown(name, settings_type)
    return configure(settings_type, **{name: _converted(known[name], value) for name, value in values.items()})


def stored_settings(settings_type: type[Settings], row: Mapping[str, Any]) -> Settings:
    """Return the settings of a manifest, whose names may be those of an earlier version."""
    known = {one.name for one in settings_of(settings_type)}
    before = {name: value for name, value in BEFORE.items() if name in known}
    stored = {name if name in known else RENAMED.get(name, name): value for name, value in row.items()}
    return settings_from(settings_type, before | stored)


def settings_row(settings: Any) -> dict[str, Any]:
    """Return settings as plain values under their flat names."""
    return {
        one.name: getattr(getattr(settings, one.part) if one.part else settings, one.name)
        for one in settings_of(type(settings))
    }


def within(name: str, value: float, low: float, high: float = math.inf) -> None:
    """Raise `InputError` if a setting is not a number between two limits.

    >>> within("b", 7, 0, 1)
    Traceback (most recent call last):
    lexgear.errors.InputError: setting b: 7 is out of range (from 0 to 1)
    """
    if not (math.isfinite(value) and low <= value <= high):
        limits = f"{low} or more" if high == math.inf else f"from {low} to {high}"
        raise InputError(
            f"setting {name}: {value} is out of range", code=ErrorCode.INVALID_SETTING, remedy=limits, name=name
        )


def one_of(name: str, value: str, choices: Sequence[str]) -> None:
    """Raise `InputError` if a setting is none of the choices.

    >>> one_of("search", "depth", ("exact", "beam"))
    Traceback (most recent call last):
    lexgear.errors.InputError: setting search: 'depth' (one of exact, beam)
    """
    if value not in choices:
        raise InputError(
            f"setting {name}: {value!r}",
            code=ErrorCode.INVALID_SETTING,
            remedy=f"one of {', '.join(choices)}",
            name=name,
        )


def _from_toml(config: Path, settings_type: type[Any]) -> dict[str, Any]:
    """Return the values of a file, checked on their own so that an error names the file."""
    try:
        values = tomllib.loads(read_text(config))
    except tomllib.TOMLDecodeError as error:
        raise InputError(
            f"not valid TOML: {error}",
            code=ErrorCode.FILE_MALFORMED,
            file=config,
            remedy="write one `name = value` per line",
        ) from error
    try:
        settings_from(settings_type, values)
    except InputError as error:
        raise InputError(error.problem, code=error.code, file=config, remedy=error.remedy) from error
    return values


def _unknown(name: str, settings_type: type[Any]) -> InputError:
    renamed = RENAMED.get(name)
    remedy = f"it is now called {renamed}" if renamed in {one.name for one in settings_of(settings_type)} else ""
    return InputError(
        f"no setting named {name!r}",
        code=ErrorCode.UNKNOWN_SETTING,
        remedy=remedy or _known(settings_type),
        name=name,
    )


def _known(settings_type: type[Any]) -> str:
    """Return the settings with their defaults: `the settings are k1=1.5, b=0.75`."""
    return f"the settings are {', '.join(f'{one.name}={one.default}' for one in settings_of(settings_type))}"


def _converted(setting: Setting, value: Any) -> Any:
    text, wanted = str(value).strip(), setting.type
    try:
        if wanted is bool:
            return {"true": True, "false": False}[text.lower()]
        if get_origin(wanted) is Literal:
            one_of(setting.name, text, get_args(wanted))
            return text
        return wanted(text)
    except (KeyError, ValueError):
        expected = {bool: "true or false", int: "a whole number", float: "a number"}.get(wanted, wanted.__name__)
        raise InputError(
            f"setting {setting.name}: {text!r} is not {expected}",
            code=ErrorCode.INVALID_SETTING,
            remedy=f"such as {setting.name}={setting.default}",
            name=setting.name,
        ) from None


class SettingDescription(NamedTuple):
    """One setting as `lexgear settings` shows it."""

    name: str
    type: str
    """Such as `int`, or the allowed values: `exact | beam`."""
    default: str
    with_backbone: str
    """The default if `backbone` names a model to start from; empty if it is the same."""
    meaning: str
    """The docstring under the field."""


def describe_settings(settings_type: type[Any]) -> list[SettingDescription]:
    """Return name, type, default and meaning of every setting, those of nested parts under their flat names."""
    instead = _with_backbone(settings_type)
    return [
        SettingDescription(
            one.name,
            _type_name(one.type),
            _value_text(one.default),
            _value_text(instead[one.name]) if instead.get(one.name, one.default) != one.default else "",
            _field_docs(one.owner).get(one.name, ""),
        )
        for one in settings_of(settings_type)
    ]


def _with_backbone(settings_type: type[Any]) -> dict[str, Any]:
    """Return the defaults of a settings class that apply if `backbone` names a model to start from."""
    return dict(getattr(settings_type, "with_backbone", {}))


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
