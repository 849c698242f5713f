import { alltoallBruck, alltoallPairwise } from './alltoall.ts';
import { bcastBinomial } from './binomial.ts';
import {
  barrierLinear,
  exchangeInterleaved,
  exchangeReceivesFirst,
  exchangeRotated,
  gatherLinear,
  scanLinear,
  scatterLinear,
} from './linear.ts';
import { reduceScatterDoubling, reduceScatterPairwise } from './reduce-scatter.ts';
import type { Selector, Steps } from './steps.ts';
import { collectiveTag } from './steps.ts';

/**
 * Algorithms of SimGrid 3.32 without `smpi/coll-selector`: `smpi_default_selector.cpp`, whose alltoall follows
 * `smpi_openmpi_selector.cpp` and whose unequal reducescatter follows `smpi_mpich_selector.cpp`.
 */
export const simgridSelector: Selector = {
  barrier: barrierLinear,
  bcast: (steps, c) => bcastBinomial(steps, c.bytes, c.root),
  reduce: (steps, c) => reduceLinear(steps, c.bytes, c.root),
  allreduce: (steps, c) => {
    reduceLinear(steps, c.bytes, 0);
    bcastBinomial(steps, c.bytes, 0);
  },
  scan: (steps, c) => scanLinear(steps, c.bytes),
  exscan: (steps, c) => scanLinear(steps, c.bytes),
  gather: (steps, c) => gatherLinear(steps, collectiveTag.gather, c.root, c.sendBytes, () => c.recvBytes),
  gatherv: (steps, c) => gatherLinear(steps, collectiveTag.gatherv, c.root, c.sendBytes, (i) => c.recvBytes[i]!),
  scatter: (steps, c) => scatterLinear(steps, collectiveTag.scatter, c.root, () => c.sendBytes, c.recvBytes),
  scatterv: (steps, c) => scatterLinear(steps, collectiveTag.scatterv, c.root, (i) => c.sendBytes[i]!, c.recvBytes),
  allgather: (steps, c) =>
    exchangeInterleaved(
      steps,
      collectiveTag.allgather,
      () => c.sendBytes,
      () => c.recvBytes,
    ),
  allgatherv: (steps, c) =>
    exchangeInterleaved(
      steps,
      collectiveTag.allgatherv,
      () => c.sendBytes,
      (i) => c.recvBytes[i]!,
    ),
  alltoall: (steps, c) => {
    const algorithm = alltoallAlgorithm(steps.size, c.sendBytes);
    if (algorithm === 'bruck') alltoallBruck(steps, c.sendBytes);
    else if (algorithm === 'pairwise') alltoallPairwise(steps, c.sendBytes, c.recvBytes);
    else
      exchangeRotated(
        steps,
        collectiveTag.alltoall,
        () => c.sendBytes,
        () => c.recvBytes,
      );
  },
  alltoallv: (steps, c) =>
    exchangeReceivesFirst(
      steps,
      collectiveTag.alltoallv,
      (i) => c.sendBytes[i]!,
      (i) => c.recvBytes[i]!,
    ),
  reducescatter: (steps, c) => {
    const parts = c.recvBytes;
    if (parts.every((bytes) => bytes === parts[0])) {
      reduceLinear(steps, parts[0]! * parts.length, 0);
      scatterLinear(steps, collectiveTag.scatterv, 0, (i) => parts[i]!, parts[steps.rank]!);
    } else if (parts.reduce((a, b) => a + b, 0) / (c.elementBytes ?? 1) > 524288) {
      reduceScatterPairwise(steps, parts);
    } else {
      reduceScatterDoubling(steps, parts);
    }
  },
};

function reduceLinear(steps: Steps, bytes: number, root: number): void {
  gatherLinear(steps, collectiveTag.reduce, root, bytes, () => bytes);
}

type AlltoallAlgorithm = 'linear' | 'pairwise' | 'bruck';

/** `[from, algorithm]` rows in ascending order of bytes per pair; the last row with `from` ≤ bytes applies. */
type BySize = readonly (readonly [from: number, algorithm: AlltoallAlgorithm])[];

const KI = 1024;

/** Rows by number of ranks; the last entry with `ranks` ≤ P applies. */
const alltoallTable: readonly { readonly ranks: number; readonly rows: BySize }[] = [
  { ranks: 1, rows: [[0, 'linear']] },
  {
    ranks: 2,
    rows: [
      [0, 'pairwise'],
      [2, 'linear'],
      [4, 'pairwise'],
      [16, 'linear'],
      [64, 'pairwise'],
      [256, 'linear'],
      [4 * KI, 'pairwise'],
      [32 * KI, 'linear'],
      [1024 * KI, 'pairwise'],
    ],
  },
  {
    ranks: 3,
    rows: [
      [0, 'linear'],
      [512 * KI, 'pairwise'],
      [1024 * KI, 'linear'],
    ],
  },
  { ranks: 8, rows: [[0, 'linear']] },
  {
    ranks: 16,
    rows: [
      [0, 'linear'],
      [4, 'bruck'],
      [512, 'linear'],
    ],
  },
  {
    ranks: 32,
    rows: [
      [0, 'bruck'],
      [512, 'linear'],
    ],
  },
  {
    ranks: 64,
    rows: [
      [0, 'bruck'],
      [KI, 'linear'],
      [256 * KI, 'pairwise'],
    ],
  },
  {
    ranks: 256,
    rows: [
      [0, 'bruck'],
      [KI, 'linear'],
      [32 * KI, 'pairwise'],
    ],
  },
  {
    ranks: 512,
    rows: [
      [0, 'bruck'],
      [512, 'linear'],
      [256 * KI, 'pairwise'],
    ],
  },
  {
    ranks: 1024,
    rows: [
      [0, 'bruck'],
      [512, 'linear'],
    ],
  },
  {
    ranks: 2048,
    rows: [
      [0, 'bruck'],
      [KI, 'linear'],
    ],
  },
  {
    ranks: 4096,
    rows: [
      [0, 'bruck'],
      [2 * KI, 'linear'],
    ],
  },
];

function alltoallAlgorithm(ranks: number, bytes: number): AlltoallAlgorithm {
  const rows = alltoallTable.findLast((entry) => entry.ranks <= ranks)!.rows;
  return rows.findLast(([from]) => from <= bytes)![1];
}
