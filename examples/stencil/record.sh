#!/bin/bash
# record.sh: records stencil-8.ti from stencil.c and writes expected-simgrid.txt, the times that SimGrid computes for it.
# Needs Debian's libsimgrid-dev (SimGrid 3.32: smpicc, smpirun) and gcc.
set -eu
cd "$(dirname "$0")"
ranks=8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ((r = 0; r < ranks; r++)); do echo "node$r"; done > "$work/hosts"
quiet=(--log=xbt_cfg.thres:critical --log=smpi_config.thres:error)

# The threshold makes SMPI ignore the CPU time of the program on this machine: only smpi_execute_flops counts.
smpicc -std=gnu11 -O2 -Wall -o "$work/stencil" stencil.c -lm
smpirun -np $ranks -platform cluster.xml -hostfile "$work/hosts" -trace-ti -trace-file "$work/trace" \
  --cfg=smpi/cpu-threshold:1e9 "${quiet[@]}" "$work/stencil"

# The recorded trace is a list of files, one per rank. Join them into one file, rank after rank.
# SimGrid 3.32 records a wildcard source as -333, but its replay expects -555.
xargs cat < "$work/trace" | sed -E 's/ +$//; s/^([0-9]+ i?recv) -333 /\1 -555 /' > stencil-8.ti

plain=(--cfg=network/model:CM02 --cfg=network/bandwidth-factor:1 --cfg=network/latency-factor:1 --cfg=network/weight-S:0
  --cfg=network/TCP-gamma:0 --cfg=network/crosstraffic:0 --cfg=smpi/os:0:0:0:0:0 --cfg=smpi/ois:0:0:0:0:0
  --cfg=smpi/or:0:0:0:0:0 --cfg=smpi/test:0 --cfg=smpi/iprobe:0 --cfg=smpi/init:0 --cfg=smpi/wtime:0
  --cfg=maxmin/concurrency-limit:-1)
realpath stencil-8.ti > "$work/list"
replay() {
  smpirun -no-privatize -replay "$work/list" -np $ranks -platform cluster.xml -hostfile "$work/hosts" "${quiet[@]}" \
    --log=smpi_replay.thres:verbose '--log=root.fmt:%.12r%e%P%e%m%n' "$@" 2>&1 \
    | awk '/Simulation time/ { total = $1; next } { end[$2] = $1 }
           END { print total; for (r = 0; r < '$ranks'; r++) print "  rank " r, end[r] }'
}
{
  echo "Simulated seconds by SimGrid 3.32: smpirun -replay stencil-8.ti on cluster.xml, rank r on node r;"
  echo "below each run the end of each rank's last action."
  echo "smpi (the default network model): $(replay)"
  echo "plain (no factors, no overheads): $(replay "${plain[@]}")"
} > expected-simgrid.txt
cat expected-simgrid.txt
