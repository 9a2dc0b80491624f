#!/usr/bin/env bash
# GEAR, DSI and their ablations in the manner of the paper: closed pools, from pretrained encoders.
set -euo pipefail

if [ $# -ne 3 ]; then
  cat >&2 <<'USAGE'
usage: runs/closed-pools.sh DATA ZH FR

  DATA  directory with lecard/, bsard/ and law-zh/ (docs/datasets.md)
  ZH    checkpoint of bge-small-zh-v1.5
  FR    checkpoint of multilingual-e5-small

Values per query are written to docs/results, the tables to docs/tables/closed-pools.md. A system and seed takes about
five minutes on a GPU; interrupted work resumes. To divide it, run `lexgear reproduce` with --systems and --seed.
USAGE
  exit 2
fi
data=$1 zh=$2 fr=$3
cases=build/lecard-closed statutes=build/bsard-closed
page=docs/tables/closed-pools.md

lexgear import lecard "$data/lecard" --pool closed --law "$data/law-zh/criminal_law.txt" --out "$cases"
lexgear import bsard "$data/bsard" --pool closed --out "$statutes"

common=(--results docs/results --seeds 3
  --set all.max_length=256 --set all.batch_size=32 --set dsi.learning_rate=1e-4
  --set gear-paper.batch_size=16 --set gear-paper.learning_rate=1e-4
  --set gear-paper.decoder_learning_rate=1e-3 --set gear-paper.patience=1000)
lecard=(--data "$cases" --backbone "all=$zh" "${common[@]}"
  --set all.epochs=20 --set all.query_epochs=4 --set gear-paper.epochs=12 --set gear-paper.query_epochs=2)
bsard=(--data "$statutes" --backbone "all=$fr" "${common[@]}"
  --set all.epochs=25 --set all.validation_share=0.1 --set gear-paper.epochs=10)

for recipe in table-retrieval figure-ablation figure-coverage; do
  lexgear reproduce "$recipe" "${lecard[@]}" --into "$page"
done
for recipe in table-statutes figure-learning-curve; do
  lexgear reproduce "$recipe" "${bsard[@]}" --into "$page"
done
