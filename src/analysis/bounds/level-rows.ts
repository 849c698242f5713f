import type { Semiflows } from '../flows/elimination.ts';
import { tokensOf } from '../flows/place-flows.ts';
import type { Petri, PetriTransition, Weighted } from '../petri/petri.ts';

/** Receives the rows of a linear program, and gives the bounds and variables that they use. */
export interface LevelContext {
  readonly petri: Petri;
  /** By place: the largest number of its tokens in every marking; Infinity if none is known. */
  readonly bounds: readonly number[];
  readonly semiflows: Semiflows;
  /** By step: variable of its firings per second. */
  readonly flow: readonly number[];
  /** By step: its clock without memory; undefined for immediate steps and for other delays. */
  readonly clocks: readonly (MemorylessClock | undefined)[];
  /** Adds a variable that is at least 0 and at most `most`. */
  variable(most: number): number;
  add(terms: Iterable<Weighted>, most: number, isEquation?: boolean): void;
  addRounded(terms: Iterable<Weighted>, most: number): void;
}

/** A step that happens with a rate in proportion to its degree. */
export interface MemorylessClock {
  /** Per second and degree. */
  readonly rate: number;
  /** Degree that a number of tokens in a needed place allows; Infinity if the place does not limit it. */
  degree(place: number, tokens: number): number;
}

/** Largest number of tokens of a place with levels. */
const MAX_LEVEL = 16;
/** Maximum number of variables of levels: with more, programs are slow. */
const MAX_VARIABLES = 120;
/** Largest support of a semiflow that relates levels. */
const MAX_SUPPORT = 6;

/**
 * Rows about the distribution of the tokens of single places: probabilities P(m = k), and firings per second by the level k at which they
 * happen. Proofs are in the README of this folder. O(levels × steps), within limits: the places with the fewest levels come first.
 */
export function levelRows(context: LevelContext): void {
  new Levels(withStations(context)).build();
}

/** A context whose places may be sums of others. */
interface Extended extends LevelContext {
  /** By place: the variables whose sum is its mean. */
  readonly means: readonly (readonly number[])[];
  /** Busy servers as a function of the tokens in a queue and in service: by the place of the busy ones, that of the sum, and the servers. */
  readonly busy: ReadonlyMap<number, { readonly sum: number; readonly servers: number }>;
}

/**
 * Adds a place for the sum N of a queue and the firings in progress that take from it, where a start needs one token of the queue and one of c
 * servers, and nothing else takes these. A start that is enabled happens before time passes, so that min(N, c) firings are in progress:
 * they end with this degree, whatever else is in the net.
 */
function withStations(context: LevelContext): Extended {
  const { petri, semiflows, clocks } = context;
  const takers = petri.places.map((): number[] => []);
  petri.transitions.forEach(({ change, resets, needs }, s) => {
    const own = new Set([...change.flatMap(([p, n]) => (n < 0 ? [p] : [])), ...resets]);
    // A start that puts a token back takes it, too.
    if (petri.transitions[s]!.kind === 'start') for (const [p] of needs) own.add(p);
    for (const p of own) takers[p]!.push(s);
  });
  const isAlone = (p: number, s: number): boolean => takers[p]!.length === 1 && takers[p]![0] === s;
  const places = [...petri.places];
  const bounds = [...context.bounds];
  const means = places.map((_, p): number[] => [p]);
  const parts = new Map<number, readonly number[]>();
  const busyOf = new Map<number, { readonly sum: number; readonly servers: number }>();
  petri.transitions.forEach(({ kind, node, needs, limits, resets, change }, s) => {
    if (kind !== 'start' || needs.length !== 2 || limits.length + resets.length > 0) return;
    const busy = change.find(
      ([p, n]) => n === 1 && petri.places[p]!.kind === 'busy' && petri.places[p]!.node === node,
    )?.[0];
    if (busy === undefined || change.length !== 3) return;
    if (!needs.every(([p, n]) => n === 1 && isAlone(p, s) && change.some(([q, d]) => q === p && d === -1))) return;
    for (const [k, [server]] of needs.entries()) {
      const [queue] = needs[1 - k]!;
      const flow = semiflows.flows.find(
        (y) => y.size === 2 && y.get(server) !== undefined && y.get(server) === y.get(busy),
      );
      if (flow === undefined || busyOf.has(busy)) continue;
      const servers = tokensOf(flow, petri) / flow.get(server)!;
      const most = Math.min(
        bounds[queue]! + bounds[busy]!,
        ...semiflows.flows.flatMap((y) => {
          const least = Math.min(y.get(queue) ?? 0, y.get(busy) ?? 0);
          return least > 0 ? [Math.floor(tokensOf(y, petri) / least)] : [];
        }),
      );
      const sum =
        places.push({ ...petri.places[busy]!, initial: petri.places[queue]!.initial + petri.places[busy]!.initial }) -
        1;
      bounds.push(most);
      means.push([queue, busy]);
      parts.set(sum, [queue, busy]);
      busyOf.set(busy, { sum, servers });
    }
  });
  const transitions = petri.transitions.map((step): PetriTransition => {
    const change = [...step.change];
    for (const [sum, [queue, busy]] of parts) {
      const by = step.change.reduce((total, [p, n]) => total + (p === queue || p === busy ? n : 0), 0);
      if (by !== 0) change.push([sum, by]);
    }
    // The queue is taken from by its start only, so it is not reset.
    const own = step.kind === 'end' ? busyOf.get(step.needs[0]![0]) : undefined;
    return { ...step, change, needs: own === undefined ? step.needs : [[own.sum, 1]] };
  });
  const flows = semiflows.flows.flatMap((y) => {
    const all = [y];
    for (const [sum, [queue, busy]] of parts)
      for (const one of [...all]) {
        const weight = one.get(queue!);
        if (weight === undefined || weight !== one.get(busy!)) continue;
        const joined = new Map(one);
        joined.delete(queue!);
        joined.delete(busy!);
        all.push(joined.set(sum, weight));
      }
    return all;
  });
  return {
    ...context,
    petri: { ...petri, places, transitions },
    bounds,
    means,
    busy: busyOf,
    semiflows: { ...semiflows, flows },
    clocks: clocks.map((clock, s) => {
      const { kind, needs } = petri.transitions[s]!;
      const own = kind === 'end' ? busyOf.get(needs[0]![0]) : undefined;
      return clock && own ? { rate: clock.rate, degree: (_, tokens) => Math.min(tokens, own.servers) } : clock;
    }),
  };
}

class Levels {
  readonly #context: Extended;
  /** By place with levels: variables of P(m = k). */
  readonly #chance = new Map<number, readonly number[]>();

  /** Semiflows of two places, apart from places that are empty while time passes. */
  readonly #pairs: readonly { readonly weights: ReadonlyMap<number, number>; readonly total: number }[];

  constructor(context: Extended) {
    this.#context = context;
    const empty = emptyWhileTimePasses(context.petri);
    this.#pairs = context.semiflows.flows
      .map((y) => ({
        weights: new Map([...y].filter(([p]) => !empty.has(p))),
        total: tokensOf(y, context.petri),
      }))
      .filter(({ weights }) => weights.size === 2);
  }

  build(): void {
    const { petri, bounds, means, busy, add } = this.#context;
    for (const p of this.#chosen()) {
      const levels = Array.from({ length: bounds[p]! + 1 }, () => this.#context.variable(1));
      this.#chance.set(p, levels);
      add(
        levels.map((v) => [v, 1]),
        1,
        true,
      );
      const mean = means[p]!.map((v): Weighted => [v, -1]);
      add([...levels.map((v, k): Weighted => [v, k]), ...mean], 0, true);
    }
    for (const [place, { sum, servers }] of busy) {
      const levels = this.#chance.get(sum);
      if (levels !== undefined)
        add([...levels.map((v, k): Weighted => [v, Math.min(k, servers)]), [place, -1]], 0, true);
    }
    for (const p of this.#chance.keys()) this.#crossings(p);
    petri.transitions.forEach((step, s) => {
      if (step.kind === 'fire' || step.kind === 'start') this.#start(step, s);
      this.#whole(step, s);
    });
    this.#invariants();
  }

  /** Bounded places without resets: sums first, then the smallest bounds. */
  #chosen(): number[] {
    const { petri, bounds, means } = this.#context;
    const steps = petri.places.map(() => 1);
    const isReset = new Uint8Array(petri.places.length);
    for (const { change, resets } of petri.transitions) {
      for (const [p] of change) steps[p]!++;
      for (const p of resets) isReset[p] = 1;
    }
    const size = (p: number): number => (bounds[p]! + 1) * steps[p]!;
    const empty = emptyWhileTimePasses(petri);
    let left = MAX_VARIABLES;
    return [...petri.places.keys()]
      .filter((p) => isReset[p] === 0 && !empty.has(p) && bounds[p]! >= 1 && bounds[p]! <= MAX_LEVEL)
      .sort((a, b) => means[b]!.length - means[a]!.length || size(a) - size(b) || a - b)
      .filter((p) => {
        left -= size(p);
        return left >= 0;
      });
  }

  /** Each level is crossed upwards as often as downwards. */
  #crossings(p: number): void {
    const { petri, bounds, flow, add } = this.#context;
    const bound = bounds[p]!;
    const rows = Array.from({ length: bound }, (): Weighted[] => []);
    petri.transitions.forEach((step, s) => {
      const change = step.change.find(([q]) => q === p)?.[1] ?? 0;
      if (change === 0) return;
      const parts: Weighted[] = [[flow[s]!, -1]];
      for (let k = 0; k <= bound; k++) {
        const to = k + change;
        if (to < 0 || to > bound || !isPossible(step, p, k)) continue;
        const v = this.#context.variable(Number.POSITIVE_INFINITY);
        parts.push([v, 1]);
        for (let j = Math.min(k, to); j < Math.max(k, to); j++) rows[j]!.push([v, Math.sign(change)]);
        this.#rates(step, s, p, k, v);
      }
      add(parts, 0, true);
    });
    for (const row of rows) add(row, 0, true);
  }

  /** A lower and an upper bound of the firings per second at a level. */
  #rates(step: PetriTransition, s: number, p: number, k: number, firings: number): void {
    const clock = this.#context.clocks[s];
    if (clock === undefined) return;
    const { bounds, addRounded } = this.#context;
    const chance = this.#chance.get(p)![k]!;
    const allowed = step.needs.map(([q]) =>
      clock.degree(q, q === p ? k : Math.max(0, Math.min(bounds[q]!, this.#decided(p, q, k) ?? bounds[q]!))),
    );
    const degree = step.needs.length === 0 ? 1 : Math.min(...allowed);
    if (!(degree < Number.POSITIVE_INFINITY)) return;
    addRounded(
      [
        [firings, 1],
        [chance, -clock.rate * degree],
      ],
      0,
    );
    const lost = this.#lost(step, clock, degree, p, k);
    if (lost === undefined) return;
    addRounded(
      [[firings, -1], [chance, clock.rate * degree], ...lost.map(([v, c]): Weighted => [v, -clock.rate * c])],
      0,
    );
  }

  /** The firings per second of a step, over all levels. */
  #whole(step: PetriTransition, s: number): void {
    const clock = this.#context.clocks[s];
    if (clock === undefined) return;
    const { bounds, flow, addRounded } = this.#context;
    for (const [p, n] of step.needs) {
      const levels = this.#chance.get(p);
      if (levels === undefined || n > bounds[p]!) continue;
      const others = Math.min(
        Number.POSITIVE_INFINITY,
        ...step.needs.filter(([q]) => q !== p).map(([q]) => clock.degree(q, bounds[q]!)),
      );
      const terms = levels.map(
        (v, k): Weighted => [v, clock.rate * (isPossible(step, p, k) ? Math.min(others, clock.degree(p, k)) : 0)],
      );
      if (terms.some(([, c]) => !(c < Number.POSITIVE_INFINITY))) continue;
      addRounded([[flow[s]!, 1], ...terms.map(([v, c]): Weighted => [v, -c])], 0);
      const lost = this.#lost(step, clock, Math.max(...terms.map(([, c]) => c)) / clock.rate, p);
      if (lost !== undefined)
        addRounded([[flow[s]!, -1], ...terms, ...lost.map(([v, c]): Weighted => [v, -clock.rate * c])], 0);
    }
  }

  /**
   * An upper bound of the part of a degree that conditions other than place p may take away on average, as terms of probabilities:
   * min(d, e, …) ≥ d − Σ max(0, d − e). Undefined if a condition has no levels.
   */
  #lost(
    step: PetriTransition,
    clock: MemorylessClock,
    degree: number,
    p: number,
    level?: number,
  ): Weighted[] | undefined {
    const terms: Weighted[] = [];
    for (const [q, n] of step.needs) {
      if (q === p || (level !== undefined && this.#decided(p, q, level) !== undefined)) continue;
      const levels = this.#chance.get(q);
      if (levels === undefined) return undefined;
      for (const [j, v] of levels.entries()) {
        const missing = degree - Math.min(degree, j < n ? 0 : clock.degree(q, j));
        if (missing > 0) terms.push([v, missing]);
      }
    }
    const failing = this.#failing(step, p);
    return failing && [...terms, ...failing.map((v): Weighted => [v, degree])];
  }

  /**
   * The tokens of place q while p has k and time passes, if a semiflow decides them; a fraction or a negative number if p never has k then.
   */
  #decided(p: number, q: number, k: number): number | undefined {
    const flow = this.#pairs.find((y) => y.weights.has(p) && y.weights.has(q));
    return flow && (flow.total - flow.weights.get(p)! * k) / flow.weights.get(q)!;
  }

  /** Variables whose sum is at least the probability that a limit fails, but for limits that p alone decides. */
  #failing({ limits }: PetriTransition, p?: number): number[] | undefined {
    const all: number[] = [];
    for (const { sum, most } of limits) {
      const [first, ...others] = sum;
      if (first === undefined || others.length > 0) return undefined;
      const [q, n] = first;
      // At a level at which the limit fails, the step is not possible.
      if (q === p) continue;
      const levels = this.#chance.get(q);
      if (levels === undefined) return undefined;
      all.push(...levels.filter((_, j) => n * j > most));
    }
    return all;
  }

  /** An immediate step is never enabled while time passes. */
  #start(step: PetriTransition, s: number): void {
    const { bounds, clocks, addRounded, petri } = this.#context;
    if (clocks[s] !== undefined || step.level === undefined || isRace(petri, step)) return;
    if (step.needs.some(([p, n]) => n > bounds[p]!)) return;
    const failing = this.#failing(step);
    if (failing === undefined || step.needs.some(([p]) => !this.#chance.has(p))) return;
    const missing = step.needs.flatMap(([p, n]) => this.#chance.get(p)!.slice(0, n));
    addRounded(
      [...missing, ...failing].map((v) => [v, -1]),
      -1,
    );
  }

  /** Where y · m = C with y ≥ 0, k tokens in p leave at most (C − y(p) k) / y(q) for q. */
  #invariants(): void {
    const { petri, semiflows, add } = this.#context;
    const empty = emptyWhileTimePasses(petri);
    for (const given of semiflows.flows) {
      const total = tokensOf(given, petri);
      const flow = new Map([...given].filter(([p]) => !empty.has(p)));
      if (flow.size > MAX_SUPPORT) continue;
      for (const [p, a] of flow)
        for (const [q, b] of flow) {
          const [ps, qs] = [this.#chance.get(p), this.#chance.get(q)];
          if (p === q || ps === undefined || qs === undefined) continue;
          for (let k = 1; k < ps.length; k++) {
            const most = Math.floor((total - a * k) / b);
            // With two places, the tokens of one are those of the other.
            const isEquation = flow.size === 2;
            if (most >= qs.length - 1 && !isEquation) continue;
            add(
              [
                ...ps.slice(k).map((v): Weighted => [v, 1]),
                ...qs.slice(0, Math.max(0, most + 1)).map((v): Weighted => [v, -1]),
              ],
              0,
              isEquation,
            );
          }
        }
    }
  }
}

/** Places from which an immediate step takes each token at once. */
function emptyWhileTimePasses(petri: Petri): ReadonlySet<number> {
  return new Set(
    petri.transitions.flatMap((step) => {
      const [[p, n] = [0, 0], ...others] = step.needs;
      const isAtOnce = (step.kind === 'fire' && !isRace(petri, step)) || step.kind === 'start';
      return isAtOnce && n === 1 && others.length === 0 && step.limits.length === 0 ? [p] : [];
    }),
  );
}

/** False if a step cannot happen at this level of a place. */
function isPossible({ needs, limits }: PetriTransition, p: number, k: number): boolean {
  if (needs.some(([q, n]) => q === p && n > k)) return false;
  return !limits.some(({ sum, most }) => sum.some(([q, n]) => q === p && n * k > most));
}

function isRace({ net }: Petri, { node }: PetriTransition): boolean {
  const { timing, delay } = net.transitions[node]!;
  return timing === 'race' && delay !== undefined;
}
