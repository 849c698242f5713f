import { InputError, type Place as Position, type Problem } from '../../base/problem.ts';
import type { Net, Processes } from '../net.ts';
import { validateColours } from './validate-colours.ts';
import { Context } from './validate-context.ts';
import { validatePlaces } from './validate-places.ts';
import { validateShape } from './validate-shape.ts';
import { validateTables } from './validate-tables.ts';
import { validateTransitions } from './validate-transitions.ts';

/** Most processes a net may have: results hold figures of each. */
const MAX_PROCESSES = 2 ** 18;

/** Throws an InputError with every problem of the net, if there is one. */
export function assertValid(net: Net): void {
  const problems = validate(net);
  if (problems.length > 0) throw new InputError(problems);
}

/**
 * Everything that is wrong with a net, in one pass: unknown and duplicate names, colours that do not fit, unbound
 * variables, tokens outside their colour set, parameters out of range, tables that are no tables. The codes are listed in
 * `NET_CODES`. O(size of the net), tables in memory included; colour sets are never enumerated.
 *
 * @param positions where the parts of the net (colour sets, tables, places, transitions, arcs, expressions) stand in a
 * file, for the problems' places
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
  return ctx.problems;
}

function functions(ctx: Context): void {
  for (const f of ctx.net.functions ?? []) {
    ctx.look(f);
    if (typeof f.apply !== 'function')
      ctx.say('NET025', `function ${f.name}`, `"apply" is of type ${typeof f.apply}: a function is expected`);
  }
}

function processes(ctx: Context, p: Processes): void {
  ctx.look(p);
  const say = (message: string): void => ctx.say('NET030', 'processes', message);
  const colour = ctx.colours.get(p.colour);
  const ended = ctx.places.get(p.ended);
  if (colour?.kind !== 'range') say(`colour set "${p.colour}" is no range`);
  else if (colour.high - colour.low >= MAX_PROCESSES)
    say(
      `colour set "${p.colour}" has ${colour.high - colour.low + 1} values: at most ${MAX_PROCESSES} processes can be told apart`,
    );
  if (ended === undefined) ctx.say('NET012', 'processes', ctx.unknownPlace(p.ended));
  else if (ended.fields.length !== 1 || ended.fields[0]!.colour !== p.colour)
    say(`place "${ended.name}" must have one field of colour "${p.colour}"`);
}
