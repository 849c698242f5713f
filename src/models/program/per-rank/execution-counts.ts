import type { Turns } from '../../../net/shapes/node-shapes.ts';
import { ANY } from '../record/builder-types.ts';
import type { Communicator } from '../record/communicator.ts';
import type { Statement } from '../record/statement.ts';

export type { Turns };

export const ONCE: Turns = { least: 1, most: 1 };
export const ZERO_TIMES: Turns = { least: 0, most: 0 };

export function plus(a: Turns, b: Turns): Turns {
  return { least: a.least + b.least, most: a.most + b.most };
}

/** Product of counts; 0 × Infinity is 0. */
export function scaled(a: Turns, b: Turns): Turns {
  return { least: a.least === 0 ? 0 : a.least * b.least, most: a.most === 0 || b.most === 0 ? 0 : a.most * b.most };
}

/** A variant of a rank's statement (branch taken, or partner and tag) and its execution count. */
export interface Variant {
  /** The branch of a `when`, `chance` or loop. */
  readonly branch?: string;
  /** For messages: world rank of the partner; `null`: no partner; undefined: unknown or wildcard. */
  readonly peer?: number | null | undefined;
  /** For messages; undefined: unknown or wildcard. */
  readonly tag?: number | undefined;
  turns: Turns;
}

/** Execution count of a statement on a rank, in total and by variant. */
export interface Done {
  turns: Turns;
  readonly variants: Map<string, Variant>;
}

/** Executed statements of one rank; unreachable statements are absent. */
export type Counts = Map<Statement, Done>;

/** Adds executions of a statement: to its total, or to the given variant. */
export function count(counts: Counts, s: Statement, turns: Turns, variant?: Omit<Variant, 'turns'>): void {
  if (turns.most === 0) return;
  let done = counts.get(s);
  if (done === undefined) {
    done = { turns: ZERO_TIMES, variants: new Map() };
    counts.set(s, done);
  }
  if (variant === undefined) {
    done.turns = plus(done.turns, turns);
    return;
  }
  const key = `${variant.branch ?? ''} ${variant.peer} ${variant.tag}`;
  const known = done.variants.get(key);
  if (known === undefined) done.variants.set(key, { ...variant, turns });
  else known.turns = plus(known.turns, turns);
}

/** Adds all counts of `more` to `to`. */
export function addCounts(to: Counts, more: Counts): void {
  for (const [s, { turns, variants }] of more) {
    count(to, s, turns);
    for (const { turns: own, ...variant } of variants.values()) count(to, s, own, variant);
  }
}

/** World rank of the partner that an argument names; `null`: no partner; undefined: wildcard or invalid rank. */
export function peerOf(value: unknown, comm: Communicator, own: number): number | null | undefined {
  if (value === ANY) return undefined;
  if (value === null || value === undefined) return null;
  return Number.isSafeInteger(value) ? comm.worldRank(own, value as number) : undefined;
}

export function tagOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
