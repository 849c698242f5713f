import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { exploration } from '../../src/analysis/space/explore.ts';
import { compile } from '../../src/engine/compile.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import type { InputArc, Net } from '../../src/net/net.ts';
import { readPnml } from '../../src/net/pnml/pnml-read.ts';
import { writePnml } from '../../src/net/pnml/pnml-write.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { compareSpaces } from '../analysis/space/agree.ts';
import { atFullEffort, effort } from '../effort.ts';
import { explore, type Space } from './untimed-explorer.ts';

const RUNS = effort(20);
const SIZES = ['small', 'large'];

interface Move {
  readonly from: number;
  readonly to: number | undefined;
  readonly reset: number | undefined;
  /** The inhibitor: its place, the columns in its pattern, and its weight. */
  readonly place: number;
  readonly sort: 'none' | 'variable' | 'constant';
  readonly size: boolean;
  readonly weight: number;
}

const place = fc.nat({ max: 1 });
const move: fc.Arbitrary<Move> = fc.record({
  from: place,
  to: fc.option(place, { nil: undefined, freq: 5 }),
  reset: fc.option(place, { nil: undefined, freq: 1 }),
  place,
  sort: fc.constantFrom('none', 'none', 'variable', 'constant'),
  size: fc.boolean(),
  weight: fc.integer({ min: 1, max: 4 }),
});
const tokens = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 1 })), { maxLength: 3 });

/** Two places with two columns; transitions move tokens between them and have one inhibitor each. */
const nets: fc.Arbitrary<Net> = fc
  .tuple(fc.tuple(tokens, tokens), fc.array(move, { minLength: 1, maxLength: 3 }), fc.constantFrom(undefined, 5))
  .map(([initial, moves, capacity]) => {
    const n = new NetBuilder('inhibited');
    const Sort = n.range('Sort', 0, 2);
    const Size = n.enumeration('Size', ...SIZES);
    const places = initial.map((list, k) =>
      n.place(
        `p${k}`,
        { sort: Sort, size: Size },
        {
          initial: list.map(([sort, size]) => ({ sort, size: SIZES[size]! })),
          ...(capacity === undefined || k === 0 || list.length > capacity ? {} : { capacity }),
        },
      ),
    );
    moves.forEach((m, k) => {
      n.transition(`t${k}`, (t) => {
        const { sort, size } = t.take(places[m.from]!);
        if (m.to !== undefined) t.put(places[m.to]!, { sort, size });
        const pattern = {
          ...(m.sort === 'none' ? {} : { sort: m.sort === 'variable' ? sort : 1 }),
          ...(m.size ? { size } : {}),
        };
        t.inhibit(places[m.place]!, pattern, m.weight);
        if (m.reset !== undefined) t.reset(places[m.reset]!);
      });
    });
    return n.build();
  });

/** The space without counter places for colours, with the transition names of the folded net. */
function folded(space: Space): Space {
  const marking = (text: string): string =>
    text
      .split(' ')
      .filter((token) => !/\[[^\]]*\*/.test(token))
      .join(' ');
  return new Map(
    [...space].map(([text, firings]) => [
      marking(text),
      firings.map((f) => f.replace(/^(\w+)[^ ]* → (.*)$/, (_, t, after) => `${t} → ${marking(after)}`)).sort(),
    ]),
  );
}

/** Final marking of a simulation, in the format of the spaces. */
function endOf(net: Net, seed: number): string {
  const run = simulate(compile(net), { seed: String(seed), maxSteps: 50 });
  const counts = new Map<string, number>();
  for (const { name, fields } of net.places)
    for (const { values } of run.run.tokens(name)) {
      const words = fields.length === 0 ? name : `${name}[${values[0]},${SIZES[values[1]!]}]`;
      counts.set(words, (counts.get(words) ?? 0) + 1);
    }
  return [...counts]
    .map(([name, count]) => `${name}:${count}`)
    .sort()
    .join(' ');
}

const counts = (arc: InputArc): boolean => arc.kind === 'inhibit' && arc.count > 1 && arc.place.includes('*');

test('unfolding, explorers, the simulator and PNML agree on coloured inhibitors of any weight', () => {
  let counted = 0;
  fc.assert(
    fc.property(nets, fc.nat(), (net, seed) => {
      const space = explore(net, 30, 2000);
      const flat = unfold(net);
      if (flat.transitions.some((t) => t.inputs.some(counts))) counted++;
      expect(folded(explore(flat, 30, 2000))).toEqual(space);
      compareSpaces(net);
      for (const given of [net, flat]) {
        const running = exploration(given, { engine: 'packed' });
        while (running.advance(1000));
        expect([running.space.states, running.space.complete]).toEqual([space.size, true]);
      }
      expect([...space.keys()].map((text) => text.replaceAll('"', ''))).toContain(endOf(net, seed));
      const written = writePnml(net);
      const read = readPnml(written.text);
      expect(read.net).toEqual(written.net);
      expect(exploration(read.net).space.net).toEqual(written.net);
      expect(folded(explore(read.net, 30, 2000)).size).toBe(space.size);
    }),
    { numRuns: RUNS },
  );
  expect(counted).toBeGreaterThan(atFullEffort(RUNS / 8));
});

test('a symmetric net whose inhibitor counts one colour stays coloured in PNML', () => {
  const n = new NetBuilder('one colour');
  const Sort = n.range('Sort', 0, 2);
  const stock = n.place('stock', { sort: Sort }, { initial: [{ sort: 0 }, { sort: 1 }] });
  const done = n.place('done', { sort: Sort });
  n.transition('t', (t) => {
    const { sort } = t.take(stock);
    t.put(done, { sort });
    t.inhibit(done, { sort }, 3);
  });
  const { text, net } = writePnml(n.build());
  expect(text).toContain('grammar/symmetricnet');
  expect(readPnml(text).net).toEqual(net);
});
