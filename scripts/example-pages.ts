import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Net, NetBuilder, netToJson } from '../src/index.ts';

/*
 * Writes the example pages to `pages/`, as a user would: `npm run docs:pages` after a build. Each is one file of less than 1 MB.
 */

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The command of each page, by the name of its file. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  // Two nodes and five processes: at 0.000624 s N0 computes and N1 waits.
  'all-to-all': [
    ...['view', 'examples/all-to-all/model.ts', '--machine', 'examples/all-to-all/machine.yaml'],
    ...['--ranks', '5', '--placement', 'cyclic', '-o'],
  ],
  jacobi: ['view', 'examples/jacobi-2d/model.ts', '--ranks', '16', '-o'],
  // 200 scenarios: 4 numbers of ranks, 5 speeds, 5 latencies, 2 lengths.
  study: [
    ...['whatif', 'examples/heat-1d/model.ts', '--vary', 'ranks=2..16*2', '--vary', 'machine.speed=x0.5..x8*2'],
    ...['--vary', 'machine.network.latency=x0.25,x0.5,x1,x2,x4', '--vary', 'model.turns=6,12', '--report'],
  ],
  compare: ['compare', 'examples/jacobi-2d/model.ts', 'examples/heat-1d/model.ts', '--ranks', '16', '--report'],
  'worker-pool': ['view', 'examples/threads-loop/model.ts', '--workers', '4', '-o'],
};

mkdirSync(at('pages'), { recursive: true });
for (const [name, args] of Object.entries(PAGES)) {
  const file = at(`pages/${name}.html`);
  execFileSync(process.execPath, [at('dist/cli/main.js'), ...args, file], {
    cwd: at('.'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Five philosophers who take the left fork first: each holds one at last, and waits forever. */
function philosophers(count: number): Net {
  const n = new NetBuilder('philosophers');
  const Seat = n.range('Seat', 0, count - 1);
  const seats = Array.from({ length: count }, (_, p) => p);
  const right = n.intTable(
    'right',
    Int32Array.from(seats, (p) => (p + 1) % count),
  );
  const thinks = n.place('thinks', { p: Seat }, { initial: seats.map((p) => ({ p })) });
  const fork = n.place('fork', { f: Seat }, { initial: seats.map((f) => ({ f })) });
  const waits = n.place('waits', { p: Seat });
  const eats = n.place('eats', { p: Seat });
  n.transition('take left', (t) => {
    const { p } = t.take(thinks);
    t.take(fork, { f: p });
    t.put(waits, { p });
  });
  n.transition('take right', (t) => {
    const { p } = t.take(waits);
    t.take(fork, { f: right.at(p) });
    t.put(eats, { p });
  });
  n.transition('put both', (t) => {
    const { p } = t.take(eats);
    t.delay(1);
    t.put(thinks, { p });
    t.put(fork, { f: p });
    t.put(fork, { f: right.at(p) });
  });
  return n.build();
}

/** The page of the deadlock, which `verify` finds in five steps. */
const folder = mkdtempSync(join(tmpdir(), 'foretoken-pages-'));
writeFileSync(join(folder, 'philosophers.json'), netToJson(philosophers(5)));
const asked = ['-p', 'deadlock-free', '--report', at('pages/philosophers.html')];
const found = spawnSync(process.execPath, [at('dist/cli/main.js'), 'verify', 'philosophers.json', ...asked], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
});
rmSync(folder, { recursive: true });
// 1: the property is violated.
if (found.status !== 1) throw new Error(`verify ended with ${found.status}`);
