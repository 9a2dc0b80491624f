#!/usr/bin/env bash
# GEAR's experiment on ELAM: import, add the texts, train, search, evaluate.
set -euo pipefail

if [ $# -lt 3 ]; then
  cat >&2 <<'USAGE'
usage: runs/paper-elam.sh DATA BACKBONE LAW [OPTION …]

  DATA      the split of GEAR's authors (docs/datasets.md, elam), and in it texts.jsonl, which is not
            public: one JSON object per line with the id of a case and its text
  BACKBONE  a T5 or mT5 checkpoint: the paper takes IDEA-CCNL/Randeng-T5-77M-MultiTask-Chinese
            (a directory with config.json, weights and tokenizer as published, or a hub name)
  LAW       a text of the Criminal Law with 【charge】 captions, whose paragraphs define the charges
  OPTION    for lexgear train, such as --set epochs=10
            or --set prototypes=DIR for a Legal-BERT as in the paper

Everything is written to build/paper-elam.
USAGE
  exit 2
fi
data=$1 backbone=$2 law=$3
shift 3
here=$(cd "$(dirname "$0")/.." && pwd)
out=build/paper-elam
mkdir -p "$out"

lexgear import elam "$data" --law "$law" --out "$out/labels"

# The collection contains charges and labels; the texts of documents and queries come from texts.jsonl.
python - "$out/labels" "$data/texts.jsonl" "$out/collection" <<'PYTHON'
import sys
from dataclasses import replace
from pathlib import Path

from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import load_collection, save_collection
from lexgear.files import read_jsonl

labels, texts, out = map(Path, sys.argv[1:])
collection, text = load_collection(labels), {str(row["id"]): row["text"] for _, row in read_jsonl(texts)}
documents = tuple(replace(one, sections={"text": text[one.id]}) for one in collection.documents if one.id in text)
queries = tuple(replace(one, text=text[one.id]) for one in collection.queries if one.id in text)
known = {one.id for one in documents}
asked = {one.id: collection.qrels.get(one.id, {}) for one in queries}
qrels = {query: {name: grade for name, grade in row.items() if name in known} for query, row in asked.items()}
save_collection(replace(collection, documents=documents, queries=queries, qrels=qrels), out, SkippedRecords())
print(f"{out}: texts for {len(documents):,} of {len(collection.documents):,} documents,", end=" ")
print(f"{len(queries):,} of {len(collection.queries):,} queries")
PYTHON

lexgear train "$out/collection" --out "$out/index" --ranker gear \
  --config "$here/configs/paper-elam.toml" --set "backbone=$backbone" "$@"
lexgear search "$out/index" --queries "$out/collection/queries.jsonl" --split test --run "$out/gear.run" --k 30

# BM25, for comparison.
lexgear train "$out/collection" --out "$out/bm25-index" --ranker bm25
lexgear search "$out/bm25-index" --queries "$out/collection/queries.jsonl" --split test --run "$out/bm25.run" --k 30

# The paper's MRR is `mrr_gear`: the mean of 1/rank over the relevant documents among the first 30.
lexgear evaluate "$out/gear.run" "$out/collection" --split test --baseline "$out/bm25.run" \
  --measures "R@1,R@5,R@10,R@20,RR,mrr_gear,coverage@1"
