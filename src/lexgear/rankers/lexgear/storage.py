"""Parts of a `lexgear` ranker on disk, besides the features of its documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lexgear.docids.place_sets import LawSymbols
from lexgear.files import PartsDirectory, read_json, write_json_list
from lexgear.lexical.array_checks import damaged_array
from lexgear.pretraining.charge_words import CHARGE_WORDS, ChargeWords
from lexgear.pretraining.matters import read_matters, write_matters
from lexgear.rankers.lexgear.features.concepts import Concepts
from lexgear.rankers.lexgear.features.document_features import DocumentFeatures, LawWords, segment_ids
from lexgear.rankers.lexgear.features.earlier_formats import load_earlier
from lexgear.rankers.lexgear.features.law_statistics import LawIdf, LawStatistics
from lexgear.rankers.lexgear.features.legal_terms import lexicon_for
from lexgear.rankers.lexgear.features.query_matrix import QueryMatrix
from lexgear.rankers.lexgear.features.segment import VECTORS, FeatureSegment
from lexgear.rankers.lexgear.features.training_queries import TrainingQueries
from lexgear.rankers.lexgear.inference import Inference
from lexgear.rankers.lexgear.weighting.weights import Weights
from lexgear.rankers.segmented import SegmentDirectory

if TYPE_CHECKING:
    from lexgear.rankers.lexgear.ranker import Lexgear

WEIGHTS, CONCEPTS, QUERY_MATRIX = "mixture.json", "concepts.npz", "query-matrix.npy"
SYMBOLS, LAW_IDF, LAW_TEXTS = "law-symbols.npz", "law-idf.npz", "law-texts.npz"


def save_learnt(ranker: Lexgear, directory: PartsDirectory) -> None:
    """Write the parts of a ranker that do not change when documents are added or removed."""
    inference = ranker.inference
    ranker.parts.save_learnt(directory)
    ranker.symbols.save(directory / SYMBOLS)
    inference.features.law.idf.save(directory / LAW_IDF)
    inference.features.law.texts.save(directory / LAW_TEXTS)
    ranker.training_queries.save(directory)
    inference.concepts.save(directory / CONCEPTS)
    if inference.charge_words:
        inference.charge_words.save(directory / CHARGE_WORDS)
    if inference.query_matrix:
        inference.query_matrix.save(directory / QUERY_MATRIX)
    if inference.matters:
        write_matters(directory, inference.matters)
    write_json_list(directory / WEIGHTS, [inference.weights.to_row()])


def load_segments(ranker: Lexgear, directory: PartsDirectory, segments: Sequence[SegmentDirectory]) -> None:
    """Set the learnt parts of a ranker, which `save_learnt` wrote, and the features of its documents."""
    ranker.training_queries = TrainingQueries.load(directory)
    if (directory / SYMBOLS).exists():
        ranker.symbols = LawSymbols.load(directory / SYMBOLS)
        law = LawWords(LawIdf.load(directory / LAW_IDF), LawStatistics.load(directory / LAW_TEXTS))
        loaded = [FeatureSegment.load(law.idf, *one) for one in segments]
    else:
        ranker.symbols, law, one = load_earlier(directory)
        loaded = [one]
    ids = segment_ids(ranker.symbols, loaded)
    parts = ranker.parts.load_learnt(directory, ids)
    charge_words, query_matrix = directory / CHARGE_WORDS, directory / QUERY_MATRIX
    concepts = Concepts.load(directory / CONCEPTS)
    encoder_width = {parts.generator.backbone.shape.width} if parts.has_generator else set()
    for path, found, known in (
        (directory / CONCEPTS, {one.concepts.shape[1] for one in loaded}, {concepts.centre.size}),
        (directory / VECTORS, {one.vectors.shape[1] for one in loaded}, {0} | encoder_width),
    ):
        if len(found) > 1 or not found <= known:
            raise damaged_array(path, f"vectors of documents have the widths {sorted(found)}")
    [weights] = read_json(directory / WEIGHTS)
    learnt = Weights.from_row(weights)
    if ranker.ranks_by_charges and not learnt.charge:  # the search divides by it
        raise ValueError("the weight 'charge' is 0")
    parts.inputs.legal_terms = lexicon_for(parts, ranker.settings) if "legal_terms" in weights else None
    ranker.inference = Inference(
        parts,
        learnt,
        concepts,
        DocumentFeatures.over(loaded, law, ids, ranker.training_queries),
        ChargeWords.load(charge_words) if charge_words.exists() else None,
        QueryMatrix.load(query_matrix) if query_matrix.exists() else None,
    )
    if parts.has_generator:
        ranker.inference.matters = read_matters(directory, parts.generator.backbone, parts.tokens)
