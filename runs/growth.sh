#!/usr/bin/env bash
# Measure how time, memory and disk space grow with the number of documents (bench/growth.py), words alone.
#   runs/growth.sh [OUT [SIZE ...]]
# Writes a table in Markdown to OUT (build/growth.md). The sizes are 10,000, 100,000 and 1,000,000 unless given; each one
# needs room for its collection and index, about 20 kB per document, in the directory WORK (build/growth). Remove that
# directory to measure again: steps whose numbers it has are not run.
set -euo pipefail
out=${1:-build/growth.md}
shift || true
[ $# -ge 1 ] || set -- 10000 100000 1000000
mkdir -p "$(dirname "$out")"
OMP_NUM_THREADS=1 python -m bench.growth "${WORK:-build/growth}" "$@" | tee "$out"
