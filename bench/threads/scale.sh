#!/usr/bin/env bash
# `bench/threads/scale.sh`: processor time and memory of predictions of a million tasks, and of 10^5 tasks on 100 and 1,000 workers.
# Needs `npm run build` and GNU time.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d "$root/.scale-XXXXXX")
trap 'rm -rf "$folder"' EXIT
cat > "$folder/node.yaml" <<'YAML'
nodes: 1
coresPerNode: 1000
speed: 1Gf
link: { latency: 1us, bandwidth: 10GB/s }
eagerBelow: 64KiB
YAML
cat > "$folder/halves.ts" <<'TS'
import { threads } from 'foretoken/models';
export default threads({
  name: 'halves',
  params: { n: 1e6 },
  build: (t) => t.parallelFor({ n: t.p.n, body: (b) => b.compute({ seconds: 1e-6 }) }),
});
TS
cat > "$folder/fib.ts" <<'TS'
import { threads } from 'foretoken/models';
export default threads({
  name: 'fib',
  params: { n: 28 },
  build(t) {
    t.task('fib', { n: 0 }, (b) => {
      b.when(
        (s) => s.n > 1,
        () => {
          b.spawn('fib', { n: (s) => s.n - 1 });
          b.spawn('fib', { n: (s) => s.n - 2 });
          b.sync();
        },
      );
      b.compute({ seconds: 1e-6 });
    });
    t.spawn('fib', { n: t.p.n });
    t.sync();
  },
});
TS
cat > "$folder/one-by-one.ts" <<'TS'
import { threads } from 'foretoken/models';
export default threads({
  name: 'one-by-one',
  params: { n: 1e6 },
  build(t) {
    t.task('w', {}, (b) => b.compute({ seconds: 1e-6 }));
    t.loop('k', t.p.n, () => t.spawn('w'));
    t.sync();
  },
});
TS
cd "$folder"
row() {
  local model=$1 scheduler=$2 workers=$3
  shift 3
  /usr/bin/time -f "%U %S %M" -o figures node "$root/dist/cli/main.js" predict "$model.ts" --machine node.yaml \
    --scheduler "$scheduler" --workers "$workers" --json "$@" > result.json
  awk -v m="$model" -v s="$scheduler" -v w="$workers" '{ printf "| %s | %s | %d | %.1f | %d |\n", m, s, w, $1 + $2, $3 / 1000 }' figures
}
echo '| model | scheduler | workers | CPU s | MB |'
echo '|---|---|--:|--:|--:|'
for model in halves fib one-by-one; do for scheduler in stealing central; do row "$model" "$scheduler" 8; done; done
for scheduler in stealing central; do for workers in 100 1000; do row halves "$scheduler" "$workers" --set n=100000; done; done
