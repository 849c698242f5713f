import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { explore } from '../src/analysis/space/explore.ts';
import type { StateSpace } from '../src/analysis/space/state-space.ts';
import type { Net } from '../src/net/net.ts';
import { readPnml } from '../src/net/pnml/pnml-read.ts';

/*
 * Exploration without edges, compared with a generated C++ program for the same net and with Spin (if installed), run
 * alternately: npx tsx bench/explore.ts. Needs g++ and the reference data (FORETOKEN_REFERENCES, default ../shared).
 */

/** Form of the nets in the reference data (limits/nets.mjs): P are places, T transitions, with places by their index. */
interface PlainNet {
  readonly name: string;
  readonly P: readonly { readonly n: string; readonly init: number }[];
  readonly T: readonly {
    readonly n: string;
    readonly pre: readonly (readonly [place: number, count: number])[];
    readonly post: readonly (readonly [place: number, count: number])[];
  }[];
}

/** Explores once; returns millions of states per second. */
type Peer = () => number;

const references = resolve(process.env['FORETOKEN_REFERENCES'] ?? '../shared');
const limits = join(references, 'limits');
const rounds = Number(process.env['ROUNDS'] ?? 5);
const { get } = (await import(pathToFileURL(join(limits, 'nets.mjs')).href)) as { get(name: string): PlainNet };
const dir = mkdtempSync(join(tmpdir(), 'foretoken-bench-'));
const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1]!;
const hasSpin = spawnSync('spin', ['-V']).status === 0;

function netOf({ name, P, T }: PlainNet): Net {
  const tokens = (init: number) => (init === 0 ? [] : [{ values: [], count: init }]);
  return {
    name,
    colours: [],
    tables: [],
    places: P.map((p) => ({ name: p.n, fields: [], order: 'bag', key: [], initial: tokens(p.init) })),
    transitions: T.map((t) => ({
      name: t.n,
      inputs: t.pre.map(([p, count]) => ({ kind: 'take', place: P[p]!.n, pattern: {}, count })),
      outputs: t.post.map(([p, value]) => ({ place: P[p]!.n, values: {}, count: { op: 'const', value } })),
    })),
  };
}

/** The C++ and the Spin program of a net; `spin` is absent if it is not installed. */
function peers(name: string): { readonly cpp: Peer; readonly spin?: Peer } {
  const cpp = join(dir, name);
  writeFileSync(`${cpp}.cpp`, execFileSync(process.execPath, [join(limits, 'explorer-cpp.mjs'), name]));
  execFileSync('g++', ['-O3', '-march=native', '-w', `${cpp}.cpp`, '-o', cpp]);
  const theirs: Peer = () => Number(/"Mst":([\d.]+)/.exec(execFileSync(cpp, ['1'], { encoding: 'utf8' }))![1]);
  if (!hasSpin) return { cpp: theirs };
  const at = join(dir, `spin-${name}`);
  mkdirSync(at);
  writeFileSync(join(at, 'x.pml'), execFileSync(process.execPath, [join(limits, 'promela.mjs'), name]));
  execFileSync('spin', ['-a', 'x.pml'], { cwd: at });
  execFileSync('gcc', ['-O3', '-w', '-DSAFETY', '-DNOREDUCE', '-DBFS', '-o', 'pan', 'pan.c'], { cwd: at });
  const spin: Peer = () => {
    const text = spawnSync('./pan', ['-m10000000', '-w24'], { cwd: at, encoding: 'utf8' }).stdout;
    const states = Number(/([\d.e+]+) states, stored/.exec(text)![1]);
    return states / 1e6 / Number(/elapsed time ([\d.]+) seconds/.exec(text)![1]);
  };
  return { cpp: theirs, spin };
}

console.log(
  '| net | states | C++, M/s | one thread, M/s | ratio | two threads, M/s | times one | bytes/state | Spin, M/s | times Spin |',
);
console.log('|---|---|---|---|---|---|---|---|---|---|');
for (const name of ['kanban5', 'phil13', 'pipe9_4']) {
  const net = netOf(get(name));
  const { cpp, spin } = peers(name);
  const found = { cpp: [] as number[], one: [] as number[], two: [] as number[], spin: [] as number[] };
  let space!: StateSpace;
  for (let round = 0; round < rounds; round++) {
    found.cpp.push(cpp());
    for (const [key, workers] of [
      ['one', 1],
      ['two', 2],
    ] as const) {
      space = explore(net, { workers });
      found[key].push(space.states / space.seconds / 1e6);
    }
    if (spin !== undefined && round < 3) found.spin.push(spin());
  }
  const [c, one, two] = [median(found.cpp), median(found.one), median(found.two)];
  const s = spin === undefined ? undefined : median(found.spin);
  const cells = [
    name,
    space.states,
    c.toFixed(2),
    one.toFixed(2),
    (one / c).toFixed(2),
    two.toFixed(2),
    (two / one).toFixed(2),
  ];
  cells.push(
    (space.bytes / space.states).toFixed(1),
    s?.toFixed(2) ?? '–',
    s === undefined ? '–' : (one / s).toFixed(1),
  );
  console.log(`| ${cells.join(' | ')} |`);
}

console.log(`\n${availableParallelism()} processors. Coloured nets and their place/transition twins:`);
console.log('| net | states | edges | M states/s | bytes/state |');
console.log('|---|---|---|---|---|');
for (const name of ['SharedMemory-PT-000010', 'SharedMemory-COL-000010', 'BridgeAndVehicles-COL-V10P10N10']) {
  const { net } = readPnml(readFileSync(join(references, 'mcc', `${name}.pnml`), 'utf8'));
  const spaces = Array.from({ length: 3 }, () => explore(net));
  const { states, edges, bytes } = spaces[0]!;
  const rate = median(spaces.map((x) => x.states / x.seconds / 1e6));
  console.log(`| ${name} | ${states} | ${edges} | ${rate.toFixed(2)} | ${(bytes / states).toFixed(1)} |`);
}
rmSync(dir, { recursive: true });
