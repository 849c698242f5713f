import type { Column, ScalarSet } from '../colour.ts';
import { type Expression, sameExpression } from '../expression.ts';
import type { InputArc, OutputArc, Transition } from '../net.ts';
import { broughtBy, conditionOf, type Part, takenBy } from './pnml-difference.ts';
import { type Balance, type Difference, type Multiset, simplified, type Term, tokens } from './pnml-multiset.ts';
import { NotSymmetric } from './pnml-write-terms.ts';

/** Tokens that a transition takes from a place or puts into it. */
export interface Moved {
  readonly place: string;
  readonly takes: boolean;
  readonly tokens: Multiset;
}

/** A read, inhibitor or reset arc; without tokens it applies to the whole place. */
export interface Tested {
  readonly kind: 'read' | 'inhibit' | 'reset';
  readonly place: string;
  readonly tokens: Multiset | undefined;
}

/** The arcs of a transition as multisets, and its guard without the conditions of differences. */
export interface MovedArcs {
  readonly arcs: readonly (Moved | Tested)[];
  readonly guard: Expression | undefined;
}

/** Context of a transition's arcs. */
export interface Surroundings {
  columnsOf(place: string): readonly Column[];
  /** A fresh variable for a column omitted from a pattern; it distinguishes bindings too. */
  unnamed(place: string, column: Column): Expression;
}

/**
 * The arcs of a transition, those of the same place and direction combined, in order of first occurrence. Arcs that the
 * reader generated from a multiset difference are converted back: a difference is guessed and accepted if it generates
 * these arcs.
 *
 * @throws NotSymmetric
 */
export function movedArcs(t: Transition, around: Surroundings): MovedArcs {
  const differences: Difference[] = [];
  const moved = (place: string, takes: boolean, terms: readonly Part[]): Moved => {
    const sets = around.columnsOf(place).map((c) => c.colour);
    if (terms.every((p) => isPlain(p, takes)))
      return { place, takes, tokens: tokens(terms.map(({ columns, count }) => ({ columns, count: fixed(count) }))) };
    const guess = takes ? guessTaken(terms, sets) : guessBrought(terms);
    const made = guess === undefined ? undefined : (takes ? takenBy : broughtBy)(simplified(guess), sets);
    if (guess === undefined || made === undefined || !sameParts(made, terms))
      throw new NotSymmetric(
        `the arcs between transition ${t.name} and place ${place} cannot be expressed as a multiset of symmetric nets`,
      );
    differences.push({ ...guess, sets });
    return { place, takes, tokens: { ...guess, differences: [] } };
  };
  const inputs = grouped(t.inputs, (arc) => (arc.kind === 'take' ? arc.place : undefined)).map((group) => {
    const [arc] = group;
    if (arc!.kind !== 'take') return tested(arc!, around);
    return moved(
      arc!.place,
      true,
      group.map((a) => inputPart(a, around)),
    );
  });
  const outputs = grouped(t.outputs, (arc) => arc.place).map((group) =>
    moved(
      group[0]!.place,
      false,
      group.map((a) => outputPart(a, around)),
    ),
  );
  return { arcs: [...inputs, ...outputs], guard: without(t, conditionOf(differences)) };
}

function inputPart(arc: InputArc, around: Surroundings): Part {
  const columns = around.columnsOf(arc.place).map((c) => {
    if (Object.hasOwn(arc.pattern, c.name)) return arc.pattern[c.name]!;
    if (arc.kind === 'take' || arc.kind === 'read') return around.unnamed(arc.place, c);
    throw new NotSymmetric(`a testing arc from place ${arc.place} matches every value of ${c.name}`);
  });
  return { columns, count: { op: 'const', value: arc.count } };
}

function outputPart(arc: OutputArc, around: Surroundings): Part {
  return { columns: around.columnsOf(arc.place).map((c) => arc.values[c.name]!), count: arc.count };
}

function tested(arc: InputArc, around: Surroundings): Tested {
  const { kind, place } = arc;
  if (kind === 'take') throw new Error('a take arc is not a testing arc');
  const columns = around.columnsOf(place);
  const everything = columns.every((c) => !Object.hasOwn(arc.pattern, c.name));
  if (everything && arc.count === 1 && (kind !== 'read' || columns.length === 0))
    return { kind, place, tokens: undefined };
  const { columns: term } = inputPart(arc, around);
  return { kind, place, tokens: tokens([{ columns: term, count: arc.count }]) };
}

/** Groups arcs by key, in order of first occurrence; an arc without a key is its own group. */
function grouped<A>(arcs: readonly A[], key: (arc: A) => string | undefined): A[][] {
  const groups: A[][] = [];
  const known = new Map<string, A[]>();
  for (const arc of arcs) {
    const k = key(arc);
    const group = k === undefined ? undefined : known.get(k);
    if (group !== undefined) group.push(arc);
    else {
      groups.push([arc]);
      if (k !== undefined) known.set(k, groups.at(-1)!);
    }
  }
  return groups;
}

function isPlain({ columns, count }: Part, takes: boolean): boolean {
  if (count.op !== 'const' || !Number.isSafeInteger(count.value) || count.value < 0) return false;
  // For a range, a conditional may be a successor; the term writer decides.
  return !takes || columns.every((e) => e.op !== 'if' || e.test.op === 'eq');
}

function fixed(e: Expression): number {
  return e.op === 'const' ? e.value : Number.NaN;
}

function sameParts(made: readonly Part[], parts: readonly Part[]): boolean {
  return (
    made.length === parts.length &&
    made.every((m, k) => {
      const { columns, count } = parts[k]!;
      return sameExpression(m.count, count) && m.columns.every((e, c) => sameExpression(e, columns[c]!));
    })
  );
}

/** Guesses "all values of one column except some": the conditions of the first arc name the exceptions. */
function guessTaken(parts: readonly Part[], sets: readonly ScalarSet[]): Balance | undefined {
  const { columns } = parts[0]!;
  const column = columns.findIndex((e) => e.op === 'if');
  const set = sets[column];
  if (set === undefined || set.kind === 'integer') return undefined;
  const minus: Term[] = [];
  let e = columns[column]!;
  while (e.op === 'if') {
    if (e.test.op !== 'le') return undefined;
    minus.unshift({ columns: columns.with(column, e.test.a), count: 1 });
    e = e.b;
  }
  const [low, size] =
    set.kind === 'range' ? [set.low, set.high - set.low + 1] : [0, set.kind === 'bool' ? 2 : set.values.length];
  if (size > 2 * parts.length + minus.length) return undefined;
  const colour = set.kind === 'enum' ? { colour: set.name } : {};
  const plus = Array.from({ length: size }, (_, k) => ({
    columns: columns.with(column, { op: 'const', value: low + k, ...colour }),
    count: 1,
  }));
  return { plus, minus };
}

/** Guesses "one of each except some": the count of the first arc names the exceptions. */
function guessBrought(parts: readonly Part[]): Balance | undefined {
  const { columns, count } = parts[0]!;
  const minus: Term[] = [];
  for (const e of conjunctsOf(count)) {
    const equations = e.op === 'ne' ? [e] : e.op === 'not' ? conjunctsOf(e.a) : [];
    const gone = [...columns];
    for (const q of equations) {
      if (q.op !== 'ne' && q.op !== 'eq') return undefined;
      const column = columns.findIndex((p) => sameExpression(p, q.b));
      if (column < 0) return undefined;
      gone[column] = q.a;
    }
    if (equations.length === 0) return undefined;
    minus.push({ columns: gone, count: 1 });
  }
  return { plus: parts.map((p) => ({ columns: p.columns, count: 1 })), minus };
}

function conjunctsOf(e: Expression): Expression[] {
  return e.op === 'and' ? [...conjunctsOf(e.a), ...conjunctsOf(e.b)] : [e];
}

/** The guard without the conditions of differences, which are its last conjunct. */
function without(t: Transition, needed: Expression): Expression | undefined {
  const { guard } = t;
  if (needed.op === 'const' && needed.value === 1) return guard;
  if (guard !== undefined && sameExpression(guard, needed)) return undefined;
  if (guard?.op === 'and' && sameExpression(guard.b, needed)) return guard.a;
  throw new NotSymmetric(`the guard of transition ${t.name} does not require the tokens that its arcs subtract`);
}
