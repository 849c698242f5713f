#!/usr/bin/env bash
# queueing-net.sh: the closed queueing net, warm, beside a hand-written C++ program of the same net.
# Needs g++ and the reference data (FORETOKEN_REFERENCES, default ../shared).
# Prints millions of starts and ends per second of each and the ratio foretoken / C++.
set -euo pipefail
cd "$(dirname "$0")/.."
references=${FORETOKEN_REFERENCES:-../shared}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
g++ -O3 -march=native "$references/limits/queueing-net.cpp" -o "$work/peer"
for size in "100 1000" "1000 10000" "10000 100000"; do
  theirs=$("$work/peer" $size 4000000 | sed 's/.*"Mev":\([0-9.]*\).*/\1/')
  for variant in plain classes guards; do
    ours=$(npx tsx bench/queueing-net.ts $size 4000000 "$variant" | sed -n 's/.*"millions":\([0-9.]*\).*/\1/p')
    awk "BEGIN {printf \"%s, %s: foretoken %.1f M/s; C++ %.1f M/s; ratio %.2f\n\", \"$size\", \"$variant\", $ours, $theirs, $ours / $theirs}"
  done
done
