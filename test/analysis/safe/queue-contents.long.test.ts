import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeNet } from '../../../src/analysis/safe/safe-net.ts';
import { explore } from '../../../src/analysis/space/explore.ts';
import { runTimes } from '../../../src/commands/exact/space-run-time.ts';
import { explore as exploreModel } from '../../../src/commands/explore/explore.ts';
import { spaceInput } from '../../../src/commands/explore/explore-input.ts';
import { givenInput } from '../../../src/commands/inputs/input.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import type { Net } from '../../../src/net/net.ts';
import { add } from '../../../src/net/terms.ts';
import { effort } from '../../effort.ts';
import { composedThreads, threadSpecs } from '../../models/program/compose/random-threads.ts';

const COLOURS = ['a', 'b', 'c'] as const;
type Colour = (typeof COLOURS)[number];

interface Line {
  /** Tokens that enter the first queue, each at once or after its delay. */
  readonly jobs: readonly { readonly colour: Colour; readonly delay: number }[];
  /** Whether each colour has a queue of its own. */
  readonly keyed: boolean;
  readonly capacity: number | undefined;
  /** Servers of each stage take the head of its queue, work for the time of its colour, and pass the job on. */
  readonly stages: readonly { readonly servers: number; readonly times: readonly [number, number, number] }[];
}

const lines: fc.Arbitrary<Line> = fc.record({
  jobs: fc.array(fc.record({ colour: fc.constantFrom(...COLOURS), delay: fc.nat(3) }), { minLength: 2, maxLength: 4 }),
  keyed: fc.boolean(),
  capacity: fc.constantFrom(undefined, 1, 2),
  stages: fc.array(
    fc.record({ servers: fc.integer({ min: 1, max: 2 }), times: fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)) }),
    { minLength: 1, maxLength: 2 },
  ),
});

/** Jobs of several colours through queues in a row. Two jobs of one colour and number make places of two tokens. */
function lineNet({ jobs, keyed, capacity, stages }: Line, timed: boolean): Net {
  const n = new NetBuilder('line');
  const Job = n.enumeration('job', ...COLOURS);
  const Part = n.range('part', 0, 1);
  const fields = { x: Job, part: Part };
  const from = stages.map((_, k) =>
    n.place(`queue ${k}`, fields, {
      order: keyed ? { fifo: ['part'] } : 'fifo',
      ...(capacity === undefined ? {} : { capacity }),
    }),
  );
  const done = n.place('done', fields);
  jobs.forEach(({ colour, delay }, k) => {
    const start = n.place(`job ${k}`, {}, { initial: 1 });
    n.transition(`enter ${k}`, (t) => {
      t.take(start);
      t.put(from[0]!, { x: colour, part: k % 2 });
      if (timed && delay > 0) t.delay(delay);
    });
  });
  stages.forEach(({ servers, times }, k) => {
    const server = n.place(`server ${k}`, {}, { initial: servers });
    const busy = n.place(`busy ${k}`, fields);
    const time = n.realTable(`time ${k}`, Float64Array.from(times));
    n.transition(`begin ${k}`, (t) => {
      const { x, part } = t.take(from[k]!);
      t.take(server);
      t.put(busy, { x, part });
    });
    n.transition(`end ${k}`, (t) => {
      const { x, part } = t.take(busy);
      t.put(from[k + 1] ?? done, { x, part });
      t.put(server, {});
      if (timed) t.delay(time.at(x as never));
    });
  });
  return n.build();
}

describe('the safe net of queues with several colours', () => {
  test('has the same reachable markings and steps', { timeout: 600_000 }, () => {
    let queues = 0;
    fc.assert(
      fc.property(lines, (line) => {
        const net = lineNet(line, false);
        const safe = safeNet(net);
        const [given, made] = [explore(net), explore(safe.net)];
        expect([made.states, made.edges, made.maxTokensInPlace]).toEqual([given.states, given.edges, 1]);
        if (safe.petri.places.some(({ content }) => (content?.tokens.length ?? 0) > 1)) queues++;
      }),
      { numRuns: effort(60) },
    );
    expect(queues).toBeGreaterThan(5);
  });

  test('keeps delays: the shortest and the longest run time over all orders', { timeout: 600_000 }, () => {
    let [timed, encoded, uncoloured] = [0, 0, 0];
    fc.assert(
      fc.property(lines, (line) => {
        const net = lineNet({ ...line, jobs: line.jobs.slice(0, 3) }, true);
        const safe = safeNet(net);
        const [given, made] = [runTimes(net), runTimes(safe.net, { maxStates: 200_000 })];
        fc.pre(given.complete && made.complete);
        expect([made.shortest.value, made.longest.value]).toEqual([given.shortest.value, given.longest.value]);
        timed++;
        if (!safe.unchanged) encoded++;
        // A net that is safe already, without its colours.
        const plain = safe.unchanged ? safeNet(net, { withoutColours: true }) : safe;
        if (safe.unchanged) uncoloured++;
        expect(plain.net.places.every((p) => p.fields.length === 0 && p.order === 'bag')).toBe(true);
        const bare = runTimes(plain.net, { maxStates: 200_000 });
        fc.pre(bare.complete);
        expect([bare.shortest.value, bare.longest.value]).toEqual([given.shortest.value, given.longest.value]);
      }),
      { numRuns: effort(30) },
    );
    expect(timed).toBeGreaterThan(10);
    expect(encoded).toBeGreaterThan(2);
    expect(uncoloured).toBeGreaterThan(1);
  });

  test('names contents, the head first', () => {
    const job = (colour: Colour) => ({ colour, delay: 0 });
    const line = {
      jobs: [job('a'), job('a')],
      keyed: false,
      capacity: undefined,
      stages: [{ servers: 1, times: [1, 1, 1] }],
    };
    const names = safeNet(lineNet(line as never, false)).net.places.map((p) => p.name);
    expect(names).toContain('queue 0[]');
    expect(names).toContain('queue 0[a,0|a,1]');
    expect(names).toContain('queue 0[a,1|a,0]');
  });

  test('refuses a race that a change of contents would restart, and several tokens of one queue', () => {
    const made = (change: (t: never, queue: never) => void): Net => {
      const n = new NetBuilder('n');
      const Job = n.enumeration('job', ...COLOURS);
      const start = n.place('start', { x: Job }, { initial: [{ x: 'a' }, { x: 'b' }, { x: 'a' }] });
      const queue = n.place('queue', { x: Job }, { order: 'fifo' });
      n.transition('enter', (t) => {
        const { x } = t.take(start);
        t.put(queue, { x });
      });
      n.transition('leave', (t) => change(t as never, queue as never));
      return n.build();
    };
    const race = (delay: unknown) => (t: { take: (p: never) => void; race: (o: unknown) => void }, queue: never) => {
      t.take(queue);
      t.race({ delay });
    };
    expect(() => safeNet(made(race(2) as never))).toThrow(/SAFE004 transition leave/);
    expect(safeNet(made(race(exponential(1)) as never)).unchanged).toBe(false);
    const two = (t: { take: (p: never, o?: unknown) => void }, queue: never) => {
      t.take(queue, { x: 'a' });
      t.take(queue, { x: 'a' });
    };
    expect(() => safeNet(made(two as never))).toThrow(
      /UNF004 place queue: is a fifo of which a step takes several tokens/,
    );
  });

  test('thread compositions without times have the same markings', { timeout: 600_000 }, () => {
    let compared = 0;
    fc.assert(
      fc.property(threadSpecs, (spec) => {
        const small = { ...spec, modules: spec.modules.slice(0, 2).map((m) => m.slice(0, 1)) };
        const model = composedThreads({
          ...small,
          modules: small.modules.map((m) => m.map((s) => (s.kind === 'team' ? { ...s, kind: 'loop' as const } : s))),
        });
        const options = { workers: 2, scheduler: 'central' } as const;
        fc.pre(exploreModel(model, { ...options, maxStates: 1_500 }).complete);
        const { net } = spaceInput(givenInput('explore', model), options);
        const plain: Net = {
          ...net,
          transitions: net.transitions.map(({ delay: _, weight: __, timing: ___, ...t }) => t),
        };
        const given = explore(plain, { maxStates: 1_500 });
        fc.pre(given.complete);
        const made = explore(safeNet(plain).net);
        expect([made.states, made.edges]).toEqual([given.states, given.edges]);
        compared++;
      }),
      { numRuns: effort(20) },
    );
    expect(compared).toBeGreaterThan(10);
  });
});

test('a binding without a value is refused only where the markings are too many to show that no run reaches it', () => {
  const n = new NetBuilder('counter');
  const count = n.place('count', { k: n.range('Three', 0, 2) }, { initial: [{ k: 0 }] });
  // Two budgets: no run counts beyond 2, and each place alone permits it.
  const budget = n.place('budget', {}, { initial: 2 });
  n.transition('add', (t) => {
    const { k } = t.take(count);
    t.take(budget);
    t.put(count, { k: add(k, 1) });
  });
  const net = n.build();
  expect(safeNet(net).net.places.length).toBeGreaterThan(0);
  expect(() => safeNet(net, { maxMarkings: 1 })).toThrow(
    /UNF009 net "counter": transition add with k = 2: \(3\) is not a colour of place count .*Runs with more than 1 markings may reach it: expected fewer markings/,
  );
});
