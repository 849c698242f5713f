import type { StateSpace } from '../../space/state-space.ts';
import type { NetChain } from '../chain.ts';
import { rateAt } from '../rows.ts';
import type { OpenPlace, OpenPlaces } from './open-places.ts';

/** A step of a state to another one: its rate, the change of the tokens of each open place, and the class it leads to. */
export interface ClassStep {
  readonly rate: number;
  readonly change: readonly number[];
  readonly to: number;
}

/**
 * A state that represents all states with the same marking of the other places, and with more tokens in those open places that are at
 * their limit `far`.
 */
export interface Representative {
  readonly state: number;
  readonly tokens: readonly number[];
  readonly class: number;
  readonly isFar: boolean;
  readonly steps: readonly ClassStep[];
}

/**
 * The part of the infinite chain that a chain cut at a capacity determines (README.md). A class is a marking of the other places with the
 * tokens of the open ones, each counted up to a threshold.
 */
export interface FarStates {
  /** By state of the chain: 1 if its rates are those of the infinite chain. */
  readonly isWhole: Uint8Array;
  /** By open place and state of the chain. */
  readonly tokens: readonly Float64Array[];
  /** By state: its class; −1 if it is not whole. */
  readonly classOf: Int32Array;
  /** By state: 1 if an open place is at or above its limit: with more tokens, the state has the same rates. */
  readonly isFar: Uint8Array;
  /** All states of the infinite chain with at most these tokens in the open places are states of the chain, and whole. */
  readonly within: readonly number[];
  readonly representatives: readonly Representative[];
  readonly classes: number;
}

/** Maximum number of representatives. */
const MAX_REPRESENTATIVES = 50_000;

/**
 * The states of the infinite chain, from those of the chain that was cut; a string with the reason if these do not determine them.
 *
 * @param further number of tokens added to each threshold
 */
export function farStates(
  chain: NetChain,
  space: StateSpace,
  { places: open, transit }: OpenPlaces,
  capacity: number,
  further: number,
): FarStates | string {
  const count = counted(chain, space, open);
  const thresholds = open.map(({ threshold }) => threshold + further);
  const within = open.map(({ brought }, p) => {
    const margin = count.highest[p]!.reduce((most, n, s) => Math.max(most, n - count.tokens[p]![s]!), 0);
    return capacity - margin - brought;
  });
  const far = thresholds.map((threshold, p) => {
    const own = count.tokens[p]!;
    return threshold + own.reduce((m, n, s) => (n >= threshold ? Math.max(m, n - count.lowest[p]![s]!) : m), 0);
  });
  if (far.some((n, p) => n > within[p]!)) return 'the capacity is too small for a proof';
  const tokensOf = (s: number): number[] => open.map((_, p) => count.tokens[p]![s]!);
  const keys = new Map<string, number>();
  for (let s = 0; s < chain.states; s++) keys.set(`${count.rest[s]} ${tokensOf(s)}`, s);

  const isWhole = new Uint8Array(chain.states);
  const near: number[] = [];
  let whole = 0;
  for (let s = 0; s < chain.states; s++) {
    const tokens = tokensOf(s);
    if (tokens.some((n, p) => n > within[p]!)) continue;
    isWhole[s] = 1;
    whole++;
    if (tokens.every((n, p) => n <= far[p]!)) near.push(s);
  }
  // Tokens in transit stay below their capacity, too, between a state that is whole and the next ones.
  for (const { place, brought } of transit) {
    const highest = chain.passing(space.tokens([place], 0, space.states));
    if (highest.some((n, s) => isWhole[s] === 1 && n + brought > capacity))
      return 'the capacity is too small for a proof';
  }
  if (near.length > MAX_REPRESENTATIVES) return 'the net has too many states apart from its open places';
  // With more tokens in the places of `isAtFar`, a state leads to one with any number from that of `tokens` on.
  const areKnown = (rest: number, tokens: readonly number[], isAtFar: readonly boolean[], p = 0): boolean => {
    if (p === tokens.length) return keys.has(`${rest} ${tokens}`);
    const least = Math.min(tokens[p]!, far[p]!);
    for (let n = least; n <= (isAtFar[p]! ? far[p]! : least); n++)
      if (!areKnown(rest, tokens.with(p, n), isAtFar, p + 1)) return false;
    return true;
  };
  const classes = new Map<string, number>();
  const classOf = (s: number): number => {
    const key = `${count.rest[s]} ${tokensOf(s).map((n, p) => Math.min(n, thresholds[p]!))}`;
    if (!classes.has(key)) classes.set(key, classes.size);
    return classes.get(key)!;
  };
  let expected = 0;
  const representatives: Representative[] = [];
  const isFar = new Uint8Array(chain.states);
  for (let s = 0; s < chain.states; s++) if (tokensOf(s).some((n, p) => n >= far[p]!)) isFar[s] = 1;
  for (const s of near) {
    const tokens = tokensOf(s);
    const isAtFar = tokens.map((n, p) => n === far[p]);
    expected += isAtFar.reduce((all, is, p) => (is ? all * (within[p]! - far[p]! + 1) : all), 1);
    const steps: ClassStep[] = [];
    for (let e = chain.start[s]!; e < chain.start[s + 1]!; e++) {
      const t = chain.target[e]!;
      const next = tokensOf(t);
      if (!areKnown(count.rest[t]!, next, isAtFar)) return UNKNOWN;
      steps.push({ rate: rateAt(chain.rates, e), change: next.map((n, p) => n - tokens[p]!), to: classOf(t) });
    }
    representatives.push({ state: s, tokens, class: classOf(s), isFar: isFar[s] === 1, steps });
  }
  for (const s of chain.initial.to.keys()) if (!areKnown(count.rest[s]!, tokensOf(s), NONE)) return UNKNOWN;
  if (expected !== whole) return UNKNOWN;
  const byState = Int32Array.from(isWhole, (is, s) => (is === 1 ? classOf(s) : -1));
  return {
    isWhole,
    tokens: count.tokens,
    classOf: byState,
    isFar,
    within,
    representatives,
    classes: classes.size,
  };
}

const NONE: readonly boolean[] = [];
const UNKNOWN = 'not every marking within the capacity is reached';

/**
 * By state: tokens of the open places, their minimum and maximum in the markings on the path to the next states, and a number of the
 * marking of the other places.
 */
function counted(chain: NetChain, space: StateSpace, open: readonly OpenPlace[]) {
  const own = new Set(open.map(({ place }) => place));
  const inPlace = open.map(({ place }) => space.tokens([place], 0, space.states));
  // Firings in progress reserve room for their tokens.
  const loaded = inPlace.map((tokens) => tokens.slice());
  const texts = new Map<string, number>();
  const numbered = (text: string): number => {
    if (!texts.has(text)) texts.set(text, texts.size);
    return texts.get(text)!;
  };
  const brought = open.map(({ name }) =>
    space.net.transitions.map(({ outputs }) =>
      outputs.reduce((sum, { place, count: n }) => sum + (place === name && n.op === 'const' ? n.value : 0), 0),
    ),
  );
  const rest = new Int32Array(space.states);
  for (let m = 0; m < space.states; m++) {
    const { places, busy } = space.marking(m);
    for (const { transition, count } of busy)
      for (const [p, own] of brought.entries()) loaded[p]![m]! += count * own[transition]!;
    rest[m] = numbered(JSON.stringify([places.filter(({ place }) => !own.has(place)), busy]));
  }
  const { clocks } = chain;
  return {
    tokens: inPlace.map((tokens) => Float64Array.from(chain.markings, (m) => tokens[m]!)),
    highest: loaded.map((tokens) => chain.passing(tokens)),
    lowest: inPlace.map((tokens) => chain.passing(tokens.map((n) => -n)).map((n) => -n)),
    rest: Int32Array.from(chain.markings, (m, s) =>
      clocks === undefined ? rest[m]! : numbered(`${rest[m]} with ${clocks[s]}`),
    ),
  };
}
