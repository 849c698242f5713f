import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { predict } from '../src/commands/predict/predict.ts';
import { alltoallBruck, alltoallPairwise } from '../src/models/collectives/alltoall.ts';
import { bcastBinomial, gatherBinomial, scatterBinomial } from '../src/models/collectives/binomial.ts';
import type { CollectiveSelector } from '../src/models/collectives/choice.ts';
import { disseminate, exchangeDoubling, exchangeHalving, scanDoubling } from '../src/models/collectives/doubling.ts';
import { expandCollective } from '../src/models/collectives/expand.ts';
import {
  barrierLinear,
  exchangeInterleaved,
  exchangeReceivesFirst,
  exchangeRotated,
  gatherLinear,
  scanLinear,
  scatterLinear,
} from '../src/models/collectives/linear.ts';
import { logarithmicNames, ring } from '../src/models/collectives/logarithmic-selector.ts';
import { ALIASES } from '../src/models/collectives/parse-choice.ts';
import { reduceScatterDoubling, reduceScatterPairwise } from '../src/models/collectives/reduce-scatter.ts';
import { SELECTABLE, type Selectable } from '../src/models/collectives/selectors/decision.ts';
import { bruckAllgather } from '../src/models/collectives/smpi/allgather.ts';
import { exchangeTrees } from '../src/models/collectives/smpi/recursive-doubling.ts';
import { smpiAlgorithms } from '../src/models/collectives/smpi/registry.ts';
import { type PointToPoint, Steps } from '../src/models/collectives/steps.ts';
import { spmd } from '../src/models/program/model.ts';
import type { Collective } from '../src/trace/collective.ts';

const page = readFileSync('docs/collectives.md', 'utf8');
const SECTIONS: readonly (readonly [title: string, selector: CollectiveSelector, nonblocking: boolean])[] = [
  ['`logarithmic`', 'logarithmic', false],
  ['`logarithmic`', 'logarithmic', true],
  ['`simgrid`, blocking calls', 'simgrid', false],
  ['`simgrid`, non-blocking calls', 'simgrid', true],
];

/** A row of a table of the page: the algorithm for a collective, ranks and bytes from–to. */
interface Row {
  readonly collective: string;
  readonly ranks: readonly [number, number];
  /** Whether the row is for powers of two, for other numbers of ranks, or for all. */
  readonly only: '2^k' | 'others' | undefined;
  /** The range of bytes for a number of ranks: the page divides some limits by P. */
  readonly bytes: (ranks: number) => readonly [number, number];
  readonly algorithm: string;
}

/** `3 … 7`, `8 …`, `any` or nothing; `100/P …` for P ranks. */
function range(text: string, ranks = 1): [number, number] {
  const [, from = '0', per, to, toPer] = /^(\d+)(\/P)? …(?: (\d+)(\/P)?)?(?: \D.*)?$/.exec(text) ?? [];
  const least = Math.ceil(Number(from) / (per === undefined ? 1 : ranks));
  const most = Math.floor(Number(to) / (toPer === undefined ? 1 : ranks));
  return [least, to === undefined ? Number.POSITIVE_INFINITY : most];
}

const isPower = (n: number): boolean => (n & (n - 1)) === 0;
const fits = ({ ranks: [low, high], only }: Row, n: number): boolean =>
  low <= n && n <= high && (only === undefined || (only === '2^k') === isPower(n));

function rowsOf(title: string): Row[] {
  const section = page.slice(page.indexOf(`## ${title}\n`)).split('\n## ')[0]!;
  return section
    .split('\n')
    .filter((line) => /^\| [a-z]/.test(line) && !line.startsWith('| collective |'))
    .map((line) => {
      const [, collective = '', ranks = '', bytes = '', algorithm = ''] = line.split('|').map((cell) => cell.trim());
      const [ends, only] = /^(.*…) (2\^k|others)$/.exec(ranks)?.slice(1) ?? [ranks];
      return {
        collective,
        ranks: range(ends!),
        only: only as Row['only'],
        bytes: (size: number) => range(bytes, size),
        algorithm,
      };
    });
}

const ROOT = 1;
const list = <T>(n: number, of: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => of(i));
/** Parts of different sizes with a given sum. */
const uneven = (size: number, total: number): number[] =>
  list(size, (i) => Math.floor(total / size) + (i === 0 ? total % size : 0));

/** A call of the collective of a row; for reducescatter, `bytes` is the sum of the parts. */
function callOf(row: string, size: number, bytes: number): Collective {
  const root = ROOT % size;
  const [name, parts] = row.split(', ');
  const kind = name as Collective['kind'];
  const each = list(size, () => bytes);
  switch (kind) {
    case 'barrier':
      return { kind };
    case 'bcast':
      return { kind, bytes, root };
    case 'reduce':
      return { kind, bytes, flops: 0, root };
    case 'allreduce':
    case 'scan':
    case 'exscan':
      return { kind, bytes, flops: 0 };
    case 'gather':
    case 'scatter':
      return { kind, sendBytes: bytes, recvBytes: bytes, root };
    case 'allgather':
    case 'alltoall':
      return { kind, sendBytes: bytes, recvBytes: bytes };
    case 'gatherv':
      return { kind, sendBytes: bytes, recvBytes: each, root };
    case 'scatterv':
      return { kind, sendBytes: each, recvBytes: bytes, root };
    case 'allgatherv':
      return { kind, sendBytes: bytes, recvBytes: each };
    case 'alltoallv':
      return { kind, sendBytes: each, recvBytes: each };
    case 'reducescatter': {
      const equal = parts === 'equal parts';
      return { kind, recvBytes: equal ? each : uneven(size, bytes), flops: 0 };
    }
  }
}

/** The steps of the algorithm that the page names. */
function stepsOf(algorithm: string, row: string, rank: number, size: number, bytes: number): readonly PointToPoint[] {
  const steps = new Steps(rank, size);
  const root = ROOT % size;
  const kind = row.split(', ')[0]!;
  const tag = -99;
  const same = (): number => bytes;
  const parts = row.startsWith('reducescatter')
    ? (callOf(row, size, bytes) as { recvBytes: readonly number[] }).recvBytes
    : [];
  const part = (i: number): number => parts[i] ?? bytes;
  const own = (): number => parts[rank] ?? bytes;
  const sum = (ranks: readonly number[]): number => (kind === 'reduce' ? 1 : ranks.length) * bytes;
  const each = Math.ceil(bytes / size);
  const known: Readonly<Record<string, () => void>> = {
    dissemination: () => disseminate(steps, tag),
    'binomial tree': () => {
      if (kind === 'bcast') bcastBinomial(steps, bytes, root);
      else if (kind.startsWith('scatter')) scatterBinomial(steps, tag, root, sum);
      else gatherBinomial(steps, tag, root, sum);
    },
    'binomial scatter, then ring': () => {
      scatterBinomial(steps, tag, root, (ranks) => ranks.length * each);
      ring(steps, tag, () => each);
    },
    'binomial scatter, then recursive doubling': () => {
      scatterBinomial(steps, tag, root, (ranks) => ranks.length * each);
      exchangeTrees(steps, tag, root, (from, to) => (to - from) * each);
    },
    'recursive doubling': () => {
      if (kind === 'allreduce') exchangeDoubling(steps, tag, bytes);
      else exchangeTrees(steps, tag, 0, (from, to) => (to - from) * bytes);
    },
    'recursive halving and doubling': () => exchangeHalving(steps, tag, bytes),
    'prefix doubling': () => scanDoubling(steps, tag, bytes),
    ring: () => ring(steps, tag, same),
    Bruck: () => {
      if (kind === 'alltoall') alltoallBruck(steps, bytes);
      else bruckAllgather(steps, tag, (_, blocks) => blocks * bytes);
    },
    pairwise: () => alltoallPairwise(steps, bytes, bytes),
    'recursive doubling of parts': () => reduceScatterDoubling(steps, parts),
    'pairwise parts': () => reduceScatterPairwise(steps, parts),
    linear: () => {
      if (kind.endsWith('scan')) scanLinear(steps, bytes);
      else if (kind.startsWith('scatter') || kind === 'bcast') scatterLinear(steps, tag, root, same, bytes);
      else gatherLinear(steps, tag, root, bytes, same);
    },
    'linear, through rank 0': () => barrierLinear(steps),
    'posted, through rank 0': () => {
      for (const peer of rank > 0 ? [0] : list(size - 1, (i) => i + 1)) {
        if (rank > 0) steps.isend(peer, tag, 0);
        steps.irecv(peer, tag, 0);
        if (rank === 0) steps.isend(peer, tag, 0);
      }
      steps.waitAll();
    },
    'linear, interleaved': () => exchangeInterleaved(steps, tag, part, own),
    'linear, rotated': () => exchangeRotated(steps, tag, same, same),
    'linear, receives first': () => exchangeReceivesFirst(steps, tag, same, same),
    'linear reduce, then binomial bcast': () => {
      gatherLinear(steps, tag, 0, bytes, same);
      bcastBinomial(steps, bytes, 0);
    },
    'linear reduce, then linear scatter': () => {
      gatherLinear(steps, tag, 0, bytes * size, () => bytes * size);
      scatterLinear(steps, tag, 0, same, bytes);
    },
  };
  expect(Object.keys(known)).toContain(algorithm);
  known[algorithm]!();
  return steps.list;
}

const untagged = (steps: readonly PointToPoint[]): unknown[] =>
  steps.map((s) => ('tag' in s ? { ...s, tag: 0 } : { ...s }));

/** Numbers of ranks and bytes within a row: both ends, and some beyond an open end. */
function inside([low, high]: readonly [number, number], least: number, more: readonly number[]): number[] {
  return [Math.max(low, least), high, ...more].filter(
    (n) => n >= Math.max(low, least) && n <= high && Number.isFinite(n),
  );
}

describe.each(SECTIONS)('%s (%s, non-blocking: %s)', (title, selector, nonblocking) => {
  const rows = rowsOf(title);

  test('every row names the algorithm of the code, at both ends of its ranges', () => {
    for (const row of rows) {
      const { collective, ranks, bytes, algorithm } = row;
      const sizes = inside(ranks, 1, ranks[1] === Number.POSITIVE_INFINITY ? [2, 5, 8, 13, 16] : []);
      for (const size of sizes.filter((n) => fits(row, n)))
        for (const b of collective === 'barrier' ? [0] : inside(bytes(size), 0, [8, 5000, 2_000_000]))
          for (const rank of new Set([0, 1, size - 1].filter((r) => r < size))) {
            // Parts of different sizes need several ranks and bytes.
            if (collective.startsWith('reducescatter, other') && (size < 2 || b % size === 0)) continue;
            const found = expandCollective(callOf(collective, size, b), rank, size, selector, nonblocking);
            const named = stepsOf(algorithm, collective, rank, size, b);
            expect(untagged(found), `${collective} ${size} ranks, ${b} B: ${algorithm}`).toEqual(untagged(named));
            // Predictions list calls by the name of their algorithm.
            if (selector === 'logarithmic')
              expect(logarithmicNames(callOf(collective, size, b), size), `${collective} ${size} ranks, ${b} B`).toBe(
                algorithm,
              );
          }
    }
  });

  test('the rows cover every collective, number of ranks and size once', () => {
    const kinds = new Set(rows.map(({ collective }) => collective));
    expect(new Set([...kinds].map((kind) => kind.split(', ')[0])).size).toBe(15);
    for (const kind of kinds)
      for (const size of [1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 255, 256, 511, 512, 1023, 1024, 2047, 2048, 4096, 1e5])
        for (const b of [
          0, 1, 2, 3, 4, 16, 255, 256, 512, 1024, 2048, 4096, 32768, 262144, 524288, 524289, 1048576, 1e9,
        ]) {
          const within = ([low, high]: readonly [number, number], n: number): boolean => low <= n && n <= high;
          const fitting = rows.filter((r) => r.collective === kind && fits(r, size) && within(r.bytes(size), b));
          expect(fitting, `${kind} ${size} ranks, ${b} B`).toHaveLength(1);
        }
  });
});

test('the table of one operation has the names that it takes, and no others', () => {
  const section = page.slice(page.indexOf('## One operation')).split('\n## ')[0]!;
  const rows = [...section.matchAll(/^\| `([a-z]+)` \|(.*)\|(.*)\|$/gm)];
  expect(rows.map(([, operation]) => operation).sort()).toEqual([...SELECTABLE].sort());
  for (const [, operation, algorithms, textbook] of rows) {
    const names = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    const own = Object.keys(smpiAlgorithms[operation as Selectable]).filter((name) => name !== 'default');
    expect(names(algorithms!).sort(), operation).toEqual(own.sort());
    const aliases = Object.keys(ALIASES[operation as Selectable] ?? {});
    const other = aliases.filter((name) => !own.includes(name));
    expect(
      names(textbook!)
        .filter((name) => !own.includes(name))
        .sort(),
      operation,
    ).toEqual(other.sort());
  }
});

test('the figures of `default` and `logarithmic` are those of foretoken', () => {
  const rows = page
    .slice(page.indexOf('## How much the choice changes'))
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows).toHaveLength(9);
  const machine = 'test/models/collectives/cluster.xml';
  for (const [, ranks, size, byDefault, , , , , logarithmic] of rows) {
    const bytes = { '64 KiB': 2 ** 16, '1 MiB': 2 ** 20, '16 MiB': 2 ** 24 }[size!]!;
    const model = spmd({ name: 'allreduce', build: (m) => m.allreduce({ bytes }) });
    const time = (collectives: CollectiveSelector): string =>
      (1000 * predict(model, { machine, ranks: Number(ranks), collectives }).figures.runTime.value).toPrecision(4);
    expect(Number(time('simgrid'))).toBe(Number(byDefault));
    expect(Number(time('logarithmic'))).toBe(Number(logarithmic));
  }
});
