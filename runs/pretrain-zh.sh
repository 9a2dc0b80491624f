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
for name in lecard cail2018 lecardv2; do
  [ -e "$collections/$name/collection.json" ] || lexgear import $name "$data/$name" --out "$collections/$name"
done
run="lexgear"
[ "${GPUS:-1}" -gt 1 ] && run="torchrun --nproc-per-node $GPUS --no-python lexgear"
# LeCaRDv2's official test queries stand among the training queries of GEAR's split: they are held out by their text.
$run pretrain "$collections/lecard" "$collections/cail2018" "$collections/lecardv2" \
  --statute "$data/law-zh/criminal_law.txt" \
  --hold-out "$data/lecardv2/test_query.json" \
  --out "$out" "$@"
