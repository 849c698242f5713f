import { colourBounds } from '../colour.ts';
import { isDistribution } from '../distribution.ts';
import { variablesOf } from '../expression.ts';
import { expressionsOfTransition } from '../expressions.ts';
import type { Field, Label, TokenCount, Transition } from '../net.ts';
import { MEMORIES, SERVERS, TIMINGS, TRANSITION_KINDS } from '../net-form.ts';
import { boundBy, validateArcs, validateCount } from './validate-arcs.ts';
import type { Context } from './validate-context.ts';
import { checkDelay } from './validate-distribution.ts';
import { checkExpression, constantOf, type Type, type Types, typeOfColour } from './validate-expression.ts';

/** Maximum number of values of a free variable (S6). */
export const MAX_FREE_VALUES: number = 2 ** 20;

/** Checks transitions: variables, arcs, guard, order and time. */
export function validateTransitions(ctx: Context): void {
  for (const t of ctx.net.transitions) {
    ctx.look(t);
    transition(ctx, t, `transition ${t.name}`);
  }
}

function transition(ctx: Context, t: Transition, part: string): void {
  ctx.knownIfGiven(part, 'kind', t.kind, TRANSITION_KINDS);
  ctx.modules(part, t.modules);
  timing(ctx, t, part);
  const types = boundBy(ctx, part, t);
  const exported = new Set(Object.values(t.label?.exports ?? {}));
  for (const f of t.free ?? []) free(ctx, part, f, types, exported.has(f.name));
  const { length: before } = ctx.problems;
  for (const c of t.counts ?? []) count(ctx, part, c, types);
  validateArcs(ctx, part, t, types);
  for (const [what, e, want] of [
    ['guard', t.guard, 'bool'],
    ['process', t.process, 'int'],
    ['weight', t.weight, 'real'],
    ['speed', t.speed, 'real'],
  ] as const) {
    if (e === undefined) continue;
    ctx.lookAt(e);
    checkExpression(ctx, `${part}, ${what}`, e, types, want);
    if (what === 'weight') positive(ctx, part, constantOf(e));
    if (what === 'speed') forward(ctx, part, constantOf(e));
  }
  if (t.delay !== undefined) {
    ctx.lookAt(t.delay);
    checkDelay(ctx, `${part}, delay`, t.delay, types);
  }
  ctx.lookAt(undefined);
  if (t.priority !== undefined && !Number.isSafeInteger(t.priority))
    ctx.report('NET034', part, `a priority of ${t.priority}: expected an integer below 2^53`);
  if (t.label !== undefined) label(ctx, `${part}, label`, t.label, types);
  if (ctx.problems.length === before) countsInPlace(ctx, part, t);
}

/** Message for a transition that takes no token although it must. */
export const TAKES_NONE = 'takes no token: expected an arc that takes one (it may be put back), or the timing "race"';

/** A transition that takes no token and is not a race would fire again immediately, until another one disables it. */
function timing(ctx: Context, t: Transition, part: string): void {
  const race = t.timing === 'race';
  const known =
    ctx.knownIfGiven(part, 'timing', t.timing, TIMINGS) &&
    knownServers(ctx, part, t.servers) &&
    ctx.knownIfGiven(part, 'memory', t.memory, MEMORIES);
  if (known && race && t.delay === undefined)
    ctx.report('NET035', part, 'has the timing "race" and no delay: expected a delay');
  if (known && !race)
    for (const [given, what] of [
      [t.servers, `${t.servers} servers`],
      [t.memory, `the memory "${t.memory}"`],
      [t.speed, 'a speed'],
    ] as const)
      if (given !== undefined) ctx.report('NET035', part, `has ${what}, which only the timing "race" allows`);
  // A partner with the same label may take the token; the engines check the merged net again.
  if (t.label !== undefined || t.inputs.some((a) => a.kind === 'take')) return;
  if (race && t.delay !== undefined) {
    if (isDistribution(t.delay) || constantOf(t.delay) !== 0) return;
    ctx.report(
      'NET020',
      part,
      'takes no token and has a delay of 0: a race without input tokens needs a positive delay',
    );
  } else ctx.report('NET020', part, TAKES_NONE);
}

function knownServers(ctx: Context, part: string, servers: Transition['servers']): boolean {
  if (typeof servers !== 'number') return ctx.knownIfGiven(part, 'servers', servers, SERVERS);
  if (Number.isSafeInteger(servers) && servers >= 1) return true;
  const nearest = servers === Number.POSITIVE_INFINITY ? '. Did you mean "infinite"?' : '';
  ctx.report('NET035', part, `has ${servers} servers: expected an integer >= 1, "single" or "infinite"${nearest}`);
  return false;
}

/** Declares a count. */
function count(ctx: Context, part: string, c: TokenCount, types: Map<string, Type | undefined>): void {
  ctx.lookAt(c);
  if (c.name === '') ctx.report('NET001', part, 'the name of a count must not be empty');
  ctx.notReserved(part, 'count', c.name);
  validateCount(ctx, `${part}, count "${c.name}"`, c, types);
  if (types.has(c.name)) ctx.report('NET039', part, `count "${c.name}": the name is already that of a variable`);
  types.set(c.name, 'int');
}

/** Reports counts in expressions that are not evaluated when the marking changes; they are valid apart from that. */
function countsInPlace(ctx: Context, part: string, t: Transition): void {
  const { weight: _, speed: __, label: l, ...others } = t;
  const used = new Set(Object.values(l?.exports ?? {}));
  for (const e of expressionsOfTransition(others)) variablesOf(e, used);
  for (const c of t.counts ?? []) {
    ctx.lookAt(c);
    if (used.has(c.name))
      ctx.report('NET039', part, `count "${c.name}": only the speed and the weight may depend on token counts`);
  }
}

/**
 * Declares a free variable. Its values are counted, never enumerated. A partner may bind one that a label exports, so its
 * colour set may be infinite; the engines check the merged net again.
 */
function free(ctx: Context, part: string, f: Field, types: Map<string, Type | undefined>, exported: boolean): void {
  const report = (message: string): void => ctx.report('NET027', part, `free variable "${f.name}": ${message}`);
  ctx.lookAt(f);
  if (f.name === '') ctx.report('NET001', part, 'the name of a free variable must not be empty');
  ctx.notReserved(part, 'free variable', f.name);
  if (types.has(f.name)) report('the name is already bound by an arc or another free variable');
  const colour = ctx.colours.get(f.colour);
  types.set(f.name, colour === undefined ? undefined : typeOfColour(colour));
  if (colour === undefined)
    ctx.report('NET011', part, `unknown colour set "${f.colour}".${ctx.nearIn(f.colour, ctx.colours)}`);
  else if (exported && colour.kind === 'integer') return;
  else if (colour.kind === 'range' || colour.kind === 'enum' || colour.kind === 'bool') {
    const { low, high } = colourBounds(colour);
    if (high - low >= MAX_FREE_VALUES)
      report(`colour set "${f.colour}" has ${high - low + 1} values, expected at most ${MAX_FREE_VALUES}`);
  } else report(`expected a finite set of scalar values, got "${f.colour}" of kind ${colour.kind}`);
}

function positive(ctx: Context, part: string, weight: number | undefined): void {
  if (weight !== undefined && !(weight > 0 && weight < Number.POSITIVE_INFINITY))
    ctx.report('NET028', part, `a weight of ${weight}: expected a positive finite number`);
}

function forward(ctx: Context, part: string, speed: number | undefined): void {
  if (speed !== undefined && !(speed >= 0 && speed < Number.POSITIVE_INFINITY))
    ctx.report('NET039', part, `a speed of ${speed}: expected a finite number >= 0`);
}

function label(ctx: Context, part: string, l: Label, types: Types): void {
  if (l.name === '') ctx.report('NET001', part, 'the name of a label must not be empty');
  for (const [shared, variable] of Object.entries(l.exports)) {
    if (shared === '') ctx.report('NET001', part, 'the shared name of a variable must not be empty');
    ctx.notReserved(part, 'shared name', shared);
    if (!types.has(variable))
      ctx.report('NET021', part, `variable "${variable}" is not bound.${ctx.nearIn(variable, types)}`);
  }
}
