import type { Petri, PetriTransition, Weighted } from '../petri/petri.ts';
import type { MemorylessClock } from './level-rows.ts';
import { mostClocks, type TimedNet, type TimedTransition, timeOfDelay } from './timed-net.ts';

/** The clocks that steps of a net start: which of them are lost, and which depend on the past. */
export class StepClocks {
  readonly #net: TimedNet;
  readonly #petri: Petri;
  /** Place of the Petri net that has the visible tokens of a place. */
  readonly #visible: ReadonlyMap<number, number>;
  /** By place of the Petri net: the steps that take tokens from it. */
  readonly #taking: readonly (readonly number[])[];

  constructor(net: TimedNet, petri: Petri, visible: ReadonlyMap<number, number>) {
    this.#net = net;
    this.#petri = petri;
    this.#visible = visible;
    const taking = petri.places.map((): number[] => []);
    petri.transitions.forEach(({ change, resets }, t) => {
      for (const [p, n] of change) if (n < 0) taking[p]!.push(t);
      for (const p of resets) taking[p]!.push(t);
    });
    this.#taking = taking;
  }

  /** True if no clock is ever lost: nothing but the race itself ends its enabling. */
  isPersistent({ needs, limits }: PetriTransition, { takes, reads, name }: TimedTransition): boolean {
    if (limits.length > 0) return false;
    return needs.every(([p]) =>
      this.#taking[p]!.every((other) => {
        const { kind, node } = this.#petri.transitions[other]!;
        const isOwn = kind === 'fire' && this.#net.transitions[node]!.name === name;
        // A race that also reads the place may need more tokens than it takes: a firing can then disable its other clocks.
        return isOwn && !reads.some(([q]) => this.#visible.get(q) === p && takes.some(([r]) => r === q));
      }),
    );
  }

  /** The clock of a step whose rate does not depend on the past. */
  memoryless({ kind, node, needs }: PetriTransition): MemorylessClock | undefined {
    if (kind === 'start') return undefined;
    if (kind === 'serve') {
      const { service } = this.#net.places[node]!;
      if (service === undefined || service.kind === 'max-min') return undefined;
      const time = timeOfDelay(service.time);
      if (time?.isMemoryless !== true) return undefined;
      const servers = service.kind === 'is' ? Number.POSITIVE_INFINITY : service.servers;
      return { rate: time.rate, degree: (_, tokens) => Math.min(tokens, servers) };
    }
    const transition = this.#net.transitions[node]!;
    const { delay, isRace, takes, reads } = transition;
    const time = delay === undefined ? undefined : timeOfDelay(delay);
    if (time?.isMemoryless !== true) return undefined;
    if (kind === 'end') return { rate: time.rate, degree: (_, tokens) => tokens };
    if (!isRace) return undefined;
    const taken = new Map(takes.map(([p, n]) => [this.#visible.get(p)!, n]));
    const clocks = mostClocks(transition);
    const read = new Set(reads.map(([p]) => this.#visible.get(p)!));
    // The degree of a place that is read and taken from is not used.
    if (clocks > 1 && [...read].some((p) => taken.has(p))) return undefined;
    const needed = new Map(needs);
    return {
      rate: time.rate,
      degree: (place, tokens) => {
        if (tokens < (needed.get(place) ?? 0)) return 0;
        const n = taken.get(place);
        const own = n === undefined ? (read.has(place) ? Number.POSITIVE_INFINITY : 1) : Math.floor(tokens / n);
        return Math.min(clocks, own);
      },
    };
  }
}

/** Sum of factors by place, and a constant. */
export interface Line {
  readonly terms: Weighted[];
  readonly constant: number;
}

/**
 * A lower bound of the indicator that a step is enabled, linear in the tokens: 1 minus, for each condition, a line that is at least
 * the indicator of its failure. Undefined if a place has no bound.
 */
export function enabledLine({ needs, limits }: PetriTransition, bounds: readonly number[]): Line | undefined {
  const terms: Weighted[] = [];
  let constant = 1;
  for (const [p, n] of needs) {
    // m < n has an indicator of at most (b − m) / (b − n + 1).
    const bound = bounds[p]!;
    if (!(bound < Number.POSITIVE_INFINITY)) return undefined;
    terms.push([p, 1 / (bound - n + 1)]);
    constant -= bound / (bound - n + 1);
  }
  for (const { sum, most } of limits) {
    // sum > most has an indicator of at most sum / (most + 1).
    for (const [p, n] of sum) terms.push([p, -n / (most + 1)]);
  }
  return { terms, constant };
}

/**
 * A lower bound of a degree of enabling, linear in the tokens; undefined if a place has no bound.
 *
 * The degree min ⌊mᵢ/nᵢ⌋ is at least ⌊m/n⌋ minus the shortfall of each other place below b = ⌊bound/n⌋, which is at most
 * b − ⌊mᵢ/nᵢ⌋ · min(1, b/bᵢ).
 */
export function degreeLine(
  [first, takes]: Weighted,
  others: readonly Weighted[],
  bounds: readonly number[],
): Line | undefined {
  const b = Math.floor(bounds[first]! / takes);
  if (others.length > 0 && !(b < Number.POSITIVE_INFINITY)) return undefined;
  const terms: Weighted[] = [[first, 1 / takes]];
  let constant = (1 - takes) / takes;
  for (const [p, n] of others) {
    const own = Math.floor(bounds[p]! / n);
    if (!(own < Number.POSITIVE_INFINITY)) return undefined;
    // ⌊m/n⌋ ≥ (m − n + 1) / n.
    const share = own === 0 ? 0 : Math.min(1, b / own);
    terms.push([p, share / n]);
    constant += (share * (1 - n)) / n - b;
  }
  return { terms, constant };
}
