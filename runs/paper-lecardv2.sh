#!/usr/bin/env bash
# GEAR's experiment on LeCaRDv2: import, train, search, evaluate.
set -euo pipefail

if [ $# -lt 3 ]; then
  cat >&2 <<'USAGE'
usage: runs/paper-lecardv2.sh DATA BACKBONE LAW [OPTION …]

  DATA      the split of GEAR's authors with the official candidate_55192 folder beside it
            (docs/datasets.md, lecardv2)
  BACKBONE  a T5 or mT5 checkpoint: the paper takes IDEA-CCNL/Randeng-T5-77M-MultiTask-Chinese
            (a directory with config.json, weights and tokenizer as published, or a hub name)
  LAW       a text of the Criminal Law with 【charge】 captions, whose paragraphs define the charges
  OPTION    for lexgear train, such as --set epochs=10
            or --set prototypes=DIR for a Legal-BERT as in the paper

Everything is written to build/paper-lecardv2.
USAGE
  exit 2
fi
data=$1 backbone=$2 law=$3
shift 3
here=$(cd "$(dirname "$0")/.." && pwd)
out=build/paper-lecardv2
mkdir -p "$out"

lexgear import lecardv2 "$data" --law "$law" --out "$out/collection"

lexgear train "$out/collection" --out "$out/index" --ranker gear \
  --config "$here/configs/paper-lecardv2.toml" --set "backbone=$backbone" "$@"
lexgear search "$out/index" --queries "$out/collection/queries.jsonl" --split test --run "$out/gear.run" --k 30

# BM25, for comparison.
lexgear train "$out/collection" --out "$out/bm25-index" --ranker bm25
lexgear search "$out/bm25-index" --queries "$out/collection/queries.jsonl" --split test --run "$out/bm25.run" --k 30

# The paper's MRR is `mrr_gear`: the mean of 1/rank over the relevant documents among the first 30.
lexgear evaluate "$out/gear.run" "$out/collection" --split test --baseline "$out/bm25.run" \
  --measures "R@1,R@5,R@10,R@20,RR,mrr_gear,coverage@1,coverage@3"
