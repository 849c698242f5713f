import { fail } from '../base/problem.ts';
import type { Net } from '../net/net.ts';
import { assertValid } from '../net/validate.ts';
import { variableNames } from './emission.ts';
import { MOST_TOKENS } from './emit-firing.ts';
import { type Emitted, emitNet } from './emit-net.ts';
import { EventQueue, grown } from './event-queue.ts';
import { MaxMin } from './max-min.ts';

/** Is told of every firing of a transition: time in seconds, then the variables in the order of `variables`. */
export type Observer = (time: number, ...binding: number[]) => void;

/** Observers of one transition: of its start (or its firing, if immediate) and of its end (only with a delay). */
export interface TransitionObserver {
  readonly start?: Observer;
  readonly end?: Observer;
}

export interface CompileOptions {
  readonly observers?: Readonly<Record<string, TransitionObserver>>;
  /** Places whose tokens keep the time at which they came. */
  readonly timed?: readonly string[];
}

/** A token of a marking; `age` orders the tokens of a place, Infinity while it is in service; `time` where kept. */
export interface MarkedToken {
  readonly values: readonly number[];
  readonly age: number;
  readonly time: number;
}

/** One play of a compiled net, from its initial marking on. */
export interface Game {
  readonly now: number;
  /** Starts and ends so far. */
  readonly steps: number;
  /** Firings per transition, in the order of `transitions`. */
  readonly firings: Float64Array;
  /** Runs up to `budget` further steps; false when nothing is left to happen. */
  run(budget: number): boolean;
  tokens(place: string): MarkedToken[];
  /** What each link of a place's service has carried: amounts times coefficients. */
  carried(place: string): Float64Array;
}

export interface CompiledNet {
  readonly net: Net;
  /** Names of the transitions, sorted: their numbers in the engine. */
  readonly transitions: readonly string[];
  /** Generated JavaScript, for reading. */
  readonly source: string;
  variables(transition: string): readonly string[];
  start(options?: { readonly maxInstantSteps?: number }): Game;
}

/** What generated code returns. */
interface Generated {
  readonly now: number;
  readonly steps: number;
  run(budget: number, maxInstantSteps: number): boolean;
  begun(): void;
  readonly put: readonly ((values: readonly number[]) => void)[];
  readonly tokens: readonly (() => MarkedToken[])[];
}

/**
 * Compiles a net: validates it, generates code, and returns what can be started any number of times.
 * O(places × transitions) time.
 *
 * @throws InputError with every problem of the net.
 */
export function compile(net: Net, options: CompileOptions = {}): CompiledNet {
  assertValid(net);
  const observers = options.observers ?? {};
  const emitted = emitNet(net, {
    observed: new Set(Object.keys(observers)),
    timed: new Set(options.timed ?? (net.processes === undefined ? [] : [net.processes.ended])),
  });
  const make = new Function('R', emitted.source) as (runtime: unknown) => Generated;
  const transitions = emitted.plans.map((p) => p.transition.name);
  return {
    net,
    transitions,
    source: emitted.source,
    variables: (transition) => variableNames(emitted.plans[transitions.indexOf(transition)]!),
    start: ({ maxInstantSteps = 1e6 } = {}) => start(net, emitted, make, observers, maxInstantSteps),
  };
}

function start(
  net: Net,
  emitted: Emitted,
  make: (runtime: unknown) => Generated,
  observers: Readonly<Record<string, TransitionObserver>>,
  maxInstantSteps: number,
): Game {
  const { plans, layouts } = emitted;
  const nothing: Observer = () => {};
  const firings = new Float64Array(plans.length);
  const services = emitted.services.map((l) => {
    const s = l.place.service!;
    const routes = net.tables.find((t) => t.name === s.routes);
    if (routes?.kind !== 'routes') throw new Error('validated');
    return new MaxMin(s.links, routes);
  });
  const game = make({
    T: net.tables,
    H: new EventQueue(emitted.width),
    S: services,
    F: firings,
    grown,
    starts: plans.map((p) => observers[p.transition.name]?.start ?? nothing),
    ends: plans.map((p) => observers[p.transition.name]?.end ?? nothing),
    fail: (code: string, details: readonly number[]) => runError(emitted, net, code, details),
  });
  layouts.forEach((l, k) => {
    const tokens = l.place.initial.flatMap((t) => Array.from({ length: t.count }, () => t.values));
    for (const values of tokens.sort(byColour)) game.put[k]!(values);
  });
  game.begun();
  const layout = (place: string): number => {
    const k = layouts.findIndex((l) => l.place.name === place);
    if (k < 0) throw new Error(`no place ${place}`);
    return k;
  };
  return {
    get now() {
      return game.now;
    },
    get steps() {
      return game.steps;
    },
    firings,
    run: (budget) => {
      try {
        return game.run(budget, maxInstantSteps);
      } catch (e) {
        if (!(e instanceof EndlessInstant)) throw e;
        return endless(game, emitted, firings, maxInstantSteps);
      }
    },
    tokens: (place) => game.tokens[layout(place)]!(),
    carried: (place) => services[emitted.services.findIndex((l) => l.place.name === place)]!.carried,
  };
}

function byColour(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((v, i) => v !== b[i]);
  return k < 0 ? 0 : a[k]! - b[k]!;
}

class EndlessInstant extends Error {}

/** Lets the net run on for a while to see which transitions make up the cycle, then fails naming them. */
function endless(game: Generated, emitted: Emitted, firings: Float64Array, most: number): never {
  const before = Float64Array.from(firings);
  try {
    game.run(1000, Number.POSITIVE_INFINITY);
  } catch {
    // The cycle is reported all the same.
  }
  const cycle = emitted.plans.filter((p) => firings[p.number]! > before[p.number]!).map((p) => p.transition.name);
  return fail(
    'RUN001',
    `more than ${most} steps at the instant ${game.now} s: an endless cycle without delay through ${cycle.join(', ')}`,
  );
}

/** Turns a failed check of generated code into a message with the names of the net. */
function runError(emitted: Emitted, net: Net, code: string, d: readonly number[]): never {
  const transition = (k: number): string => emitted.plans[k]!.transition.name;
  const place = (k: number): string => emitted.layouts[k]!.place.name;
  switch (code) {
    case 'RUN001':
      throw new EndlessInstant();
    case 'RUN002': {
      const p = emitted.layouts[d[1]!]!;
      const field = p.place.fields[d[2]!]!;
      const { low, high } = p.ranges[d[2]!]!;
      return fail(
        code,
        `field "${field.name}" of place "${p.place.name}" would be ${d[3]}, outside ${field.colour} (${low} … ${high})`,
        {
          part: `transition ${transition(d[0]!)}`,
        },
      );
    }
    case 'RUN003':
      return fail(code, `index ${d[1]} lies outside 0 … ${d[2]! - 1}`, { part: `table ${net.tables[d[0]!]!.name}` });
    case 'RUN004':
      return fail(code, `a delay of ${d[1]} s: a number from 0 on is expected, and an end that is finite`, {
        part: `transition ${transition(d[0]!)}`,
      });
    case 'RUN005':
      return fail(
        code,
        `a count of ${d[2]} on the arc to ${place(d[1]!)}: a whole number from 0 to ${MOST_TOKENS} is expected`,
        {
          part: `transition ${transition(d[0]!)}`,
        },
      );
    case 'RUN006':
      return fail(
        code,
        `a token asks for amount ${d[1]}, weight ${d[2]}, bound ${d[3]}: positive numbers are expected (amount 0 … )`,
        {
          part: `place ${place(d[0]!)}`,
        },
      );
    default:
      return fail(code, `route ${d[1]} is not in the table of routes`, { part: `place ${place(d[0]!)}` });
  }
}
