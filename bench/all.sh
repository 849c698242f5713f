#!/usr/bin/env bash
# all.sh: all benchmark tables of docs/evidence.md, including the programs compared with; takes about half an hour.
# Needs the built package and the requirements of each script.
set -euo pipefail
cd "$(dirname "$0")/.."
echo "# Start-up of short commands"
node bench/start-up.mjs
echo "# Replay beside SimGrid"
bench/replay.sh 64 2700
bench/replay.sh 256 680
bench/replay.sh 1024 170
echo "# Ten million actions"
bench/replay.sh 64 27000 flat-nocontention
echo "# The closed queueing net beside C++"
bench/queueing-net.sh
echo "# Functions as expressions, as tables, and called"
npx tsx bench/functions.ts
echo "# The queue of events beside a heap"
npx tsx bench/event-queue.ts
echo "# Models beside their traces"
npx tsx bench/models.ts
echo "# Models from 64 to 65,536 ranks"
npx tsx bench/ranks.ts
echo "# 7936 threads under cooperative schedulers"
npx tsx bench/threads.ts
echo "# Record and profile of ten million spans"
npx tsx bench/run-record.ts
echo "# Pages of a million spans beside speedscope"
npx tsx bench/view.ts
echo "# State spaces beside C++ and Spin"
npx tsx bench/explore.ts
echo "# The Markov chain of Kanban 4 beside exploring, and its solution beside C++"
npx tsx bench/steady.ts 4 3
