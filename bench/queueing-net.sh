#!/usr/bin/env bash
# queueing-net.sh: the closed queueing net after warm-up, compared with a hand-written C++ program for the same net.
# Needs g++ and the reference data (FORETOKEN_REFERENCES, default ../shared).
# Both run alternately, RUNS times (default 5); each run reports the median of five simulations. Prints the medians of the
# runs, in millions of starts and ends per second, and their ratio foretoken / C++.
set -euo pipefail
cd "$(dirname "$0")/.."
references=${FORETOKEN_REFERENCES:-../shared}
runs=${RUNS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
g++ -O3 -march=native "$references/limits/queueing-net.cpp" -o "$work/peer"
# The bundle reads the package version from package.json two folders above it.
cp package.json "$work"
net=$work/bundle/bench/net.mjs
npx esbuild bench/queueing-net.ts --bundle --platform=node --format=esm --outfile="$net" --log-level=error
median() { sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
for size in "100 1000" "1000 10000" "10000 100000"; do
  for variant in plain classes guards; do
    : >"$work/theirs"
    : >"$work/ours"
    for ((k = 0; k < runs; k++)); do
      "$work/peer" $size 4000000 | sed 's/.*"Mev":\([0-9.]*\).*/\1/' >>"$work/theirs"
      node "$net" $size 4000000 "$variant" | sed 's/.*"millions":\([0-9.]*\).*/\1/' >>"$work/ours"
    done
    theirs=$(median <"$work/theirs") ours=$(median <"$work/ours")
    awk "BEGIN {printf \"%s, %s: foretoken %.1f M/s; C++ %.1f M/s; ratio %.2f\n\", \"$size\", \"$variant\", $ours, $theirs, $ours / $theirs}"
  done
done
