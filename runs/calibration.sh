#!/usr/bin/env bash
# Measure the calibration of the judgment: CAIL2018's 800 test cases, then LeCaRD's queries.
#   runs/calibration.sh DATA [MODEL [OUT]]
# MODEL is an index of the ranker lexgear or a base model; without it, the base model of the package is measured.
# Each part prints the number of texts, the calibration error of the charge named first and of all listed charges, and
# reliability tables.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: runs/calibration.sh DATA [MODEL [OUT]]" >&2; exit 2; }
data=$1 model=${2:-} out=${3:-build/calibration}

for name in cail2018 lecard; do
  [ -e "$out/$name/collection.json" ] || lexgear import "$name" "$data/$name" --out "$out/$name"
  lexgear judge ${model:+"$model"} --queries "$out/$name/queries.jsonl" --out "$out/$name.judged.jsonl"
done
