import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { profile } from '../../../src/index.ts';

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

/** The end of ranks after a message of 70,000 bytes, and of two that cross. */
const LARGE = 0.023361630155;
const CROSSED = 0.023365351662;

// The lines that the tracer writes, and the ends with 1,000 and with 70,000 bytes (B).
describe.each([
  ['ibarrier', -779, [0.004029360688, 0.004029360688], [0.004029360688, 0.004029360688]],
  ['ibcast B 0 2', -3335, [0, 0.003903570873], [LARGE, LARGE]],
  ['ireduce B 0 0 2', -113, [0.003903570873, 0], [LARGE, LARGE]],
  ['iallreduce B 0 2', -4446, [0.003903719417, 0.003903719417], [CROSSED, CROSSED]],
  ['iallgather B B 2 2', -557, [0.003903719417, 0.003903719417], [CROSSED, CROSSED]],
  ['ialltoall B B 2 2', -1113, [0.003903719417, 0.003903719417], [CROSSED, CROSSED]],
  ['igather B B 0 2 2', -446, [0.003903570873, 0], [LARGE, LARGE]],
  ['iscatter B B 0 2 2', -224, [0, 0.003903570873], [LARGE, LARGE]],
  ['iscan B 0 2', -889, [0, 0.003903570873], [LARGE, LARGE]],
  ['iexscan B 0 2', -889, [0, 0.003903570873], [LARGE, LARGE]],
  ['ireducescatter B B 0 2', -890, [0.003903719417, 0.003903719417], [CROSSED, CROSSED]],
  ['igatherv B B B 0 2 2', -2224, [0.003903570873, 0], [LARGE, LARGE]],
  ['iscatterv B B B 0 2 2', -335, [0, 0.003903570873], [LARGE, LARGE]],
  ['iallgatherv B B B 2 2', -668, [0.003903719417, 0.003903719417], [CROSSED, CROSSED]],
  ['ialltoallv 2 B B 2 B B 2 2', -1001, [0.003903719417, 0.003903719417], [CROSSED, CROSSED]],
])('the non-blocking collective %s', (line, tag, small, large) => {
  test.each([
    [1000, small],
    [70000, large],
  ])('of %i bytes ends like the recorded program, with its wait or a waitall', (bytes, expected) => {
    const call = line.replaceAll('B', `${bytes}`);
    const waits = [`0 wait -333 -333 ${tag}\n1 wait 0 0 ${tag}`, '0 waitall 1\n1 waitall 1'];
    for (const wait of waits)
      ends(`0 ${call}\n1 ${call}\n${wait}`).forEach((end, rank) => {
        expect(end).toBeCloseTo(expected[rank]!, 11);
      });
  });
});

// Both ranks come from the creation of the window at the same time. The ends are those after the second fence.
describe.each([
  ['Put', [0.03223488894796, 0.03626424865], [0.043508439996, 0.047537799698]],
  ['Get', [0.03223488894796, 0.03626424865], [0.043508439996, 0.047537799698]],
  ['Accumulate', [0.03223488894796, 0.03626424865], [0.0515671594, 0.055596519103]],
])('the one-sided call %s between two fences', (name, small, large) => {
  const lines = (bytes: number): string => {
    const each = (word: string): string => `0 ${word}\n1 ${word}\n`;
    return `${each('sleep 0.004029371031')}${each('Win_fence')}0 ${name} 1 0 ${bytes} 2\n${each('Win_fence')}`;
  };

  test.each([
    [1000, small],
    [70000, large],
  ])('of %i bytes ends like the recorded program', (bytes, expected) => {
    ends(lines(bytes)).forEach((end, rank) => {
      expect(end).toBeCloseTo(expected[rank]!, 10);
    });
  });

  test('is in records and profiles under its name, and no call of its target', () => {
    const file = join(dir, 'one-sided.ti');
    writeFileSync(file, `0 init\n1 init\n${lines(70000)}0 finalize\n1 finalize\n`);
    const called = Object.fromEntries(profile(file, { machine }).calls.map(({ call, count }) => [call, count]));
    expect(called).toEqual({ MPI_Win_fence: 4, [`MPI_${name}`]: 1 });
  });
});

describe('several non-blocking collectives at once, on five ranks', () => {
  const each = (line: (rank: number) => string): string =>
    Array.from({ length: 5 }, (_, rank) => `${rank} ${line(rank)}\n`).join('');
  const waits = (tag: number): string => each((r) => `wait ${r === 0 ? '-333 -333' : `${r - 1} ${r - 1}`} ${tag}`);

  test.each([
    [1000, [0.00402942275, 0.00793893537, 0.00793893537, 0.011842506243, 0.00793893537]],
    [66000, [0.093927707487, 0.093927707487, 0.093927707487, 0.093927707487, 0.047212951537]],
  ])('two of a kind, a message, a barrier and a blocking one: %i bytes', (bytes, expected) => {
    const posts = each(() => `ibcast ${bytes} 0 2`) + each(() => `ibcast ${2 * bytes} 1 2`) + each(() => 'ibarrier');
    const message = `0 send 1 3 ${bytes} 2\n1 recv 0 3 ${bytes} 2\n`;
    const rest = waits(-3335) + waits(-3335) + waits(-779) + each(() => `bcast ${bytes} 0 2`);
    ends(posts + message + rest).forEach((end, rank) => {
      expect(end).toBeCloseTo(expected[rank]!, 11);
    });
  });

  test.each([
    [1000, 0.003928080577],
    [66000, 0.023936346269],
  ])('with messages, all completed by one waitall: %i bytes', (bytes, expected) => {
    const posts = each(() => `iallreduce ${bytes} 0 2`) + each(() => `ireduce ${bytes} 0 4 2`);
    const ring = each((r) => `irecv ${(r + 4) % 5} 7 ${bytes} 2`) + each((r) => `isend ${(r + 1) % 5} 7 ${bytes} 2`);
    for (const end of ends(posts + ring + each(() => 'waitall 4'))) expect(end).toBeCloseTo(expected, 11);
  });
});

describe('waits for requests that the trace does not name', () => {
  const both = (bytes: number): string =>
    `0 isend 1 5 ${bytes} 2\n0 isend 1 6 ${bytes} 2\n1 irecv 0 5 ${bytes} 2\n1 irecv 0 6 ${bytes} 2\n`;

  test.each([
    [1000, 0, 0.003906541746],
    [70000, 0.02343606031, 0.02343606031],
  ])('two waitAny for both of two requests end like the recorded program: %i bytes', (bytes, sender, receiver) => {
    const waits = '0 waitAny 2\n0 waitAny 2\n1 waitAny 2\n1 waitAny 2';
    const [first, second] = ends(both(bytes) + waits);
    expect(first).toBeCloseTo(sender, 11);
    expect(second).toBeCloseTo(receiver, 11);
  });

  test('waitAny continues at the first arrival, and a later wait for that request does nothing', () => {
    const posts = '0 send 1 5 1000 2\n2 sleep 1\n2 send 1 6 1000 2\n1 irecv 2 6 1000 2\n1 irecv 0 5 1000 2\n';
    const [, receiver] = ends(`${posts}1 waitAny 2\n1 compute 1e9\n1 wait 0 1 5\n1 wait 2 1 6`);
    // 1 s of computing ends just before the second arrival would, had it been waited for before.
    expect(receiver).toBeCloseTo(1.003903570873, 9);
    const [, waited] = ends(`${posts}1 wait 2 1 6\n1 compute 1e9\n1 wait 0 1 5`);
    expect(waited).toBeCloseTo(2.003903570873, 9);
  });

  test('waitAny for some of the outstanding requests is refused', () => {
    expect(() => ends(`${both(8)}0 waitall\n1 waitAny 1\n1 waitall`)).toThrow(/TI021 waitAny 1 waits for some of 2/);
  });

  // The tracer writes nothing for MPI_Waitsome. SimGrid's replay of these lines takes the same times.
  test.each([
    [1000, 0.003907],
    [70000, 0.023436],
  ])('a rank waits at its end for requests that no line completes: %i bytes', (bytes, expected) => {
    expect(ends(both(bytes))[1]).toBeCloseTo(expected, 6);
  });

  test('a receive without a message is a deadlock at the end of its rank, as in the replay of SimGrid', () => {
    const file = join(dir, 'open.ti');
    writeFileSync(file, '0 init\n0 irecv 1 0 8\n0 finalize\n1 init\n1 finalize\n');
    expect(predict(file, { machine }).deadlock).toMatchObject([
      { rank: 0, operation: 'finalize', line: 3, waitsFor: [1] },
    ]);
  });
});

describe('MPI_Reduce_scatter_block on four ranks, whose lines have a zero for each element', () => {
  const lines = (elements: number): string =>
    [0, 1, 2, 3].map((rank) => `${rank} reducescatter ${'0 '.repeat(elements)}0 `).join('\n');

  test.each([
    [0, [0.004029399107, 0.008058798214, 0.008058798214, 0.008058798214]],
    [3, [0.00402975375, 0.008059241518, 0.008059241518, 0.008059241518]],
    [7, [0.004030226608, 0.00805983259, 0.00805983259, 0.00805983259]],
    [1000, [0.007114531007, 0.011512566347, 0.011512566347, 0.011512566347]],
  ])('of %i doubles ends like the recorded program', (elements, expected) => {
    ends(lines(elements)).forEach((end, rank) => {
      expect(end).toBeCloseTo(expected[rank]!, 11);
    });
  });

  test('of as many elements as ranks has the line of a reducescatter without data, as in the replay of SimGrid', () => {
    expect(ends(lines(4))).toEqual(ends(lines(0)));
    expect(ends(lines(5))).toEqual(ends(lines(0)));
  });
});
