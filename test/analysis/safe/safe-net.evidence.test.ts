import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flatten } from '../../../src/analysis/petri/flatten.ts';
import { type SafeNet, safeNet } from '../../../src/analysis/safe/safe-net.ts';
import { simulate } from '../../../src/analysis/simulate.ts';
import { explore } from '../../../src/analysis/space/explore.ts';
import type { StateSpace } from '../../../src/analysis/space/state-space.ts';
import { InputError } from '../../../src/base/problem.ts';
import { readNetFile } from '../../../src/commands/inputs/net-file.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import { fcfs } from '../../../src/net/builder/stations.ts';
import type { Net } from '../../../src/net/net.ts';
import { readPnml } from '../../../src/net/pnml/pnml-read.ts';
import { writePnml } from '../../../src/net/pnml/pnml-write.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { finiteNet } from '../../net/random-finite-net.ts';
import { contestFile, contestNets, skipped } from '../../references.ts';
import { buffer } from '../space/small-nets.ts';

const RUNS = effort(60);

/** Token counts of the original net that a marking of the safe net encodes; fails unless one place per count is marked. */
function decoded({ places, bounds, petri, net }: SafeNet, space: StateSpace, state: number): string {
  // A content of a queue that is absent has no place.
  const counts = bounds.map((_, p): number => (petri.places[p]!.content === undefined ? -1 : 0));
  // The stages of firings in progress follow.
  const encoding = net.places.findIndex(({ name }) => /\.idle\d+'*$/.test(name));
  const end = encoding < 0 ? net.places.length : encoding;
  for (const { place, tokens } of space.marking(state).places) {
    if (place >= end) continue;
    const { place: given, tokens: count } = places[place]!;
    if (tokens.length !== 1 || tokens[0]!.count !== 1 || counts[given]! > 0)
      throw new Error(`place ${place} of ${state}`);
    counts[given] = count;
  }
  if (counts.includes(-1)) throw new Error(`a place without a count in ${state}`);
  return counts.join();
}

/** Token counts of a marking of the original net. */
function countsOf({ petri }: SafeNet, space: StateSpace, state: number): string {
  const { places, busy } = space.marking(state);
  const counts = petri.places.map(({ kind, node, values, content }) => {
    if (content !== undefined) {
      const own = new Set(content.colours.map((row) => row.join()));
      const tokens = (places.find((p) => p.place === node)?.tokens ?? []).flatMap((t) =>
        own.has(t.values.join()) ? Array.from({ length: t.count }, () => t.values.join()) : [],
      );
      return tokens.join(' ') === content.tokens.map((row) => row.join()).join(' ') ? 1 : 0;
    }
    const same = (v: readonly number[]): boolean => v.length === values.length && v.every((x, k) => x === values[k]);
    if (kind === 'busy')
      return busy
        .filter((b) => b.transition === node && same(Object.values(b.binding)))
        .reduce((n, b) => n + b.count, 0);
    return (places.find((p) => p.place === node)?.tokens ?? [])
      .filter((t) => t.where === kind && same(t.values))
      .reduce((n, t) => n + t.count, 0);
  });
  return counts.join();
}

/** A step of the original net as a string. */
const stepKey = (kind: string, node: number, binding: Readonly<Record<string, number>>): string =>
  `${kind} ${node} ${JSON.stringify(Object.entries(binding).sort(([a], [b]) => (a < b ? -1 : 1)))}`;

/** The packed engine has no queues of several colours. */
const engineOf = ({ petri }: SafeNet): { readonly engine?: 'packed' } =>
  petri.places.some(({ content }) => content !== undefined) ? {} : { engine: 'packed' };

/** Checks that both state graphs are isomorphic under the mapping of markings and steps, and that the new net is safe. */
function expectIsomorphic(net: Net, safe: SafeNet): number {
  const given = explore(net, engineOf(safe));
  const made = explore(safe.net, { engine: 'packed' });
  expect([made.complete, made.states, made.edges]).toEqual([true, given.states, given.edges]);
  expect(made.maxTokensInPlace).toBeLessThanOrEqual(1);
  const names = Array.from({ length: given.states }, (_, s) => countsOf(safe, given, s));
  const state = new Map(names.map((name, s) => [name, s]));
  expect(state.size).toBe(given.states);
  const markings = Array.from({ length: made.states }, (_, s) => decoded(safe, made, s));
  for (let s = 0; s < made.states; s++) {
    const own = state.get(markings[s]!)!;
    const steps = made.firings(s).map(({ node, target }) => {
      const t = safe.petri.transitions[safe.transitions[node]!]!;
      return `${stepKey(t.kind, t.node, t.binding)} → ${markings[target]}`;
    });
    const wanted = given.firings(own).map((f) => `${stepKey(f.kind, f.node, f.binding)} → ${names[f.target]}`);
    if (steps.sort().join() !== wanted.sort().join()) expect(steps).toEqual(wanted);
  }
  return given.states;
}

/** Checks that both nets reach the same token counts, and that the new net is safe. */
function expectSameMarkings(net: Net, safe: SafeNet): void {
  const given = explore(net, { ...engineOf(safe), maxStates: 2000 });
  const made = explore(safe.net, { engine: 'packed', maxStates: 4000 });
  if (!given.complete || !made.complete) return;
  expect(made.maxTokensInPlace).toBeLessThanOrEqual(1);
  const all = (space: StateSpace, of: (s: number) => string): string[] =>
    [...new Set(Array.from({ length: space.states }, (_, s) => of(s)))].sort();
  expect(all(made, (s) => decoded(safe, made, s))).toEqual(all(given, (s) => countsOf(safe, given, s)));
}

/** The net without delays and services. A transition without input would have no delay, so it is left out. */
function withoutTimes(net: Net): Net {
  return {
    ...net,
    places: net.places.map(({ service: _, ...p }) => p),
    transitions: net.transitions
      .filter((t) => t.inputs.some((a) => a.kind === 'take'))
      .map(({ delay: _, timing: __, servers: ___, ...t }) => t),
  };
}

test('a buffer of three slots', () => {
  const safe = safeNet(buffer(3));
  expect(safe.net.places.map((p) => p.name)).toEqual(
    ['free', 'full'].flatMap((p) => [0, 1, 2, 3].map((n) => `${p}=${n}`)),
  );
  // One for each of 3 · 3 combinations of counts, reachable or not.
  expect(safe.net.transitions.length).toBe(18);
  expect(expectIsomorphic(buffer(3), safe)).toBe(4);
});

test('random nets: colours, delays, services, resets, inhibitors, capacities, priorities', { timeout: 300_000 }, () => {
  const seen = { nets: 0, states: 0, unsafe: 0, refused: 0, timed: 0, unchanged: 0, queues: 0 };
  fc.assert(
    fc.property(finiteNet, fc.boolean(), (random, timed) => {
      const net = timed ? random : withoutTimes(random);
      try {
        if (flatten(net, undefined, true).relaxed?.omitted !== undefined) return;
      } catch {
        return;
      }
      let safe: SafeNet;
      try {
        safe = safeNet(net, { maxMarkings: 400, limit: 3000 });
      } catch (e) {
        if (!(e instanceof InputError)) throw e;
        expect(e.problems[0]!.code).toMatch(/^(?:SAFE00[124]|UNF004)$/);
        seen.refused++;
        return;
      }
      seen.nets++;
      if (safe.unchanged) {
        seen.unchanged++;
        expect(safe.net).toBe(net);
        return;
      }
      if (net.transitions.some((t) => t.delay !== undefined)) {
        seen.timed++;
        expectSameMarkings(net, safe);
        return;
      }
      const contents = safe.petri.places.filter(({ content }) => content !== undefined).length;
      expect(safe.net.places.length).toBe(safe.bounds.reduce((sum, b) => sum + b + 1, 0) - contents);
      if (contents > 2) seen.queues++;
      if (safe.bounds.some((b) => b > 1)) seen.unsafe++;
      if (explore(net, { ...engineOf(safe), maxStates: 2000 }).complete) seen.states += expectIsomorphic(net, safe);
    }),
    { numRuns: RUNS },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(seen);
  expect(Math.min(seen.nets, seen.unsafe)).toBeGreaterThan(atFullEffort(RUNS / 20));
});

test.skipIf(contestNets().length > 0)(skipped, () => {});

describe.skipIf(contestNets().length === 0)('nets of the Model Checking Contest that are bounded, and not safe', () => {
  /** Kanban with two tokens instead of the contest's five. */
  function kanban2(): Net {
    const { net } = readNetFile(contestFile('Kanban-PT-00005.pnml'));
    const initial = (tokens: Net['places'][number]['initial']): typeof tokens =>
      tokens.map((t) => ({ ...t, count: t.count === 5 ? 2 : t.count }));
    return { ...net, places: net.places.map((p) => ({ ...p, initial: initial(p.initial) })) };
  }

  test('Kanban 2: 4600 markings, 16 places become 48', () => {
    const net = kanban2();
    const safe = safeNet(net);
    expect(Math.max(...safe.bounds)).toBe(2);
    expect([net.places.length, safe.net.places.length]).toEqual([16, 48]);
    expect(expectIsomorphic(net, safe)).toBe(4600);
    if (process.env['FORETOKEN_TABLE'] !== undefined)
      console.log('Kanban 2', net.transitions.length, '→', safe.net.transitions.length, 'transitions');
  });

  test('repetitions of a client and a server, coloured', () => {
    const { net } = readNetFile(contestFile('CSRepetitions-COL-02.pnml'));
    const safe = safeNet(net);
    expect(net.colours.length).toBeGreaterThan(0);
    expect(Math.max(...safe.bounds)).toBe(2);
    expect(expectIsomorphic(net, safe)).toBe(7424);
    if (process.env['FORETOKEN_TABLE'] !== undefined)
      console.log(
        'repetitions',
        safe.petri.places.length,
        safe.petri.transitions.length,
        '→',
        safe.net.places.length,
        safe.net.transitions.length,
      );
  });

  test('its PNML is the same net', () => {
    const safe = safeNet(kanban2());
    const { text } = writePnml(safe.net);
    const read = readPnml(text).net;
    const space = explore(read, { engine: 'packed' });
    expect([space.states, space.maxTokensInPlace]).toEqual([4600, 1]);
  });
});

describe('rejected', () => {
  test('an unbounded net, with the growing place', () => {
    const n = new NetBuilder('source');
    const p = n.place('p', {}, { initial: 1 });
    const q = n.place('heap', {});
    n.transition('t', (t) => {
      t.take(p);
      t.put(p, {});
      t.put(q, {});
    });
    expect(() => safeNet(n.build(), { maxMarkings: 1000 })).toThrow('SAFE001 place heap: is unbounded');
  });

  test('a net that would be too large, with its size', () => {
    const n = new NetBuilder('wide');
    const places = Array.from({ length: 4 }, (_, k) => n.place(`p${k}`, {}, { initial: 9 }));
    n.transition('all', (t) => {
      for (const p of places) t.take(p);
    });
    expect(() => safeNet(n.build(), { limit: 5000 })).toThrow(
      /SAFE002 net wide: becomes 40 places and 6561 transitions \("all" alone 6561\)/,
    );
    expect(safeNet(n.build(), { limit: 6601 }).net.transitions.length).toBe(6561);
  });

  test('a service of a place with several tokens, and a race whose clock a change would restart', () => {
    const n = new NetBuilder('queue');
    const desk = n.place('desk', {}, { initial: 2, service: fcfs({ time: 1 }) });
    n.transition('leave', (t) => {
      t.take(desk);
    });
    expect(() => safeNet(n.build())).toThrow('SAFE004 place desk: has a service (fcfs)');
    const m = new NetBuilder('race');
    const p = m.place('p', {}, { initial: 2 });
    m.transition('slow', (t) => {
      t.take(p);
      t.race({ delay: 2 });
    });
    expect(() => safeNet(m.build())).toThrow('SAFE004 transition slow: is a race between places of several tokens');
  });
});

describe('times', () => {
  /** A marked graph: each place has one producer and one consumer, so that the order of a tie changes no time. */
  interface Graph {
    readonly transitions: number;
    readonly arcs: readonly (readonly [from: number, to: number, tokens: number])[];
    readonly delays: readonly number[];
  }
  const graph: fc.Arbitrary<Graph> = fc.record({
    transitions: fc.integer({ min: 1, max: 4 }),
    arcs: fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.nat(2)), { minLength: 1, maxLength: 4 }),
    delays: fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 4, maxLength: 4 }),
  });
  /** Runs a bounded number of times: every transition takes from a store of its own. */
  function netOf({ transitions, arcs, delays }: Graph): Net {
    const n = new NetBuilder('graph');
    const between = arcs.map(([, , tokens], k) => n.place(`p${k}`, {}, { initial: tokens }));
    for (let k = 0; k < transitions; k++) {
      const store = n.place(`store${k}`, {}, { initial: 3 });
      n.transition(`t${k}`, (t) => {
        t.take(store);
        // No two times are equal by chance, and a delay of 0 is an immediate firing.
        if (delays[k]! > 0) t.delay(delays[k]! + 2 ** -(k + 5));
        arcs.forEach(([from, to], a) => {
          if (to % transitions === k) t.take(between[a]!);
          if (from % transitions === k) t.put(between[a]!, {});
        });
      });
    }
    return n.build();
  }

  test('a converted net ends at the same time with the same tokens', { timeout: 300_000 }, () => {
    const seen = { several: 0, unchanged: 0, long: 0 };
    fc.assert(
      fc.property(graph, (shape) => {
        const net = netOf(shape);
        let safe: SafeNet;
        try {
          safe = safeNet(net, { limit: 250, maxMarkings: 300 });
        } catch (e) {
          expect((e as Error).message).toMatch(/SAFE00[12]/);
          return;
        }
        const [given, made] = [simulate(net), simulate(safe.net)];
        expect(made.time).toBe(given.time);
        if (given.time > 0) seen.long++;
        if (safe.unchanged) seen.unchanged++;
        else {
          if (safe.bounds.some((b) => b > 1)) seen.several++;
          const tokens = net.places.map(() => 0);
          safe.net.places.forEach(({ name }, k) => {
            const { place, tokens: count } = safe.places[k]!;
            const { kind, node } = safe.petri.places[place]!;
            if (kind === 'place' && made.run.tokens(name).length > 0) tokens[node] = count;
          });
          expect(tokens).toEqual(net.places.map(({ name }) => given.run.tokens(name).length));
        }
      }),
      { numRuns: effort(200) },
    );
    expect(Math.min(seen.several, seen.long)).toBeGreaterThan(0);
  });

  test('a queue with several servers keeps its throughput', () => {
    const n = new NetBuilder('repair');
    const up = n.place('up', {}, { initial: 3 });
    const down = n.place('down', {});
    n.transition('fail', (t) => {
      t.take(up);
      t.race({ delay: exponential(0.5) });
      t.put(down, {});
    });
    n.transition('repair', (t) => {
      t.take(down);
      t.race({ delay: exponential(1), servers: 'single' });
      t.put(up, {});
    });
    const safe = safeNet(n.build()).net;
    const rates = safe.transitions.map((t) => [t.name, t.delay]);
    expect(rates.map(([name]) => name)).toHaveLength(18);
    const { firings, time } = simulate(safe, { until: 50_000 });
    const repaired = Object.entries(firings).reduce((sum, [name, k]) => sum + (name.startsWith('repair') ? k : 0), 0);
    // Birth and death: rates 0.5 · (3 − k) up, 1 down.
    const shares = [1, 1.5, 1.5, 0.75];
    const busy = 1 - 1 / shares.reduce((a, b) => a + b);
    expect(repaired / time).toBeCloseTo(busy, 1);
    expect(Math.abs(repaired / time - busy)).toBeLessThan(0.02);
  });
});

test('labels and priorities are preserved', () => {
  const n = new NetBuilder('labelled');
  const p = n.place('p', {}, { initial: 2 });
  n.transition('first', (t) => {
    t.take(p);
    t.priority(3);
    t.label('go');
  });
  n.transition('second', (t) => {
    t.take(p);
  });
  const { net } = safeNet(n.build());
  expect(net.transitions.map((t) => [t.name, t.priority, t.label?.name])).toEqual([
    ['first{p=1}', 1, 'go'],
    ['first{p=2}', 1, 'go'],
    ['second{p=1}', 0, undefined],
    ['second{p=2}', 0, undefined],
  ]);
});
