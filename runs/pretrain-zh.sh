#!/bin/sh
# The Chinese base model, from the raw data sets to build/base-zh.
#   runs/pretrain-zh.sh [DATA] [OUT] [more arguments of lexgear pretrain]
# On one H200 it learns in minutes; GPUS=8 shares the work with torchrun. Stopped, it goes on when started again.
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
# LeCaRDv2's official test queries stand among the training queries of GEAR's split: they are held out by their text.
# Sizes for a machine without a GPU: 16 million parameters, 16 MB in 8 bits.
$run pretrain "$collections/lecard" "$collections/cail2018" "$collections/lecardv2" "$collections/stard" \
  --statute "$data/law-zh/criminal_law.txt" \
  --hold-out "$data/lecardv2/test_query.json" \
  --set neighbours=20 --set negatives=4 \
  --set width=320 --set heads=5 --set inner=896 --set encoder_layers=6 --set decoder_layers=2 \
  --set seconds=450 --set learning_rate=0.0008 --set steps=1000000 \
  --out "$out" "$@"
