import { CAUSES, type Cause } from '../../../src/analysis/diagnosis/causes.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';

/** Numbers from 0 up to 1: a generator of 32 bits (mulberry32). */
export type Random = () => number;
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random program with the causes that were built into its regions. */
export interface Planted {
  readonly model: ThreadModel;
  readonly workers: number;
  /** By region. */
  readonly causes: ReadonlyMap<string, ReadonlySet<Cause>>;
}

/**
 * A program of one to four regions with 0 to 3 causes in all; causes that exclude each other are in different regions, and only
 * fine grain and linear spawning share one. Amounts refer to the default costs: a spawn takes 50 ns, a steal 500 ns, a
 * wake-up 5 us.
 */
export function planted(random: Random): Planted {
  const between = (low: number, high: number): number => low + (high - low) * random();
  const whole = (low: number, high: number): number => Math.floor(between(low, high + 1));
  const one = <T>(list: readonly T[]): T => list[whole(0, list.length - 1)]!;
  const workers = whole(4, 12);
  const count = whole(0, 3);
  const wanted: Cause[][] = [];
  for (let k = 0; k < count; k++) {
    const cause = one(CAUSES);
    const other = cause === 'fine-grain' ? 'linear-spawning' : cause === 'linear-spawning' ? 'fine-grain' : undefined;
    const shared = wanted.find((causes) => causes.length === 1 && causes[0] === other);
    if (shared !== undefined && workers <= 6 && random() < 0.5) shared.push(cause);
    else wanted.push([cause]);
  }
  const clean = wanted.length === 0 ? whole(1, 3) : whole(0, 4 - wanted.length);
  for (let k = 0; k < clean; k++) wanted.splice(whole(0, wanted.length), 0, []);
  const parts = wanted.map((causes) => partOf(causes, workers, { between, whole, one }));
  const model = threads({
    name: 'planted',
    build(t) {
      parts.forEach((part, k) => {
        t.compute({ seconds: 1e-5 });
        part(t, `r${k}`);
      });
    },
  });
  return {
    model: model as ThreadModel,
    workers,
    causes: new Map(wanted.map((causes, k) => [`r${k}`, new Set(causes)])),
  };
}

type Builder = Parameters<Parameters<typeof threads>[0]['build']>[0];
type Part = (t: Builder, name: string) => void;
interface Draw {
  between(low: number, high: number): number;
  whole(low: number, high: number): number;
  one<T>(list: readonly T[]): T;
}

function partOf(causes: readonly Cause[], workers: number, draw: Draw): Part {
  if (causes.length === 2) return linear(draw.between(0.55e-6, 0.8e-6), draw.whole(2000, 5000), draw);
  const [cause] = causes;
  switch (cause) {
    case undefined:
      return draw.one([cleanLoop, cleanChunks, cleanTree])(workers, draw);
    case 'fine-grain':
      return fine(draw);
    case 'linear-spawning':
      return linear(draw.between(2.5e-6, 3.5e-6), draw.whole(1000, 4000), draw);
    case 'too-few-tasks':
      return tooFew(workers, draw);
    default:
      return draw.one([oneLongChunk, unevenShares])(workers, draw);
  }
}

/** At least 30 tasks of 20 to 100 us for each worker. */
function cleanLoop(workers: number, { between, whole }: Draw): Part {
  const [seconds, grain] = [between(20e-6, 100e-6), whole(1, 8)];
  const n = grain * workers * whole(30, 60);
  return (t, name) =>
    t.parallelFor({ n, grain, name, body: (b) => b.compute({ seconds: ({ count }) => (count * seconds) / grain }) });
}

function cleanChunks(workers: number, { between, whole }: Draw): Part {
  const [seconds, chunk] = [between(20e-6, 50e-6), whole(1, 8)];
  const n = chunk * workers * whole(40, 80);
  return (t, name) =>
    t.parallelFor({
      ...{ n, chunk, name, schedule: 'dynamic' },
      body: (b) => b.compute({ seconds: ({ count }) => (count * seconds) / chunk }),
    });
}

/** A tree of tasks with 512 or more leaves. */
function cleanTree(_: number, { between, whole }: Draw): Part {
  const [seconds, depth] = [between(30e-6, 100e-6), whole(9, 10)];
  return (t, name) => {
    t.task(name, { depth }, (b) =>
      b.when(
        (s) => (s['depth'] as number) === 0,
        () => b.compute({ seconds }),
        () => {
          b.spawn(name, { depth: (s) => (s['depth'] as number) - 1 });
          b.spawn(name, { depth: (s) => (s['depth'] as number) - 1 });
          b.sync();
        },
      ),
    );
    t.region(name, () => {
      t.spawn(name);
      t.sync();
    });
  };
}

/** Tasks or chunks of some tens of nanoseconds. */
function fine({ between, whole, one }: Draw): Part {
  const [seconds, n] = [between(10e-9, 60e-9), whole(5000, 15_000)];
  const cut = one([{ schedule: 'tasks', grain: 1 } as const, { schedule: 'dynamic', chunk: whole(1, 4) } as const]);
  return (t, name) =>
    t.parallelFor({ n, ...cut, name, body: (b) => b.compute({ seconds: ({ count }) => count * seconds }) });
}

/** One strand spawns all tasks. */
function linear(seconds: number, n: number, { one }: Draw): Part {
  if (one([true, false]))
    return (t, name) => t.parallelFor({ n, spawning: 'linear', name, body: (b) => b.compute({ seconds }) });
  return (t, name) => {
    t.task(name, {}, (b) => b.compute({ seconds }));
    t.region(name, () => {
      t.loop('k', n, () => t.spawn(name));
      t.sync();
    });
  };
}

/** Time steps with fewer chunks than workers. */
function tooFew(workers: number, { between, whole }: Draw): Part {
  const [chunks, seconds, steps] = [whole(2, Math.floor(workers / 2)), between(50e-6, 200e-6), whole(10, 40)];
  return (t, name) =>
    t.loop('step', steps, () => t.parallelFor({ n: chunks, name, body: (b) => b.compute({ seconds }) }));
}

/** One of 3 to 5 chunks for each worker takes ten times longer than the others. */
function oneLongChunk(workers: number, { between, whole }: Draw): Part {
  const [chunks, seconds] = [workers * whole(3, 5), between(5e-3, 20e-3)];
  const long = whole(0, chunks - 1);
  return (t, name) =>
    t.parallelFor({
      n: chunks,
      name,
      body: (b) => b.compute({ seconds: ({ first }) => (first === long ? 10 * seconds : seconds) }),
    });
}

/** Even shares of iterations whose work increases. */
function unevenShares(workers: number, { between, whole }: Draw): Part {
  const n = workers * whole(4, 20);
  const seconds = between(0.2, 1) / n / n;
  return (t, name) =>
    t.parallelFor({
      n,
      name,
      schedule: 'static',
      body: (b) => b.compute({ seconds: ({ first, count }) => seconds * count * (first + count / 2) }),
    });
}
