#!/usr/bin/env bash
# instructions.sh [STATIONS CUSTOMERS]: instructions and branch mispredictions per start or end of the closed queueing net,
# and of the C++ program for the same net, counted by cachegrind (with its simple branch predictor). Unlike times, these
# numbers do not depend on other load. Needs valgrind, g++ and the reference data (FORETOKEN_REFERENCES, default ../shared).
set -euo pipefail
cd "$(dirname "$0")/.."
references=${FORETOKEN_REFERENCES:-../shared}
size=${*:-100 1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Without -march=native: valgrind may not support the newest instructions of this processor.
g++ -O3 "$references/limits/queueing-net.cpp" -o "$work/peer"
# The bundle reads the package version from package.json two folders above it.
cp package.json "$work"
net=$work/bundle/bench/net.mjs
npx esbuild bench/queueing-net.ts --bundle --platform=node --format=esm --outfile="$net" --log-level=error
# Optimize from the start and without a separate thread, so that two runs differ only in their number of steps.
node=(node --no-liftoff --no-wasm-lazy-compilation --single-threaded)
"${node[@]}" "$net" $size 100 >"$work/first"
count() {
  valgrind --tool=cachegrind --cache-sim=no --branch-sim=yes --smc-check=all-non-file --cachegrind-out-file=/dev/null \
    "$@" 2>&1 | sed -n 's/.*I *refs: *\([0-9,]*\).*/\1/p; s/.*Mispredicts: *\([0-9,]*\).*/\1/p' | tr -d ,
}
for who in "${node[*]} $net" "$work/peer"; do
  # Both programs run the net five times.
  paste <(count $who $size 400000) <(count $who $size 100000) |
    awk -v who="$([[ $who == node* ]] && echo foretoken || echo C++)" \
      '{v[NR] = ($1 - $2) / 1500000} END {printf "%s: %.0f instructions, %.2f branches foretold wrongly\n", who, v[1], v[2]}'
done
