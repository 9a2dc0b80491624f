#!/usr/bin/env bash
# The systems of the paper and the ablations of GEAR in the manner of the paper: closed pools, from pretrained encoders.
set -euo pipefail

if [ $# -ne 3 ]; then
  cat >&2 <<'USAGE'
usage: runs/closed-pools.sh DATA ZH FR

  DATA  directory with lecard/, bsard/ and law-zh/ (docs/datasets.md)
  ZH    checkpoint of bge-small-zh-v1.5
  FR    checkpoint of multilingual-e5-small

Values per query are written to docs/results, the tables to docs/tables/closed-pools.md. A system and seed takes four to
ten minutes on a GPU, NCI seventeen; interrupted work resumes. To divide it, run `lexgear reproduce` with --systems and
--seed.
USAGE
  exit 2
fi
data=$1 zh=$2 fr=$3
cases=build/lecard-closed statutes=build/bsard-closed

lexgear import lecard "$data/lecard" --pool closed --law "$data/law-zh/criminal_law.txt" --out "$cases"
lexgear import bsard "$data/bsard" --pool closed --out "$statutes"

# A recipe refuses settings of systems that it does not have, so each one is given those of its own.
common=(--results docs/results --into docs/tables/closed-pools.md --set all.max_length=256 --set all.batch_size=32)
lecard=(--data "$cases" --backbone "all=$zh" "${common[@]}" --set all.epochs=20 --set all.query_epochs=4)
bsard=(--data "$statutes" --backbone "all=$fr" "${common[@]}" --set all.epochs=25 --set all.validation_share=0.1)
dsi=(--set dsi.learning_rate=1e-4)
encoders=(--set bert.query_epochs=10 --set sailer.query_epochs=10)
paper=(--set gear-paper.batch_size=16 --set gear-paper.learning_rate=1e-4
  --set gear-paper.decoder_learning_rate=1e-3 --set gear-paper.patience=1000)
lecard_paper=("${paper[@]}" --set gear-paper.epochs=12 --set gear-paper.query_epochs=2)
bsard_paper=("${paper[@]}" --set gear-paper.epochs=10)

lexgear reproduce table-retrieval --seeds 3 "${lecard[@]}" "${dsi[@]}" "${encoders[@]}" "${lecard_paper[@]}"
lexgear reproduce figure-ablation --seeds 3 "${lecard[@]}" "${lecard_paper[@]}"
lexgear reproduce figure-coverage --seeds 3 "${lecard[@]}" "${dsi[@]}" "${lecard_paper[@]}"
lexgear reproduce table-statutes --seeds 3 "${bsard[@]}" "${dsi[@]}" "${bsard_paper[@]}"
lexgear reproduce figure-learning-curve --seeds 1 "${bsard[@]}" "${dsi[@]}"
