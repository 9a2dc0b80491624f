#!/bin/sh
# The French base model, from the Belgian articles and training questions of BSARD to build/base-fr.
#   runs/pretrain-fr.sh [DATA] [OUT] [more arguments of lexgear pretrain]
# On one H200 it learns in minutes; GPUS=8 shares the work with torchrun. Stopped, it goes on when started again.
set -eu
data=${1:-../shared/data}
out=${2:-build/base-fr}
[ $# -ge 1 ] && shift
[ $# -ge 1 ] && shift
collection=$out.collections/bsard
[ -e "$collection/collection.json" ] || lexgear import bsard "$data/bsard" --out "$collection"
run="lexgear"
[ "${GPUS:-1}" -gt 1 ] && run="torchrun --nproc-per-node $GPUS --no-python lexgear"
# Two million tokens of text: a small model, half as wide a vocabulary, and windows as long as most articles.
$run pretrain "$collection" \
  --set vocabulary=8000 --set max_facts_length=1024 --set max_reasoning_length=128 --set max_length=384 --set validation_size=40 \
  --set width=256 --set heads=4 --set inner=768 --set encoder_layers=4 --set decoder_layers=2 \
  --set seconds=100 --set steps=1000000 \
  --out "$out" "$@"
