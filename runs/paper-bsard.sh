#!/usr/bin/env bash
# GEAR's experiment on BSARD: import the paper's pool, train, search, evaluate.
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

# The paper's pool contains only articles that answer at least one question, which raises all scores.
lexgear import bsard "$data" --pool closed --out "$out/collection"

lexgear train "$out/collection" --out "$out/index" --ranker gear \
  --config "$here/configs/paper-bsard.toml" --set "backbone=$backbone" "$@"
lexgear search "$out/index" --queries "$out/collection/queries.jsonl" --split test --run "$out/gear.run" --k 30

# BM25, for comparison.
lexgear train "$out/collection" --out "$out/bm25-index" --ranker bm25
lexgear search "$out/bm25-index" --queries "$out/collection/queries.jsonl" --split test --run "$out/bm25.run" --k 30

# The authors released no code for BSARD: the paper's MRR may be RR, or `mrr_gear` as on the other data sets (the mean of
# 1/rank over the relevant documents among the first 30).
lexgear evaluate "$out/gear.run" "$out/collection" --split test --baseline "$out/bm25.run" \
  --measures "R@5,R@10,R@20,R@30,RR,mrr_gear"
