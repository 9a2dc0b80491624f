#!/bin/sh
# Pretrain the Chinese base model from bge-small-zh-v1.5 and the raw data sets; the result is build/base-zh.
#   START=DIR runs/pretrain-zh.sh [DATA] [OUT] [more arguments of lexgear pretrain]
# START is the checkpoint in the layout of Hugging Face (BAAI/bge-small-zh-v1.5, MIT), default build/encoders/bge.
# It takes minutes on one H200; GPUS=8 distributes it with torchrun. A stopped run resumes when started again.
# CAIL=0 leaves CAIL2018 out, whose texts may be used for research only.
# TWIN=1 leaves a fifth of the training questions out: a twin on which weights are chosen (docs/results.md).
set -eu
data=${1:-../shared/data}
out=${2:-build/base-zh}
[ $# -ge 1 ] && shift
[ $# -ge 1 ] && shift
collections=$out.collections
names="lecard cases-zh lecardv2 stard"
[ "${CAIL:-1}" = 1 ] && names="$names cail2018"
for name in $names; do
  [ -e "$collections/$name/collection.json" ] || lexgear import $name "$data/$name" --out "$collections/$name"
done
sources=""
for name in $names; do sources="$sources $collections/$name"; done
[ "${TWIN:-0}" = 1 ] && set -- --set question_holdout=0.2 "$@"
run="lexgear"
[ "${GPUS:-1}" -gt 1 ] && run="torchrun --nproc-per-node $GPUS --no-python lexgear"
# GEAR's split has LeCaRDv2's official test queries among its training queries: they are excluded by their text.
# shellcheck disable=SC2086 # a list of directories
$run pretrain $sources \
  --statute "$data/law-zh/criminal_law.txt" \
  --hold-out "$data/lecardv2/test_query.json" \
  --config configs/pretrain-zh.toml --set start="${START:-build/encoders/bge}" \
  --out "$out" "$@"
