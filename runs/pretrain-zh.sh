#!/bin/sh
# Pretrain the Chinese base model from the raw data sets; the result is build/base-zh.
#   runs/pretrain-zh.sh [DATA] [OUT] [more arguments of lexgear pretrain]
# It takes minutes on one H200; GPUS=8 distributes it with torchrun. A stopped run resumes when started again.
set -eu
data=${1:-../shared/data}
out=${2:-build/base-zh}
[ $# -ge 1 ] && shift
[ $# -ge 1 ] && shift
collections=$out.collections
for name in lecard cail2018 lecardv2 stard; do
  [ -e "$collections/$name/collection.json" ] || lexgear import $name "$data/$name" --out "$collections/$name"
done
run="lexgear"
[ "${GPUS:-1}" -gt 1 ] && run="torchrun --nproc-per-node $GPUS --no-python lexgear"
# GEAR's split has LeCaRDv2's official test queries among its training queries: they are excluded by their text.
# Sized for inference without a GPU: 16 million parameters, 16 MB in 8 bits.
$run pretrain "$collections/lecard" "$collections/cail2018" "$collections/lecardv2" "$collections/stard" \
  --statute "$data/law-zh/criminal_law.txt" \
  --hold-out "$data/lecardv2/test_query.json" \
  --set neighbours=20 --set negatives=4 \
  --set hidden_size=320 --set num_heads=5 --set intermediate_size=896 --set num_encoder_layers=6 --set num_decoder_layers=2 \
  --set seconds=450 --set learning_rate=0.0008 --set steps=1000000 \
  --out "$out" "$@"
