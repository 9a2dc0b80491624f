"""The models behind the table of rationale extraction: query generator and summariser."""

from __future__ import annotations

from lexgear.corpus.records import Collection
from lexgear.evaluation.reproduce.rationale.model_inputs import MakeInputs, first_tokens, rationales
from lexgear.evaluation.reproduce.rationale.tables import FIRST, QUERY, RATIONALE, SUMMARY, rationale_tables
from lexgear.evaluation.reproduce.recipe import Profile, Recipes
from lexgear.evaluation.reproduce.report import Table
from lexgear.progress import Progress, silent
from lexgear.rankers.generative.dsi_qg import DsiQg
from lexgear.rankers.inputs import Inputs
from lexgear.rationale.records import RationaleSettings


def rationale_report_tables(
    collection: Collection, recipes: Recipes, profile: Profile, summariser: str = "", progress: Progress = silent
) -> list[Table]:
    """Return the tables with queries generated as in DSI-QG, and with summaries if a language model is given."""
    from lexgear.model.text_generation.summariser import load_summariser

    return rationale_tables(
        collection,
        summarise=load_summariser(summariser, collection.language) if summariser else None,
        generate=_query_generator(collection, recipes, profile, progress),
        progress=progress,
    )


def rationale_methods(
    collection: Collection, recipes: Recipes, summariser: str = "", progress: Progress = silent
) -> dict[str, MakeInputs]:
    """Return the methods of the paper's table by name; that of a language model only if one is given."""
    from lexgear.model.text_generation.summariser import load_summariser

    inputs = Inputs.of(collection, RationaleSettings())
    methods: dict[str, MakeInputs] = {
        FIRST: first_tokens(collection.language),
        QUERY: _query_generator(collection, recipes, recipes.profile(collection), progress),
    }
    if summariser:
        methods[SUMMARY] = load_summariser(summariser, collection.language)
    return methods | {RATIONALE: rationales(inputs)}


def _query_generator(collection: Collection, recipes: Recipes, profile: Profile, progress: Progress) -> MakeInputs:
    """Return a function that generates one query per text, by the generator that DSI-QG trains on the collection."""
    ranker = recipes.system("dsi_qg").make_ranker(0, profile)
    assert isinstance(ranker, DsiQg)
    return ranker.fit_writer(collection, progress).one_query_each
