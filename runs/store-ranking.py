#!/usr/bin/env python
"""Store the ranking weights of an index in a base model: store-ranking.py INDEX BASE.

The index is trained with a twin of the base model that has not seen the validation questions. Weights learnt with the
base model itself would trust its vectors too much on questions that it has learnt.
"""

import sys
from pathlib import Path

from lexgear.api import Index
from lexgear.pretraining.base import save_ranking_weights
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.training import ranking_kind
from lexgear.rankers.lexgear.weighting.weights import RANKING

if len(sys.argv) != 3:
    sys.exit(__doc__)
ranker = Index.load(Path(sys.argv[1])).ranker
if not isinstance(ranker, Lexgear):
    sys.exit(f"an index of {ranker.name}: its weights are not those of lexgear")
weights = {name: round(getattr(ranker.inference.weights, name), 3) for name in RANKING}
save_ranking_weights(Path(sys.argv[2]), ranking_kind(ranker), weights)
print(ranking_kind(ranker), weights)
