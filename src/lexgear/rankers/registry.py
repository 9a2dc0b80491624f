"""Table of the rankers by name, extended by the entry points of the group `lexgear.rankers`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexgear.registry import BuiltIn, Registry
from lexgear.settings import read_settings

if TYPE_CHECKING:
    from lexgear.rankers.base import Ranker

_PACKAGE = "lexgear.rankers"


def _row(target: str, summary: str) -> BuiltIn:
    return BuiltIn(f"{_PACKAGE}.{target}", summary)


def _problem(name: str, loaded: object) -> str:
    """Return why a class is not a ranker of this name; an empty text if it is."""
    from lexgear.rankers.base import Ranker

    if not (isinstance(loaded, type) and issubclass(loaded, Ranker)):
        return "is not a subclass of lexgear.rankers.base.Ranker"
    return "" if loaded.name == name else f"calls itself {loaded.name!r}"


RANKERS: Registry[type[Ranker]] = Registry(
    "ranker",
    "lexgear.rankers",
    {
        "bm25": _row("words.bm25:BM25", "BM25 over words"),
        "query_likelihood": _row("words.query_likelihood:QueryLikelihood", "query likelihood with Dirichlet smoothing"),
        "nearest_question": _row(
            "baselines.nearest_question:NearestQuestion", "baseline: the answers of the nearest training query"
        ),
        "dense": _row("dense.bi_encoder:Dense", "bi-encoder with in-batch and ANCE negatives"),
        "bert": _row("dense.bert_family:Bert", "BERT architecture as a bi-encoder"),
        "legal_bert": _row("dense.bert_family:LegalBert", "bert after masked-language pretraining on the collection"),
        "lawformer": _row("dense.bert_family:Lawformer", "1,024 tokens of input with Longformer attention"),
        "chatlaw_text2vec": _row("dense.bert_family:ChatLawText2Vec", "bert after contrastive text matching"),
        "gear": _row("generative.gear:Gear", "GEAR, the method of the paper"),
        "dsi": _row("generative.dsi:Dsi", "DSI with k-means IDs"),
        "dsi_qg": _row("generative.dsi_qg:DsiQg", "DSI trained on generated and filtered queries"),
        "nci": _row("generative.nci:Nci", "NCI: k-means IDs and a prefix-aware decoder"),
        "ultron": _row("generative.ultron:Ultron", "Ultron with product-quantised IDs"),
        "ultron_terms": _row("generative.ultron:UltronTerms", "Ultron with IDs made of terms"),
        "sailer": _row("dense.sailer:Sailer", "SAILER: structure-aware pretraining, then a bi-encoder"),
        "gdsr": _row("dense.gdsr:Gdsr", "G-DSR: bi-encoder with a graph network over the law"),
        "lexgear": _row("lexgear.ranker:Lexgear", "the default: law tree, hybrid leaves, exact search"),
        "charge_fusion": _row("lexgear.charge_fusion:ChargeFusion", "BM25 + log P(charge)"),
        "vector_fusion": _row("lexgear.vector_fusion:VectorFusion", "BM25 + vectors of the base model"),
        "fusion": _row("fusion:Fusion", "fusion of two rankers by scores or ranks"),
        "random": _row("baselines.random_order:RandomOrder", "baseline: random order"),
        "gold_charge_random": _row(
            "baselines.gold_charge:GoldChargeRandom", "baseline that reads the gold charges, then random order"
        ),
        "gold_charge_popular": _row(
            "baselines.gold_charge:GoldChargePopular", "baseline that reads the gold charges, then popularity"
        ),
    },
    _problem,
)


def ranker_type(name: str) -> type[Ranker]:
    """Return the class of a ranker."""
    return RANKERS[name]


def make_ranker(name: str, /, config: Path | None = None, assignments: Iterable[str] = (), **settings: Any) -> Ranker:
    """Return a new, untrained ranker.

    Its settings come from a TOML file (`config`), from `key=value` texts (`assignments`) and from keywords; later
    sources win.
    """
    kind = ranker_type(name)
    keywords = (f"{key}={value}" for key, value in settings.items())
    return kind(read_settings(kind.settings_type, config, [*assignments, *keywords]))
