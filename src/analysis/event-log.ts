import { didYouMean, fail, shown } from '../base/problem.ts';
import type { Observer, TransitionObserver } from '../engine/observers.ts';
import type { Net } from '../net/net.ts';

/** A recorded event: the firing of an immediate or racing transition, or the start or end of a firing with a delay. */
export interface LoggedEvent {
  /** Seconds. */
  readonly time: number;
  /** `fire` for immediate and racing transitions, `start` and `end` for firings with a delay. */
  readonly what: 'fire' | 'start' | 'end';
  /** The transition whose firing starts or ends. */
  readonly transition: string;
  /** The values of the transition's variables, by name, sorted by name. */
  readonly binding: Readonly<Record<string, number>>;
}

/** Maximum number of recorded events; they take a few gigabytes. */
const MAX_EVENTS = 2 ** 23;

const KINDS = ['fire', 'start', 'end'] as const;

/** The log as columns, for saving. `values` holds the binding values of all events in sequence. */
export interface LogState {
  readonly transitions: readonly { readonly name: string; readonly variables: readonly string[] }[];
  readonly time: Float64Array;
  readonly what: Uint8Array;
  readonly transition: Int32Array;
  readonly values: Float64Array;
}

/**
 * The names of the transitions to record, sorted.
 *
 * @throws InputError SIM001 if the net has no transition with a given name
 */
export function recordedTransitions(net: Net, record: 'all' | readonly string[]): string[] {
  const known = net.transitions.map((t) => t.name);
  if (record === 'all') return known.sort();
  for (const name of record)
    if (!known.includes(name))
      fail('SIM001', `unknown transition ${shown(name)}.${didYouMean(String(name), known)}`, { part: 'record' });
  return [...new Set(record)].sort();
}

/** Records firings in memory, O(1) each; fails with SIM011 above the limit. */
export class EventLog {
  readonly events: LoggedEvent[];

  readonly #max: number;

  /**
   * @param state the log of a resumed run
   * @param max maximum number of events
   */
  constructor(state?: LogState, max: number = MAX_EVENTS) {
    this.#max = max;
    this.events = state === undefined ? [] : eventsOf(state);
  }

  /** The observer of a transition; `lasts`: its firings have a delay. `variables`: in the order in which observers get them. */
  observer(transition: string, lasts: boolean, variables: readonly string[]): TransitionObserver {
    const order = variables.map((name, at) => ({ name, at })).sort((a, b) => (a.name < b.name ? -1 : 1));
    const record =
      (what: LoggedEvent['what']): Observer =>
      (time, ...values) => {
        if (this.events.length >= this.#max)
          fail('SIM011', `more than ${this.#max} firings recorded: use a shorter run or record fewer transitions`, {
            part: `transition ${transition}`,
          });
        const binding: Record<string, number> = {};
        for (const { name, at } of order) binding[name] = values[at]!;
        this.events.push({ time, what, transition, binding });
      };
    return lasts ? { start: record('start'), end: record('end') } : { start: record('fire') };
  }

  state(): LogState {
    const { events } = this;
    const numbers = new Map<string, number>();
    const transitions: { name: string; variables: readonly string[] }[] = [];
    for (const e of events)
      if (!numbers.has(e.transition))
        numbers.set(e.transition, transitions.push({ name: e.transition, variables: Object.keys(e.binding) }) - 1);
    return {
      transitions,
      time: Float64Array.from(events, (e) => e.time),
      what: Uint8Array.from(events, (e) => KINDS.indexOf(e.what)),
      transition: Int32Array.from(events, (e) => numbers.get(e.transition)!),
      values: Float64Array.from(events.flatMap((e) => Object.values(e.binding))),
    };
  }
}

function eventsOf({ transitions, time, what, transition, values }: LogState): LoggedEvent[] {
  let at = 0;
  return Array.from(time, (t, k) => {
    const { name, variables } = transitions[transition[k]!]!;
    const binding: Record<string, number> = {};
    for (const variable of variables) binding[variable] = values[at++]!;
    return { time: t, what: KINDS[what[k]!]!, transition: name, binding };
  });
}
