import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { explore } from '../../../../src/commands/explore/explore.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { compose } from '../../../../src/models.ts';
import { hide } from '../../../../src/net/merge/close.ts';
import { merge } from '../../../../src/net/merge/merge.ts';
import type { Net, Transition } from '../../../../src/net/net.ts';
import { validate } from '../../../../src/net/validation/validate.ts';
import { atFullEffort, effort } from '../../../effort.ts';
import { label, net, num, place, put, range, take, transition, v } from '../../../net/merge-nets.ts';

/** A step of a module: an item moves from one of its places to another one. */
interface Step {
  readonly from: number;
  readonly to: number;
  /** Delay in seconds: `delay`, and more for large items. */
  readonly delay: number;
  /** With whom: alone, in one step with all modules (the same item), or through the pool of items that all share. */
  readonly how: 'alone' | 'meets' | 'gives' | 'takes';
}
const PLACES = 2;
const ITEMS = 2;
const step: fc.Arbitrary<Step> = fc.record({
  from: fc.nat(PLACES - 1),
  to: fc.nat(PLACES - 1),
  delay: fc.integer({ min: 1, max: 4 }),
  how: fc.constantFrom('alone', 'meets', 'gives', 'takes'),
});
const specs = fc
  .array(fc.record({ item: fc.nat(ITEMS), steps: fc.array(step, { minLength: 1, maxLength: 3 }) }), {
    minLength: 2,
    maxLength: 3,
  })
  // Every module has the label: otherwise there is nothing to synchronise.
  .map((all) =>
    all.map(({ item, steps }) => ({ item, steps: [...steps, { from: 0, to: 1, delay: 1, how: 'meets' } as const] })),
  );
type Spec = typeof specs extends fc.Arbitrary<infer T> ? T : never;

const BOUND = 3;
const colours = [range('Item', 0, ITEMS)];
const items = (name: string, initial: Net['places'][number]['initial'] = []) =>
  place(name, { x: 'Item' }, { initial, capacity: BOUND });

/** A module whose nodes have names that begin with `prefix`; the pool has the name `pool`. */
function moduleOf({ item, steps }: Spec[number], name: string, prefix: string, pool: string, isFirst: boolean): Net {
  return net(name, {
    colours,
    places: [
      ...Array.from({ length: PLACES }, (_, k) =>
        items(`${prefix}p${k}`, k === 0 ? [{ values: [item], count: 2 }] : []),
      ),
      items(pool, isFirst ? [{ values: [1], count: 1 }] : []),
    ],
    transitions: steps.map((s, k): Transition => {
      const [from, to] = [`${prefix}p${s.from}`, `${prefix}p${s.to}`];
      return transition(
        `${prefix}t${k}`,
        [take(s.how === 'takes' ? pool : from, { x: v('y') })],
        [put(s.how === 'gives' ? pool : to, { x: v('y') })],
        {
          delay: { op: 'add', a: v('y'), b: num(s.delay) },
          ...(s.how === 'meets' ? { label: label('meet', { item: 'y' }) } : {}),
        },
      );
    }),
  });
}

function composed(spec: Spec): Net {
  const modules = spec.map((own, k) => moduleOf(own, `m${k}`, '', 'pool', k === 0));
  return compose(modules, {
    name: 'whole',
    synchronise: ['meet'],
    share: [modules.map(({ name }) => `${name}.pool`)],
  });
}

/** The nets with the names that they have in the whole, and their merge. */
const merged = (spec: Spec): Net =>
  hide(
    merge(
      spec.map((own, k) => moduleOf(own, `m${k}`, `m${k}.`, 'm0.pool', k === 0)),
      { name: 'whole' },
    ),
    ['meet'],
  );

/** The whole as one net: a transition for every choice of steps that meet. */
function written(spec: Spec): Net {
  const nets = spec.map((own, k) => moduleOf(own, `m${k}`, `m${k}.`, 'm0.pool', k === 0));
  const meeting = nets.map((one) => one.transitions.filter((t) => t.label !== undefined));
  const choices = meeting.reduce<Transition[][]>((all, own) => all.flatMap((c) => own.map((t) => [...c, t])), [[]]);
  const own = nets.flatMap((one) => one.transitions.filter((t) => t.label === undefined));
  const together = choices.map((parts) => {
    const [first] = parts as [Transition];
    const delay = Math.max(...parts.map((t) => (t.delay as unknown as { b: { value: number } }).b.value));
    return transition(
      parts.map((t) => t.name).join('+'),
      parts.flatMap((t) => t.inputs),
      parts.flatMap((t) => t.outputs),
      {
        ...first,
        name: parts.map((t) => t.name).join('+'),
        inputs: parts.flatMap((t) => t.inputs),
        outputs: parts.flatMap((t) => t.outputs),
        delay: { op: 'add', a: v('y'), b: num(delay) },
      },
    );
  });
  const pool = nets[0]!.places.at(-1)!;
  return net('whole', {
    colours,
    places: [...nets.flatMap((one) => one.places.slice(0, -1)), pool],
    transitions: [...own, ...together.map(({ label: _, ...t }) => t)],
  });
}

/** Ties are decided by the order of declaration: the same one for all nets. */
function inOrder(one: Net): Net {
  const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);
  return { ...one, places: one.places.toSorted(byName), transitions: one.transitions.toSorted(byName) };
}

/** States, and the first 20 seconds: most of these nets run forever. */
function figures(one: Net): unknown {
  const { complete, figures: found } = explore(one);
  const run = predict(inOrder(one), { until: 20 });
  return [complete, found.states.value, found.deadlockStates.value, run.figures, run.deadlock !== undefined];
}

test('a composition of random nets is the net written whole', { timeout: 600_000 }, () => {
  let [dead, alive] = [0, 0];
  fc.assert(
    fc.property(specs, (spec) => {
      const whole = composed(spec);
      expect(validate(whole)).toEqual([]);
      const expected = figures(written(spec));
      expect(figures(whole)).toEqual(expected);
      expect(figures(merged(spec))).toEqual(expected);
      expect(whole.transitions.map((t) => t.name).sort()).toEqual(
        written(spec)
          .transitions.map((t) => t.name)
          .sort(),
      );
      if ((expected as unknown[])[2] === 0) alive++;
      else dead++;
    }),
    { numRuns: effort(100) },
  );
  expect(Math.min(dead, alive)).toBeGreaterThan(atFullEffort(3));
});
