import type { ProgramNet } from '../../../models/program/net/program-net.ts';
import { labelOf, type Shaped } from '../../../models/program/resolve/shape.ts';
import type { StatementInfo } from '../../../models/program/resolve/world.ts';
import type { Choice, Unmatched } from '../unmatched.ts';
import { fromHere } from './model-figures.ts';

interface Marking {
  tokens(place: string): readonly { readonly values: readonly number[] }[];
}

/** Sends without a receive, and receives without a message, in a marking; those of collectives are left out. */
export function unmatchedInModel(program: ProgramNet, marking: Marking): Unmatched[] {
  const { tags } = program.world;
  const ends = program.world.pairEnds();
  const groups = new Map<string, { -readonly [K in keyof Unmatched]: Unmatched[K] }>();
  const note = (kind: Unmatched['kind'], rank: number, peer: number | null, t: number | null): void => {
    if (t !== null && tags.key(t, 2) === 1) return;
    const tag = t === null ? null : tags.key(t, 1);
    const key = [kind, rank, peer, tag].join();
    const group = groups.get(key);
    if (group !== undefined) group.count++;
    else groups.set(key, { kind, rank, peer, tag, count: 1, at: linesOf(program, kind, rank, peer, tag) });
  };
  eachToken(program, marking, 'sends', (v) => note('send', ends.from[v('p')]!, ends.to[v('p')]!, v('t')));
  eachToken(program, marking, 'wildSends', (v) => note('send', v('s'), v('d'), v('t')));
  eachToken(program, marking, 'receives', (v) => note('receive', ends.to[v('p')]!, ends.from[v('p')]!, v('t')));
  eachToken(program, marking, 'wildReceives', (v) =>
    note('receive', v('d'), v('s') < 0 ? null : v('s'), v('t') < 0 ? null : v('t')),
  );
  return [...groups.values()].sort((a, b) => (a.kind === b.kind ? a.rank - b.rank : a.kind < b.kind ? 1 : -1));
}

/** Statements that may have issued a message or receive, as far as known without executing them. */
export function linesOf(
  { world }: ProgramNet,
  kind: Unmatched['kind'],
  rank: number,
  peer: number | null,
  tag: number | null,
): Choice[] {
  const may = (given: unknown, value: number | null): boolean =>
    typeof given !== 'number' || value === null || given === value;
  const fitting = world.statements.filter((one) => {
    const s = one.statement;
    if (!(one as Shaped).ranks(rank)) return false;
    if (kind === 'send') return s.kind === 'send' && may(s.to, peer) && may(s.tag ?? 0, tag);
    return s.kind === 'recv' && may(s.tag ?? 0, tag) && (peer === null || may(s.from, peer));
  });
  return fitting.map(describe);
}

/** Calls `visit` for each token of a place with its fields by name; never if the net does not have the place. */
export function eachToken(
  { net }: Pick<ProgramNet, 'net'>,
  marking: Marking,
  place: string,
  visit: (value: (field: string) => number) => void,
): void {
  const p = net.places.find((x) => x.name === place);
  if (p === undefined) return;
  const at = new Map(p.fields.map((f, k) => [f.name, k]));
  for (const { values } of marking.tokens(place)) visit((field) => values[at.get(field)!]!);
}

/** Describes an operation; in a module of a composition or a part of coupled models with its name: `ocean.send`. */
export function describe(info: StatementInfo): Choice {
  const { file = '', line = 0 } = info.statement.site.place;
  return { operation: operationIn(info), file: fromHere(file), line };
}

/** `ocean.send` in a module, `send` in a program that is alone. */
export function operationIn({ label, statement }: StatementInfo): string {
  return `${label.slice(0, label.lastIndexOf('.') + 1)}${labelOf(statement)}`;
}
