import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { InputError } from '../../src/base/problem.ts';
import type { TiReadOptions } from '../../src/trace/ti/read.ts';
import { atFullEffort, effort } from '../effort.ts';
import { type Meaning, parse } from './support.ts';

/** Deterministic numbers in 0 … n − 1 (mulberry32). */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const VALID = [0, 1, 2]
  .map((r) =>
    [
      ...[
        'init',
        'comm_size 3',
        'compute 1e+06',
        `isend ${(r + 1) % 3} 1 100 6`,
        `irecv ${(r + 2) % 3} 1 100`,
        'compute 7.5',
      ],
      ...[
        `wait ${r} ${(r + 1) % 3} 1`,
        'waitall 2',
        'allreduce 10 5',
        'bcast 10 1 0',
        'gatherv 5 1 2 3 0 1 1',
        'sleep 1',
      ],
      ...['alltoallv 9 1 2 3 9 1 2 3', 'allgatherv 1 2 3 4', 'reducescatter 1 2 3 4', 'recv -555 -444 1', 'barrier'],
      ...[
        `isend ${(r + 1) % 3} 1 100 6`,
        `irecv ${(r + 2) % 3} 1 100`,
        'compute 9',
        'waitall 2',
        'allreduce 10 5',
        'finalize',
      ],
    ]
      .map((words) => `${r} ${words}\n`)
      .join(''),
  )
  .join('');

const PIECES = [
  '\n',
  ' ',
  '\t',
  '\r\n',
  '-',
  '.',
  'e',
  '0',
  '9',
  '-1',
  '1e999',
  'nan',
  '#',
  '\0',
  '\x01',
  'ÿ',
  '-555',
  '-444',
];
const WORDS = [
  'wait 0 1 1',
  'waitall',
  'test 1 0 1',
  'init 1',
  'finalize',
  'barrier',
  'bcast 1',
  '262143 init',
  '',
  'location x',
];

function mutate(text: Buffer, pick: (n: number) => number): Buffer {
  let bytes = text;
  for (let k = pick(2) + 1; k > 0; k--) {
    const at = pick(bytes.length + 1);
    const to = Math.min(bytes.length, at + pick(20));
    const head = bytes.subarray(0, at);
    const lines = bytes.toString('latin1').split('\n');
    switch (pick(7)) {
      case 0:
        bytes = Buffer.concat([head, bytes.subarray(to)]);
        break;
      case 1:
        bytes = Buffer.concat([head, Buffer.from([pick(256)]), bytes.subarray(at)]);
        break;
      case 2:
        bytes = Buffer.concat([head, Buffer.from(PIECES[pick(PIECES.length)]!), bytes.subarray(at)]);
        break;
      case 3:
        lines.splice(pick(lines.length), 1);
        bytes = Buffer.from(lines.join('\n'), 'latin1');
        break;
      case 4:
        lines.splice(pick(lines.length), 0, lines[pick(lines.length)]!);
        bytes = Buffer.from(lines.join('\n'), 'latin1');
        break;
      case 5:
        lines.splice(pick(lines.length), 0, `${pick(4)} ${WORDS[pick(WORDS.length)]}`);
        bytes = Buffer.from(lines.join('\n'), 'latin1');
        break;
      default:
        bytes = Buffer.concat([head, bytes.subarray(at, to), bytes.subarray(at)]);
    }
  }
  return bytes;
}

/** The decoded trace, or its problems as code and line; other errors than InputError are rethrown. */
function outcome(text: Buffer, options?: TiReadOptions): Meaning | string[] {
  try {
    return parse(text, options);
  } catch (error) {
    if (!(error instanceof InputError)) throw new Error(JSON.stringify(text.toString('latin1')), { cause: error });
    expect(error.problems.length).toBeGreaterThan(0);
    return error.problems.map(({ code, message, place }) => {
      expect(code).toMatch(/^TI0\d\d$/);
      expect(message).toMatch(/\.$/);
      expect(place?.file).toBeDefined();
      return `${code} ${place?.line}:${place?.column}`;
    });
  }
}

const RUNS = effort(200);

test('the text before mutation is valid', () => {
  expect(parse(VALID).ranks).toBe(3);
});

test.each([1, 2, 3, 4])('mutated traces are read or rejected with a place, seed %i', (seed) => {
  const pick = random(seed);
  let read = 0;
  let refused = 0;
  for (let k = 0; k < RUNS; k++) {
    const text = mutate(Buffer.from(VALID), pick);
    const packed = k % 10 === 0 ? mutate(gzipSync(text), random(k)) : text;
    const small = outcome(packed, { blockBytes: 64 + pick(200), packedBytes: 0 });
    // Neither results nor errors depend on the block size.
    expect(outcome(packed)).toEqual(small);
    if (Array.isArray(small)) refused++;
    else read++;
  }
  expect(Math.min(read, refused)).toBeGreaterThan(atFullEffort(RUNS / 10));
});
