import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { readGoal } from '../../../src/trace/goal/read-goal.ts';
import { LOGGOPS, type LogGops } from '../../../src/trace/goal/schedule.ts';
import { effort } from '../../effort.ts';
import { folder, problemsOf, REFERENCES } from '../support.ts';
import { schedules } from './random-schedules.ts';
import { replay } from './replay.ts';

const files = folder({});
afterAll(files.remove);

const parametersOf = (parameters: LogGops): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

function predicted(text: string, parameters: LogGops = LOGGOPS) {
  const path = files.path('schedule.goal');
  writeFileSync(path, text);
  return predict(path, { loggops: parametersOf(parameters) });
}

const nanoseconds = (seconds: number | null): number | null => (seconds === null ? null : Math.round(seconds * 1e9));

interface Recorded {
  readonly schedule: string;
  readonly params: LogGops;
  readonly maxEndNs: number;
  readonly hostEndNs: readonly number[] | null;
}

const goal = `${REFERENCES}/traces/goal`;
const recorded: Recorded[] = existsSync(`${goal}/expected.json`)
  ? (JSON.parse(readFileSync(`${goal}/expected.json`, 'utf8')) as Recorded[])
  : [];

describe.skipIf(recorded.length === 0)('schedules end when LogGOPSim says, to the nanosecond', () => {
  test.each(recorded.map((one) => [one.schedule, parametersOf(one.params), one] as const))(
    'schedule %s with %s',
    (schedule, loggops, { maxEndNs, hostEndNs }) => {
      const { figures, ranks, deadlock } = predict(`${goal}/${schedule}`, { loggops });
      expect(deadlock).toEqual([]);
      expect(nanoseconds(figures.runTime.value)).toBe(maxEndNs);
      if (hostEndNs !== null) expect(ranks.map(({ endTime }) => nanoseconds(endTime))).toEqual(hostEndNs);
    },
  );
});

const parameters = fc.record({
  // Small numbers: many events at one instant.
  L: fc.constantFrom(0, 1, 7, 2500),
  o: fc.constantFrom(0, 1, 200, 1500),
  g: fc.constantFrom(0, 1, 2, 500, 1000),
  G: fc.constantFrom(0, 1, 6),
  O: fc.constantFrom(0, 1),
  S: fc.constantFrom(0, 99, 65_535),
});

test('random schedules end as in a plain event list, rank by rank', () => {
  fc.assert(
    fc.property(schedules, parameters, (text, given) => {
      const schedule = readGoal(text, 'schedule.goal');
      const { ends, open, unmatched } = replay(schedule, given);
      const { ranks, deadlock, figures, warnings } = predicted(text, given);
      const stuck = new Set(open.map((k) => schedule.operations[k]!.rank));
      expect(new Set(deadlock.map(({ rank }) => rank)), text).toEqual(stuck);
      expect(warnings.filter(({ code }) => code === 'GOAL007').length).toBe(unmatched.length);
      // The CPU time of a message that nobody receives belongs to no operation.
      const late = new Set(unmatched.map((k) => schedule.operations[k]!.peer));
      for (const { rank, endTime } of ranks)
        if (!stuck.has(rank) && !late.has(rank))
          expect(nanoseconds(endTime), `rank ${rank}\n${text}`).toBe(ends[rank]!);
      if (stuck.size + late.size === 0) expect(nanoseconds(figures.runTime.value), text).toBe(Math.max(...ends));
    }),
    { numRuns: effort(100) },
  );
});

test('operations that are possible from the start are taken by rank, whatever their kind', () => {
  // LogGOPSim puts the calc of rank 0 into its queue before the send of rank 1: the second calc comes before the message.
  const text = `num_ranks 2
rank 0 {
a: calc 1
b: calc 1
b requires a
c: recv 1b from 1
c requires b
d: recv 1b from 1
d requires c
e: calc 1
e requires d
}
rank 1 {
a: send 1b to 0
b: send 1b to 0
b requires a
}
`;
  const given = { L: 0, o: 1, g: 2, G: 0, O: 0, S: 65_535 };
  expect(predicted(text, given).ranks.map(({ endTime }) => nanoseconds(endTime))).toEqual([6, 3]);
  expect(replay(readGoal(text, 'ties.goal'), given).ends).toEqual([6, 3]);
});

test('a rank computes while one of its calcs runs, on whatever CPUs', () => {
  const { ranks } = predicted(
    'num_ranks 2\nrank 0 {\na: calc 1000\nb: calc 400 cpu 1\nc: send 8b to 1\nc requires a\n}\nrank 1 {\na: recv 8b from 0\nb: calc 3000\nb requires a\n}\n',
  );
  expect(ranks!.map(({ computing }) => Math.round(computing! * 1e9))).toEqual([1000, 3000]);
});

describe('blocked ranks of a schedule', () => {
  test('wait for a message that nobody sends, or a receive that nobody posts', () => {
    const { deadlock, complete } = predicted(
      'num_ranks 3\nrank 0 {\na: recv 8b from 1 tag 3\nb: calc 5\nb requires a\n}\nrank 1 { calc 7 }\nrank 2 {\nsend 99999b to 1\n}\n',
    );
    expect(complete).toBe(true);
    expect(deadlock.map(({ rank, operation, line, waitsFor }) => [rank, operation, line, waitsFor])).toEqual([
      [0, 'a: recv 8b from 1 tag 3', 3, [1]],
      [2, 'send 99999b to 1', 9, [1]],
    ]);
  });

  test('have operations that require each other', () => {
    const { deadlock } = predicted(
      'num_ranks 1\nrank 0 {\nx: calc 1\na: calc 2\nb: calc 3\nc: calc 4\na requires x\na requires c\nb requires a\nc irequires b\n}\n',
    );
    expect(deadlock.map(({ operation, line }) => [operation, line])).toEqual([
      ['a: calc 2 (cycle: a requires c irequires b requires a)', 4],
    ]);
  });
});

test('a schedule may have more operations than a function has arguments', () => {
  const lines = Array.from(
    { length: 200_000 },
    (_, k) => `l${k}: calc 1${k === 0 ? '' : `\nl${k} requires l${k - 1}`}`,
  );
  const { figures, complete } = predicted(`num_ranks 1\nrank 0 {\n${lines.join('\n')}\n}\n`);
  expect([complete, nanoseconds(figures.runTime.value)]).toEqual([true, 200_000]);
});

test('the largest tag is a tag', () => {
  const { deadlock } = predicted(
    'num_ranks 2\nrank 0 { send 1b to 1 tag 2147483647 }\nrank 1 { recv 1b from 0 tag 2147483647 }\n',
  );
  expect(deadlock).toEqual([]);
});

describe('errors of schedules have a place', () => {
  test.each([
    ['', 'GOAL001', 'expected "num_ranks", got the end of the file'],
    ['num_ranks 0', 'GOAL004 1:11', 'the number of ranks: expected a whole number from 1'],
    ['num_ranks 2\nrank 0 { }', 'GOAL003 1:11', 'rank 1 of 2 has no block'],
    ['num_ranks 1\nrank 0 { }\nrank 0 { }', 'GOAL003 3:6', 'rank 0 begins twice, first in line 2'],
    ['num_ranks 1\nrank 0 {\na: calc 1\na: calc 2\n}', 'GOAL003 4:1', 'label "a" occurs twice in rank 0'],
    ['num_ranks 1\nrank 0 {\nalpha: calc 1\nalpha requires alhpa\n}', 'GOAL002 4:16', 'Did you mean "alpha"?'],
    ['num_ranks 1\nrank 0 {\na: sent 8b to 0\n}', 'GOAL001 3:4', 'Did you mean "send"?'],
    ['num_ranks 1\nrank 0 {\nsend 8 to 0\n}', 'GOAL001 3:6', 'expected bytes, such as 8b, got "8"'],
    ['num_ranks 1\nrank 0 {\nsend 8b to 1\n}', 'GOAL004 3:12', 'a rank: expected a whole number from 0 to 0, got "1"'],
    ['num_ranks 1\nrank 0 {\nsend 8b to 0 tag -1\n}', 'GOAL004 3:18', 'a tag: expected a whole number from 0'],
    ['num_ranks 1\nrank 0 {\ncalc 1 nic 2\n}', 'GOAL001 3:8', 'a calc has no nic'],
    ['num_ranks 1\nrank 0 {\ncalc 1.5\n}', 'GOAL004 3:6', 'expected a whole number'],
    ['num_ranks 1 /* open\nrank 0 { }', 'GOAL001 1:13', 'expected "*/"'],
    ['num_ranks 1\nrank 0 {\ncalc 1\n', 'GOAL001', 'expected "}" at the end of a rank'],
    ['// LogGOPS L=fast\nnum_ranks 1\nrank 0 { }', 'GOAL001 1:1', 'parameter L of LogGOPS: expected a number'],
  ])('in %j: %s', (text, at, message) => {
    const found = problemsOf(() => readGoal(text, 'schedule.goal'));
    expect(found.at[0]?.startsWith(at), found.at[0]).toBe(true);
    expect(found.messages[0]).toContain(message);
  });

  test('parameters are those of the option, else of a comment, else of LogGOPSim', () => {
    const path = files.path('own.goal');
    writeFileSync(path, '// LogGOPS: o=10, L=100\nnum_ranks 2\nrank 0 { send 1b to 1 }\nrank 1 { recv 1b from 0 }\n');
    const end = (loggops?: string): number | null =>
      nanoseconds(predict(path, loggops === undefined ? {} : { loggops }).figures.runTime.value);
    expect(end()).toBe(10 + 100 + 10);
    expect(end('L=1000')).toBe(10 + 1000 + 10);
    expect(problemsOf(() => predict(path, { loggops: 'l=1' })).at[0]).toContain('GOAL006');
  });
});
