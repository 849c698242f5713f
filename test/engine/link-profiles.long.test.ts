import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { capacityMean, nextChange, profileMean, profileValue } from '../../src/net/link-profile.ts';
import type { Follow, LinkProfile, Net, ServiceLink } from '../../src/net/net.ts';
import { div } from '../../src/net/terms.ts';
import { effort } from '../effort.ts';
import { referenceRun } from '../reference/token-game.ts';

interface Message {
  readonly at: number;
  readonly amount: number;
  readonly weight: number;
  readonly bound: number;
  readonly crosses: readonly { readonly link: number; readonly coefficient: number }[];
  readonly wait: number;
}

/** A net in which messages arrive at given times; `done` takes them when they are served. */
function netOf(links: readonly ServiceLink[], messages: readonly Message[], follow?: Follow): Net {
  const n = new NetBuilder('profiles');
  const Message = n.range('Message', 0, messages.length - 1);
  const start = [0];
  for (const { crosses } of messages) start.push(start.at(-1)! + crosses.length);
  const all = messages.flatMap(({ crosses }) => crosses);
  const routes = n.routesTable(
    'routes',
    Int32Array.from(start),
    Int32Array.from(all, ({ link }) => link),
    Float64Array.from(all, ({ coefficient }) => coefficient),
  );
  const of = (name: string, value: (m: Message) => number) => n.realTable(name, Float64Array.from(messages, value));
  const [at, amount, weight] = [of('at', (m) => m.at), of('amount', (m) => m.amount), of('weight', (m) => m.weight)];
  const [bound, wait] = [of('bound', (m) => m.bound), of('wait', (m) => m.wait)];
  const ready = n.place('ready', { m: Message }, { initial: messages.map((_, m) => ({ m })) });
  const wire = n.place(
    'wire',
    { m: Message },
    {
      service: ({ m }) => ({
        links,
        amount: amount.at(m),
        weight: weight.at(m),
        bound: bound.at(m),
        routes,
        route: m,
        latency: wait.at(m),
        latencyFactor: div(2, 1),
        ...(follow === undefined ? {} : { follow }),
      }),
    },
  );
  n.transition('arrives', (t) => {
    const { m } = t.take(ready);
    t.delay(at.at(m));
    t.put(wire, { m });
  });
  n.transition('done', (t) => {
    t.take(wire);
  });
  return n.build();
}

/** When each message is served; undefined if it never is. */
function servedAt(net: Net, count: number): (number | undefined)[] {
  const ends: (number | undefined)[] = Array(count).fill(undefined);
  for (const { time, transition, binding } of simulate(net, { record: 'all' }).events)
    if (transition === 'done') ends[binding['m']!] = time;
  return ends;
}

const link = (profiles: readonly LinkProfile[], more: Partial<ServiceLink> = {}): ServiceLink => ({
  name: 'link',
  capacity: 2,
  fatpipe: false,
  profiles,
  ...more,
});
const message = (more: Partial<Message> = {}): Message => ({
  at: 0,
  amount: 10,
  weight: 1,
  bound: Number.POSITIVE_INFINITY,
  crosses: [{ link: 0, coefficient: 1 }],
  wait: 0,
  ...more,
});
const served = (profiles: readonly LinkProfile[], messages: readonly Message[], more?: Partial<ServiceLink>) =>
  servedAt(netOf([link(profiles, more)], messages), messages.length);

describe('a link that changes over time, by hand', () => {
  test('a change of the capacity slows a token that is under way', () => {
    // 4 units until 2 s, the other 6 at rate 1.
    expect(served([{ of: 'capacity', times: [2], values: [0.5] }], [message()])).toEqual([8]);
  });

  test('a profile repeats after its period, counted from 0', () => {
    const halves: LinkProfile = { of: 'capacity', times: [1, 2], values: [0.5, 1], period: 4 };
    // Rates: 2, 1, 2, 2 in each 4 s: 7 units; the other 3 take 2 + 1.
    expect(served([halves], [message()])).toEqual([6]);
  });

  test('changes while no token is there count when one comes', () => {
    const halves: LinkProfile = { of: 'capacity', times: [1, 2], values: [0.5, 1], period: 4 };
    // From 1000001 s on: rate 1 for a second, then 2 for three seconds, then 1 for a second.
    expect(served([halves], [message({ at: 1_000_001, amount: 8 })])).toEqual([1_000_006]);
  });

  test('the latency is that at the arrival of a token, times its factor', () => {
    const later: LinkProfile = { of: 'latency', times: [1, 5], values: [1, 3] };
    const at = (time: number): Message => message({ at: time, amount: 2, wait: 0.5 });
    expect(served([later], [at(0), at(2), at(6)])).toEqual([1.5, 5.5, 13.5]);
  });

  test('a link that fails loses tokens that cross it, wait for it or come while it is down', () => {
    const down: LinkProfile = { of: 'state', times: [3, 5], values: [0, 1] };
    const messages = [
      message({ amount: 2 }),
      message({ amount: 20 }),
      message({ at: 2, wait: 10 }),
      message({ at: 4 }),
      message({ at: 6 }),
    ];
    expect(served([down], messages)).toEqual([2, undefined, undefined, undefined, 11]);
  });

  test('tokens without work are lost, too', () => {
    const down: LinkProfile = { of: 'state', times: [3], values: [0] };
    expect(served([down], [message({ amount: 0 }), message({ at: 4, amount: 0 })])).toEqual([0, undefined]);
  });

  test('a run without an end of its links ends when its tokens have been served', () => {
    const always: LinkProfile = { of: 'capacity', times: [0.5], values: [0.5], period: 1 };
    expect(simulate(netOf([link([always])], [message({ amount: 1 })])).time).toBe(0.5);
  });

  test('cores: each of two computations has the present speed of its core', () => {
    const slower: LinkProfile = { of: 'capacity', times: [1], values: [0.5] };
    const cores = { capacity: 2, byTokens: [1, 2] };
    expect(served([slower], [message({ amount: 2 }), message({ amount: 3 })], cores)).toEqual([3, 5]);
  });

  test('with a cap, rates stay at most those that links allowed on arrival', () => {
    const faster: LinkProfile = { of: 'capacity', times: [1], values: [1], initial: 0.5 };
    const follow = { capped: true, weightByLatency: 0, weightByCapacity: 0, boundByLatency: 0 };
    expect(served([faster], [message()])).toEqual([5.5]);
    expect(servedAt(netOf([link([faster])], [message()], follow), 1)).toEqual([10]);
  });

  test('means of profiles', () => {
    const halves: LinkProfile = { of: 'capacity', times: [1, 2], values: [0.5, 1], period: 4 };
    expect(profileMean(halves, 4)).toBe(0.875);
    expect(profileMean(halves, 4001.5)).toBeCloseTo((0.875 * 4000 + 1.25) / 4001.5, 12);
    expect([0, 1, 2, 5, 6].map((t) => profileValue(halves, t))).toEqual([1, 0.5, 1, 0.5, 1]);
    expect([0, 1, 2, 5.5].map((t) => nextChange(halves, t))).toEqual([1, 2, 5, 6]);
    const down: LinkProfile = { of: 'state', times: [3], values: [0] };
    expect(capacityMean(link([halves, down]), 4)).toBe((1 + 0.5 + 1) / 4);
  });
});

/** Numbers that do not meet at one instant by chance, also when they are shrunk. */
const real = (min: number, max: number) =>
  fc.nat({ max: 1e6 }).map((k) => min + (max - min) * ((k * 0.6180339887498949 + 0.0123456789) % 1));
const profile = fc
  .record({
    of: fc.constantFrom('capacity' as const, 'capacity' as const, 'latency' as const, 'state' as const),
    times: fc.array(real(0, 6), { minLength: 1, maxLength: 4 }).map((times) => times.sort((a, b) => a - b)),
    pause: fc.option(real(0.1, 3)),
    draws: fc.array(real(0.1, 1), { minLength: 4, maxLength: 4 }),
  })
  .map(({ of, times, pause, draws }): LinkProfile => {
    const values = times.map((_, k) => (of === 'state' ? Number(draws[k]! > 0.3) : draws[k]!));
    return { of, times, values, ...(pause === null ? {} : { period: times.at(-1)! + pause }) };
  });
const anyLink = fc
  .record({
    capacity: real(0.5, 5),
    kind: fc.nat({ max: 3 }),
    profiles: fc.uniqueArray(profile, { maxLength: 2, selector: ({ of }) => of }),
  })
  .map(({ capacity, kind, profiles }): ServiceLink => {
    const own = profiles.length === 0 ? {} : { profiles };
    if (kind === 0)
      return { name: 'cores', capacity: 2 * capacity, fatpipe: false, byTokens: [capacity, 2 * capacity], ...own };
    if (kind === 1)
      return { name: 'pipe', capacity, fatpipe: true, ...own, ...(profiles.length === 0 ? {} : { level: true }) };
    return { name: 'link', capacity, fatpipe: false, ...own };
  });
const scenario = fc.array(anyLink, { minLength: 1, maxLength: 4 }).chain((links) =>
  fc.record({
    links: fc.constant(links),
    messages: fc.array(
      fc.record({
        at: real(0, 8),
        amount: fc.oneof(fc.constant(0), real(0.1, 8)),
        weight: real(0.5, 3),
        bound: fc.oneof(real(0.5, 3), fc.constant(Number.POSITIVE_INFINITY)),
        wait: fc.oneof(fc.constant(0), real(0.05, 1)),
        crosses: fc
          .uniqueArray(fc.nat({ max: links.length - 1 }), { maxLength: 3 })
          .chain((ls) =>
            fc.tuple(
              ...ls.map((l) => fc.constantFrom(0.05, 1, 1.05, 2).map((coefficient) => ({ link: l, coefficient }))),
            ),
          ),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    follow: fc.option(
      fc.record({
        capped: fc.boolean(),
        weightByLatency: fc.constantFrom(0, 1),
        weightByCapacity: fc.constantFrom(0, 0.5),
        boundByLatency: fc.constantFrom(0, 0.3),
      }),
    ),
  }),
);

test('engine and reference agree on random links that change', () => {
  fc.assert(
    fc.property(scenario, ({ links, messages, follow }) => {
      fc.pre(links.some(({ profiles }) => profiles !== undefined));
      const net = netOf(links, messages, follow ?? undefined);
      const found = servedAt(net, messages.length);
      const expected: (number | undefined)[] = Array(messages.length).fill(undefined);
      for (const { time, transition, binding } of referenceRun(net).trace)
        if (transition === 'done') expected[binding['m']!] = time;
      found.forEach((time, m) => {
        if (time === undefined || expected[m] === undefined) expect(time, `message ${m}`).toBe(expected[m]);
        else expect(Math.abs(time - expected[m]), `message ${m}`).toBeLessThan(1e-9 * (1 + time));
      });
    }),
    { numRuns: effort(3000) },
  );
});
