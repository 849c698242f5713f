import { fail } from '../../base/problem.ts';
import type { Expression } from '../../net/expression.ts';
import type { Net } from '../../net/net.ts';
import type { UnfoldOptions } from '../../net/unfold/unfold.ts';
import { commandsOf } from './commands.ts';
import { all, any, constant, type Language, not, numberIn, sum, truthIn } from './formulas.ts';
import type { Command, Commands, ImmediateCommand, TransitionFigure } from './guarded-commands.ts';

type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

/** Maximum number of pairs of immediate steps that guards and probabilities compare. */
const MAX_PAIRS = 100_000;

/**
 * Writes a net whose delays are exponential, made of phases, or absent in JANI (Budde et al., TACAS 2017), which Storm and the Modest
 * Toolset read: a continuous-time Markov chain, or a Markov automaton if some steps take no time. Properties ask for the mean tokens of each
 * place and the throughput of each transition. Nets with colours are unfolded.
 *
 * Immediate transitions and starts of holding firings become edges without rate, which precede those with a rate. Priorities become
 * guards. Where a transition declares a weight, one edge draws among the candidates (S10). Where none does, the edges are a
 * nondeterministic choice: foretoken decides it by the ages of tokens, which are no part of a state. If minimum and maximum of a
 * property agree, the order does not matter. Places without a known bound become unbounded integers.
 *
 * Phases of holding firings, and of races with a single server, are variables.
 *
 * @throws InputError LANG001 and LANG004 for parts that cannot be written; CTMC003 for parameters of phases out of range; LANG005 for too many
 * immediate steps; UNF… for nets that cannot be unfolded; NET037 if the value is not a net
 */
export function netToJani(net: Net, options: Pick<UnfoldOptions, 'limit'> = {}): string {
  const commands = commandsOf(net, options);
  const type = commands.immediate.length === 0 ? 'ctmc' : 'ma';
  const model = {
    'jani-version': 1,
    name: net.name,
    metadata: {
      description:
        'Written by foretoken; rates per second. Comments give the names of the net. Properties: storm --jani FILE --janiproperty',
    },
    type,
    features: ['derived-operators'],
    variables: variables(commands),
    properties: properties(commands, type === 'ctmc' ? ['Smax'] : ['Smin', 'Smax']),
    automata: [
      {
        name: 'net',
        locations: [{ name: 'at' }],
        'initial-locations': ['at'],
        edges: [...commands.timed.map((c) => edge(c, c.guard, { rate: { exp: number(c.rate) } })), ...levels(commands)],
      },
    ],
    system: { elements: [{ automaton: 'net' }] },
  } satisfies Json;
  return `${JSON.stringify(model, null, 1)}\n`;
}

function variables({ variables: all, transitions, immediate }: Commands): Json[] {
  const fired = new Set(immediate.map(({ fires }) => fires));
  return [
    ...all.map(({ id, what, initial, bound }) => ({
      name: id,
      type: Number.isFinite(bound) ? { kind: 'bounded', base: 'int', 'lower-bound': 0, 'upper-bound': bound } : 'int',
      'initial-value': initial,
      comment: what,
    })),
    ...transitions
      .filter(({ id }) => fired.has(id))
      .map(({ id, what }) => ({
        name: id,
        type: 'int',
        transient: true,
        'initial-value': 0,
        comment: `firings of ${what} in a step`,
      })),
  ];
}

function properties({ places, transitions, immediate }: Commands, operators: readonly string[]): Json[] {
  const fired = new Set(immediate.map(({ fires }) => fires));
  const asked = (id: string, comment: string, exp: Json, accumulate: 'time' | 'steps'): Json[] =>
    operators.map((op) => ({
      name: operators.length === 1 ? id : `${id}_${op === 'Smin' ? 'min' : 'max'}`,
      comment,
      expression: {
        op: 'filter',
        fun: 'values',
        values: { op, exp, accumulate: [accumulate] },
        states: { op: 'initial' },
      },
    }));
  const rate = ({ timed }: TransitionFigure): Expression =>
    sum(timed.map(({ guard, rate: own }): Expression => ({ op: 'if', test: guard, a: own, b: constant(0) })));
  return [
    ...places.flatMap(({ id, what, tokens }) => asked(id, `mean number of tokens of ${what}`, number(tokens), 'time')),
    ...transitions.flatMap((t) => {
      const comment = `firings per second of ${t.what}`;
      return fired.has(t.id) ? asked(t.id, comment, t.id, 'steps') : asked(t.id, comment, number(rate(t)), 'time');
    }),
  ];
}

/** The edges of immediate steps, by level. @throws InputError LANG005 */
function levels({ name, immediate }: Commands): Json[] {
  const byLevel = new Map<number, ImmediateCommand[]>();
  for (const c of immediate) byLevel.set(c.level, [...(byLevel.get(c.level) ?? []), c]);
  const higher: Expression[] = [];
  const edges: Json[] = [];
  let pairs = 0;
  for (const [, own] of [...byLevel].sort(([a], [b]) => b - a)) {
    const weighted = own.filter((c) => c.weight !== undefined);
    const drawing = weighted.length > 0 ? own.length : 0;
    pairs += own.length * (higher.length + weighted.length) + drawing * drawing;
    if (pairs > MAX_PAIRS)
      fail(
        'LANG005',
        `has ${immediate.length} immediate steps, of which more than ${MAX_PAIRS} pairs exclude each other by priority or share a draw: their guards and probabilities would be too long`,
        { part: `net ${name}` },
      );
    const first = higher.map(not);
    if (weighted.length > 0) edges.push(draw(own, all([...first, any(weighted.map((c) => c.guard))])));
    const undrawn = [...first, ...weighted.map((c) => not(c.guard))];
    for (const c of own) if (c.weight === undefined) edges.push(edge(c, all([c.guard, ...undrawn])));
    higher.push(...own.map((c) => c.guard));
  }
  return edges;
}

/** One edge that chooses among the enabled steps in proportion to their weights; a missing weight counts as 1. */
function draw(steps: readonly ImmediateCommand[], guard: Expression): Json {
  const weight = (c: ImmediateCommand): Expression => ({
    op: 'if',
    test: c.guard,
    a: c.weight ?? constant(1),
    b: constant(0),
  });
  const total = sum(steps.map(weight));
  return {
    location: 'at',
    guard: { exp: truth(guard) },
    destinations: steps.map((c) => ({
      ...destination(c),
      ...(steps.length === 1 ? {} : { probability: { exp: number({ op: 'div', a: weight(c), b: total }) } }),
    })),
  };
}

const edge = (c: Command, guard: Expression, more: Readonly<Record<string, Json>> = {}): Json => ({
  location: 'at',
  ...more,
  guard: { exp: truth(guard) },
  destinations: [destination(c)],
});

function destination({ what, updates, ...c }: Command & { readonly fires?: string | undefined }): Record<string, Json> {
  const assignments = updates.map(({ id, value }) => ({ ref: id, value: number(value) }));
  return {
    location: 'at',
    comment: what,
    assignments: c.fires === undefined ? assignments : [...assignments, { ref: c.fires, value: 1 }],
  };
}

const SIGNS = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  min: 'min',
  max: 'max',
  eq: '=',
  ne: '≠',
  lt: '<',
  le: '≤',
  gt: '>',
  ge: '≥',
  and: '∧',
  or: '∨',
} as const;

const binary = (op: keyof typeof SIGNS, left: Json, right: Json): Json => ({ op: SIGNS[op], left, right });

const JANI: Language<Json> = {
  number: (value) => value,
  truth: (value) => value,
  variable: (id) => id,
  unary: (op, a) => (op === 'neg' ? binary('sub', 0, a) : op === 'not' ? { op: '¬', exp: a } : { op, exp: a }),
  binary,
  // biome-ignore lint/suspicious/noThenProperty: the name is that of the specification
  choice: (test, a, b) => ({ op: 'ite', if: test, then: a, else: b }),
};

const number = (e: Expression): Json => numberIn(JANI, e);
const truth = (e: Expression): Json => truthIn(JANI, e);
