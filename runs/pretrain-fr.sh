#!/bin/sh
# Pretrain the French base model on the articles and training questions of BSARD; the result is build/base-fr.
#   runs/pretrain-fr.sh [DATA] [OUT] [more arguments of lexgear pretrain]
# It takes minutes on one H200; GPUS=8 distributes it with torchrun. A stopped run resumes when started again.
set -eu
data=${1:-../shared/data}
out=${2:-build/base-fr}
[ $# -ge 1 ] && shift
[ $# -ge 1 ] && shift
collection=$out.collections/bsard
[ -e "$collection/collection.json" ] || lexgear import bsard "$data/bsard" --out "$collection"
run="lexgear"
[ "${GPUS:-1}" -gt 1 ] && run="torchrun --nproc-per-node $GPUS --no-python lexgear"
# For two million tokens of text: a small model with a smaller vocabulary, and texts as long as most articles.
$run pretrain "$collection" \
  --set vocab_size=8000 --set max_facts_length=1024 --set max_reasoning_length=128 --set max_length=384 --set validation_size=40 \
  --set hidden_size=256 --set num_heads=4 --set intermediate_size=768 --set num_encoder_layers=4 --set num_decoder_layers=2 \
  --set seconds=100 --set steps=1000000 \
  --out "$out" "$@"
