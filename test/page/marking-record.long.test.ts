import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Steps, TokenHistory } from '../../src/analysis/game/token-history.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import { InputError } from '../../src/base/problem.ts';
import { importModule } from '../../src/commands/command-line/import-module.ts';
import { netOfInput } from '../../src/commands/convert/convert.ts';
import { givenInput } from '../../src/commands/inputs/input.ts';
import { openInput } from '../../src/commands/inputs/load-model.ts';
import { checkedOptions, predictInput } from '../../src/commands/predict/predict.ts';
import { recordMarking } from '../../src/commands/view/marking-record.ts';
import { viewFile } from '../../src/commands/view/view.ts';
import { cluster } from '../../src/machine/cluster.ts';
import { spmd } from '../../src/models.ts';
import type { Net } from '../../src/net/net.ts';
import { atFullEffort, effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';
import { netOf, num, put, take } from '../reference/nets.ts';

const END = 8;
const bytesOf = (pieces: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(pieces));

/** Tokens by place and values, in one order. */
const sorted = (tokens: readonly { readonly values: readonly number[] }[]): string[] =>
  tokens.map(({ values }) => values.join()).sort();

/** The value of a number at a time, from its changes. */
const valueAt = ({ times, changes }: Steps, time: number): number =>
  changes.reduce((sum, by, k) => (times[k]! <= time ? sum + by : sum), 0);

/** The marking that the engine has at a time. */
function engineAt(net: Net, seed: string, until: number): Record<string, string[]> {
  const { run } = simulate(net, { seed, until, maxSteps: 5000 });
  return Object.fromEntries(net.places.map(({ name }) => [name, sorted(run.tokens(name))]));
}

test('a recorded marking is that of the engine at every time, forwards and back, on random nets', () => {
  let compared = 0;
  let moved = 0;
  fc.assert(
    fc.property(
      arbitraryNet,
      fc.array(fc.double({ min: 0, max: END, noNaN: true }), { minLength: 4 }),
      (net, times) => {
        try {
          if (simulate(net, { until: END, maxSteps: 5000 }).ended === 'steps') return;
        } catch (error) {
          if (error instanceof InputError) return;
          throw error;
        }
        const found = recordMarking(net, 's', undefined, { until: END });
        if (!('pieces' in found)) throw new Error(found.why);
        const history = new TokenHistory(net, bytesOf(found.pieces));
        let before: unknown;
        for (const time of [0, ...times, END, ...times.toReversed()]) {
          const marking = history.at(time);
          const own = Object.fromEntries(marking.map(({ place, tokens }) => [place, sorted(tokens)]));
          expect(own).toEqual(engineAt(net, 's', time));
          compared++;
          if (before !== undefined && JSON.stringify(own) !== before) moved++;
          before = JSON.stringify(own);
          const counts = net.places.map((_, place) => valueAt(history.tokensOf(place), time));
          expect(counts).toEqual(history.at(time).map(({ count }) => count));
        }
      },
    ),
    { numRuns: effort(100) },
  );
  expect(compared).toBeGreaterThan(atFullEffort(400));
  expect(moved).toBeGreaterThan(atFullEffort(40));
});

const clock = netOf({
  places: { p: { tokens: 1 }, ticks: {} },
  transitions: { tick: { inputs: [take('p')], outputs: [put('p'), put('ticks')], delay: num(1) } },
});

test('a run whose marking changes too often, or which is another run, has no record', () => {
  expect(recordMarking(clock, 's', undefined, { maxChanges: 1000 })).toEqual({
    why: 'its marking changes more often than 1,000 times',
  });
  expect(recordMarking(clock, 's', { tick: 4 }, { until: 4.5 })).toEqual({
    why: 'the run of the net is not that of the prediction',
  });
  expect(recordMarking(clock, 's', { tick: 5 }, { until: 4.5 })).toHaveProperty('pieces');
});

test('the record of a marking tells how far it is, and can be interrupted', () => {
  const times: number[] = [];
  recordMarking(clock, 's', undefined, { until: 100_000, progress: (time) => times.push(time) });
  expect(times.length).toBeGreaterThan(0);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(recordMarking(clock, 's', undefined, { until: 1e9, cancelled: () => true })).toEqual({
    why: 'the work was interrupted',
  });
});

test('a page of a model tells its share of the work, once the length of the run is known', async () => {
  const shares: number[] = [];
  const progress = ({ share }: { readonly share: number }): void => void shares.push(share);
  await viewFile('examples/jacobi-2d/model.ts', { ranks: 16, set: { turns: 40 }, progress }, importModule);
  const known = shares.filter((share) => !Number.isNaN(share));
  expect(known).toEqual(known.toSorted((a, b) => a - b));
  // The record of the run is the second third, that of the marking the last one.
  for (const part of [1, 2])
    expect(
      known.some((share) => share >= part / 3 && share < (part + 1) / 3),
      `${part}`,
    ).toBe(true);
  expect(Math.max(...known)).toBeLessThanOrEqual(1);
});

test('a record that is cut off is refused', () => {
  const found = recordMarking(clock, 's', undefined, { until: 20 });
  if (!('pieces' in found)) throw new Error(found.why);
  const bytes = bytesOf(found.pieces);
  expect(() => new TokenHistory(clock, bytes.slice(0, -1))).toThrow('the changes of the marking are cut off');
});

test('links are busy while a token crosses them, and count once if several do', () => {
  const link = { latency: 0, bandwidth: '1GB/s' } as const;
  const machine = cluster({ nodes: 3, coresPerNode: 1, speed: '1Gf', link, eagerBelow: 0 });
  // Rank 2 begins one second later than rank 1; the link into node 0 is shared for two seconds.
  const model = spmd({
    name: 'two into one',
    build(m) {
      m.when(
        (s) => s.rank > 0,
        () => {
          m.compute({ seconds: (s) => s.rank });
          m.send({ to: 0, bytes: 2e9 });
        },
        () => {
          const all = [m.irecv({ from: 1 }), m.irecv({ from: 2 })];
          m.waitAll(all);
        },
      );
    },
  });
  const net = netOfInput(givenInput('convert', model), { machine, ranks: 3 }, []);
  const place = net.places.findIndex(({ service }) => service?.kind === 'max-min');
  const found = recordMarking(net, '1', undefined);
  if (!('pieces' in found)) throw new Error(found.why);
  const history = new TokenHistory(net, bytesOf(found.pieces));
  expect(() => history.busyLinksOf(net.places.findIndex(({ service }) => service === undefined))).toThrow('no links');
  const steps = history.busyLinksOf(place);
  const at = (time: number) => [valueAt(history.tokensOf(place), time), valueAt(steps, time)];
  // First node1.up and node0.down; from 2 s on also node2.up, which is alone with node0.down from 4 s on.
  expect([0.5, 1.5, 2.5, 3.5, 4.5, 5.5].map(at)).toEqual([
    [0, 0],
    [1, 2],
    [2, 3],
    [2, 3],
    [1, 2],
    [0, 0],
  ]);
});

test.each([
  ['a model', 'examples/all-to-all/model.ts', { ranks: 5 }, ['busy links', 'messages sent and not matched']],
  ['a trace', 'examples/stencil/stencil-8.ti', { machine: 'examples/stencil/cluster.xml' }, ['busy links']],
  ['a thread model', 'examples/threads-loop/model.ts', { workers: 4 }, ['tasks in queues']],
] as const)('counters of a Chrome trace of %s are those of the page', async (_, file, options, wanted) => {
  const trace = join(mkdtempSync(join(tmpdir(), 'foretoken-counters-')), 'trace.json');
  const input = await openInput('predict', file);
  const { firings } = predictInput(input, checkedOptions(input, { ...options, trace }));
  const { traceEvents } = JSON.parse(readFileSync(trace, 'utf8')) as {
    readonly traceEvents: readonly { ph: string; name: string; ts: number; args: { value: number } }[];
  };
  const net = netOfInput(await openInput('convert', file), options, []);
  const found = recordMarking(net, '1', firings);
  if (!('pieces' in found)) throw new Error(found.why);
  const history = new TokenHistory(net, bytesOf(found.pieces));
  const places: Readonly<Record<string, (name: string) => boolean>> = {
    'busy links': (name) => net.places.find((place) => place.name === name)?.service?.kind === 'max-min',
    'messages sent and not matched': (name) => name === 'sends',
    'tasks in queues': (name) => name === 'queued',
  };
  for (const counter of wanted) {
    const events = traceEvents.filter(({ ph, name }) => ph === 'C' && name === counter);
    expect(events.length, counter).toBeGreaterThan(5);
    const place = net.places.findIndex(({ name }) => places[counter]!(name));
    const steps = counter === 'busy links' ? history.busyLinksOf(place) : history.tokensOf(place);
    for (const [k, { ts, args }] of events.entries()) {
      const next = events[k + 1]?.ts ?? ts + 1;
      expect(args.value, `${counter} from ${ts}`).toBe(valueAt(steps, (ts + next) / 2e6));
    }
    // The page's changes are all there.
    expect(events.length).toBeGreaterThanOrEqual(steps.times.length - 1);
  }
});
