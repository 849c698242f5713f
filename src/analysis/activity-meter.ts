import type { CountObserver, TransitionObserver } from '../engine/observers.ts';
import { columnsOf } from '../net/colour.ts';
import type { Net } from '../net/net.ts';
import { FragmentMeter } from './fragments.ts';
import type { Activity } from './space/reachable-fragments.ts';
import type { Classified } from './space/state-space.ts';

/**
 * Measures the activity of processes during a run, as {@link Activity} defines it for markings: time by set of active processes, active
 * time by process, and the integral of the degree of parallelism.
 */
export class ActivityMeter {
  readonly observers: Readonly<Record<string, TransitionObserver>>;
  readonly counts: Readonly<Record<string, CountObserver>>;
  /** Places whose tokens are counted by value. */
  readonly coloured: readonly string[];
  /** Active seconds by process. */
  readonly seconds: Float64Array;
  /** Integral of the degree of parallelism over time, in seconds. */
  degree = 0;
  fragments: FragmentMeter;
  readonly #activity: Activity;
  /** Tokens of the initial marking by class. */
  readonly #initial: Float64Array;
  readonly #byClass: Float64Array;
  readonly #byProcess: Int32Array;
  readonly #since: Float64Array;
  /** The smallest process. */
  readonly low: number;
  /** For each observed transition: the position of the variable that decides the class. */
  readonly #at = new Map<string, number>();
  /** For each observed transition: the name of this variable. */
  readonly #by = new Map<string, string>();
  #level = 0;
  #changed = 0;

  constructor(net: Net, activity: Activity) {
    const { nodes, processOf, most } = activity;
    const numbers = processOf.flatMap((p) => (p === undefined ? [] : [p]));
    this.low = numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const count = numbers.reduce((a, b) => Math.max(a, b), -1) - this.low + 1;
    this.#activity = activity;
    this.#initial = new Float64Array(most.length);
    this.#byClass = new Float64Array(most.length);
    this.#byProcess = new Int32Array(count);
    this.#since = new Float64Array(count);
    this.seconds = new Float64Array(count);
    this.fragments = new FragmentMeter(count);
    const observers: Record<string, TransitionObserver> = Object.create(null);
    const counts: Record<string, CountObserver> = Object.create(null);
    const coloured: string[] = [];
    const colours = new Map(net.colours.map((c) => [c.name, c]));
    const classesOf = new Map<string, Classified['classOf'][]>();
    for (const { kind, node, by, classOf } of nodes) {
      const known = classesOf.get(`${kind} ${node}`);
      if (known !== undefined) {
        // A node in several classes has one observer.
        known.push(classOf);
        continue;
      }
      const all = [classOf];
      classesOf.set(`${kind} ${node}`, all);
      const changes = (time: number, value: number, change: number): void => {
        for (const of of all) this.#change(time, of(value), change);
      };
      if (kind === 'busy') {
        const { name } = net.transitions[node]!;
        const changed =
          (change: 1 | -1) =>
          (time: number, ...binding: number[]): void =>
            changes(time, binding[this.#at.get(name)!]!, change);
        observers[name] = { start: changed(1), end: changed(-1) };
        this.#by.set(name, by);
      } else {
        const { name, fields } = net.places[node]!;
        const column = columnsOf(fields, colours).findIndex((c) => c.name === by);
        coloured.push(name);
        counts[name] = (time, change, ...values) => changes(time, values[column]!, change);
      }
    }
    for (const { kind, node, by, classOf } of nodes) {
      if (kind === 'busy') continue;
      const { fields, initial } = net.places[node]!;
      const column = columnsOf(fields, colours).findIndex((c) => c.name === by);
      for (const tokens of initial) {
        const c = classOf(tokens.values[column]!);
        if (c !== undefined) this.#initial[c]! += tokens.count;
      }
    }
    this.observers = observers;
    this.counts = counts;
    this.coloured = coloured;
  }

  /** @param variables the variables of a transition, in the order of its observers */
  bind(variables: (transition: string) => readonly string[]): void {
    for (const [name, by] of this.#by) this.#at.set(name, variables(name).indexOf(by));
  }

  /** Begins another run. */
  begin(): void {
    this.#byClass.fill(0);
    this.#byProcess.fill(0);
    this.#since.fill(0);
    this.seconds.fill(0);
    this.fragments = new FragmentMeter(this.seconds.length);
    [this.degree, this.#level, this.#changed] = [0, 0, 0];
    this.#initial.forEach((count, c) => {
      if (count > 0) this.#change(0, c, count);
    });
  }

  /** Adds the time since the last change to all figures, which are then those of the run up to this time. */
  finish(time: number): void {
    this.#advance(time);
    this.fragments.advance(time);
    this.#byProcess.forEach((active, p) => {
      if (active > 0) this.seconds[p]! += time - this.#since[p]!;
      this.#since[p] = time;
    });
  }

  #advance(time: number): void {
    this.degree += this.#level * (time - this.#changed);
    this.#changed = time;
  }

  #change(time: number, c: number | undefined, by: number): void {
    if (c === undefined) return;
    const { processOf, most } = this.#activity;
    const before = this.#byClass[c]!;
    const after = before + by;
    this.#byClass[c] = after;
    this.#advance(time);
    this.#level += Math.min(most[c]!, after) - Math.min(most[c]!, before);
    const process = processOf[c];
    if (process === undefined || before > 0 === after > 0) return;
    const p = process - this.low;
    const was = this.#byProcess[p]!;
    this.#byProcess[p] = was + (after > 0 ? 1 : -1);
    if (was > 0) this.seconds[p]! += time - this.#since[p]!;
    this.#since[p] = time;
    this.fragments.change(time, p, after > 0 ? 1 : -1);
  }
}
