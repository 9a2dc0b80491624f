"""The rankers by name, and their settings from text."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, get_type_hints

from lexgear.errors import InputError
from lexgear.files import read_text
from lexgear.rankers.base import Ranker
from lexgear.rankers.bert_family import Bert, ChatLawText2Vec, Lawformer, LegalBert
from lexgear.rankers.bm25 import BM25
from lexgear.rankers.charge_fusion import ChargeFusion
from lexgear.rankers.dense import Dense
from lexgear.rankers.dsi import Dsi
from lexgear.rankers.dsi_qg import DsiQg
from lexgear.rankers.fusion import Fusion
from lexgear.rankers.gdsr import Gdsr
from lexgear.rankers.gear import Gear
from lexgear.rankers.lexgear import Lexgear
from lexgear.rankers.nci import Nci
from lexgear.rankers.nearest_question import NearestQuestion
from lexgear.rankers.query_likelihood import QueryLikelihood
from lexgear.rankers.random_order import RandomOrder
from lexgear.rankers.sailer import Sailer
from lexgear.rankers.trivial import GoldChargePopular, GoldChargeRandom
from lexgear.rankers.ultron import Ultron, UltronTerms

RANKERS: Mapping[str, type[Ranker]] = {
    ranker.name: ranker
    for ranker in (
        BM25,
        QueryLikelihood,
        NearestQuestion,
        Dense,
        Bert,
        LegalBert,
        Lawformer,
        ChatLawText2Vec,
        Gear,
        Dsi,
        DsiQg,
        Nci,
        Ultron,
        UltronTerms,
        Sailer,
        Gdsr,
        Lexgear,
        ChargeFusion,
        Fusion,
        RandomOrder,
        GoldChargeRandom,
        GoldChargePopular,
    )
}


def ranker_type(name: str) -> type[Ranker]:
    """The ranker of that name."""
    try:
        return RANKERS[name]
    except KeyError:
        raise InputError(f"no ranker named {name!r}", remedy=f"one of {', '.join(RANKERS)}") from None


def make_ranker(name: str, config: Path | None = None, assignments: Iterable[str] = ()) -> Ranker:
    """A ranker with settings from a TOML file and from `key=value` texts, the latter winning."""
    kind = ranker_type(name)
    return kind(read_settings(kind.settings_type, config, assignments))


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
