import { InputError, type Place as Position, type Problem } from '../../base/problem.ts';
import type { MarkedPlace, Net, Processes } from '../net.ts';
import { validateColours } from './validate-colours.ts';
import { Context } from './validate-context.ts';
import { validatePlaces } from './validate-places.ts';
import { validateShape } from './validate-shape.ts';
import { validateTables } from './validate-tables.ts';
import { validateTransitions } from './validate-transitions.ts';

/** Maximum number of processes: results contain figures for each process. */
const MAX_PROCESSES = 2 ** 18;

/** Nets that are known to be valid and that no user holds. */
const known = new WeakSet<Net>();

/** Later calls of {@link assertValid} accept this net, which was validated when it was built and cannot change. */
export function knownValid(net: Net): Net {
  known.add(net);
  return net;
}

/** Throws an InputError with every problem of the net, if there are any. */
export function assertValid(net: Net): void {
  if (known.has(net)) return;
  const problems = validate(net);
  if (problems.length > 0) throw new InputError(problems);
}

/**
 * All problems of a net in one pass: unknown and duplicate names, colours that do not fit, unbound variables, tokens
 * outside their colour set, parameters out of range, malformed tables. The codes are listed in docs/errors.md. O(size of
 * the net), including tables in memory; colour sets are never enumerated.
 *
 * @param positions source positions of the net's parts (colour sets, tables, places, transitions, arcs, expressions),
 * used as the places of problems
 */
export function validate(net: Net, positions: ReadonlyMap<object, Position> = new Map()): Problem[] {
  const misshapen = validateShape(net);
  if (misshapen.length > 0) return misshapen;
  const ctx = new Context(net, positions);
  validateColours(ctx);
  validateTables(ctx);
  functions(ctx);
  validatePlaces(ctx);
  validateTransitions(ctx);
  if (net.processes !== undefined) processes(ctx, net.processes);
  for (const [k, marking] of (net.finalMarkings ?? []).entries()) finalMarking(ctx, marking, `final marking ${k + 1}`);
  return ctx.problems;
}

function functions(ctx: Context): void {
  for (const f of ctx.net.functions ?? []) {
    ctx.look(f);
    if (typeof f.apply !== 'function')
      ctx.report('NET025', `function ${f.name}`, `"apply" is of type ${typeof f.apply}: expected a function`);
  }
}

function finalMarking(ctx: Context, marking: readonly MarkedPlace[], part: string): void {
  ctx.look(marking);
  const known = new Set<string>();
  for (const { place, count } of marking) {
    if (!ctx.places.has(place)) ctx.report('NET012', part, ctx.unknownPlace(place));
    if (known.has(place)) ctx.report('NET038', part, `duplicate place "${place}"`);
    known.add(place);
    if (!(Number.isSafeInteger(count) && count >= 0))
      ctx.report('NET038', part, `${count} tokens in place "${place}": expected an integer from 0 to 2^53 - 1`);
  }
}

function processes(ctx: Context, p: Processes): void {
  ctx.look(p);
  const report = (message: string): void => ctx.report('NET030', 'processes', message);
  const colour = ctx.colours.get(p.colour);
  const ended = ctx.places.get(p.ended);
  if (colour?.kind !== 'range') report(`colour set "${p.colour}" is not a range`);
  else if (colour.high - colour.low >= MAX_PROCESSES)
    report(
      `colour set "${p.colour}" has ${colour.high - colour.low + 1} values: at most ${MAX_PROCESSES} processes are supported`,
    );
  if (ended === undefined) ctx.report('NET012', 'processes', ctx.unknownPlace(p.ended));
  else if (ended.fields.length !== 1 || ended.fields[0]!.colour !== p.colour)
    report(`place "${ended.name}" must have one field of colour "${p.colour}"`);
}
