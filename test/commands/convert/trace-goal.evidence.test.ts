import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { convertFile } from '../../../src/commands/convert/convert.ts';
import type { PredictOptions } from '../../../src/commands/predict/options.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { differences, rerunOf } from '../../../src/commands/predict/predict-rerun.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { LOGGOPS, type LogGops } from '../../../src/trace/goal/schedule.ts';
import { effort } from '../../effort.ts';
import { type Call, lineOf, parameters, programs as programsWithCollectives } from '../predict/loggops-programs.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-trace-goal-'));
afterAll(() => rmSync(dir, { recursive: true }));

type Step = Exclude<Call, { op: 'bcast' | 'allreduce' }>;
type Message = Extract<Step, { size: number }>;

const [trace, machine] = [join(dir, 'app.ti'), join(dir, 'machine.yaml')];
writeFileSync(
  machine,
  'nodes: 8\ncoresPerNode: 1\nspeed: 1Gf\nlink: { latency: 1us, bandwidth: 1GB/s }\neagerBelow: 64KiB\n',
);

async function scheduled(lines: readonly string[], ranks: number, collectives = 'simgrid'): Promise<string> {
  const goal = join(dir, 'app.goal');
  const own = (r: number): string[] => lines.filter((line) => line.startsWith(`${r} `));
  const all = Array.from({ length: ranks }, (_, r) => [`${r} init`, ...own(r), `${r} finalize`]).flat();
  writeFileSync(trace, `${all.join('\n')}\n`);
  await convertFile(trace, goal, { machine, collectives });
  return goal;
}

const text = (parameters: LogGops): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

const nanoseconds = (
  file: string,
  parameters: LogGops,
  options: PredictOptions = {},
): { readonly ends: (number | null)[]; readonly stuck: number } => {
  const { ranks, deadlock } = predict(file, { loggops: text(parameters), ...options });
  const ends = ranks.map(({ endTime }) => (endTime === null ? null : Math.round(endTime * 1e9)));
  return { ends, stuck: deadlock.length };
};

/**
 * Ranks that run their steps one after the other under LogGOPS, with an event list in whole nanoseconds: it knows no schedule.
 * Events are taken by time, then in the order in which they were made; one whose CPU or interface is taken waits for both.
 */
function run(programs: readonly (readonly Step[])[], { L, o, g, G, O, S }: LogGops) {
  const zeros = (): number[] => programs.map(() => 0);
  const [at, cpu, out, into] = [zeros(), zeros(), zeros(), zeros()];
  const events: {
    time: number;
    readonly number: number;
    readonly rank: number;
    readonly index: number;
    readonly lands: boolean;
  }[] = [];
  let number = 0;
  const done = programs.map(() => new Set<number>());
  const unexpected: [number, number][][] = programs.map(() => []);
  const expected: number[][] = programs.map(() => []);
  const message = (rank: number, index: number) => programs[rank]![index] as Message;
  let woken = new Set(programs.map((_, r) => r));
  const open = programs.map(() => new Map<string, number[]>());
  const waited = programs.map(() => new Set<number>());
  const pass = (rank: number): void => {
    at[rank]!++;
    woken.add(rank);
  };
  const complete = (rank: number, index: number): void => {
    done[rank]!.add(index);
    woken.add(rank);
  };
  const key = (step: { readonly peer: number; readonly tag: number }, sends: boolean): string =>
    `${step.peer} ${step.tag} ${sends}`;
  /** Continues a rank until it has to wait. */
  const go = (rank: number, now: number): void => {
    for (const index of waited[rank]!) if (!done[rank]!.has(index)) return;
    const step = programs[rank]![at[rank]!];
    if (step === undefined) return;
    if (step.op === 'wait') {
      const index = open[rank]!.get(key(step, step.sends))!.shift()!;
      waited[rank]!.add(index);
      at[rank]!++;
      go(rank, now);
      return;
    }
    events.push({ time: Math.max(now, cpu[rank]!), number: number++, rank, index: at[rank]!, lands: false });
  };
  const match = (receiver: number, receive: number, [sender, send]: [number, number], now: number): void => {
    if (message(sender, send).size > S) {
      cpu[sender] = Math.max(cpu[sender]!, now);
      complete(sender, send);
    }
    complete(receiver, receive);
  };
  const posted = (rank: number, index: number): void => {
    const step = message(rank, index);
    if (step.op === 'send' || step.op === 'recv') waited[rank]!.add(index);
    else {
      const name = key(step, step.op === 'isend');
      open[rank]!.set(name, [...(open[rank]!.get(name) ?? []), index]);
    }
    pass(rank);
  };
  const fits = (receiver: number, receive: number, [sender, send]: [number, number]): boolean =>
    message(receiver, receive).peer === sender && message(receiver, receive).tag === message(sender, send).tag;
  const release = (now: number): void => {
    const next = [...woken].sort((a, b) => a - b);
    woken = new Set();
    for (const rank of next) if (!events.some((e) => e.rank === rank && !e.lands)) go(rank, now);
  };
  release(0);
  while (events.length > 0) {
    events.sort((a, b) => a.time - b.time || a.number - b.number);
    const event = events.shift()!;
    const { rank, index, time } = event;
    const step = programs[rank]![index]!;
    const later = (free: number): unknown => events.push({ ...event, time: free });
    if (step.op === 'compute') {
      if (cpu[rank]! > time) later(cpu[rank]!);
      else {
        cpu[rank] = time + step.ns;
        pass(rank);
      }
    } else if (step.op === 'wait') throw new Error('a wait has no event');
    else if (event.lands) {
      const to = step.peer;
      const free = Math.max(cpu[to]!, into[to]!);
      if (free > time) later(free);
      else {
        cpu[to] = time + Math.max(0, o + (step.size - 1) * Math.max(O, G));
        into[to] = time + Math.max(0, g + (step.size - 1) * G);
        const found = expected[to]!.findIndex((receive) => fits(to, receive, [rank, index]));
        if (found < 0) unexpected[to]!.push([rank, index]);
        else match(to, expected[to]!.splice(found, 1)[0]!, [rank, index], time);
      }
    } else if (step.op === 'send' || step.op === 'isend') {
      const free = Math.max(cpu[rank]!, out[rank]!);
      if (free > time) later(free);
      else {
        cpu[rank] = time + Math.max(0, o + (step.size - 1) * O);
        out[rank] = time + Math.max(0, g + (step.size - 1) * G);
        events.push({ time: time + o + L, number: number++, rank, index, lands: true });
        posted(rank, index);
        if (step.size <= S) complete(rank, index);
      }
    } else {
      posted(rank, index);
      const found = unexpected[rank]!.findIndex((send) => fits(rank, index, send));
      if (found < 0) expected[rank]!.push(index);
      else match(rank, index, unexpected[rank]!.splice(found, 1)[0]!, time);
    }
    release(time);
  }
  return cpu;
}

/** Programs of messages and computations. */
const programs = programsWithCollectives.map((all) =>
  all.map((own) => own.filter((call): call is Step => call.op !== 'bcast' && call.op !== 'allreduce')),
);

describe('traces as schedules', () => {
  test('ranks of random programs end when a plain event list of their calls says, to the nanosecond', async () => {
    await fc.assert(
      fc.asyncProperty(programs, parameters, async (all, values) => {
        const lines = all.flatMap((own, r) => own.map((step) => `${r} ${lineOf(r, step)}`));
        const { ends, stuck } = nanoseconds(await scheduled(lines, all.length), values);
        expect(stuck).toBe(0);
        expect(ends).toEqual(run(all, values));
        expect(nanoseconds(trace, values, { machine }).ends).toEqual(ends);
      }),
      { numRuns: effort(500) },
    );
  });

  const values: LogGops = { L: 2500, o: 1500, g: 1000, G: 6, O: 0, S: 65_535 };

  test('a ping-pong of s bytes takes 2 (2 o + L + (s − 1) G)', async () => {
    const goal = await scheduled(['0 send 1 0 500 6', '0 recv 1 0 500 6', '1 recv 0 0 500 6', '1 send 0 0 500 6'], 2);
    const half = 2 * values.o + values.L + 499 * values.G;
    expect(nanoseconds(goal, values).ends[0]).toBe(2 * half);
  });

  test('n messages of a byte in a row end after (n − 1) max(o, g) + 2 o + L', async () => {
    const n = 10;
    const lines = [...Array<string>(n).fill('0 send 1 0 1 6'), ...Array<string>(n).fill('1 recv 0 0 1 6')];
    const goal = await scheduled(lines, 2);
    for (const g of [200, 5000])
      expect(nanoseconds(goal, { ...values, g }).ends[1]).toBe((n - 1) * Math.max(1500, g) + 3000 + 2500);
  });

  test('a broadcast along a binomial tree of 8 ranks takes 3 (2 o + L) of LogP', async () => {
    const goal = await scheduled(
      Array.from({ length: 8 }, (_, r) => `${r} bcast 1 0 6`),
      8,
      'bcast=binomial',
    );
    const { ends } = nanoseconds(goal, { ...values, g: 0 });
    expect(Math.max(...ends.map(Number))).toBe(3 * (2 * 1500 + 2500));
  });

  test('calls require the end of blocking ones, the start of others, and what they wait for', async () => {
    const lines = [
      '0 compute 1000',
      '0 isend 1 5 8 6',
      '0 compute 0.2',
      '0 compute 20',
      '0 wait 0 1 5',
      '0 send 1 7 9 6',
    ];
    const goal = await scheduled([...lines, '1 recv 0 5 8 6', '1 recv 0 7 9 6'], 2);
    expect(readFileSync(goal, 'utf8').trim().split('\n').slice(0, 11)).toEqual([
      'num_ranks 2',
      'rank 0 {',
      '  l0: calc 1000',
      '  l1: send 8b to 1 tag 0',
      '  l1 requires l0',
      '  l2: calc 20',
      '  l2 irequires l1',
      '  l3: send 9b to 1 tag 1',
      '  l3 requires l2',
      '  l3 requires l1',
      '}',
    ]);
  });

  test.each([
    ['1 waitAny 1', /app\.ti:7: GOAL008 a schedule has no calls such as "waitany"/],
    ['1 Ssend 0 1 8 6', /app\.ti:7: GOAL008 a schedule has no synchronous and buffered sends/],
  ])('refused: %s', async (line, message) => {
    const lines = ['0 recv 1 1 8 6', '0 recv 1 1 8 6', '1 isend 0 1 8 6', line];
    await expect(scheduled(lines, 2)).rejects.toThrow(message);
  });

  test('options of nets are refused', async () => {
    await scheduled(['0 compute 1'], 1);
    const out = join(dir, 'x.goal');
    await expect(convertFile(join(dir, 'app.ti'), out, { machine, unfold: true })).rejects.toThrow(
      /x\.goal: GOAL008 a schedule is no net: omit unfold/,
    );
  });

  test('predict of a trace with loggops has the time of its schedule, collectives too, and the hosts of the machine', async () => {
    const lines = Array.from({ length: 8 }, (_, r) => [`${r} compute ${r}00`, `${r} bcast 1 0 6`]).flat();
    const goal = await scheduled(lines, 8, 'bcast=binomial');
    const options = { machine, collectives: 'bcast=binomial' };
    expect(nanoseconds(trace, values, options).ends).toEqual(nanoseconds(goal, values).ends);
    const document = predict(trace, { ...options, loggops: 'L=1' });
    expect(document.options).toMatchObject({ networkModel: 'loggops', loggops: 'L=1,o=1500,g=1000,G=6,O=0,S=65535' });
    expect(new Set(document.ranks.map(({ host }) => host)).size).toBe(8);
    expect(Object.keys(document.inputs)).toEqual(['trace', 'machine']);
  });

  test('ranks that wait forever, and messages that no receive takes, are at their lines of the trace', async () => {
    await scheduled(['0 compute 5', '0 recv 1 0 8 6', '1 compute 5', '1 send 0 1 9 6'], 2);
    const { deadlock, warnings } = predict(trace, { machine, loggops: 'L=1' });
    expect(deadlock).toMatchObject([
      { rank: 0, operation: 'recv of 8 B from rank 1', file: trace, line: 3, waitsFor: [1] },
    ]);
    expect(warnings.filter(({ code }) => code === 'GOAL007')).toMatchObject([
      {
        message: 'no receive of rank 0 takes the message of rank 1: send of 9 B to rank 0',
        place: { file: trace, line: 7 },
      },
    ]);
  });

  test('whatif varies the parameters of a trace, and rerun repeats its prediction', async () => {
    await scheduled(['0 compute 1000', '0 send 1 7 500 6', '1 recv 0 7 500 6'], 2);
    const values = [0, 800, 'x3'];
    const { scenarios } = await whatif(trace, { machine, workers: 1, loggops: 'o=40', vary: { 'loggops.L': values } });
    const latencies = [0, 800, 3 * LOGGOPS.L];
    expect(scenarios.map(({ figures }) => figures!['runTime']!.value)).toEqual(
      latencies.map((L) => predict(trace, { machine, loggops: `L=${L},o=40` }).figures.runTime.value),
    );
    const document = predict(trace, { machine, loggops: 'L=800,o=40' });
    const { input, options } = rerunOf(document, 'result.json');
    expect(differences(document, predict(input, options))).toEqual([]);
    const twice = { machine, loggops: 'L=1', vary: { 'loggops.L': [2] } };
    await expect(whatif(trace, twice)).rejects.toThrow(/WHAT005 axis loggops\.L: option loggops fixes it to 1/);
  });

  test.each<[PredictOptions, RegExp]>([
    [{ loggops: 'L=-1' }, /GOAL006 loggops: parameter L of LogGOPS: expected a number from 0/],
    [{ loggops: 'Q=1' }, /GOAL006 loggops: unknown parameter of LogGOPS "Q"/],
    [{ loggops: 'L=1,o=2,L=3' }, /GOAL006 loggops: parameter L of LogGOPS is given twice: it has one value/],
    [{ loggops: 'L=1', networkModel: 'ideal' }, /app\.ti: GOAL006 option networkModel .*LogGOPS is the network model/],
    [{ loggops: 'L=1', cfg: 'smpi/os:0:1:0' }, /app\.ti: GOAL006 option cfg does not go with loggops/],
    [{ loggops: 'L=1', suggestPlacement: true }, /app\.ti: GOAL006 option suggestPlacement .*at the same distance/],
    [{ loggops: 'L=1', ties: 'random' }, /app\.ti: GOAL006 option ties does not go with loggops/],
  ])('predict with %j is refused', async (options, message) => {
    await scheduled(['0 compute 1'], 1);
    expect(() => predict(trace, { machine, ...options })).toThrow(message);
  });

  test('predict refuses what a schedule does not have, at its line', async () => {
    writeFileSync(trace, '0 init\n0 irecv 1 1 8 6\n0 waitAny 1\n0 finalize\n1 init\n1 send 0 1 8 6\n1 finalize\n');
    expect(() => predict(trace, { machine, loggops: 'L=1' })).toThrow(/app\.ti:3: GOAL008 a schedule has no calls/);
  });
});
