import type { Petri } from '../petri/petri.ts';
import { coloursOf } from '../properties/colours.ts';
import type { Formula, Sum } from '../properties/property.ts';
import type { Demand } from './state-equation.ts';

/** Limits of one formula: number of alternatives, and of demands in all alternatives together. */
const MAX_ALTERNATIVES = 20_000;
const MAX_DEMANDS = 200_000;

/** A conjunction of demands. */
export type Alternative = readonly Demand[];

/**
 * Translates a state formula into alternatives of linear demands on the places of the unfolded net: wherever the formula
 * holds, all demands of at least one alternative hold. Undefined if there are too many alternatives, or if the formula is not
 * determined by token counts (`initial`; `not enabled` in a net with several priority levels).
 */
export function alternatives(petri: Petri, formula: Formula): Alternative[] | undefined {
  return new Alternatives(petri).of(formula, true);
}

class Alternatives {
  readonly #petri: Petri;
  /** For each place of the net: its places in the unfolded net, including those of its service. */
  readonly #parts: number[][];
  readonly #ranked: boolean;

  constructor(petri: Petri) {
    this.#petri = petri;
    this.#parts = petri.net.places.map(() => []);
    petri.places.forEach(({ kind, node }, p) => {
      if (kind !== 'busy') this.#parts[node]!.push(p);
    });
    this.#ranked = new Set(petri.transitions.flatMap((t) => (t.level === undefined ? [] : [t.level]))).size > 1;
  }

  /** Recursive; the nesting depth of formulas is limited. */
  of(f: Formula, wanted: boolean): Alternative[] | undefined {
    switch (f.op) {
      case 'true':
      case 'false':
        return (f.op === 'true') === wanted ? [[]] : [];
      case 'not':
        return this.of(f.of, !wanted);
      case 'and':
      case 'or':
        return (f.op === 'and') === wanted
          ? this.#all(f.of.map((part) => () => this.of(part, wanted)))
          : this.#some(f.of.map((part) => () => this.of(part, wanted)));
      case 'implies':
        return wanted
          ? this.#some([() => this.of(f.a, false), () => this.of(f.b, true)])
          : this.#all([() => this.of(f.a, true), () => this.of(f.b, false)]);
      case 'compare':
        return this.#compare(f, wanted);
      case 'within':
        return this.#within(f.tokens, wanted);
      case 'enabled':
        return this.#enabled(f.transitions, wanted);
      case 'dead':
        return this.#dead(wanted);
      case 'deadlock':
        // A marking that is not a deadlock may be a final dead marking, so the negation demands nothing.
        return wanted ? this.#dead(true) : undefined;
      default:
        return undefined;
    }
  }

  #some(parts: readonly (() => Alternative[] | undefined)[]): Alternative[] | undefined {
    const all: Alternative[] = [];
    for (const part of parts) {
      const found = part();
      if (found === undefined || all.length + found.length > MAX_ALTERNATIVES) return undefined;
      for (const alternative of found) all.push(alternative);
    }
    return all;
  }

  #all(parts: readonly (() => Alternative[] | undefined)[]): Alternative[] | undefined {
    let all: Alternative[] = [[]];
    for (const part of parts) {
      // Parts that cannot be translated demand nothing: dropping demands only admits more markings.
      const found = part() ?? [[]];
      if (all.length * found.length > MAX_ALTERNATIVES) continue;
      const longer = all.flatMap((before) => found.map((own) => [...before, ...own]));
      if (longer.reduce((sum, a) => sum + a.length, 0) > MAX_DEMANDS) continue;
      all = longer;
    }
    return all;
  }

  #compare({ relation, left, right }: Formula & { op: 'compare' }, wanted: boolean): Alternative[] | undefined {
    const difference = new Map<number, number>();
    this.#add(difference, left, 1);
    this.#add(difference, right, -1);
    const constant = right.constant - left.constant;
    const atLeast = (n: number): Demand => ({ weights: nonZero(difference, 1), least: n });
    const atMost = (n: number): Demand => ({ weights: nonZero(difference, -1), least: -n });
    const negated = { '<': '>=', '<=': '>', '=': '!=', '!=': '=', '>=': '<', '>': '<=' } as const;
    switch (wanted ? relation : negated[relation]) {
      case '<':
        return [[atMost(constant - 1)]];
      case '<=':
        return [[atMost(constant)]];
      case '=':
        return [[atLeast(constant), atMost(constant)]];
      case '!=':
        return [[atMost(constant - 1)], [atLeast(constant + 1)]];
      case '>=':
        return [[atLeast(constant)]];
      case '>':
        return [[atLeast(constant + 1)]];
    }
  }

  #add(difference: Map<number, number>, { terms }: Sum, sign: 1 | -1): void {
    const colours = coloursOf(this.#petri.net);
    for (const { factor, place, colour } of terms) {
      const values = colour === undefined ? undefined : colours.values(place, colour);
      for (const p of this.#parts[colours.places.get(place)!]!)
        if (values === undefined || this.#petri.places[p]!.values.every((v, k) => v === values[k]))
          difference.set(p, (difference.get(p) ?? 0) + sign * factor);
    }
  }

  #within(tokens: number, wanted: boolean): Alternative[] {
    const colours = new Map<string, number[]>();
    this.#petri.places.forEach(({ kind, node, values }, p) => {
      if (kind === 'busy') return;
      const key = `${node}:${values}`;
      colours.set(key, [...(colours.get(key) ?? []), p]);
    });
    const groups = [...colours.values()];
    const weights = (group: readonly number[], sign: 1 | -1): Map<number, number> =>
      new Map(group.map((p) => [p, sign]));
    return wanted
      ? [groups.map((group) => ({ weights: weights(group, -1), least: -tokens }))]
      : groups.map((group) => [{ weights: weights(group, 1), least: tokens + 1 }]);
  }

  #enabled(names: readonly string[], wanted: boolean): Alternative[] | undefined {
    const { transitions } = coloursOf(this.#petri.net);
    const nodes = new Set(names.map((name) => transitions.get(name)!));
    const starts = this.#petri.transitions.filter(
      (t) => (t.kind === 'fire' || t.kind === 'start') && nodes.has(t.node),
    );
    if (wanted) return starts.map((t) => this.#possible(t));
    // With several priority levels a transition may be disabled although its tokens are present.
    return this.#ranked ? undefined : this.#all(starts.map((t) => () => this.#impossible(t)));
  }

  #dead(wanted: boolean): Alternative[] | undefined {
    const { transitions } = this.#petri;
    // If some transition is enabled, one of the highest enabled priority can start.
    if (!wanted) return transitions.map((t) => this.#possible(t));
    return this.#all(transitions.map((t) => () => this.#impossible(t)));
  }

  #possible({ needs, limits }: Petri['transitions'][number]): Alternative {
    return [
      ...needs.map(([p, n]): Demand => ({ weights: new Map([[p, 1]]), least: n })),
      ...limits.map(({ sum, most }): Demand => ({ weights: nonZero(new Map(sum), -1), least: -most })),
    ];
  }

  #impossible({ needs, limits }: Petri['transitions'][number]): Alternative[] {
    return [
      ...needs.map(([p, n]): Alternative => [{ weights: new Map([[p, -1]]), least: 1 - n }]),
      ...limits.map(({ sum, most }): Alternative => [{ weights: new Map(sum), least: most + 1 }]),
    ];
  }
}

function nonZero(weights: ReadonlyMap<number, number>, sign: 1 | -1): Map<number, number> {
  return new Map([...weights].filter(([, w]) => w !== 0).map(([p, w]) => [p, sign * w]));
}
