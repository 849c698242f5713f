import type { TransitionObserver } from '../engine/compile.ts';
import type { Net } from '../net/net.ts';

/** One line of a run: an immediate or racing firing, or the start or end of a firing that lasts. */
export interface LoggedEvent {
  /** Seconds. */
  readonly time: number;
  readonly what: 'fire' | 'start' | 'end';
  readonly transition: string;
  /** The values of its variables, by name. */
  readonly binding: Readonly<Record<string, number>>;
}

/** Records the firings of all transitions, or of chosen ones: O(1) each, in memory. */
export class EventLog {
  readonly #transitions: ReadonlySet<string>;
  readonly #events: LoggedEvent[];

  /** @param events those of a run that is resumed */
  constructor(net: Net, transitions: 'all' | readonly string[], events: readonly LoggedEvent[] = []) {
    this.#transitions = new Set(transitions === 'all' ? net.transitions.map((t) => t.name) : transitions);
    this.#events = [...events];
  }

  get events(): readonly LoggedEvent[] {
    return this.#events;
  }

  /** Observers that record in the log that `current` names: they outlive this one. */
  observers(
    net: Net,
    variables: (transition: string) => readonly string[],
    current: () => EventLog,
  ): Record<string, TransitionObserver> {
    const record =
      (what: LoggedEvent['what'], transition: string) =>
      (time: number, ...values: number[]): void => {
        const binding = Object.fromEntries(variables(transition).map((name, k) => [name, values[k]!]));
        current().#events.push({ time, what, transition, binding });
      };
    const lasts = new Map(net.transitions.map((t) => [t.name, t.delay !== undefined && t.timing !== 'race']));
    return Object.fromEntries(
      [...this.#transitions].map((t): [string, TransitionObserver] => [
        t,
        lasts.get(t) === true ? { start: record('start', t), end: record('end', t) } : { start: record('fire', t) },
      ]),
    );
  }
}
