import type { Expression } from '../expression.ts';
import type { InputArc, OutputArc, TokenCount, Transition } from '../net.ts';
import { ARC_KINDS } from '../net-form.ts';
import type { Columns, Context } from './validate-context.ts';
import { checkExpression, type Type, type Types, typeOfColour } from './validate-expression.ts';

/** True if an arc binds variables; other arcs only compare. */
export function binds(arc: InputArc): boolean {
  return arc.kind === 'take' || arc.kind === 'read';
}

/** Types of the variables bound by arcs: each is bound by the first column that is a plain variable. */
export function boundBy(ctx: Context, part: string, t: Transition): Map<string, Type | undefined> {
  const types = new Map<string, Type | undefined>();
  for (const arc of t.inputs) {
    if (!binds(arc)) continue;
    ctx.lookAt(arc);
    const p = ctx.places.get(arc.place);
    let columns: Columns | undefined;
    for (const [column, e] of Object.entries(arc.pattern)) {
      if (e.op !== 'var' || types.has(e.name)) continue;
      ctx.notReserved(`${part}, arc from ${arc.place}`, 'variable', e.name);
      columns ??= p === undefined ? undefined : ctx.columnsOf(p);
      const colour = columns?.get(column);
      types.set(e.name, colour === undefined ? undefined : typeOfColour(colour));
    }
  }
  return types;
}

/** Checks arcs: places, counts and columns. */
export function validateArcs(ctx: Context, part: string, t: Transition, types: Types): void {
  for (const arc of t.inputs) {
    ctx.lookAt(arc);
    input(ctx, `${part}, arc from ${arc.place}`, arc, types);
  }
  for (const arc of t.outputs) {
    ctx.lookAt(arc);
    output(ctx, `${part}, arc to ${arc.place}`, arc, types);
  }
}

function input(ctx: Context, part: string, arc: InputArc, types: Types): void {
  if (ctx.known(part, 'kind', arc.kind, ARC_KINDS)) {
    if (!Number.isSafeInteger(arc.count) || arc.count < 1)
      ctx.report('NET018', part, `a count of ${arc.count}: expected an integer >= 1`);
    else if (arc.kind === 'reset' && arc.count !== 1)
      ctx.report('NET018', part, `a count of ${arc.count}: a reset arc removes all tokens, expected 1`);
  }
  const columns = columnsAt(ctx, part, arc.place);
  if (columns === undefined) return;
  knownColumns(ctx, part, arc.pattern, columns);
  for (const [column, e] of Object.entries(arc.pattern)) match(ctx, part, column, e, columns, types);
}

/** Checks the place and the columns of a count. */
export function validateCount(ctx: Context, part: string, { place, pattern }: TokenCount, types: Types): void {
  const columns = columnsAt(ctx, part, place);
  if (columns === undefined) return;
  knownColumns(ctx, part, pattern, columns);
  for (const [column, e] of Object.entries(pattern)) match(ctx, part, column, e, columns, types);
}

function output(ctx: Context, part: string, arc: OutputArc, types: Types): void {
  checkExpression(ctx, `${part}, count`, arc.count, types, 'int');
  const columns = columnsAt(ctx, part, arc.place);
  if (columns === undefined) return;
  knownColumns(ctx, part, arc.values, columns);
  for (const column of columns.keys()) {
    // The column may have the name of an inherited object member.
    if (Object.hasOwn(arc.values, column)) match(ctx, part, column, arc.values[column]!, columns, types);
    else ctx.report('NET017', part, `column "${column}" is not given`);
  }
}

function columnsAt(ctx: Context, part: string, place: string): Columns | undefined {
  const p = ctx.places.get(place);
  if (p !== undefined) return ctx.columnsOf(p);
  ctx.report('NET012', part, ctx.unknownPlace(place));
  return undefined;
}

function knownColumns(ctx: Context, part: string, given: Readonly<Record<string, Expression>>, known: Columns): void {
  for (const column of Object.keys(given))
    if (!known.has(column)) ctx.report('NET017', part, `unknown column "${column}".${ctx.nearIn(column, known)}`);
}

function match(ctx: Context, part: string, column: string, e: Expression, columns: Columns, types: Types): void {
  const colour = columns.get(column);
  if (colour !== undefined) checkExpression(ctx, `${part}, ${column}`, e, types, typeOfColour(colour));
}
