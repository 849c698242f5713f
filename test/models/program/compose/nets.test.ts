import { describe, expect, test } from 'vitest';
import { InputError } from '../../../../src/base/problem.ts';
import { compose, phase, spmd, threads } from '../../../../src/models.ts';
import { rename } from '../../../../src/net/merge/rename.ts';
import type { Net } from '../../../../src/net/net.ts';
import { validate } from '../../../../src/net/validation/validate.ts';
import { label, net, place, put, range, take, transition, v } from '../../../net/merge-nets.ts';

const colours = [range('Item', 0, 2), range('Size', 0, 1)];

/** Takes an item from `from` to `to` in one labelled step. */
function step(name: string, labelled: string, colour = 'Item', exported = 'item'): Net {
  return net(name, {
    colours,
    places: [place('from', { x: colour }, { initial: [{ values: [1], count: 1 }] }), place('to', { x: colour })],
    transitions: [
      transition('go', [take('from', { x: v('y') })], [put('to', { x: v('y') })], {
        label: label(labelled, { [exported]: 'y' }),
      }),
    ],
  });
}

/** A step that exports variables of its token. */
function exporting(name: string, fields: Readonly<Record<string, string>>): Net {
  const values = Object.fromEntries(Object.keys(fields).map((field) => [field, v(`own_${field}`)]));
  const exports = Object.fromEntries(Object.keys(fields).map((field) => [field, `own_${field}`]));
  return net(name, {
    colours,
    places: [place('from', fields), place('to', fields)],
    transitions: [transition('go', [take('from', values)], [put('to', values)], { label: label('x', exports) })],
  });
}

/** Alternatives of one label with different colour sets. */
const bothColours: Net = (() => {
  const [items, sizes] = [exporting('a', { n: 'Item' }), exporting('a', { n: 'Size' })];
  const other = (text: string): string => `other ${text}`;
  return {
    ...items,
    places: [...items.places, ...sizes.places.map((p) => ({ ...p, name: other(p.name) }))],
    transitions: [
      ...items.transitions,
      ...sizes.transitions.map((t) => ({
        ...t,
        name: other(t.name),
        inputs: t.inputs.map((arc) => ({ ...arc, place: other(arc.place) })),
        outputs: t.outputs.map((arc) => ({ ...arc, place: other(arc.place) })),
      })),
    ],
  };
})();

function told(run: () => unknown): string[] {
  try {
    run();
  } catch (e) {
    if (e instanceof InputError) return e.problems.map((p) => `${p.code}: ${p.message}`);
    throw e;
  }
  throw new Error('nothing was thrown');
}

describe('a composition of nets', () => {
  test('names nodes by their modules, joins labels and hides them', () => {
    const both = compose([step('a', 'out'), step('b', 'in')], { synchronise: [['a.out', 'b.in']] });
    expect(validate(both)).toEqual([]);
    expect(both.name).toBe('a+b');
    expect(both.places.map((p) => p.name)).toEqual(['a.from', 'a.to', 'b.from', 'b.to']);
    expect(both.transitions.map((t) => [t.name, t.modules, t.label])).toEqual([['a.go+b.go', ['a', 'b'], undefined]]);
  });

  test('joins a label of any number of modules, and takes one net twice', () => {
    const one = step('a', 'x');
    const three = compose([one, { model: one, as: 'b' }, { model: one, as: 'c' }], {
      synchronise: ['x'],
      name: 'three',
    });
    expect(three.transitions.map((t) => t.name)).toEqual(['a.go+b.go+c.go']);
    expect(three.name).toBe('three');
  });

  test('offers labels to an outer composition, under new names', () => {
    const inner = compose([step('a', 'x')], { name: 'inner', expose: { y: 'a.x' } });
    expect(inner.transitions[0]!.label!.name).toBe('y');
    const outer = compose([inner, step('b', 'x')], { synchronise: [['inner.y', 'b.x']] });
    expect(outer.transitions.map((t) => t.name)).toEqual(['b.go+inner.a.go']);
  });

  test('keeps equal labels apart if they are connected with others', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => step(name, 'x'));
    const pairs = compose([a!, b!, c!, d!], {
      synchronise: [
        ['a.x', 'b.x'],
        ['c.x', 'd.x'],
      ],
    });
    expect(pairs.transitions.map((t) => t.name)).toEqual(['a.go+b.go', 'c.go+d.go']);
  });

  test('shares places', () => {
    const consumer = net('b', {
      colours,
      places: [place('input', { x: 'Item' })],
      transitions: [transition('use', [take('input', { x: v('z') })], [])],
    });
    const shared = compose([step('a', 'x'), consumer], { expose: { x: 'a.x' }, share: [['a.to', 'b.input']] });
    expect(validate(shared)).toEqual([]);
    expect(shared.places.map((p) => [p.name, p.modules])).toEqual([
      ['a.from', ['a']],
      ['a.to', ['a', 'b']],
    ]);
    expect(shared.transitions[1]!.inputs[0]!.place).toBe('a.to');
  });
});

describe('what does not fit is reported with the modules', () => {
  const a = step('a', 'x');
  const program = spmd({ name: 'p', interface: { x: phase() }, build: (m) => m.meet('x') });
  const team = threads({ name: 'team', build: () => {} });

  test.each<[string, () => unknown, string[]]>([
    [
      'another colour set',
      () => compose([a, step('b', 'x', 'Size')], { synchronise: ['x'] }),
      ['MODEL037: "x": the exported variables or their colour sets differ: a.x, (item: Item); b.x, (item: Size)'],
    ],
    [
      'another variable',
      () => compose([a, step('b', 'x', 'Item', 'size')], { synchronise: ['x'] }),
      ['MODEL037: "x": the exported variables or their colour sets differ: a.x, (item: Item); b.x, (size: Item)'],
    ],
    [
      'several variables, of which one has another colour set',
      () =>
        compose([exporting('a', { n: 'Item', size: 'Size' }), exporting('b', { n: 'Item', size: 'Item' })], {
          synchronise: ['x'],
        }),
      [
        'MODEL037: "x": the exported variables or their colour sets differ: a.x, (n: Item, size: Size); b.x, (n: Item, size: Item)',
      ],
    ],
    [
      'a variable less',
      () =>
        compose([exporting('a', { n: 'Item', size: 'Size' }), exporting('b', { n: 'Item' })], { synchronise: ['x'] }),
      ['MODEL037: "x": the exported variables or their colour sets differ: a.x, (n: Item, size: Size); b.x, (n: Item)'],
    ],
    [
      'steps of one module that export other colour sets',
      () => compose([bothColours, exporting('b', { n: 'Item' })], { synchronise: ['x'] }),
      [
        'MODEL037: "x": the exported variables or their colour sets differ: a.x, (n: Item) or (n: Size); b.x, (n: Item)',
      ],
    ],
    [
      'a colour set of one name with other values',
      () => compose([a, { ...step('b', 'x'), colours: [range('Item', 0, 3), colours[1]!] }], { synchronise: ['x'] }),
      ['NET060: is 0 … 2 in a and 0 … 3 in b: colour sets of the same name must be equal'],
    ],
    [
      'a shared place with other fields',
      () => compose([a, step('b', 'y', 'Size')], { expose: { x: 'a.x', y: 'b.y' }, share: [['a.to', 'b.to']] }),
      ['NET064: fields (x: Item) in a and (x: Size) in b: places of the same name are fused and must agree'],
    ],
    [
      'nobody meets',
      () => compose([a, step('b', 'y')]),
      [
        'MODEL038: nobody meets label a.x, (item: Item). It fits ["a.x", "b.y"]. Connect it in synchronise, or offer it in expose',
        'MODEL038: nobody meets label b.y, (item: Item). It fits ["b.y", "a.x"]. Connect it in synchronise, or offer it in expose',
      ],
    ],
    [
      'met twice, and by itself',
      () => compose([a, step('b', 'x')], { synchronise: ['x', ['a.x', 'a.x']] }),
      [
        'MODEL040: ["a.x", "a.x"]: label "a.x" is listed twice in this connection: expected labels of different modules',
      ],
    ],
    [
      'equal names',
      () => compose([a, a], { synchronise: ['x'] }),
      ['MODEL001: two modules are called "a": give one another name, { model, as: "a2" }'],
    ],
    [
      'an unknown place',
      () => compose([a, step('b', 'x')], { synchronise: ['x'], share: [['a.too', 'b.to']] }),
      ['MODEL039: share: no module has the place "a.too". Did you mean "a.to"? Known: a.from, a.to, b.from, b.to.'],
    ],
    [
      'places of one module',
      () => compose([a], { expose: { x: 'a.x' }, share: [['a.from', 'a.to']] }),
      ['MODEL037: share: ["a.from", "a.to"]: expected places of different modules'],
    ],
    [
      'a place shared twice',
      () =>
        compose([a, step('b', 'x')], {
          synchronise: ['x'],
          share: [
            ['a.to', 'b.to'],
            ['a.to', 'b.from'],
          ],
        }),
      ['MODEL040: share: place "a.to" is shared twice'],
    ],
    [
      'a net and a program',
      () => compose([a, program] as never),
      [
        'MODEL001: module "a" is a net, and module "p" is a program: expected modules of one kind. `map(program, { machine })` merges a program with a machine; `map(…).program` is the net of a program',
      ],
    ],
    [
      'a program and a thread model with a name',
      () => compose([program, { model: team, as: 't' }] as never),
      [
        'MODEL001: module "p" is a program, and module "t" is a thread model: expected modules of one kind. `m.threads({ workers }, (t) => …)` in a program runs threads in its ranks',
      ],
    ],
    [
      'a machine of a net',
      () => compose([{ model: a, machine: 'm.yaml' }] as never),
      [
        'MODEL001: module "a" has its own machine, by the option "machine": expected modules without, as all modules run on one machine. Add `machineModule(machine, { ranks })` as a module',
      ],
    ],
    [
      'no net',
      () => compose([]),
      ['MODEL001: compose: expected at least one module, got an empty list, as in compose([a, b])'],
    ],
    [
      'a choice of nets with different labels',
      () => compose([{ as: 'one', choose: [a, { ...a, name: 'other', transitions: [] }] }], { expose: {} }),
      ['MODEL041: module "one": label "x" is (item: Item) in "a" and no such label in "other"'],
    ],
    [
      'a choice of nets of which one lacks a shared place',
      () =>
        compose(
          [
            { as: 'one', choose: [a, { ...rename(step('a', 'x'), { places: { to: 'out' } }), name: 'other' }] },
            step('b', 'x'),
          ],
          {
            synchronise: ['x'],
            share: [['one.to', 'b.to']],
          },
        ),
      ['MODEL039: with one "other": share: no module has the place "one.to". Known: one.from, one.out, b.from, b.to.'],
    ],
    [
      'ranks of a net',
      () => compose([{ model: a, ranks: 2 }] as never),
      ['MODEL001: module "a" is a net: it has no ranks, expected { model, as }'],
    ],
  ])('case %#: %s', (_, run, expected) => {
    expect(told(run)).toEqual(expected);
  });
});
