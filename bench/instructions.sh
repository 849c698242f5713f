#!/usr/bin/env bash
# instructions.sh [STATIONS CUSTOMERS]: what a start or end of the closed queueing net takes, and one of the C++ program of the
# same net, counted by cachegrind: instructions, and branches that a simple predictor foretells wrongly. Unlike times, these
# are the same on a busy machine. Needs valgrind, g++ and the reference data (FORETOKEN_REFERENCES, default ../shared).
set -euo pipefail
cd "$(dirname "$0")/.."
references=${FORETOKEN_REFERENCES:-../shared}
size=${*:-100 1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Not for this machine's own processor: valgrind does not know its newest instructions.
g++ -O3 "$references/limits/queueing-net.cpp" -o "$work/peer"
# The product's version is read from two folders above.
cp package.json "$work"
net=$work/bundle/bench/net.mjs
npx esbuild bench/queueing-net.ts --bundle --platform=node --format=esm --outfile="$net" --log-level=error
# Optimised from the first step on, and by no thread of its own, so that two runs differ by their steps only.
node=(node --no-liftoff --no-wasm-lazy-compilation --single-threaded)
"${node[@]}" "$net" $size 100 >"$work/first"
count() {
  valgrind --tool=cachegrind --cache-sim=no --branch-sim=yes --smc-check=all-non-file --cachegrind-out-file=/dev/null \
    "$@" 2>&1 | sed -n 's/.*I *refs: *\([0-9,]*\).*/\1/p; s/.*Mispredicts: *\([0-9,]*\).*/\1/p' | tr -d ,
}
for who in "${node[*]} $net" "$work/peer"; do
  # Both play five times.
  paste <(count $who $size 400000) <(count $who $size 100000) |
    awk -v who="$([[ $who == node* ]] && echo foretoken || echo C++)" \
      '{v[NR] = ($1 - $2) / 1500000} END {printf "%s: %.0f instructions, %.2f branches foretold wrongly\n", who, v[1], v[2]}'
done
