import { assertIs, assertOptions } from '../base/options.ts';
import { didYouMean, fail, shown } from '../base/problem.ts';
import { type CompiledKernel, compileKernel } from '../kernel/kernel.ts';
import { type Expression, operands } from '../net/expression.ts';
import { expressionsOfPlace, expressionsOfTransition, scalarNet } from '../net/expressions.ts';
import type { Net, Place, Transition } from '../net/net.ts';
import { assertValid } from '../net/validation/validate.ts';
import { TAKES_NONE } from '../net/validation/validate-transitions.ts';
import { variableNames } from './emit/bindings/plan.ts';
import type { Emission } from './emit/emission.ts';
import { codeOf } from './emit/net.ts';
import { type NetRun, type StartOptions, start } from './net-run.ts';
import type { CountObserver, FiringLog, Measures, TransitionObserver } from './observers.ts';

export type { Game, MarkedToken, NetRun, SavedGame, SavedNetRun, StartOptions } from './net-run.ts';

/** Options of {@link compile}. */
export interface CompileOptions {
  /** Log of firings in blocks: faster than observers. */
  readonly log?: FiringLog;
  /** Observers of the starts and ends of firings, by transition. */
  readonly observers?: Readonly<Record<string, TransitionObserver>>;
  /** Observers of the number of tokens, by place. */
  readonly counts?: Readonly<Record<string, CountObserver>>;
  /** Figures that are integrated over time; `integrals` of a run reads them. */
  readonly measures?: Measures;
  /** Those of these places whose observers receive the values of the token, too; default none. */
  readonly coloured?: readonly string[];
  /**
   * Called with two transitions at each choice between them that ages decide (S10): both could start, the first one does, one takes a
   * token that the other takes or reads, and there are too few for both. Slows the run.
   */
  readonly conflicts?: (one: string, other: string) => void;
  /** Places whose tokens keep their arrival time. Default: the place of ended processes, if the net names one. */
  readonly timed?: readonly string[];
  /**
   * Highest age of a token: tokens are numbered in the order of their arrival up to this, and then renumbered. From 1 to 2³⁰,
   * default 2³⁰. Results do not depend on it.
   */
  readonly lastAge?: number;
  /**
   * Expected number of steps (starts and ends of firings, services) of a run, if known; default 0. From 10⁷ on, the code is
   * optimised further, which takes longer to compile. Results do not depend on it.
   */
  readonly steps?: number;
}

/** A compiled net: it can be started any number of times. */
export interface CompiledNet {
  readonly net: Net;
  /** Names of the transitions, sorted; the index is the transition's number in the engine. */
  readonly transitions: readonly string[];
  /** The code of the net in the kernel language, for inspection. */
  readonly source: string;
  /**
   * Variables of a transition, in the order in which observers receive their values.
   *
   * @throws InputError SIM001 for an unknown transition
   */
  variables(transition: string): readonly string[];
  /**
   * Starts a run from the initial marking, or resumes a saved one. O(size of the marking).
   *
   * @throws InputError SIM003, SIM010 for wrong options; RUN010 for a saved run of another net or version; RUN002 … RUN015 if
   * the initial marking causes an error, for instance RUN013 if memory cannot hold it
   */
  start(options?: StartOptions): NetRun;
}

/** Maximum number of places, transitions and arcs of a net in total: each becomes code. */
const MAX_PARTS = 50_000;
/** Highest age at the beginning of a step: ages are 32 bits wide, and no step creates as many tokens as are left. */
const LAST_AGE = 2 ** 30;
/** From this many steps on (some tenths of a second), compiling faster code saves time. */
const MANY_STEPS = 1e7;
/** Types of the options. */
const OPTIONS = {
  observers: 'an object',
  counts: 'an object',
  log: 'an object',
  measures: 'an object',
  coloured: 'any',
  conflicts: 'a function',
  timed: 'any',
  lastAge: 'any',
  steps: 'any',
} as const;
/** Maximum code size of a net, in parts of expressions: about 100 MB of code. */
const MAX_CODE = 2 ** 22;

/**
 * Compiles a net: validates it, generates its code, and returns a net that can be started any number of times. Nets are
 * immutable: the compiled net refers to the arrays of its tables and to its initial marking.
 * O(size of the net), plus O(arcs²) per transition.
 *
 * @throws InputError with all problems of the net; RUN011 if it is too large; SIM001, SIM003, SIM010 for wrong options
 */
export function compile(net: Net, options: CompileOptions = {}): CompiledNet {
  assertOptions('compile', options, OPTIONS);
  // A net that is far too large is refused before validation searches it for all problems.
  checkParts(net, (net?.places?.length ?? 0) + (net?.transitions?.length ?? 0));
  assertValid(net);
  checkParts(
    net,
    net.transitions.reduce((n, t) => n + 1 + t.inputs.length + t.outputs.length, net.places.length),
  );
  checkFields(net);
  checkCode(net);
  for (const t of net.transitions) checkTransition(t, net);
  const { observers = {}, counts = {}, conflicts, lastAge = LAST_AGE, log, steps = 0 } = options;
  if (!(Number.isInteger(lastAge) && lastAge >= 1 && lastAge <= LAST_AGE))
    fail('SIM003', `lastAge: expected an integer from 1 to ${LAST_AGE}, got ${shown(lastAge)}`, { part: 'compile' });
  if (typeof steps !== 'number' || !(steps >= 0))
    fail('SIM003', `steps: expected a number >= 0, got ${shown(steps)}`, { part: 'compile' });
  assertObservers(net, options);
  const { source, emission } = codeOf(scalarNet(net), {
    observed: new Set(Object.keys(observers)),
    logged: new Map(Object.entries(log?.transitions ?? {})),
    counted: new Set(Object.keys(counts)),
    timed: new Set(options.timed ?? (net.processes === undefined ? [] : [net.processes.ended])),
    lastAge,
    measures: options.measures,
    ...(options.coloured === undefined ? {} : { coloured: new Set(options.coloured) }),
    ...(conflicts === undefined ? {} : { conflicts: true }),
  });
  const code = kernelOf(emission, source, steps >= MANY_STEPS);
  const { plans } = emission;
  return {
    net,
    transitions: plans.map((p) => p.transition.name),
    source,
    variables: (transition) => variableNames(planNamed(emission, transition)),
    start: (startOptions = {}) => start(emission, code, { observers, counts, log, conflicts }, startOptions),
  };
}

/** Maximum number of fields of a token: engines limit the parameters of a function. */
const MAX_FIELDS = 1000;

/** Compiles the kernel. Only then do the limits of WebAssembly show; code that exceeds them is reported as RUN011. */
function kernelOf({ layouts, plans, net }: Emission, source: string, fast: boolean): CompiledKernel {
  try {
    return compileKernel(source, { fast });
  } catch (e) {
    if (!(e instanceof WebAssembly.CompileError)) throw e;
    const fields = layouts.map(({ place }) => place).sort((a, b) => b.fields.length - a.fields.length)[0];
    const max = Math.max(0, ...plans.map((p) => variableNames(p).length));
    return fail(
      'RUN011',
      `the compiled code exceeds a limit of WebAssembly (${e.message}): place ${shown(fields?.name)} has ${fields?.fields.length} fields, transitions have up to ${max} variables`,
      { part: `net ${net.name}` },
    );
  }
}

function checkFields(net: Net): void {
  for (const { name, fields } of scalarNet(net).places)
    if (fields.length > MAX_FIELDS)
      fail('RUN011', `tokens have ${fields.length} fields: at most ${MAX_FIELDS} can be compiled`, {
        part: `place ${name}`,
      });
}

function checkParts(net: Net, parts: number): void {
  if (parts > MAX_PARTS)
    fail(
      'RUN011',
      `${parts} places, transitions and arcs: at most ${MAX_PARTS} can be compiled; fold repeated parts into colours`,
      {
        part: `net ${net.name}`,
      },
    );
}

/** Checks that observers are functions, and that their transitions and places exist. */
function assertObservers(
  net: Net,
  { observers = {}, counts = {}, timed = [], coloured = [], log }: CompileOptions,
): void {
  if (!Array.isArray(timed))
    fail('SIM010', `timed: expected a list of place names, got ${shown(timed)}`, { part: 'compile' });
  if (!Array.isArray(coloured))
    fail('SIM010', `coloured: expected a list of place names, got ${shown(coloured)}`, { part: 'compile' });
  assertKnown('transition', [...Object.keys(observers), ...Object.keys(log?.transitions ?? {})], net.transitions);
  assertKnown('place', [...Object.keys(counts), ...timed, ...coloured], net.places);
  if (log !== undefined) assertLog(log);
  for (const [name, observer] of Object.entries(observers))
    assertOptions(`observer of ${name}`, observer, { start: 'a function', end: 'a function' });
  for (const [name, observer] of Object.entries(counts)) assertIs('counts', name, observer, 'a function');
}

/** Checks the options of a log; that its variables exist is checked when the code is generated. */
function assertLog({ transitions, read }: FiringLog): void {
  assertIs('log', 'transitions', transitions, 'an object');
  assertIs('log', 'read', read, 'a function');
  for (const [name, numbers] of Object.entries(transitions)) {
    const part = `log of ${name}`;
    assertOptions(part, numbers, { start: 'any', end: 'any', variables: 'any' });
    const { start, end, variables } = numbers;
    for (const number of [start, end])
      if (number !== undefined && number !== ~~number)
        fail('SIM003', `expected a 32-bit integer, got ${shown(number)}`, { part });
    const isCount = typeof variables === 'number' && Number.isInteger(variables) && variables >= 0;
    if (variables !== undefined && !isCount && !Array.isArray(variables))
      fail('SIM003', `variables: expected a list of names or their number, got ${shown(variables)}`, { part });
  }
}

/** Refuses a net with too much code. It grows at least with the square of a transition's input arcs, so even few can be too many. */
function checkCode(net: Net): void {
  let total = scalarNet(net).places.reduce((n, p) => n + codeSizeOfPlace(p), 0);
  let [largest, size] = ['', 0];
  for (const t of net.transitions) {
    const own = codeSize(t);
    total += own;
    if (own > size) [largest, size] = [t.name, own];
  }
  if (total <= MAX_CODE) return;
  const share = size === 0 ? '' : `, ${size} of them in transition "${largest}"`;
  fail(
    'RUN011',
    `its code would have the size of ${total} expression nodes${share}: at most ${MAX_CODE} can be compiled; use fewer input arcs, smaller guards or fewer columns`,
    { part: `net ${net.name}` },
  );
}

/** Maximum number of combinations of free values of one transition. */
const MAX_LISTED = 2 ** 20;

/** Checks the rules that hold for a complete net, but not for a module that is still to be merged. */
function checkTransition(t: Transition, net: Net): void {
  const part = `transition ${t.name}`;
  if (t.timing !== 'race' && !t.inputs.some((a) => a.kind === 'take')) fail('NET020', TAKES_NONE, { part });
  let combinations = 1;
  for (const f of t.free ?? []) {
    const colour = net.colours.find((c) => c.name === f.colour);
    if (colour?.kind === 'range') combinations *= colour.high - colour.low + 1;
    else if (colour?.kind === 'enum') combinations *= colour.values.length;
    else if (colour?.kind === 'integer')
      fail(
        'NET027',
        `free variable "${f.name}": no partner binds it, and colour set "${f.colour}" is infinite. Merge the net with one that has the label "${t.label?.name}" and exports the variable`,
        { part },
      );
    else combinations *= 2;
  }
  if (combinations > MAX_LISTED)
    fail('RUN011', `its free variables have ${combinations} combinations: at most ${MAX_LISTED} are supported`, {
      part,
    });
}

function planNamed(e: Emission, transition: string): Emission['plans'][number] {
  assertKnown('transition', [transition], e.net.transitions);
  return e.plans.find((p) => p.transition.name === transition)!;
}

function assertKnown(what: string, names: readonly string[], all: readonly { readonly name: string }[]): void {
  const known = new Set(all.map((k) => k.name));
  for (const name of names)
    if (!known.has(name))
      fail('SIM001', `unknown ${what} ${shown(name)}.${didYouMean(String(name), known)}`, { part: 'compile' });
}

/** Estimated code size of looking up the token of an arc, in parts of expressions. */
const LOOK_UP = 16;

/**
 * Estimated code size of a transition, in parts of expressions. From each input arc all others are looked up, with guard and
 * patterns; arcs that take from one place are also compared with each other. O(size of the transition).
 */
function codeSize(t: Transition): number {
  const n = t.inputs.length;
  const takes = new Map<string, number>();
  for (const a of t.inputs) if (a.kind === 'take') takes.set(a.place, (takes.get(a.place) ?? 0) + 1);
  let lookUps = n * n;
  for (const m of takes.values()) lookUps += m ** 3;
  const looked = [...t.inputs.flatMap((a) => Object.values(a.pattern)), ...(t.guard === undefined ? [] : [t.guard])];
  return LOOK_UP * lookUps + n * partsOf(looked) + partsOf(expressionsOfTransition(t));
}

/** Estimated code size of a place, in parts of expressions. */
function codeSizeOfPlace(p: Place): number {
  return LOOK_UP * p.fields.length + partsOf(expressionsOfPlace(p));
}

function partsOf(expressions: readonly Expression[]): number {
  return expressions.reduce((n, e) => n + 1 + partsOf(operands(e)), 0);
}
