#!/usr/bin/env bash
# GEAR's experiment on BSARD: import, select the paper's pool, train, search, evaluate.
set -euo pipefail

if [ $# -lt 2 ]; then
  cat >&2 <<'USAGE'
usage: runs/paper-bsard.sh DATA BACKBONE [OPTION …]

  DATA      BSARD's CSV files (docs/datasets.md, bsard)
  BACKBONE  a T5 or mT5 checkpoint: the paper takes t5-base
            (a directory with config.json, weights and tokenizer as published, or a hub name)
  OPTION    for lexgear train, such as --set epochs=10

Everything is written to build/paper-bsard.
USAGE
  exit 2
fi
data=$1 backbone=$2
shift 2
here=$(cd "$(dirname "$0")/.." && pwd)
out=build/paper-bsard
mkdir -p "$out"

lexgear import bsard "$data" --out "$out/all"

# The paper's pool contains only articles that answer at least one question, which raises all scores.
python - "$out/all" "$out/collection" <<'PYTHON'
import sys
from dataclasses import replace
from pathlib import Path

from lexgear.corpus.datasets.bsard import gear_pool
from lexgear.corpus.skipped_records import Skips
from lexgear.corpus.store import load_collection, save_collection

everything, out = map(Path, sys.argv[1:])
collection = load_collection(everything)
pool = set(gear_pool(collection.qrels))
documents = tuple(document for document in collection.documents if document.id in pool)
save_collection(replace(collection, documents=documents), out, Skips())
print(f"{out}: {len(documents):,} of {len(collection.documents):,} articles")
PYTHON

lexgear train "$out/collection" --out "$out/index" --ranker gear \
  --config "$here/configs/paper-bsard.toml" --set "backbone=$backbone" "$@"
lexgear search "$out/index" --queries "$out/collection/queries.jsonl" --split test --run "$out/gear.run" --k 30

# BM25, for comparison.
lexgear train "$out/collection" --out "$out/bm25-index" --ranker bm25
lexgear search "$out/bm25-index" --queries "$out/collection/queries.jsonl" --split test --run "$out/bm25.run" --k 30

# The paper's MRR is `mrr_gear`: the mean of 1/rank over the relevant documents among the first 30.
lexgear evaluate "$out/gear.run" "$out/collection" --split test --baseline "$out/bm25.run" \
  --measures "R@5,R@10,R@20,R@30,RR,mrr_gear"
