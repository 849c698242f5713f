import { existsSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flatten } from '../../../../src/analysis/petri/flatten.ts';
import type { Formula, Property } from '../../../../src/analysis/properties/property.ts';
import { replay } from '../../../../src/analysis/properties/replay.ts';
import { InputError } from '../../../../src/base/problem.ts';
import type { PropertyResult } from '../../../../src/commands/verify/net/verification.ts';
import { verify } from '../../../../src/commands/verify/net/verify.ts';
import type { Reduce } from '../../../../src/commands/verify/verify-options.ts';
import { NetBuilder } from '../../../../src/net/builder/builder.ts';
import type { Net } from '../../../../src/net/net.ts';
import { add, mod } from '../../../../src/net/terms.ts';
import { formulas } from '../../../analysis/properties/formulas.ts';
import { ALL_EVIDENCE, effort } from '../../../effort.ts';
import { philosophers } from '../../../net/contest-nets.ts';
import { finiteNet } from '../../../net/random-finite-net.ts';
import { contestFile, contestNets, skipped } from '../../../references.ts';

const RUNS = effort(40);
const MOST = 400;
const METHODS = ['stubborn', 'structural', 'symmetry', 'all'] as const;

function ask(net: Net, property: Property, reduce: Reduce, more: object = {}): PropertyResult {
  return verify(net, [property], { reduce, ...more }).properties[0]!;
}

/** Properties that reductions preserve. */
function kept(formula: Formula, other: Formula): Property[] {
  return [
    { kind: 'deadlock-free' },
    { kind: 'safe' },
    { kind: 'one-safe' },
    { kind: 'quasi-live' },
    { kind: 'bounded', tokens: 2 },
    { kind: 'invariant', formula },
    { kind: 'formula', formula: { op: 'EF', of: formula } },
    { kind: 'formula', formula: { op: 'AG', of: other } },
    { kind: 'formula', formula: { op: 'or', of: [{ op: 'AG', of: formula }, { op: 'EF', of: other }, other] } },
  ];
}

/** True for properties that mention dead markings; structural reductions reject them. */
const speaksOfDead = (property: Property): boolean => /dead/.test(JSON.stringify(property));

test('every method gives the verdict of the full space: random nets, coloured, timed, with any arcs', {
  timeout: 300_000,
}, () => {
  const seen = { nets: 0, true: 0, false: 0, witnesses: 0, refused: 0, cut: 0, reduced: 0 };
  const shape = finiteNet
    .filter((net) => {
      try {
        flatten(net);
        return new Set(net.transitions.map((t) => `${t.timing} ${t.priority ?? 0}`)).size === 1;
      } catch {
        return false;
      }
    })
    .chain((net) => {
      const names = { places: net.places.map((p) => p.name), transitions: net.transitions.map((t) => t.name) };
      const state = formulas(names, false);
      return fc.tuple(
        fc.constant(net),
        state,
        state,
        fc.option(
          state.filter((f) => !/deadlock/.test(JSON.stringify(f))),
          { nil: undefined },
        ),
      );
    });
  fc.assert(
    fc.property(shape, ([net, formula, other, end]) => {
      const final = end === undefined ? {} : { final: end };
      const first = verify(net, ['bounds'], { reduce: 'none', maxStates: MOST, ...final });
      if (!first.space.complete) return;
      seen.nets++;
      for (const property of kept(formula, other)) {
        const { verdict } = ask(net, property, 'none', { maxStates: MOST, ...final });
        if (verdict === null) continue;
        for (const reduce of METHODS) {
          let found: PropertyResult;
          try {
            found = ask(net, property, reduce, final);
          } catch (e) {
            if (!(e instanceof InputError)) throw e;
            expect([e.problems[0]!.code, reduce === 'stubborn']).toEqual(['RED002', false]);
            expect(speaksOfDead(property) || (end !== undefined && /dead/.test(JSON.stringify(end)))).toBe(true);
            seen.refused++;
            continue;
          }
          expect([reduce, found.property, found.verdict]).toEqual([reduce, found.property, verdict]);
          if (found.witness !== undefined) {
            replay(net, found.witness.steps);
            seen.witnesses++;
          }
          if (found.certificate?.kind === 'reduced space') {
            expect(found.certificate.method).toBe(reduce);
            seen.reduced++;
          }
        }
        seen[verdict ? 'true' : 'false']++;
        // In parallel to a truncated exploration.
        const cut = ask(net, property, 'auto', { maxStates: 5, ...final });
        if (cut.verdict === null) seen.cut++;
        else expect(cut.verdict).toBe(verdict);
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(seen);
  expect(
    Math.min(seen.nets, seen.true, seen.false, seen.witnesses, seen.reduced, seen.refused, seen.cut),
  ).toBeGreaterThan(RUNS / 20);
});

interface Reference {
  readonly file: string;
  readonly states: number;
  readonly formulas?: Readonly<Record<string, { readonly file: string }>>;
}

/** Nets above it take most of the time of this file. */
const MOST_STATES = process.env['FORETOKEN_MCC'] === 'all' ? 3e6 : ALL_EVIDENCE ? 9000 : 2000;
const nets = contestNets().filter((net) => net.states <= MOST_STATES) as readonly (ReturnType<
  typeof contestNets
>[number] &
  Reference)[];

test.skipIf(nets.length > 0)(skipped, () => {});

describe.skipIf(nets.length === 0)('nets of the Model Checking Contest', () => {
  test.each(nets.map((net) => [net.file, net] as const))('reductions of %s', { timeout: 600_000 }, (file, net) => {
    const input = contestFile(file);
    const usual: readonly string[] = ['deadlock-free', 'safe', 'one-safe', 'bounded(2)', 'quasi-live'];
    const plain = verify(input, usual, { reduce: 'none' }).properties;
    const verdicts = plain.map((p) => p.verdict);
    expect(verdicts[0]).toBe(!net.deadlock);
    for (const reduce of [...METHODS, 'auto'] as const) {
      const found = verify(input, usual, { reduce }).properties;
      expect([reduce, ...found.map((p) => p.verdict)]).toEqual([reduce, ...verdicts]);
    }
  });

  const asked = nets.flatMap((net) =>
    Object.values(net.formulas ?? {})
      .filter((f) => /Reachability/.test(f.file))
      .map((f) => [net.file, f.file] as const),
  );

  test.each(asked)('all reductions answer the formulas of %s in %s alike', { timeout: 600_000 }, (file, xml) => {
    expect(existsSync(contestFile(xml))).toBe(true);
    const ask = (reduce: Reduce): unknown =>
      verify(contestFile(file), undefined, { formulas: contestFile(xml), reduce }).properties.map((p) => [
        p.id,
        p.verdict,
      ]);
    const plain = ask('none');
    for (const reduce of [...METHODS, 'auto'] as const) expect([reduce, ask(reduce)]).toEqual([reduce, plain]);
  });
});

/** n processes of two steps each: 3ⁿ markings. */
function twoSteps(n: number): Net {
  const b = new NetBuilder('two steps');
  const Who = b.range('Who', 0, n - 1);
  const [first, second, last] = [
    b.place('first', { who: Who }, { initial: Array.from({ length: n }, (_, who) => ({ who })) }),
    b.place('second', { who: Who }),
    b.place('last', { who: Who }),
  ];
  for (const [name, from, to] of [
    ['one', first, second],
    ['two', second, last],
  ] as const)
    b.transition(name, (t) => {
      const { who } = t.take(from);
      t.put(to, { who });
    });
  return b.build();
}

describe('auto', () => {
  test('answers questions beyond the reach of exploration, with a witness', () => {
    const net = twoSteps(20);
    const { properties, space, complete } = verify(net, [
      'deadlock-free',
      'AG(tokens(last[3]) = 0)',
      'EF(tokens(last[7]) = 1 & tokens(first[9]) = 0)',
    ]);
    expect(properties.map((p) => p.verdict)).toEqual([false, false, true]);
    expect(complete).toBe(true);
    expect(space.states).toBeLessThan(50_000);
    const [dead] = properties;
    expect(dead!.certificate).toMatchObject({ kind: 'reduced space', method: 'all' });
    expect(dead!.witness).toMatchObject({ shortest: false, shows: 'no further step is possible' });
    expect(replay(net, dead!.witness!.steps).marking).toHaveLength(20);
  });

  test('paths, liveness and numbers are answered by the exploration', () => {
    const net = twoSteps(20);
    const asked = ['live', 'upper-bound(last)', 'AF(tokens(last) = 20)', 'AG EF(tokens(last) = 20)', 'bounds'];
    const { properties } = verify(net, asked, { maxStates: 6000 });
    expect(properties.map((p) => p.certificate?.kind ?? null)).not.toContain('reduced space');
    expect(properties[3]).toMatchObject({ verdict: null, reason: 'the state limit was reached' });
  });

  test('nets that cannot be reduced are explored', () => {
    const b = new NetBuilder('levels');
    const p = b.place('p', {}, { initial: 1 });
    const Sort = b.range('Sort', 0, 99);
    const many = b.place('many', { s: Sort }, { initial: Array.from({ length: 14 }, (_, s) => ({ s })) });
    const gone = b.place('gone', { s: Sort });
    b.transition('first', (t) => {
      t.take(p);
      t.priority(2);
    });
    b.transition('other', (t) => {
      const { s } = t.take(many);
      t.put(gone, { s });
    });
    const { properties } = verify(b.build(), ['deadlock-free']);
    expect(properties[0]).toMatchObject({ verdict: false, witness: { shortest: true } });
  });

  test('ends when it is cancelled', () => {
    let asked = 0;
    const { properties } = verify(
      twoSteps(20),
      ['AG(tokens(last) + tokens(first) + tokens(second) = 20 | tokens(last) != 3)', 'live'],
      {
        cancelled: () => asked++ > 30,
      },
    );
    expect(properties.map((p) => p.verdict)).toContain(null);
  });
});

describe('one method alone', () => {
  test('explores the smallest stubborn space', () => {
    for (const n of [5, 10, 20]) {
      const { properties, space, options } = verify(twoSteps(n), ['deadlock-free'], { reduce: 'stubborn' });
      expect(properties[0]!.certificate).toEqual({
        kind: 'reduced space',
        method: 'stubborn',
        states: 2 * n + 1,
        edges: 2 * n,
      });
      expect([space.states, options['reduce']]).toEqual([1, 'stubborn']);
    }
  });

  test('reports the limit that it reached', () => {
    const net = philosophers(12);
    const few = ask(net, { kind: 'invariant', formula: { op: 'not', of: { op: 'false' } } }, 'stubborn', {
      maxStates: 100,
    });
    expect(few.verdict).toBe(true);
    const states = verify(net, ['AG(tokens(Eat) <= 6)'], { reduce: 'all', maxStates: 100 }).properties[0]!;
    expect(states).toMatchObject({ verdict: null, reason: 'the state limit was reached', states: 100 });
    const time = verify(net, ['AG(tokens(Eat) <= 6)'], { reduce: 'all', seconds: 1e-3 }).properties[0]!;
    expect(time).toMatchObject({ verdict: null, reason: 'the time limit was reached' });
    const ended = verify(net, ['AG(tokens(Eat) <= 6)'], { reduce: 'all', cancelled: () => true }).properties[0]!;
    expect(ended).toMatchObject({ verdict: null, reason: 'ended by request' });
  });

  test('reports the failing part, and whether delays permit the witness', () => {
    const b = new NetBuilder('timed');
    const Sort = b.enumeration('Sort', 'red', 'blue');
    const source = b.place('source', {}, { initial: 3 });
    const heap = b.place('heap', { sort: Sort });
    b.transition('put', (t) => {
      t.take(source);
      t.delay(2);
      t.put(heap, { sort: 'blue' });
    });
    const net = b.build();
    const found = verify(
      net,
      ['AG(tokens(heap) <= 1 & tokens(source) <= 3)', 'AG within(4) ', 'AG(tokens(heap[blue]) != 2)'],
      { reduce: 'stubborn' },
    ).properties;
    expect(found.map((p) => p.verdict)).toEqual([false, true, false]);
    expect(found[0]!.failing).toEqual(['tokens(heap) <= 1']);
    expect(found[0]!.witness!.delays!.permitted).toMatch(/yes|no/);
    expect(found[0]!.witness!.steps[0]).toMatchObject({ kind: 'start', node: 'put' });
    const safe = verify(philosophers(3), ['AG !(tokens(Catch1) = 3)'], { reduce: 'all' }).properties[0]!;
    expect(safe.witness!.steps.map((s) => s.node)).toEqual(['FF1a', 'FF1a', 'FF1a']);
  });
});

describe('refusals', () => {
  const problem = (net: Net, property: string, reduce: unknown): string => {
    try {
      verify(net, [property], { reduce: reduce as Reduce });
    } catch (e) {
      if (e instanceof InputError) return e.message;
      throw e;
    }
    return 'no problem';
  };

  test.each([
    'live',
    'reversible',
    'bounds',
    'upper-bound(Eat)',
    'AF(tokens(Eat) > 0)',
    'EX(tokens(Eat) > 0)',
    'AG EF initial',
    'AG(tokens(Eat) = 1 -> AX(tokens(Eat) <= 1))',
  ])('%s is not preserved', (property) => {
    for (const reduce of METHODS) {
      const text = problem(philosophers(3), property, reduce);
      expect(text).toContain('RED002');
      expect(text).toContain('property');
      expect(text).toContain('--reduce none');
    }
  });

  test('dead markings or others, with structural reduction', () => {
    const property = 'EF(dead | tokens(Eat) = 2)';
    expect(problem(philosophers(3), property, 'all')).toMatch(/RED002 .*--reduce stubborn/);
    expect(problem(philosophers(3), property, 'stubborn')).toBe('no problem');
  });

  test('priorities', () => {
    const b = new NetBuilder('levels');
    const p = b.place('p', {}, { initial: 1 });
    for (const k of [1, 2])
      b.transition(`t${k}`, (t) => {
        t.take(p);
        t.priority(k);
      });
    expect(problem(b.build(), 'deadlock-free', 'stubborn')).toMatch(/RED001 .*"t1" and "t2".*--reduce none/);
  });

  test('a net that cannot be decomposed, by its place', () => {
    const b = new NetBuilder('queue');
    const Sort = b.range('Sort', 0, 3);
    const queue = b.place('queue', { s: Sort }, { order: 'fifo', initial: [{ s: 0 }, { s: 1 }] });
    b.transition('turn', (t) => {
      const { s } = t.take(queue);
      t.put(queue, { s: mod(add(s, 1), 4) });
    });
    const text = problem(b.build(), 'deadlock-free', 'all');
    expect(text).toMatch(/RED005 .*place queue.*--reduce none/);
    expect(verify(b.build(), ['deadlock-free']).properties[0]!.verdict).toBe(true);
  });

  test('an unknown method', () => {
    expect(problem(philosophers(3), 'safe', 'stuborn')).toMatch(/RED006 .*Did you mean "stubborn"/);
  });
});

test('the reported command repeats the reduction and the final markings', () => {
  const file = contestFile('Philosophers-PT-000005.pnml');
  if (!existsSync(file)) return;
  expect(readFileSync(file, 'utf8').length).toBeGreaterThan(0);
  const { properties } = verify(file, ['deadlock-free'], { reduce: 'all', final: 'tokens(Eat_1) = 1' });
  expect(properties[0]!.repeat).toMatch(/--property deadlock-free --reduce all --final 'tokens\(Eat_1\) = 1'$/);
});
