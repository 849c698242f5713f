import { assertIs, assertOptions } from '../base/options.ts';
import { didYouMean, fail, shown } from '../base/problem.ts';
import { type CompiledKernel, compileKernel } from '../kernel/kernel.ts';
import type { Net, Transition } from '../net/net.ts';
import { scalarNet } from '../net/scalar.ts';
import { assertValid } from '../net/validation/validate.ts';
import { TAKES_NONE } from '../net/validation/validate-transitions.ts';
import { codeSize, codeSizeOfPlace } from './code-size.ts';
import type { Emission } from './emit/emission.ts';
import { codeOf } from './emit/net.ts';
import { variableNames } from './emit/plan.ts';
import { type NetRun, type StartOptions, start } from './net-run.ts';
import type { CountObserver, FiringLog, TransitionObserver } from './observers.ts';

export type { Game, MarkedToken, NetRun, SavedGame, SavedNetRun, StartOptions } from './net-run.ts';

export interface CompileOptions {
  readonly log?: FiringLog;
  readonly observers?: Readonly<Record<string, TransitionObserver>>;
  readonly counts?: Readonly<Record<string, CountObserver>>;
  /** Places whose tokens keep the time at which they came. */
  readonly timed?: readonly string[];
  /** Tokens are numbered as they come, up to this, and then anew; from 1, default 2³⁰. Results do not depend on it. */
  readonly lastAge?: number;
  /**
   * About how many starts and ends will be played, where that is known; default 0. For very many, the code is made faster,
   * which takes longer. Results do not depend on it.
   */
  readonly steps?: number;
}

export interface CompiledNet {
  readonly net: Net;
  /** Names of the transitions, sorted: their numbers in the engine. */
  readonly transitions: readonly string[];
  /** The code of the net, in the kernel language, for reading. */
  readonly source: string;
  variables(transition: string): readonly string[];
  start(options?: StartOptions): NetRun;
}

/** Places, transitions and arcs together that one net may have: each becomes code. */
const MAX_PARTS = 50_000;
/** The last number of a token at the beginning of a step: ages are 32 bits wide, and no step makes so many tokens. */
const LAST_AGE = 2 ** 30;
/** From so many steps on, some tenths of a second, faster code is worth what it takes to make it. */
const MANY_STEPS = 1e7;
/** What options are. */
const OPTIONS = {
  observers: 'an object',
  counts: 'an object',
  log: 'an object',
  timed: 'any',
  lastAge: 'any',
  steps: 'any',
} as const;
/** Parts of expressions that all code together may be as long as: some 100 MB. */
const MAX_CODE = 2 ** 22;

/**
 * Compiles a net: validates it, generates code, and returns what can be started any number of times. Nets are immutable:
 * the compiled one refers to the arrays of its tables and to its initial marking.
 * O(size of the net), and of each transition O(arcs × arcs).
 *
 * @throws InputError with every problem of the net; RUN011 where it is too large; SIM001, SIM003, SIM010 for wrong options.
 */
export function compile(net: Net, options: CompileOptions = {}): CompiledNet {
  assertOptions('compile', options, OPTIONS);
  // Of what is much too large not all that is wrong need be found.
  checkParts(net, (net?.places?.length ?? 0) + (net?.transitions?.length ?? 0));
  assertValid(net);
  checkParts(
    net,
    net.transitions.reduce((n, t) => n + 1 + t.inputs.length + t.outputs.length, net.places.length),
  );
  checkFields(net);
  checkCode(net);
  for (const t of net.transitions) checkTransition(t, net);
  const { observers = {}, counts = {}, lastAge = LAST_AGE, log, steps = 0 } = options;
  if (!(Number.isInteger(lastAge) && lastAge >= 1 && lastAge <= LAST_AGE))
    fail('SIM003', `lastAge ${shown(lastAge)}: a whole number from 1 to ${LAST_AGE} is expected`, { part: 'compile' });
  if (typeof steps !== 'number' || !(steps >= 0))
    fail('SIM003', `steps ${shown(steps)}: a number from 0 on is expected`, { part: 'compile' });
  assertObservers(net, options);
  const { source, emission } = codeOf(scalarNet(net), {
    observed: new Set(Object.keys(observers)),
    logged: new Map(Object.entries(log?.transitions ?? {})),
    counted: new Set(Object.keys(counts)),
    timed: new Set(options.timed ?? (net.processes === undefined ? [] : [net.processes.ended])),
    lastAge,
  });
  const code = kernelOf(emission, source, steps >= MANY_STEPS);
  const { plans } = emission;
  return {
    net,
    transitions: plans.map((p) => p.transition.name),
    source,
    variables: (transition) => variableNames(planNamed(emission, transition)),
    start: (startOptions = {}) => start(emission, code, { observers, counts, log }, startOptions),
  };
}

/** Parameters that engines allow a function: fields of a token, or variables. */
const MAX_FIELDS = 1000;

/** The compiled code: what WebAssembly does not allow is seen when there is some. */
function kernelOf({ layouts, plans, net }: Emission, source: string, fast: boolean): CompiledKernel {
  try {
    return compileKernel(source, { fast });
  } catch (e) {
    if (!(e instanceof WebAssembly.CompileError)) throw e;
    const fields = layouts.map(({ place }) => place).sort((a, b) => b.fields.length - a.fields.length)[0];
    const most = Math.max(0, ...plans.map((p) => variableNames(p).length));
    return fail(
      'RUN011',
      `its code is more than WebAssembly allows (${e.message}): place ${shown(fields?.name)} has ${fields?.fields.length} fields, a transition up to ${most} variables`,
      { part: `net ${net.name}` },
    );
  }
}

function checkFields(net: Net): void {
  for (const { name, fields } of scalarNet(net).places)
    if (fields.length > MAX_FIELDS)
      fail('RUN011', `its tokens have ${fields.length} fields: at most ${MAX_FIELDS} can be compiled`, {
        part: `place ${name}`,
      });
}

function checkParts(net: Net, parts: number): void {
  if (parts > MAX_PARTS)
    fail('RUN011', `${parts} places, transitions and arcs: at most ${MAX_PARTS} can be compiled; fold what repeats`, {
      part: `net ${net.name}`,
    });
}

/** Observers are functions, and of what there is. */
function assertObservers(net: Net, { observers = {}, counts = {}, timed = [], log }: CompileOptions): void {
  if (!Array.isArray(timed)) fail('SIM010', 'timed: a list of names of places is expected', { part: 'compile' });
  assertKnown('transition', [...Object.keys(observers), ...Object.keys(log?.transitions ?? {})], net.transitions);
  assertKnown('place', [...Object.keys(counts), ...timed], net.places);
  if (log !== undefined) assertLog(log);
  for (const [name, observer] of Object.entries(observers))
    assertOptions(`observer of ${name}`, observer, { start: 'a function', end: 'a function' });
  for (const [name, observer] of Object.entries(counts)) assertIs('counts', name, observer, 'a function');
}

/** What is told, and by which numbers; its variables are looked up where the code is made. */
function assertLog({ transitions, read }: FiringLog): void {
  assertIs('log', 'transitions', transitions, 'an object');
  assertIs('log', 'read', read, 'a function');
  for (const [name, numbers] of Object.entries(transitions)) {
    const part = `log of ${name}`;
    assertOptions(part, numbers, { start: 'any', end: 'any', variables: 'any' });
    const { start, end, variables } = numbers;
    for (const number of [start, end])
      if (number !== undefined && number !== ~~number)
        fail('SIM003', `${shown(number)}: a whole number of 32 bits is expected`, { part });
    const isCount = typeof variables === 'number' && Number.isInteger(variables) && variables >= 0;
    if (variables !== undefined && !isCount && !Array.isArray(variables))
      fail('SIM003', `variables ${shown(variables)}: a list of names, or how many, is expected`, { part });
  }
}

/** The code of a transition grows with the square of its input arcs and more: a few may be too many. */
function checkCode(net: Net): void {
  let total = scalarNet(net).places.reduce((n, p) => n + codeSizeOfPlace(p), 0);
  let [largest, size] = ['', 0];
  for (const t of net.transitions) {
    const own = codeSize(t);
    total += own;
    if (own > size) [largest, size] = [t.name, own];
  }
  if (total <= MAX_CODE) return;
  const most = size === 0 ? '' : `, most of it that of transition "${largest}" (${size})`;
  fail(
    'RUN011',
    `its code would be as long as ${total} parts of expressions${most}: at most ${MAX_CODE} can be compiled; fewer input arcs, smaller guards or fewer columns are needed`,
    { part: `net ${net.name}` },
  );
}

/** Most combinations of free values over which the candidates of one transition may be listed. */
const MAX_LISTED = 2 ** 20;

/** What a net on its own may not have, though a module that is yet to be merged may. */
function checkTransition(t: Transition, net: Net): void {
  const part = `transition ${t.name}`;
  if (t.timing !== 'race' && !t.inputs.some((a) => a.kind === 'take')) fail('NET020', TAKES_NONE, { part });
  let combinations = 1;
  for (const f of t.free ?? []) {
    const colour = net.colours.find((c) => c.name === f.colour);
    if (colour?.kind === 'range') combinations *= colour.high - colour.low + 1;
    else if (colour?.kind === 'enum') combinations *= colour.values.length;
    else combinations *= 2;
  }
  if (combinations > MAX_LISTED)
    fail('RUN011', `its free variables have ${combinations} combinations: at most ${MAX_LISTED} can be listed`, {
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
