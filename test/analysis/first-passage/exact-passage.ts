import { type ExactSteps, exactSteps, type PlainNet } from '../markov/exact-chain.ts';
import { type Fraction, minus, ONE, over, plus, rounded, solution, times, whole, ZERO } from '../markov/fractions.ts';

/** When a marking is reached for the first time, as exact fractions rounded to doubles; the moments are conditional. */
export interface ExactPassage {
  readonly probability: number;
  readonly mean: number;
  readonly variance: number;
  /** Expected firings until then by transition, if it is reached with certainty. */
  readonly firings: Readonly<Record<string, number>>;
  /** Expected token seconds until then by place, if it is reached with certainty. */
  readonly tokenSeconds: Readonly<Record<string, number>>;
}

/** First passage of a small net into the markings that satisfy a condition, by a full matrix. */
export function exactPassage(
  net: PlainNet,
  holds: (tokens: Readonly<Record<string, number>>) => boolean,
  most: number,
): ExactPassage | undefined {
  const found = exactSteps(net, most);
  if (found === undefined) return undefined;
  const { places, names, tokens, next } = found;
  const isReached = tokens.map((own) => holds(Object.fromEntries(places.map((p, k) => [p, own[k]!]))));
  const open = leading(found, isReached);
  const none = { firings: {}, tokenSeconds: {} };
  if (isReached[0]) return { probability: 1, mean: 0, variance: 0, ...none };
  if (!open.includes(0)) return { probability: 0, mean: 0, variance: 0, ...none };
  const stay = (s: number): Fraction => (next[s]!.takesTime ? over(ONE, whole(next[s]!.total)) : ZERO);
  /** x = b + Σ share · x, over the states that lead on. */
  const solved = (b: (s: number) => Fraction): Map<number, Fraction> => {
    const a = open.map((s) =>
      open.map((t) =>
        next[s]!.steps.reduce((sum, { to, share }) => (to === t ? minus(sum, share) : sum), s === t ? ONE : ZERO),
      ),
    );
    const x = solution(a, open.map(b));
    return new Map(open.map((s, k) => [s, x[k]!]));
  };
  const ahead = (s: number, of: (t: number) => Fraction): Fraction =>
    next[s]!.steps.reduce((sum, { to, share }) => plus(sum, times(share, of(to))), ZERO);
  const chance = solved((s) => ahead(s, (t) => (isReached[t] ? ONE : ZERO)));
  const first = solved((s) => times(stay(s), chance.get(s)!));
  const second = solved((s) => {
    const twice = times(whole(2), stay(s));
    const later = ahead(s, (t) => first.get(t) ?? ZERO);
    return plus(times(times(twice, stay(s)), chance.get(s)!), times(twice, later));
  });
  const p = chance.get(0)!;
  const mean = over(first.get(0)!, p);
  const gained = (gain: (s: number) => Fraction): number => rounded(solved(gain).get(0)!);
  const isCertain = p[0] === p[1];
  const fired = (t: number) => (s: number) =>
    next[s]!.steps.reduce((sum, { fires, share }) => (fires === t ? plus(sum, share) : sum), ZERO);
  return {
    probability: rounded(p),
    mean: rounded(mean),
    variance: rounded(minus(over(second.get(0)!, p), times(mean, mean))),
    firings: isCertain ? Object.fromEntries(names.map((name, t) => [name, gained(fired(t))])) : {},
    tokenSeconds: isCertain
      ? Object.fromEntries(places.map((name, k) => [name, gained((s) => times(stay(s), whole(tokens[s]![k]!)))]))
      : {},
  };
}

/** States outside of the set from which it is reached. */
function leading({ next }: ExactSteps, isReached: readonly boolean[]): number[] {
  const leads = new Set(next.flatMap((_, s) => (isReached[s] ? [s] : [])));
  for (let before = -1; before < leads.size; ) {
    before = leads.size;
    next.forEach(({ steps }, s) => {
      if (steps.some(({ to }) => leads.has(to))) leads.add(s);
    });
  }
  return [...leads].filter((s) => !isReached[s]);
}
