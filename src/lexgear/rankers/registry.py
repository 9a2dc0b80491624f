"""The rankers by name, and their settings from text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from lexgear.errors import InputError
from lexgear.rankers.base import Ranker
from lexgear.rankers.baselines.gold_charge import GoldChargePopular, GoldChargeRandom
from lexgear.rankers.baselines.nearest_question import NearestQuestion
from lexgear.rankers.baselines.random_order import RandomOrder
from lexgear.rankers.dense.bert_family import Bert, ChatLawText2Vec, Lawformer, LegalBert
from lexgear.rankers.dense.bi_encoder import Dense
from lexgear.rankers.dense.gdsr import Gdsr
from lexgear.rankers.dense.sailer import Sailer
from lexgear.rankers.fusion import Fusion
from lexgear.rankers.generative.dsi import Dsi
from lexgear.rankers.generative.dsi_qg import DsiQg
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.generative.nci import Nci
from lexgear.rankers.generative.ultron import Ultron, UltronTerms
from lexgear.rankers.lexgear.charge_fusion import ChargeFusion
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.words.bm25 import BM25
from lexgear.rankers.words.query_likelihood import QueryLikelihood
from lexgear.settings import read_settings

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
