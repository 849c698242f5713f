import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expandCollective } from '../../../src/models/collectives/expand.ts';
import { nodesOf } from '../../../src/models/collectives/nodes.ts';
import { parseChoice } from '../../../src/models/collectives/parse-choice.ts';
import type { Collective } from '../../../src/trace/collective.ts';
import { internal } from '../../oracle/program.ts';
import { replay } from '../../oracle/replay.ts';

/** One line of `selectors-3.32.jsonl`: SimGrid 3.32's times of one call. Format and source: `record_selectors.py`. */
interface Recorded {
  readonly selector: string;
  readonly ranks: number;
  readonly call: string;
  readonly type: 'c' | 'd';
  readonly root: number;
  /** The host of each rank, if some have several ranks. */
  readonly nodes?: readonly number[];
  readonly cases: readonly (readonly [bytes: number, last: number, sum: number, weighted: number])[];
}

const entries: readonly Recorded[] = readFileSync(new URL('selectors-3.32.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** The call of a rank, as `selectors.c` makes it. */
function callOf({ call, type, root, ranks }: Recorded, size: number, rank: number): Collective {
  const elementBytes = type === 'd' ? 8 : 1;
  const n = Math.floor(size / elementBytes);
  const bytes = n * elementBytes;
  const equal = call.endsWith('=');
  const kind = call.replace('=', '') as Collective['kind'];
  const list = (of: (i: number) => number): number[] => Array.from({ length: ranks }, (_, i) => of(i) * elementBytes);
  const parts = list((i) => (equal ? n : ((i * 7 + 3) % 5) * Math.floor(n / 4)));
  const between = (i: number, j: number): number => ((i * 3 + j * 5) % 4) * Math.floor(n / 4);
  switch (kind) {
    case 'barrier':
      return { kind };
    case 'bcast':
      return { kind, bytes, root, elementBytes };
    case 'reduce':
      return { kind, bytes, root, flops: 0, elementBytes };
    case 'allreduce':
      return { kind, bytes, flops: 0, elementBytes };
    case 'gather':
    case 'scatter':
      return { kind, sendBytes: bytes, recvBytes: bytes, root };
    case 'allgather':
    case 'alltoall':
      return { kind, sendBytes: bytes, recvBytes: bytes };
    case 'allgatherv':
      return { kind, sendBytes: parts[rank]!, recvBytes: parts, elementBytes };
    case 'alltoallv':
      return { kind, sendBytes: list((i) => between(rank, i)), recvBytes: list((i) => between(i, rank)) };
    case 'reducescatter':
      return { kind, recvBytes: parts, flops: 0, elementBytes };
    default:
      throw new Error(`no call ${call}`);
  }
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 * b;

/** The cases of an entry whose times are not SimGrid's to 10⁻⁶. */
function wrongCases(entry: Recorded): string[] {
  const { selector, ranks, call, type, root, cases } = entry;
  const choice = parseChoice(selector, 'simgrid');
  const place = entry.nodes === undefined ? {} : { nodes: nodesOf(entry.nodes) };
  return cases.flatMap(([bytes, last, sum, weighted]) => {
    const programs = Array.from({ length: ranks }, (_, rank) =>
      expandCollective(callOf(entry, bytes, rank), rank, ranks, choice, false, place).map(internal),
    );
    const { rankEnd } = replay(programs, { latency: 20e-6, bandwidth: 1.25e9, speed: 1e9, protocol: 'plain' });
    const found = [
      Math.max(...rankEnd),
      rankEnd.reduce((a, b) => a + b, 0),
      rankEnd.reduce((a, b, rank) => a + (rank + 1) * b, 0),
    ] as const;
    const same = near(found[0], last) && near(found[1], sum) && near(found[2], weighted);
    return same
      ? []
      : [
          `${selector} ${call} of ${bytes} ${type}, ${ranks} ranks on hosts ${entry.nodes}, root ${root}: ${found} not ${last}`,
        ];
  });
}

describe.each([...new Set(entries.map(({ selector }) => selector))])('SimGrid 3.32 with %s', (selector) => {
  const own = entries.filter((entry) => entry.selector === selector);

  test.each([...new Set(own.map(({ call }) => call))])('%s ends on every rank when SimGrid says', (call) => {
    expect(own.filter((entry) => entry.call === call).flatMap(wrongCases)).toEqual([]);
  });
});

test.each(['ompi', 'mpich', 'mvapich2', 'impi'])('the table of %s has thousands of cells', (name) => {
  const own = entries.filter(({ selector }) => selector === name);
  expect(own.reduce((n, { cases }) => n + cases.length, 0)).toBeGreaterThan(2500);
});
