#!/bin/sh
# Pretrain the French base model from multilingual-e5-small and the raw data sets; the result is build/base-fr.
#   START=DIR runs/pretrain-fr.sh [DATA] [OUT] [more arguments of lexgear pretrain]
# START is the checkpoint in the layout of Hugging Face (intfloat/multilingual-e5-small, MIT), default build/encoders/e5.
# It takes minutes on one H200; GPUS=8 distributes it with torchrun. A stopped run resumes when started again.
# Of BSARD only the articles are used: its questions may not be used commercially, and a base model has to be free.
# TWIN=1 leaves four in ten training questions out: a twin on which weights are chosen (docs/results.md).
set -eu
data=${1:-../shared/data}
out=${2:-build/base-fr}
[ $# -ge 1 ] && shift
[ $# -ge 1 ] && shift
collections=$out.collections
for name in servicepublic bsard; do
  [ -e "$collections/$name/collection.json" ] || lexgear import $name "$data/$name" --out "$collections/$name"
done
[ "${TWIN:-0}" = 1 ] && set -- --set question_holdout=0.4 "$@"
run="lexgear"
[ "${GPUS:-1}" -gt 1 ] && run="torchrun --nproc-per-node $GPUS --no-python lexgear"
$run pretrain "$collections/servicepublic" --documents-only "$collections/bsard" \
  --config configs/pretrain-fr.toml --set start="${START:-build/encoders/e5}" \
  --out "$out" "$@"
