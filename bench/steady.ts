import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type MarkovChain, markovChain } from '../src/analysis/markov/chain.ts';
import { rateAt } from '../src/analysis/markov/rows.ts';
import { Sweeps } from '../src/analysis/markov/sweeps.ts';
import { exploration } from '../src/analysis/space/explore.ts';
import { KANBAN_RATES, kanban } from '../test/analysis/markov/stochastic-nets.ts';

/*
 * `npx tsx bench/steady.ts [CARDS] [ROUNDS]`: the Markov chain of the Kanban net. Building it compared with exploring, and Gauss–Seidel sweeps
 * compared with the C++ program of the reference data on the same chain to the same tolerance, run alternately. Needs g++ and the reference
 * data (FORETOKEN_REFERENCES, default ../shared).
 */
const cards = Number(process.argv[2] ?? 4);
const rounds = Number(process.argv[3] ?? 5);
const TOLERANCE = 1e-8;
const source = join(resolve(process.env['FORETOKEN_REFERENCES'] ?? '../shared'), 'limits/ctmc/gauss-seidel.cpp');
const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1]!;

const net = kanban(cards, KANBAN_RATES);

/** Seconds that a function takes, and its result. */
function timed<T>(run: () => T): { readonly seconds: number; readonly result: T } {
  const begun = performance.now();
  const result = run();
  return { seconds: (performance.now() - begun) / 1000, result };
}

function explored() {
  const running = exploration(net, {});
  while (running.advance(1 << 20));
  return running.space;
}

/** Sum of the rates out of each state. */
function exitRates({ states, start, rates }: MarkovChain): Float64Array {
  const exit = new Float64Array(states);
  for (let s = 0; s < states; s++) for (let e = start[s]!; e < start[s + 1]!; e++) exit[s]! += rateAt(rates, e);
  return exit;
}

/** Writes the chain as the C++ program reads it: rows of the rates into each state. */
function write(path: string, { states, start, target, rates }: MarkovChain, exit: Float64Array): void {
  const into = new Int32Array(states + 1);
  for (const j of target) into[j + 1]!++;
  for (let j = 0; j < states; j++) into[j + 1]! += into[j]!;
  const next = into.slice();
  const from = new Int32Array(target.length);
  const rate = new Float64Array(target.length);
  for (let s = 0; s < states; s++)
    for (let e = start[s]!; e < start[s + 1]!; e++) {
      const at = next[target[e]!]!++;
      from[at] = s;
      rate[at] = rateAt(rates, e);
    }
  const file = openSync(path, 'w');
  for (const part of [Int32Array.of(states, target.length), into, from, rate, exit]) writeSync(file, part);
  closeSync(file);
}

const dir = mkdtempSync(join(tmpdir(), 'foretoken-bench-'));
try {
  const peer = join(dir, 'gs');
  execFileSync('g++', ['-O3', '-march=native', source, '-o', peer]);
  const first = markovChain(explored())!;
  const exit = exitRates(first);
  const path = join(dir, 'chain.bin');
  write(path, first, exit);
  const figures = { explore: [] as number[], chain: [] as number[], own: [] as number[], cpp: [] as number[] };
  let [sweeps, theirSweeps] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const { seconds: exploring, result: space } = timed(explored);
    const { seconds: building, result: chain } = timed(() => markovChain(space)!);
    const solver = new Sweeps({ ...chain, exit });
    sweeps = 0;
    const { seconds: solving } = timed(() =>
      solver.stationary(TOLERANCE, () => {
        sweeps++;
        return false;
      }),
    );
    const told = JSON.parse(execFileSync(peer, [path, String(TOLERANCE)], { encoding: 'utf8' })) as {
      readonly seconds: number;
      readonly sweeps: number;
    };
    theirSweeps = told.sweeps;
    figures.explore.push(exploring);
    figures.chain.push(building);
    figures.own.push(solving);
    figures.cpp.push(told.seconds);
  }
  const [exploring, building, own, cpp] = [figures.explore, figures.chain, figures.own, figures.cpp].map(median);
  console.log(
    '| states | explore, s | chain, s | times explore | sweeps, s | C++, s | speed of C++ | sweeps, C++ sweeps |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  const cells = [
    first.states.toLocaleString('en'),
    exploring!.toFixed(3),
    building!.toFixed(3),
    (building! / exploring!).toFixed(2),
    own!.toFixed(3),
    cpp!.toFixed(3),
    (cpp! / own!).toFixed(2),
    `${sweeps}, ${theirSweeps}`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
} finally {
  rmSync(dir, { recursive: true });
}
