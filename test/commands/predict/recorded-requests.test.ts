import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';

/**
 * Traces that SimGrid 3.32 recorded of programs with two ranks (`smpirun -trace-ti --cfg=smpi/simulate-computation:0`), with the
 * time at which each rank of the recorded program came to MPI_Finalize. SimGrid's replay knows none of these calls.
 */
const dir = mkdtempSync(join(tmpdir(), 'foretoken-recorded-'));
afterAll(() => rmSync(dir, { recursive: true }));

const machine = join(dir, 'cluster.xml');
writeFileSync(
  machine,
  `<?xml version="1.0"?>
<platform version="4.1"><cluster id="c" prefix="n" radical="0-15" suffix="" speed="1Gf" bw="1GBps" lat="1ms"/></platform>\n`,
);

function ends(lines: string): (number | null)[] {
  const ranks = 1 + Math.max(...lines.match(/^\d+/gm)!.map(Number));
  const each = (word: string): string => Array.from({ length: ranks }, (_, r) => `${r} ${word}\n`).join('');
  const file = join(dir, 'recorded.ti');
  writeFileSync(file, `${each('init')}${lines}\n${each('finalize')}`);
  return predict(file, { machine }).ranks.map(({ endTime }) => endTime);
}

/** Arrival of a message of these bytes: the end of its receiver, in the recorded programs. */
const ARRIVAL = new Map([
  [0, 0.004029359702],
  [1000, 0.003903570873],
  [65535, 0.023356883659],
  [65536, 0.023356884722],
  [200000, 0.023499825997],
]);

describe.each([...ARRIVAL])('a message of %i bytes', (bytes, arrival) => {
  test.each([
    ['Ssend', arrival],
    ['ISsend', arrival],
    ['bsend', 0],
    ['ibsend', 0],
    // SimGrid's tracer writes ready sends as standard ones.
    ['send', bytes < 65536 ? 0 : arrival],
    ['isend', bytes < 65536 ? 0 : arrival],
  ])('sent by %s', (name, sender) => {
    const wait = /^i/i.test(name) ? '0 wait 0 1 5\n' : '';
    const [first, second] = ends(`0 ${name} 1 5 ${bytes} 2\n${wait}1 recv 0 5 ${bytes} 2`);
    expect(first).toBeCloseTo(sender, 11);
    expect(second).toBeCloseTo(arrival, 11);
  });
});
