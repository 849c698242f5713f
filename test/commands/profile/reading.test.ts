import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { profileRun } from '../../../src/commands/profile/profile.ts';
import type { ProfileFinding } from '../../../src/commands/profile/profile-document.ts';
import { profile } from '../../../src/commands/profile/profile-program.ts';
import { threads } from '../../../src/models/threads/program/threads.ts';
import { spmd } from '../../../src/models.ts';
import { effort } from '../../effort.ts';
import { machine } from '../../models/program/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'reading-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** State, seconds, interval, and collective with phase of one row. */
type Part = readonly [state: string, seconds: number, interval?: string, collective?: string, phase?: string];

/** Result of the reading of a run in which each process does its parts one after the other. */
function reading(...processes: readonly (readonly Part[])[]): ProfileFinding {
  const lines = ['process,start,end,state,interval,kind,collective,phase'];
  processes.forEach((parts, process) => {
    let time = 0;
    for (const [state, seconds, interval = '', collective = '', phase = ''] of parts) {
      const [path, kind = ''] = interval.split(':');
      lines.push([process, time, time + seconds, state, path, kind, collective, phase].join(','));
      time += seconds;
    }
  });
  writeFileSync(join(folder, 's.csv'), `${lines.join('\n')}\n`);
  return profileRun(join(folder, 's.csv')).findings.at(-1)!;
}

test('a delay of an earlier interval is lost in a later one', () => {
  const found = reading(
    [
      ['computing', 4, 'assemble#1'],
      ['computing', 1, 'solve#1'],
      ['communicating', 0.1, 'solve#1', 'allreduce#1'],
    ],
    [
      ['computing', 2, 'assemble#1'],
      ['computing', 1, 'solve#1'],
      ['waiting', 2, 'solve#1', 'allreduce#1'],
      ['communicating', 0.1, 'solve#1', 'allreduce#1'],
    ],
  );
  expect(found).toMatchObject({ cause: 'load-imbalance', interval: 'solve', origin: 'assemble', seconds: 2 });
});

test('of two intervals with delays, the one with the larger delay counts', () => {
  // Process 0 is 3 s late after the first interval; process 1 makes up for one of them in the second one.
  const found = reading(
    [
      ['computing', 5, 'a#1'],
      ['computing', 1, 'b#1'],
      ['communicating', 0.1, 'c#1', 'barrier#1'],
    ],
    [
      ['computing', 2, 'a#1'],
      ['computing', 2, 'b#1'],
      ['waiting', 2, 'c#1', 'barrier#1'],
      ['communicating', 0.1, 'c#1', 'barrier#1'],
    ],
  );
  expect(found).toMatchObject({ interval: 'c', origin: 'a', seconds: 2 });
});

test('a delay survives the start of an asynchronous operation and is lost in its wait', () => {
  const found = reading(
    [
      ['computing', 5, 'a#1'],
      ['communicating', 0.1, 'b#1', 'reduction#1', 'start'],
      ['computing', 1, 'c#1'],
      ['communicating', 0.1, 'd#1', 'reduction#1', 'wait'],
    ],
    [
      ['computing', 2, 'a#1'],
      ['communicating', 0.1, 'b#1', 'reduction#1', 'start'],
      ['computing', 1, 'c#1'],
      ['waiting', 3, 'd#1', 'reduction#1', 'wait'],
      ['communicating', 0.1, 'd#1', 'reduction#1', 'wait'],
    ],
    [
      ['computing', 2, 'a#1'],
      ['communicating', 0.1, 'b#1', 'reduction#1', 'start'],
      ['computing', 1.5, 'c#1'],
      ['waiting', 2.5, 'd#1', 'reduction#1', 'wait'],
      ['communicating', 0.1, 'd#1', 'reduction#1', 'wait'],
    ],
  );
  expect(found).toMatchObject({ cause: 'load-imbalance', interval: 'd', origin: 'a', seconds: expect.closeTo(5.5, 9) });
});

test('a delay survives an operation that does not synchronize', () => {
  // Processes 0 and 1 leave the gather before process 2 comes to it; all meet in the barrier.
  const found = reading(
    [
      ['computing', 1, 'a#1'],
      ['communicating', 0.1, 'b#1', 'gather#1'],
      ['waiting', 4, 'd#1', 'barrier#1'],
      ['communicating', 0.1, 'd#1', 'barrier#1'],
    ],
    [
      ['computing', 1, 'a#1'],
      ['communicating', 0.1, 'b#1', 'gather#1'],
      ['waiting', 4, 'd#1', 'barrier#1'],
      ['communicating', 0.1, 'd#1', 'barrier#1'],
    ],
    [
      ['computing', 5, 'a#1'],
      ['communicating', 0.1, 'b#1', 'gather#1'],
      ['communicating', 0.1, 'd#1', 'barrier#1'],
    ],
  );
  expect(found).toMatchObject({ interval: 'd', origin: 'a', cause: 'load-imbalance', seconds: expect.closeTo(8, 9) });
});

test('delays that cancel out over the program are local', () => {
  const found = reading(
    [
      ['computing', 3, 'a#1'],
      ['communicating', 0.1, 'a#1', 'barrier#1'],
      ['computing', 1, 'b#1'],
      ['waiting', 2, 'b#1', 'barrier#2'],
      ['communicating', 0.1, 'b#1', 'barrier#2'],
    ],
    [
      ['computing', 1, 'a#1'],
      ['waiting', 2, 'a#1', 'barrier#1'],
      ['communicating', 0.1, 'a#1', 'barrier#1'],
      ['computing', 3, 'b#1'],
      ['communicating', 0.1, 'b#1', 'barrier#2'],
    ],
  );
  expect(found).toMatchObject({ cause: 'local-imbalance' });
});

test('the load is called balanced only if its imbalance explains less than a tenth of the loss', () => {
  const seconds = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(fc.array(fc.tuple(seconds, seconds), { minLength: 1, maxLength: 5 }), (loops) => {
      const waited = loops.reduce((sum, [a, b]) => sum + Math.abs(a - b), 0);
      fc.pre(waited > 0);
      const [first, second] = [0, 1].map((k) => loops.reduce((sum, loop) => sum + loop[k]!, 0)) as [number, number];
      const share = Math.abs(first - second) / waited;
      const parts = [0, 1].map((k) =>
        loops.flatMap((loop, n): Part[] => {
          const wait = Math.max(...loop) - loop[k]!;
          const where = [`l${n}#1`, `barrier#${n + 1}`] as const;
          return [
            ['computing', loop[k]!, where[0]],
            ...(wait > 0 ? [['waiting', wait, ...where] as const] : []),
            ['communicating', 1e-6, ...where],
          ];
        }),
      );
      reading(...parts);
      const found = profileRun(join(folder, 's.csv')).findings.find(({ question }) =>
        question.startsWith('Is the load'),
      );
      fc.pre(found !== undefined);
      const { answer } = found!;
      // On either side of a limit the small times of the barriers decide.
      fc.pre(Math.abs(share - 0.5) > 1e-3 && Math.abs(share - 0.1) > 1e-3);
      const [, percent] = /^in part: .* up to (\d+) % of this loss/.exec(answer) ?? [];
      if (share > 0.5) expect(answer).toMatch(/^no: /);
      else if (share < 0.1) expect(answer).toMatch(/^yes: /);
      else expect(Math.abs(Number(percent) - 100 * share)).toBeLessThan(1);
    }),
    { numRuns: effort(500) },
  );
});

test('a delay that no computing explains has no origin', () => {
  // Process 1 is late because it waits for a message, not because it computes.
  const found = reading(
    [
      ['computing', 1, 'a#1'],
      ['waiting', 4, 'b#1', 'barrier#1'],
    ],
    [
      ['computing', 1, 'a#1'],
      ['waiting', 4, 'a#1'],
      ['communicating', 0.1, 'b#1', 'barrier#1'],
    ],
    [
      ['computing', 1, 'a#1'],
      ['waiting', 4, 'b#1', 'barrier#1'],
    ],
  );
  expect(found).toMatchObject({ interval: 'b', cause: 'local-imbalance' });
  expect(found.origin).toBeUndefined();
});

test('a delay may arise in an operation that takes longer on one process', () => {
  const found = reading(
    [
      ['communicating', 2.1, 'a#1', 'shadow#1'],
      ['communicating', 0.1, 'b#1', 'barrier#1'],
    ],
    [
      ['communicating', 0.1, 'a#1', 'shadow#1'],
      ['waiting', 2, 'b#1', 'barrier#1'],
      ['communicating', 0.1, 'b#1', 'barrier#1'],
    ],
    [
      ['communicating', 0.1, 'a#1', 'shadow#1'],
      ['waiting', 2, 'b#1', 'barrier#1'],
      ['communicating', 0.1, 'b#1', 'barrier#1'],
    ],
  );
  expect(found).toMatchObject({ cause: 'time-variation', interval: 'b', origin: 'a', seconds: expect.closeTo(4, 9) });
});

test('parts of processes on separate communicators, and processes that disagree on the order', () => {
  const found = reading(
    [
      ['computing', 3, 'a#1'],
      ['communicating', 0.1, 'b#1', 'pair#1'],
      ['computing', 1, 'c#1'],
      ['communicating', 0.1, 'd#1', 'barrier#1'],
    ],
    [
      ['computing', 3, 'a#1'],
      ['communicating', 0.1, 'b#1', 'pair#1'],
      ['computing', 1, 'c#1'],
      ['communicating', 0.1, 'd#1', 'barrier#1'],
    ],
    [
      ['computing', 1, 'a#1'],
      ['communicating', 0.1, 'b#1', 'pair#2'],
      ['computing', 1, 'c#1'],
      ['waiting', 2, 'd#1', 'barrier#1'],
      ['communicating', 0.1, 'd#1', 'barrier#1'],
    ],
    [
      ['computing', 1, 'a#1'],
      ['communicating', 0.1, 'b#1', 'pair#2'],
      ['computing', 1, 'c#1'],
      ['waiting', 2, 'd#1', 'barrier#1'],
      ['communicating', 0.1, 'd#1', 'barrier#1'],
    ],
  );
  expect(found).toMatchObject({ interval: 'd', origin: 'a', seconds: expect.closeTo(4, 9) });
  const crossed = reading(
    [
      ['computing', 3, 'a#1'],
      ['waiting', 1, 'b#1', 'x#1'],
      ['waiting', 1, 'b#1', 'y#1'],
      ['waiting', 1, 'b#1', 'z#1'],
    ],
    [
      ['computing', 1, 'a#1'],
      ['waiting', 3, 'b#1', 'y#1'],
      ['waiting', 1, 'b#1', 'x#1'],
      ['waiting', 1, 'b#1', 'z#1'],
    ],
  );
  expect(crossed).toMatchObject({ interval: 'b' });
});

test('a late sender: time is lost in the interval of the receive', () => {
  const model = spmd({
    name: 'pipeline',
    build(m) {
      m.interval('work', {}, () => m.compute({ seconds: (s) => 3 - s.rank }));
      m.interval('pass', {}, () =>
        m.when(
          (s) => s.rank === 0,
          () => m.send({ to: 1, bytes: 8 }),
          () => m.recv({ from: 0 }),
        ),
      );
    },
  });
  const { findings } = profile(model, { machine, ranks: 2 });
  expect(findings.map(({ question }) => question)).toContain('Do processes wait for late partners of messages?');
  expect(findings.at(-1)).toMatchObject({ cause: 'load-imbalance', interval: 'pass', origin: 'work', seconds: 1 });
});

test('other causes', () => {
  expect(reading([['computing', 4, 'a#1:sequential']], [['computing', 4, 'a#1:sequential']])).toMatchObject({
    cause: 'insufficient-parallelism-sequential',
    interval: 'a',
  });
  expect(reading([['computing', 4, 'a#1']], [['computing', 1, 'a#1']])).toMatchObject({ cause: 'idle', origin: 'a' });
  expect(
    reading(
      [['computing', 4, 'a#1']],
      [
        ['computing', 1, 'a#1'],
        ['idle', 2, 'b#1'],
        ['computing', 1, 'b#1'],
      ],
    ),
  ).toMatchObject({ cause: 'idle', interval: 'b' });
  expect(
    reading(
      [
        ['computing', 4, 'a#1'],
        ['communicating', 3, 'b#1'],
      ],
      [
        ['computing', 4, 'a#1'],
        ['communicating', 3, 'b#1'],
      ],
    ),
  ).toMatchObject({ cause: 'many-operations', interval: 'b' });
  expect(
    reading(
      [
        ['computing', 4, 'a#1'],
        ['communicating', 3, 'b#1'],
        ['io', 3, 'c#1'],
      ],
      [
        ['computing', 4, 'a#1'],
        ['communicating', 3, 'b#1'],
        ['io', 3, 'c#1'],
      ],
    ),
  ).toMatchObject({ cause: 'input-output' });
  expect(reading([['computing', 4]], [['computing', 4]])).toMatchObject({ cause: 'none' });
});

test('input/output for which processes wait is named', () => {
  const writes: Part[][] = [0, 1, 2].map((process) => [
    ['computing', 10, 'loop#1'],
    [process === 0 ? 'io' : 'waiting', 5, 'out#1:sequential', 'I/O#1'],
  ]);
  expect(reading(...writes)).toMatchObject({ cause: 'input-output', interval: 'out', seconds: 10 });
  const broadcast: Part[][] = [0, 1, 2].map((process) => [
    ['computing', 10, 'loop#1'],
    [process === 0 ? 'io' : 'waiting', 5, 'in#1', process === 0 ? '' : 'bcast#1'],
    ['communicating', 0.1, 'in#1', 'bcast#1'],
  ]);
  expect(reading(...broadcast)).toMatchObject({ cause: 'input-output', interval: 'in', origin: 'in' });
  const atTheEnd: Part[][] = [
    [
      ['computing', 1, 'a#1'],
      ['io', 9, 'b#1'],
    ],
    [['computing', 1, 'a#1']],
  ];
  expect(reading(...atTheEnd)).toMatchObject({ cause: 'input-output', origin: 'b' });
});

describe('the place of a loss', () => {
  /** Answers of the reading of one process that communicates for these seconds in each interval. */
  const answers = (...parts: readonly (readonly [interval: string, seconds: number])[]): string[] => {
    const lines = ['process,start,end,state,interval', '0,0,1,computing,'];
    let time = 1;
    for (const [interval, seconds] of parts) {
      lines.push(`0,${time},${time + seconds},communicating,${interval}`);
      time += seconds;
    }
    writeFileSync(join(folder, 's.csv'), `${lines.join('\n')}\n`);
    return profileRun(join(folder, 's.csv')).findings.map(({ answer }) => answer);
  };

  test('is outside the intervals only if most of it is lost there', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 2, maxLength: 6 }), (seconds) => {
        fc.pre(seconds.some((s) => s > 0));
        const total = seconds.reduce((a, b) => a + b, 0);
        // The first one is outside all intervals.
        const place = answers(...seconds.map((s, k): [string, number] => [k === 0 ? '' : `i${k}#1`, s])).at(-1)!;
        if (seconds[0]! < total / 2) expect(place).not.toContain('outside its intervals');
        if (seconds[0] === 0) expect(place).not.toContain('outside');
        const most = Math.max(...seconds.slice(1));
        if (most > total / 2) expect(place).toBe(`interval i${seconds.indexOf(most, 1)}`);
      }),
      { numRuns: effort(500) },
    );
  });

  test('in words', () => {
    expect(answers(['a#1', 3], ['b#1', 4], ['c#1', 3]).at(-1)).toBe(
      'no single interval; the largest part, 40 %, in interval b',
    );
    expect(answers(['', 4], ['a#1', 3], ['b#1', 3]).at(-1)).toBe(
      'no single interval; the largest part, 40 %, outside all intervals',
    );
    expect(answers(['', 6], ['a#1', 4]).at(-1)).toBe('the program outside its intervals');
    expect(answers(['', 6]).at(-1)).toBe('the program, which has no intervals');
  });
});

test('many operations are messages only where there are some', () => {
  const answers = (findings: readonly ProfileFinding[]): string[] =>
    findings.filter(({ question }) => question.startsWith('Input/output')).map(({ answer }) => answer);
  const exchange = spmd({
    name: 'exchange',
    build(m) {
      m.sendrecv({ to: (s) => 1 - s.rank, bytes: 1e6, from: (s) => 1 - s.rank });
    },
  });
  expect(answers(profile(exchange, { machine, ranks: 2 }).findings)).toEqual([
    'many or long messages: group or shorten them',
  ]);
  const tries = threads({
    name: 'tries',
    build: (t) => {
      const lock = t.mutex('lock');
      t.parallel(2, () => {
        t.loop('k', 50, () => {
          t.compute({ seconds: 1e-7 });
          t.lock(lock);
          t.unlock(lock);
        });
      });
    },
  });
  expect(answers(profile(tries, { workers: 2 }).findings)).toEqual(['many or long operations: group or shorten them']);
});
