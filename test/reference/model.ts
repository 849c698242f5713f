import { type ColourSet, colourBounds, type ScalarSet } from '../../src/net/colour.ts';
import { isDistribution } from '../../src/net/distribution.ts';
import { sample } from '../../src/net/distributions/laws.ts';
import { conjuncts, type Expression, variablesOf } from '../../src/net/expression.ts';
import { scalarNet } from '../../src/net/expressions.ts';
import type { Delay, InputArc, Net, NetFunction, OutputArc, Place, Table, Transition } from '../../src/net/net.ts';
import { type Binding, evaluate, RunError } from './evaluate.ts';

/** A free variable with its values. */
export interface FreeVariable {
  readonly name: string;
  readonly low: number;
  readonly high: number;
}

/** A part of a guard, with the variables it needs. */
export interface Condition {
  readonly e: Expression;
  readonly variables: readonly string[];
}

/** A transition with its parts by function. */
export interface Rule {
  readonly transition: Transition;
  /** Take and read arcs, in the order of the net. */
  readonly binding: readonly InputArc[];
  readonly inhibiting: readonly InputArc[];
  readonly resetting: readonly InputArc[];
  /** In the order of place name. */
  readonly outputs: readonly OutputArc[];
  /** In the order of their names. */
  readonly free: readonly FreeVariable[];
  readonly conditions: readonly Condition[];
  /** True if it has clocks (S9a). */
  readonly race: boolean;
}

/** A net with scalar columns: look-up of its parts by name, and evaluation of its expressions. */
export class Model {
  readonly net: Net;
  readonly rules: readonly Rule[];
  /** True if some rates are shared; times closer than 10⁻¹² are then one instant (S12). */
  readonly shares: boolean;
  readonly #places: ReadonlyMap<string, Place>;
  readonly #colours: ReadonlyMap<string, ColourSet>;
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #functions: ReadonlyMap<string, NetFunction>;

  constructor(given: Net) {
    this.net = scalarNet(given);
    this.#places = new Map(this.net.places.map((p) => [p.name, p]));
    this.#colours = new Map(this.net.colours.map((c) => [c.name, c]));
    this.#tables = new Map(this.net.tables.map((t) => [t.name, t]));
    this.#functions = new Map((this.net.functions ?? []).map((f) => [f.name, f]));
    this.shares = this.net.places.some((p) => p.service?.kind === 'max-min' || p.service?.kind === 'ps');
    this.rules = this.net.transitions.map((t) => this.#rule(t));
  }

  place(name: string): Place {
    return this.#places.get(name)!;
  }

  table(name: string): Table {
    return this.#tables.get(name)!;
  }

  value(e: Expression, b: Binding): number {
    return evaluate(e, b, this.#tables, this.#functions);
  }

  /** The priority of a token (RUN014). */
  rank(priority: Expression, columns: Binding): number {
    const value = this.value(priority, columns);
    if (Number.isNaN(value)) throw new RunError('RUN014', 'a priority that is not a number');
    return value;
  }

  /** A delay in seconds, evaluated or drawn; finite and ≥ 0, else RUN004. */
  seconds(delay: Delay, b: Binding, draw: () => number, now: number, of: string): number {
    const d = isDistribution(delay) ? sample(delay, (e) => this.value(e, b), draw) : this.value(delay, b);
    if (!(d >= 0 && now + d < Number.POSITIVE_INFINITY)) throw new RunError('RUN004', `${d} s of ${of}`);
    return d;
  }

  /** The process whose random numbers are drawn (RUN015). */
  process(process: Expression, b: Binding): number {
    const p = this.value(process, b);
    if (!(Number.isInteger(p) && Math.abs(p) <= 2 ** 53)) throw new RunError('RUN015', `process ${p}`);
    return p;
  }

  /** The columns of a token as a binding. */
  columns(place: Place, values: readonly number[]): Binding {
    return Object.fromEntries(place.fields.map((f, k) => [f.name, values[k]!]));
  }

  /** True if a token matches a pattern; an omitted column matches every value (S6, S8). */
  matches(arc: InputArc, values: readonly number[], b: Binding): boolean {
    return this.place(arc.place).fields.every((f, i) => {
      const e = arc.pattern[f.name];
      return e === undefined || this.value(e, b) === values[i];
    });
  }

  /** Number of tokens that an output arc produces (RUN005). */
  count(arc: OutputArc, b: Binding): number {
    const count = this.value(arc.count, b);
    if (!Number.isInteger(count) || count < 0 || count > 1e6) throw new RunError('RUN005', `count ${count}`);
    return count;
  }

  /** Tokens produced by a firing, arc by arc in the order of place names (RUN002, RUN005). */
  produced(rule: Rule, b: Binding): { place: Place; values: number[] }[] {
    return rule.outputs.flatMap((arc) => {
      const place = this.place(arc.place);
      const count = this.count(arc, b);
      if (count === 0) return [];
      const values = place.fields.map((f) => {
        const v = this.value(arc.values[f.name]!, b);
        const { low, high } = this.#bounds(f.colour);
        if (!Number.isInteger(v) || v < low || v > high)
          throw new RunError('RUN002', `${f.name} = ${v} in ${place.name}`);
        return v;
      });
      return Array.from({ length: count }, () => ({ place, values }));
    });
  }

  #bounds(colour: string): { low: number; high: number } {
    return colourBounds(this.#colours.get(colour) as ScalarSet);
  }

  #rule(transition: Transition): Rule {
    const { inputs } = transition;
    return {
      transition,
      binding: inputs.filter((a) => a.kind === 'take' || a.kind === 'read'),
      inhibiting: inputs.filter((a) => a.kind === 'inhibit'),
      resetting: inputs.filter((a) => a.kind === 'reset'),
      outputs: transition.outputs.toSorted((a, b) => compareText(a.place, b.place)),
      free: (transition.free ?? [])
        .toSorted((a, b) => compareText(a.name, b.name))
        .map((f) => ({ name: f.name, ...this.#bounds(f.colour) })),
      conditions: conjuncts(transition.guard).map((e) => ({ e, variables: [...variablesOf(e)] })),
      race: transition.timing === 'race',
    };
  }
}

/** Order of names by UTF-16 code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
