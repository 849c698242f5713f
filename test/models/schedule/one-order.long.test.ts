import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { explore, predict, simulate, verify } from '../../../src/index.ts';
import { inPostingOrder, whyAllEnd } from '../../../src/models/schedule/one-order.ts';
import { scheduleNet } from '../../../src/models/schedule/schedule-net.ts';
import { readGoal } from '../../../src/trace/goal/read-goal.ts';
import { LOGGOPS, OPERATION, type Schedule } from '../../../src/trace/goal/schedule.ts';
import { effort } from '../../effort.ts';
import { schedules } from '../../trace/goal/random-schedules.ts';
import { REFERENCES } from '../../trace/support.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-one-order-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Markings of the plain search, above which a schedule is left out. */
const MOST = 20_000;

/**
 * All orders of the steps of a schedule, by a plain search: operations whose dependencies hold start, and receives of a rank that require
 * nothing in the order of the file, before its others; a message and the receive that fits and was posted first match, in any order. True if all operations end in all orders; undefined if these are too many.
 */
function allEnd({ operations, dependencies }: Schedule, largest: number): boolean | undefined {
  interface State {
    readonly started: ReadonlySet<number>;
    readonly ended: ReadonlySet<number>;
    /** Sends and receives that have no partner yet. */
    readonly open: ReadonlySet<number>;
  }
  const fits = (send: number, receive: number): boolean => {
    const [s, r] = [operations[send]!, operations[receive]!];
    const isPair = s.kind === OPERATION.send && r.kind === OPERATION.recv && s.peer === r.rank;
    return isPair && (r.peer === -1 || r.peer === s.rank) && (r.tag === -1 || r.tag === s.tag);
  };
  const requires = (k: number): boolean => dependencies.some(({ to }) => to === k);
  /** Receives of the same rank that are posted before this one. */
  const before = operations.map(({ kind, rank }, k) =>
    kind !== OPERATION.recv
      ? []
      : operations.flatMap((other, j) =>
          other.kind === OPERATION.recv && other.rank === rank && !requires(j) && (requires(k) || j < k) ? [j] : [],
        ),
  );
  const isAlike = (a: number, b: number): boolean => {
    const [one, other] = [operations[a]!, operations[b]!];
    return one.kind === OPERATION.recv && one.rank === other.rank && one.peer === other.peer && one.tag === other.tag;
  };
  const next = ({ started, ended, open }: State): State[] => {
    const states: State[] = [];
    operations.forEach(({ kind, size }, k) => {
      if (started.has(k)) return;
      if (!before[k]!.every((j) => started.has(j))) return;
      if (!dependencies.every((one) => one.to !== k || (one.started ? started : ended).has(one.from))) return;
      const ends = kind === OPERATION.calc || (kind === OPERATION.send && size <= largest);
      states.push({
        started: new Set([...started, k]),
        ended: ends ? new Set([...ended, k]) : ended,
        open: kind === OPERATION.calc ? open : new Set([...open, k]),
      });
    });
    // Sets keep the order of insertion, that of posting.
    for (const send of open)
      for (const receive of open)
        if (
          fits(send, receive) &&
          [...open].find((k) => operations[k]!.kind === OPERATION.recv && isAlike(receive, k)) === receive
        )
          states.push({
            started,
            ended: new Set([...ended, send, receive]),
            open: new Set([...open].filter((k) => k !== send && k !== receive)),
          });
    return states;
  };
  const keyOf = ({ started, ended, open }: State): string =>
    [
      ...[started, ended].map((set) => [...set].sort((a, b) => a - b)),
      [...open].filter((k) => operations[k]!.kind === OPERATION.recv),
      [...open].filter((k) => operations[k]!.kind === OPERATION.send).sort((a, b) => a - b),
    ].join(';');
  const none = new Set<number>();
  const seen = new Set<string>();
  const reached: State[] = [{ started: none, ended: none, open: none }];
  for (let state = reached.pop(); state !== undefined; state = reached.pop()) {
    const key = keyOf(state);
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > MOST) return undefined;
    const following = next(state);
    if (following.length === 0 && state.ended.size < operations.length) return false;
    reached.push(...following);
  }
  return true;
}

describe('why all operations of a schedule end', () => {
  test('is known only if they end in every order, by a plain search', () => {
    const counts = { known: 0, end: 0, stuck: 0 };
    fc.assert(
      fc.property(schedules, fc.constantFrom(0, 99, 65_535), (text, largest) => {
        const schedule = readGoal(text, 'schedule.goal');
        const all = allEnd(schedule, largest);
        fc.pre(all !== undefined);
        const known = whyAllEnd(inPostingOrder(schedule), largest) !== undefined;
        if (known) expect(all, text).toBe(true);
        counts.known += Number(known);
        counts.end += Number(all);
        counts.stuck += Number(!all);
      }),
      { numRuns: effort(2000) },
    );
    // Most schedules without a choice are decided, and both answers occur.
    expect(counts.known).toBeGreaterThan(counts.end / 4);
    expect(counts.stuck).toBeGreaterThan(0);
  });

  test('agrees with the markings of the net of LogGOPS', () => {
    const small = fc.record({
      text: schedules.filter((text) => (text.match(/^l\d+:/gm) ?? []).length <= 4),
      largest: fc.constantFrom(0, 65_535),
    });
    fc.assert(
      fc.property(small, ({ text, largest }) => {
        const schedule = readGoal(text, 'schedule.goal');
        const ordered = inPostingOrder(schedule);
        const net = scheduleNet(ordered, { ...LOGGOPS, S: largest }, 'schedule');
        const [found] = verify(net, ['deadlock-free'], { maxStates: MOST }).properties;
        fc.pre(found!.verdict !== null);
        expect(found!.verdict, text).toBe(allEnd(schedule, largest));
        if (whyAllEnd(ordered, largest) !== undefined) expect(found!.verdict, text).toBe(true);
      }),
      { numRuns: effort(100) },
    );
  });

  test('a run has one of these orders: if it blocks a rank, not all orders end', () => {
    const counts = { ends: 0, blocked: 0 };
    fc.assert(
      fc.property(schedules, fc.constantFrom(0, 99, 65_535), (text, largest) => {
        const schedule = readGoal(text, 'schedule.goal');
        const all = allEnd(schedule, largest);
        fc.pre(all !== undefined);
        const { run } = simulate(scheduleNet(schedule, { ...LOGGOPS, S: largest }, 'schedule'));
        const ends = run.tokens('left').length === 0;
        if (!ends) expect(all, text).toBe(false);
        counts.ends += Number(ends);
        counts.blocked += Number(!ends);
      }),
      { numRuns: effort(200) },
    );
    expect(Math.min(counts.ends, counts.blocked)).toBeGreaterThan(0);
  });

  test.each([
    [
      'receives that require nothing have the order of the file',
      'send 8b to 1',
      'recv 8b from 0',
      '',
      /all 4 operations/,
    ],
    [
      'each receive requires the end of the one before',
      'send 8b to 1',
      'recv 8b from 0',
      'requires',
      /all 4 operations/,
    ],
    ['receives that require a start only', 'send 8b to 1', 'recv 8b from 0', 'irequires', /all 4 operations/],
    ['receives of any rank', 'send 8b to 1', 'recv 8b from -1', 'requires', undefined],
  ])('one channel: %s', (_, send, receive, word, why) => {
    const part = (rank: number, line: string): string =>
      `rank ${rank} {\nl1: ${line}\nl2: ${line}\n${word === '' ? '' : `l2 ${word} l1\n`}}\n`;
    const text = `num_ranks 2\n${part(0, send)}${part(1, receive)}`;
    const found = whyAllEnd(inPostingOrder(readGoal(text, 'schedule.goal')), 65_535);
    if (why === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(why);
  });

  // Each has an order in which all operations end, and one in which some do not.
  test.each([
    [
      'the second receive may take the message of the first, whose answer the second message waits for',
      ['l1: send 8b to 1 tag 0', 'l2: recv 8b from 1 tag 1', 'l3: send 8b to 1 tag 0', 'l3 requires l2'],
      [
        'l0: calc 1',
        'l1: recv 8b from 0 tag 0',
        'l1 requires l0',
        'l2: send 8b to 0 tag 1',
        'l2 requires l1',
        'l3: recv 8b from 0 tag 0',
        'l3 requires l0',
      ],
    ],
    [
      'the same, with the other receive first',
      ['l1: send 8b to 1 tag 0', 'l2: recv 8b from 1 tag 1', 'l3: send 8b to 1 tag 0', 'l3 requires l2'],
      [
        'l0: calc 1',
        'l3: recv 8b from 0 tag 0',
        'l3 requires l0',
        'l1: recv 8b from 0 tag 0',
        'l1 requires l0',
        'l2: send 8b to 0 tag 1',
        'l2 requires l1',
      ],
    ],
    [
      'a large message may overtake a small one',
      [
        'l1: send 8b to 1 tag 0',
        'l2: send 900b to 1 tag 0',
        'l2 requires l1',
        'l3: send 8b to 1 tag 1',
        'l3 requires l2',
      ],
      [
        'l1: recv 8b from 0 tag 0',
        'l2: recv 8b from 0 tag 1',
        'l3: recv 8b from 0 tag 0',
        'l3 requires l1',
        'l3 requires l2',
      ],
    ],
  ])('is not known where %s', (_, first, second) => {
    // The order that is executed depends on the numbers of the ranks.
    const swapped = (lines: readonly string[]): string[] =>
      lines.map((line) => line.replace(/(to|from) (\d)/, (_, word, rank) => `${word} ${1 - Number(rank)}`));
    for (const [one, other] of [
      [first, second],
      [swapped(second), swapped(first)],
    ]) {
      const text = `num_ranks 2\nrank 0 {\n${one!.join('\n')}\n}\nrank 1 {\n${other!.join('\n')}\n}\n`;
      const schedule = readGoal(text, 'schedule.goal');
      expect(allEnd(schedule, 99)).toBe(false);
      expect(whyAllEnd(inPostingOrder(schedule), 99)).toBeUndefined();
    }
  });

  test.each([
    ['first', true, ['l1: recv 8b from 0 tag 0', 'l3: recv 8b from 0 tag 0']],
    ['last', false, ['l3: recv 8b from 0 tag 0', 'l1: recv 8b from 0 tag 0']],
  ])('receives that require nothing: that of the first message is posted %s', (_, ends, receives) => {
    const text = `num_ranks 2
rank 0 {
l1: send 8b to 1 tag 0
l2: recv 8b from 1 tag 1
l3: send 8b to 1 tag 0
l3 requires l2
}
rank 1 {
${receives.join('\n')}
l2: send 8b to 0 tag 1
l2 requires l1
}
`;
    const schedule = readGoal(text, 'schedule.goal');
    expect(allEnd(schedule, 99)).toBe(ends);
    expect(whyAllEnd(inPostingOrder(schedule), 99) !== undefined).toBe(ends);
    const file = join(folder, `${ends}.goal`);
    writeFileSync(file, text);
    const [found] = verify(file, ['deadlock-free']).properties;
    expect(found!.verdict).toBe(ends);
    // One run is an order.
    const { ranks } = predict(file) as unknown as { readonly ranks: readonly { readonly endTime: number | null }[] };
    expect(ranks.every(({ endTime }) => endTime !== null)).toBe(ends);
    if (!ends) expect(explore(file).figures.deadlockStates!.value).toBeGreaterThan(0);
  });

  test('large sends of one channel, of which one may wait', () => {
    const text = (word: string): string => `num_ranks 2
rank 0 {
l1: send 8b to 1
l2: send 8b to 1
l2 ${word} l1
}
rank 1 {
l1: recv 8b from 0
l2: recv 8b from 0
l2 requires l1
}
`;
    expect(whyAllEnd(readGoal(text('requires'), 'a.goal'), 4)).toMatch(/all orders end alike/);
    expect(whyAllEnd(readGoal(text('irequires'), 'a.goal'), 4)).toBeUndefined();
    expect(whyAllEnd(readGoal(text('irequires'), 'a.goal'), 8)).toMatch(/all orders end alike/);
  });
});

const goal = `${REFERENCES}/traces/goal`;
const files = existsSync(goal) ? readdirSync(goal).filter((file) => file.endsWith('.goal')) : [];

describe.skipIf(files.length === 0)('schedules of the reference data', () => {
  test.each(files)('deadlock-free is proved for %s', (file) => {
    expect(whyAllEnd(inPostingOrder(readGoal(readFileSync(`${goal}/${file}`, 'utf8'), file)), LOGGOPS.S)).toMatch(
      /all orders end alike/,
    );
    const [found] = verify(`${goal}/${file}`, ['deadlock-free']).properties;
    expect(found!.verdict).toBe(true);
  });
});
