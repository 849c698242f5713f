import { type Fraction, minus, ONE, over, plus, reduced, rounded, solution, times, whole, ZERO } from './fractions.ts';
import type { Arcs } from './stochastic-nets.ts';

/** A net without colours, with whole rates and weights. */
export interface PlainNet {
  readonly initial: Readonly<Record<string, number>>;
  readonly transitions: Readonly<Record<string, Arcs>>;
}

/** Long-run figures as exact fractions rounded to doubles. */
export interface ExactFigures {
  readonly mean: Readonly<Record<string, number>>;
  readonly throughput: Readonly<Record<string, number>>;
  readonly enabled: Readonly<Record<string, number>>;
  /** Probabilities of the bottom components. */
  readonly components: readonly number[];
  /** True if several immediate steps were enabled without weights; the first in the order of the net was taken. */
  readonly open: boolean;
}

interface State {
  readonly tokens: readonly number[];
  readonly busy: readonly number[];
}

/** A step: its target, its rate or weight, and the transition that fires, if one does. */
interface Step {
  readonly to: string;
  readonly value: number;
  readonly fires: number | undefined;
}

const key = (s: State): string => `${s.tokens.join()};${s.busy.join()}`;

/** Where a state leads to: the total rate or weight of its steps, and their shares of it. */
interface Onward {
  readonly total: number;
  readonly takesTime: boolean;
  readonly steps: readonly { readonly to: number; readonly share: Fraction; readonly fires: number | undefined }[];
}

/** The states of a small net from the initial one on. */
export interface ExactSteps {
  readonly places: readonly string[];
  readonly names: readonly string[];
  /** By state: the tokens of each place. */
  readonly tokens: readonly (readonly number[])[];
  readonly next: readonly Onward[];
  /** True if several immediate steps were enabled without weights; the first in the order of the net was taken. */
  readonly open: boolean;
}

/**
 * The states of a small net by rules S9 to S10 of docs/semantics.md, written without the explorer: markings as lists of numbers, immediate
 * steps kept as states without time. Undefined for more than `most` states.
 */
export function exactSteps({ initial, transitions }: PlainNet, most: number): ExactSteps | undefined {
  const places = Object.keys(initial);
  const names = Object.keys(transitions);
  const counts = (text: string): number[] => {
    const words = text.split(' ');
    return places.map((p) => words.filter((word) => word === p).length);
  };
  const rules = names.map((name) => {
    const arcs = transitions[name]!;
    const inhibit = counts(arcs.inhibit ?? '');
    const servers = arcs.single === true ? 1 : (arcs.servers ?? Number.POSITIVE_INFINITY);
    const speeds = arcs.speed === undefined ? undefined : counts(arcs.speed);
    return { ...arcs, name, servers, speeds, takes: counts(arcs.take), puts: counts(arcs.put), inhibits: inhibit };
  });
  let open = false;

  const after = (s: State, takes: readonly number[], puts: readonly number[], busy: readonly number[]): string => {
    const next = { tokens: s.tokens.map((n, p) => n - takes[p]! + puts[p]!), busy };
    known.set(key(next), next);
    return key(next);
  };
  const nothing = places.map(() => 0);
  const stepsOf = (s: State): { readonly steps: Step[]; readonly takesTime: boolean } => {
    const enabled = rules
      .map((rule, t) => ({ ...rule, t }))
      .filter(
        ({ takes, inhibits }) =>
          takes.every((n, p) => s.tokens[p]! >= n) && inhibits.every((n, p) => n === 0 || s.tokens[p]! < n),
      );
    const starts = enabled.filter(({ race }) => race === undefined);
    if (starts.length > 0) {
      const highest = Math.max(...starts.map(({ priority = 0 }) => priority));
      const first = starts.filter(({ priority = 0 }) => priority === highest);
      const drawn = first.some(({ weight }) => weight !== undefined);
      if (!drawn && first.length > 1) open = true;
      const steps = (drawn ? first : first.slice(0, 1)).map(({ takes, puts, weight = 1, holding, t }): Step => {
        if (holding === undefined) return { to: after(s, takes, puts, s.busy), value: weight, fires: t };
        const busy = s.busy.map((n, k) => (k === t ? n + 1 : n));
        return { to: after(s, takes, nothing, busy), value: weight, fires: undefined };
      });
      return { steps, takesTime: false };
    }
    const races = enabled.flatMap(({ takes, puts, race, servers, speeds, t }): Step[] => {
      const degree = Math.min(...takes.flatMap((n, p) => (n === 0 ? [] : [Math.floor(s.tokens[p]! / n)])));
      const speed = speeds === undefined ? 1 : speeds.reduce((sum, times, p) => sum + times * s.tokens[p]!, 0);
      if (speed === 0) return [];
      return [{ to: after(s, takes, puts, s.busy), value: race! * speed * Math.min(servers, degree), fires: t }];
    });
    const ends = rules.flatMap(({ puts, holding }, t): Step[] => {
      if (s.busy[t] === 0) return [];
      const busy = s.busy.map((n, k) => (k === t ? n - 1 : n));
      return [{ to: after(s, nothing, puts, busy), value: holding! * s.busy[t]!, fires: t }];
    });
    return { steps: [...races, ...ends], takesTime: true };
  };

  const known = new Map<string, State>();
  const first = { tokens: places.map((p) => initial[p]!), busy: names.map(() => 0) };
  known.set(key(first), first);
  const reached = [key(first)];
  const all = new Map<string, ReturnType<typeof stepsOf>>();
  for (const state of reached) {
    const found = stepsOf(known.get(state)!);
    all.set(state, found);
    for (const { to } of found.steps) if (!reached.includes(to)) reached.push(to);
    if (reached.length > most) return undefined;
  }

  const number = new Map(reached.map((state, k) => [state, k]));
  // Probabilities of the next state, and rates of leaving; Infinity for states without time.
  const next = reached.map((state) => {
    const { steps, takesTime } = all.get(state)!;
    const total = steps.reduce((sum, { value }) => sum + value, 0);
    return {
      total,
      takesTime,
      steps: steps.map(({ to, value, fires }) => ({
        to: number.get(to)!,
        share: reduced(BigInt(value), BigInt(total)),
        fires,
      })),
    };
  });
  return { places, names, tokens: reached.map((state) => known.get(state)!.tokens), next, open };
}

/**
 * Long-run figures of a small net in exact fractions, with a full matrix. Undefined for more than `most` states; `endless` if immediate steps
 * never end.
 */
export function exactFigures(net: PlainNet, most: number): ExactFigures | 'endless' | undefined {
  const found = exactSteps(net, most);
  if (found === undefined) return undefined;
  const { places, names, tokens: markings, next, open } = found;
  const n = next.length;
  const reaches = next.map(({ steps }, k) => {
    const set = new Set([k, ...steps.map(({ to }) => to)]);
    for (const s of set) for (const { to } of next[s]!.steps) set.add(to);
    return set;
  });
  const isBottom = reaches.map((set, k) => [...set].every((s) => reaches[s]!.has(k)));
  const bottoms = new Map<number, number[]>();
  for (let s = 0; s < n; s++) {
    if (!isBottom[s]) continue;
    const leader = Math.min(...reaches[s]!);
    bottoms.set(leader, [...(bottoms.get(leader) ?? []), s]);
  }
  const transient = isBottom.flatMap((bottom, s) => (bottom ? [] : [s]));
  const result = {
    mean: Object.fromEntries(places.map((p) => [p, ZERO])) as Record<string, Fraction>,
    throughput: Object.fromEntries(names.map((t) => [t, ZERO])) as Record<string, Fraction>,
    enabled: Object.fromEntries(names.map((t) => [t, ZERO])) as Record<string, Fraction>,
  };
  const components: number[] = [];
  for (const own of bottoms.values()) {
    const probability = absorbed(next, transient, isBottom, new Set(own));
    components.push(rounded(probability));
    if (!own.some((s) => next[s]!.takesTime)) return 'endless';
    const visits = visitsOf(next, own);
    const time = own.map((s, k) => {
      if (!next[s]!.takesTime) return ZERO;
      return next[s]!.total === 0 ? ONE : over(visits[k]!, whole(next[s]!.total));
    });
    const all = time.reduce(plus, ZERO);
    own.forEach((s, k) => {
      const share = times(probability, over(time[k]!, all));
      const tokens = markings[s]!;
      places.forEach((p, i) => {
        result.mean[p] = plus(result.mean[p]!, times(share, whole(tokens[i]!)));
      });
      const active = new Set<number>();
      for (const { fires, share: p } of next[s]!.steps) {
        if (fires === undefined) continue;
        const rate = times(probability, over(times(visits[k]!, p), all));
        result.throughput[names[fires]!] = plus(result.throughput[names[fires]!]!, rate);
        if (next[s]!.takesTime) active.add(fires);
      }
      for (const t of active) result.enabled[names[t]!] = plus(result.enabled[names[t]!]!, share);
    });
  }
  const doubles = (of: Record<string, Fraction>): Record<string, number> =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [name, rounded(value)]));
  return {
    mean: doubles(result.mean),
    throughput: doubles(result.throughput),
    enabled: doubles(result.enabled),
    components,
    open,
  };
}

type Next = readonly Onward[];

/** Probability of ending in a component from state 0. */
function absorbed(
  next: Next,
  transient: readonly number[],
  isBottom: readonly boolean[],
  own: ReadonlySet<number>,
): Fraction {
  if (isBottom[0]) return own.has(0) ? ONE : ZERO;
  const position = new Map(transient.map((s, k) => [s, k]));
  const a = transient.map((_, i) => transient.map((__, j): Fraction => (i === j ? ONE : ZERO)));
  const b = transient.map((): Fraction => ZERO);
  transient.forEach((s, i) => {
    for (const { to, share } of next[s]!.steps) {
      const j = position.get(to);
      if (j !== undefined) a[i]![j] = minus(a[i]![j]!, share);
      else if (own.has(to)) b[i] = plus(b[i]!, share);
    }
  });
  return solution(a, b)[position.get(0)!]!;
}

/** Relative numbers of visits to the states of a component: v = v P, the first being 1. */
function visitsOf(next: Next, own: readonly number[]): Fraction[] {
  const position = new Map(own.map((s, k) => [s, k]));
  const a = own.map((_, i) => own.map((__, j): Fraction => (i === j ? ONE : ZERO)));
  own.forEach((s, i) => {
    for (const { to, share } of next[s]!.steps) {
      const j = position.get(to)!;
      a[j]![i] = minus(a[j]![i]!, share);
    }
  });
  a[0] = own.map((_, j): Fraction => (j === 0 ? ONE : ZERO));
  return solution(
    a,
    own.map((_, i): Fraction => (i === 0 ? ONE : ZERO)),
  );
}

/**
 * Mean and variance of the time until state `end` is entered from state 0, as exact fractions rounded to doubles.
 *
 * @param rates whole rates by state and next state; every state reaches `end`, and numbers of states are below it
 */
export function exactAbsorption(rates: readonly (readonly number[])[], end: number): readonly [number, number] {
  const generator = (): Fraction[][] =>
    Array.from({ length: end }, (_, i) =>
      Array.from({ length: end }, (_, j) => {
        const all = rates[i]!.reduce((sum, r, k) => (k === i ? sum : sum + r), 0);
        return whole(i === j ? all : -rates[i]![j]!);
      }),
    );
  const first = solution(
    generator(),
    Array.from({ length: end }, () => ONE),
  );
  const second = solution(
    generator(),
    first.map((x) => times(whole(2), x)),
  );
  return [rounded(first[0]!), rounded(minus(second[0]!, times(first[0]!, first[0]!)))];
}
