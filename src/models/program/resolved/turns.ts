import type { Turns } from '../../../net/shapes/node-shapes.ts';
import { ANY } from '../builder-types.ts';
import type { Communicator } from '../communicator.ts';
import type { Statement } from '../statement.ts';

export type { Turns };

export const ONCE: Turns = { least: 1, most: 1 };
export const NEVER: Turns = { least: 0, most: 0 };

export function plus(a: Turns, b: Turns): Turns {
  return { least: a.least + b.least, most: a.most + b.most };
}

/** Nothing, however often, is nothing. */
export function scaled(a: Turns, b: Turns): Turns {
  return { least: a.least === 0 ? 0 : a.least * b.least, most: a.most === 0 || b.most === 0 ? 0 : a.most * b.most };
}

/** One way in which a rank does a statement, and how often. */
export interface Way {
  /** Of a `when`, `chance` or loop: which way it goes. */
  readonly way?: string;
  /** Of a message: the far rank of the world; null: none; undefined: not known, or any. */
  readonly peer?: number | null | undefined;
  /** undefined: not known, or any. */
  readonly tag?: number | undefined;
  turns: Turns;
}

/** What a rank does with a statement. */
export interface Done {
  turns: Turns;
  readonly ways: Map<string, Way>;
}

/** By statement: what one rank does with it; what it never comes to is not in it. */
export type Counts = Map<Statement, Done>;

/** Counts a statement as done so often, in this way. */
export function count(counts: Counts, s: Statement, turns: Turns, way?: Omit<Way, 'turns'>): void {
  if (turns.most === 0) return;
  let done = counts.get(s);
  if (done === undefined) {
    done = { turns: NEVER, ways: new Map() };
    counts.set(s, done);
  }
  if (way === undefined) {
    done.turns = plus(done.turns, turns);
    return;
  }
  const key = `${way.way ?? ''} ${way.peer} ${way.tag}`;
  const known = done.ways.get(key);
  if (known === undefined) done.ways.set(key, { ...way, turns });
  else known.turns = plus(known.turns, turns);
}

/** Adds counts to others. */
export function addCounts(to: Counts, more: Counts): void {
  for (const [s, { turns, ways }] of more) {
    count(to, s, turns);
    for (const { turns: own, ...way } of ways.values()) count(to, s, own, way);
  }
}

/** The far rank of the world that an argument names; undefined where it names none that is one. */
export function peerOf(value: unknown, comm: Communicator, own: number): number | null | undefined {
  if (value === ANY) return undefined;
  if (value === null || value === undefined) return null;
  return Number.isSafeInteger(value) ? comm.worldRank(own, value as number) : undefined;
}

export function tagOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
