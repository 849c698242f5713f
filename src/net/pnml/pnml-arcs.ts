import type { ScalarSet } from '../colour.ts';
import type { Expression } from '../expression.ts';
import type { InputArc, OutputArc } from '../net.ts';
import type { Context } from './pnml-context.ts';
import { broughtBy, takenBy } from './pnml-difference.ts';
import type { ArcRecord, At } from './pnml-document.ts';
import { type Multiset, simplified, type Term } from './pnml-multiset.ts';

/** Maximum tokens of one output arc (S7). */
const MAX_BROUGHT = 1e6;
/** Maximum number of output arcs into which a larger count is split. */
const MAX_PIECES = 1000;

/** The view of a place that arcs need. */
export interface ArcPlace {
  readonly name: string;
  /** The names of its columns, and their colour sets. */
  readonly columns: readonly string[];
  readonly sets: readonly ScalarSet[];
}

/** The arcs that take a multiset from a place. */
export function takingArcs(ctx: Context, place: ArcPlace, tokens: Multiset, at: At): InputArc[] {
  const m = simplified(tokens);
  if (m.minus.length === 0) return m.plus.map((t) => inputArc('take', place, t, t.count));
  const taken = takenBy(m, place.sets) ?? tooLarge(ctx, at);
  ctx.grow(taken.length, at);
  return taken.map((t) => inputArc('take', place, t, 1));
}

/** The arcs that put a multiset into a place. */
export function bringingArcs(ctx: Context, place: ArcPlace, tokens: Multiset, at: At): OutputArc[] {
  const m = simplified(tokens);
  if (m.minus.length === 0) return m.plus.flatMap((t) => fixedOutputs(ctx, place, t, at));
  const brought = broughtBy(m, place.sets) ?? tooLarge(ctx, at);
  ctx.grow(brought.length, at);
  return brought.map((t) => ({ place: place.name, values: named(place, t.columns), count: t.count }));
}

/** A read, inhibitor or reset arc; without an inscription it applies to all tokens of the place. */
export function testingArc(ctx: Context, place: ArcPlace, arc: ArcRecord, tokens: Multiset | undefined): InputArc {
  const kind = arc.kind!;
  const m = tokens === undefined ? undefined : simplified(tokens);
  if (m === undefined) {
    if (kind === 'read' && place.columns.length > 0)
      ctx.giveUp('PNML019', 'a read arc of a coloured place has no <hlinscription>', arc);
    return { kind, place: place.name, pattern: {}, count: 1 };
  }
  const [term, ...more] = m.plus;
  if (term === undefined || more.length > 0 || m.minus.length > 0)
    return ctx.giveUp('PNML020', `an arc of kind "${kind}" must have exactly one term`, arc);
  return inputArc(kind, place, term, kind === 'reset' ? 1 : term.count);
}

function tooLarge(ctx: Context, at: At): never {
  return ctx.giveUp('PNML018', 'the difference in the inscription yields an expression larger than supported', at);
}

function inputArc(
  kind: InputArc['kind'],
  place: ArcPlace,
  term: { columns: Term['columns'] },
  count: number,
): InputArc {
  return { kind, place: place.name, pattern: named(place, term.columns), count };
}

function fixedOutputs(ctx: Context, place: ArcPlace, { columns, count }: Term, at: At): OutputArc[] {
  const pieces = Math.ceil(count / MAX_BROUGHT);
  if (pieces > MAX_PIECES)
    ctx.giveUp('PNML007', `an arc adds ${count} tokens: at most ${MAX_BROUGHT * MAX_PIECES} are supported`, at);
  ctx.grow(pieces - 1, at);
  return Array.from({ length: pieces }, (_, k) => ({
    place: place.name,
    values: named(place, columns),
    count: { op: 'const', value: Math.min(MAX_BROUGHT, count - k * MAX_BROUGHT) },
  }));
}

function named(place: ArcPlace, columns: readonly Expression[]): Record<string, Expression> {
  const out: Record<string, Expression> = {};
  place.columns.forEach((name, k) => {
    out[name] = columns[k]!;
  });
  return out;
}
