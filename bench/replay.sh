#!/usr/bin/env bash
# replay.sh [RANKS STEPS [PLATFORM...]]: a ring halo exchange with compute and allreduce, predicted by foretoken and
# replayed by SimGrid alternately. Platforms: without and with contention; for 64 or 256 ranks also a fat tree of 64 hosts.
# Needs smpirun (Debian: libsimgrid-dev), time, and the reference data (FORETOKEN_REFERENCES, default ../shared).
# Prints the median wall-clock seconds of whole processes, foretoken's peak memory, and the ratio of times SimGrid / foretoken.
set -euo pipefail
cd "$(dirname "$0")/.."
references=${FORETOKEN_REFERENCES:-../shared}
# If this is set, Node reads all certificates of the system at startup.
unset NODE_EXTRA_CA_CERTS
ranks=${1:-64} steps=${2:-2700} runs=${RUNS:-5}
platforms=$references/traces/ti/platforms
suffix= hosts=$platforms/hosts-1per.txt
if ((ranks > 256)); then suffix=-1024 hosts=$platforms/hosts-1024.txt; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$references/limits/ring-halo-ti.py" "$ranks" "$steps" "$work/trace.ti" | sed 's/.* /actions: /'
median() { sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
names=(flat-nocontention flat-nic)
if ((ranks == 64 || ranks == 256)); then
  names+=(fattree64)
  # Each host of the tree is listed once per rank: one rank per core, or four ranks per core.
  awk -v n=$((ranks / 64)) '{for (k = 0; k < n; k++) print}' "$platforms/hosts-64.txt" >"$work/hosts-of-tree.txt"
fi
if (($# > 2)); then names=("${@:3}"); fi
for platform in "${names[@]}"; do
  of=$hosts
  if [[ $platform == fattree64 ]]; then of=$work/hosts-of-tree.txt; fi
  : >"$work/ours"
  : >"$work/theirs"
  for ((k = 0; k < runs; k++)); do
    /usr/bin/time -f '%e %M' -o "$work/one" node dist/cli/main.js predict "$work/trace.ti" \
      --machine "$platforms/$platform$suffix.xml" --hostfile "$of" --ranks "$ranks" \
      --oversubscribe --network-model simgrid-plain --json >"$work/document.json"
    cat "$work/one" >>"$work/ours"
    "$references/limits/simgrid-replay.sh" "$ranks" plain "$work/trace.ti" "$platforms/$platform$suffix.xml" "$of" \
      2>&1 | sed -n 's/.*wall_s=\([0-9.]*\).*peak_kb=\([0-9]*\).*/\1 \2/p' >>"$work/theirs"
  done
  ours=$(cut -d' ' -f1 "$work/ours" | median) theirs=$(cut -d' ' -f1 "$work/theirs" | median)
  kb=$(cut -d' ' -f2 "$work/ours" | median)
  time=$(node -p "JSON.parse(require('fs').readFileSync('$work/document.json')).figures.runTime.value")
  ratio=$(awk "BEGIN {printf \"%.2f\", $theirs / $ours}")
  echo "$platform: foretoken $ours s, $((kb / 1024)) MB; SimGrid $theirs s; ratio $ratio; simulated $time s"
done
