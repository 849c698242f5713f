import * as fc from 'fast-check';
import { toStringMethod } from 'fast-check';
import { didYouMean, fail, quote, shown } from '../base/problem.ts';
import type { ColourSet, Field } from '../net/colour.ts';
import type { Expression } from '../net/expression.ts';
import type { InputArc, Net, OutputArc, Place, Transition } from '../net/net.ts';
import { netToText } from '../net/text/text.ts';

/**
 * Optional features of random nets, in addition to places, tokens, transitions, and arcs that take and produce tokens.
 *
 * - `colours`: places with red and blue tokens, patterns, variables, guards
 * - `reads`, `inhibitors`, `resets`: arcs of these kinds
 * - `capacities`, `queues`: places with a capacity; first-in first-out places
 * - `priorities`, `weights`: of transitions
 * - `delays`: constant and random (exponential; holding or racing)
 * - `growth`: transitions that produce more tokens than they take, so that nets may be unbounded
 */
export type NetFeature =
  | 'colours'
  | 'reads'
  | 'inhibitors'
  | 'resets'
  | 'capacities'
  | 'queues'
  | 'priorities'
  | 'weights'
  | 'delays'
  | 'growth';

/** All features. */
export const NET_FEATURES: readonly NetFeature[] = [
  'colours',
  'reads',
  'inhibitors',
  'resets',
  'capacities',
  'queues',
  'priorities',
  'weights',
  'delays',
  'growth',
];

/** Options of {@link arbitraryNet}. */
export interface ArbitraryNetOptions {
  /** Maximum number of places, default 4. Places without arcs are omitted. */
  readonly places?: number;
  /** Maximum number of transitions, default 4. */
  readonly transitions?: number;
  /** Maximum number of arcs per transition, default 3; a pair that takes and produces counts once. */
  readonly arcs?: number;
  /** Maximum number of initial tokens per place, default 2. */
  readonly tokens?: number;
  /** Features that nets may have; default none. */
  readonly with?: readonly NetFeature[];
}

const COLOUR: ColourSet = { kind: 'enum', name: 'Colour', values: ['red', 'blue'] };
const FIELD: Field = { name: 'c', colour: COLOUR.name };

/** kind, place, second place, selector of the pattern, selector of the token count */
type ArcNumbers = readonly [number, number, number, number, number];
/** tokens, red tokens among them, coloured, capacity, queue */
type PlaceNumbers = readonly [number, number, number, number, number];
/** priority, weight, delay, guard */
type TransitionNumbers = readonly [number, number, number, number];
interface NetNumbers {
  readonly places: readonly PlaceNumbers[];
  readonly transitions: readonly { readonly arcs: readonly ArcNumbers[]; readonly own: TransitionNumbers }[];
}

/**
 * Nets that are valid by construction. Without `growth` no transition produces more tokens than it takes, so every net has
 * finitely many markings. Nets are decoded from lists of numbers, which fast-check shrinks: transitions and arcs are removed,
 * unused places disappear with them, and 0 encodes the simplest alternative everywhere.
 *
 * @throws InputError TEST002 for unknown options or values out of range
 */
export function arbitraryNet(options: ArbitraryNetOptions = {}): fc.Arbitrary<Net> {
  const part = 'arbitraryNet';
  checkMembers(part, options, ['places', 'transitions', 'arcs', 'tokens', 'with']);
  const { with: wanted = [] } = options;
  if (!Array.isArray(wanted)) fail('TEST002', `with: expected a list of features, got ${shown(wanted)}`, { part });
  for (const feature of wanted)
    if (!NET_FEATURES.includes(feature))
      fail('TEST002', `unknown feature ${quote(String(feature))}.${didYouMean(String(feature), NET_FEATURES)}`, {
        part,
      });
  const places = integerOption(part, 'places', options.places ?? 4, 1, 100);
  const transitions = integerOption(part, 'transitions', options.transitions ?? 4, 0, 100);
  const arcs = integerOption(part, 'arcs', options.arcs ?? 3, 1, 20);
  const tokens = integerOption(part, 'tokens', options.tokens ?? 2, 0, 1000);
  const small = fc.nat({ max: 11 });
  const key = fc.nat({ max: places - 1 });
  const place = fc.tuple(fc.nat({ max: tokens }), fc.nat({ max: tokens }), small, small, small);
  const arc = fc.tuple(small, key, key, small, small);
  const transition = fc.record({
    arcs: fc.array(arc, { minLength: 1, maxLength: arcs }),
    own: fc.tuple(small, small, small, small),
  });
  return fc
    .record({
      places: fc.array(place, { minLength: places, maxLength: places }),
      transitions: fc.array(transition, { maxLength: transitions }),
    })
    .map((numbers) => decoded(numbers, new Set(wanted)));
}

const num = (value: number): Expression => ({ op: 'const', value });
const colour = (value: number): Expression => ({ op: 'const', value, colour: COLOUR.name });
const X: Expression = { op: 'var', name: 'x' };

function decoded(numbers: NetNumbers, wanted: ReadonlySet<NetFeature>): Net {
  const used = new Set([0, ...numbers.transitions.flatMap((t) => t.arcs.flatMap((arc) => touched(arc, wanted)))]);
  const places = numbers.places.map((n, k) => placeOf(n, k, wanted));
  const net: Net = {
    name: 'random',
    colours: wanted.has('colours') ? [COLOUR] : [],
    tables: [],
    places: places.filter((_, k) => used.has(k)),
    transitions: numbers.transitions.map((t, k) => transitionOf(t.arcs, t.own, k, places, wanted)),
  };
  return shownAs(net, () => netToText(net));
}

function placeOf(
  [count, red, coloured, capacity, queue]: PlaceNumbers,
  k: number,
  wanted: ReadonlySet<NetFeature>,
): Place {
  const isColoured = wanted.has('colours') && coloured % 2 === 1;
  const reds = Math.min(red, count);
  const initial = isColoured
    ? [
        { values: [0], count: reds },
        { values: [1], count: count - reds },
      ]
    : [{ values: [], count }];
  return {
    name: `p${k}`,
    fields: isColoured ? [FIELD] : [],
    order: wanted.has('queues') && queue % 3 === 2 ? 'fifo' : 'bag',
    key: [],
    ...(wanted.has('capacities') && capacity % 3 === 2 ? { capacity: count + (capacity % 4) } : {}),
    initial: initial.filter((t) => t.count > 0),
  };
}

type Kind = 'move' | 'take' | 'read' | 'inhibit' | 'reset' | 'put';

function kindOf([kind]: ArcNumbers, wanted: ReadonlySet<NetFeature>): Kind {
  const kinds: Kind[] = ['take', 'move', 'move'];
  if (wanted.has('reads')) kinds.push('read');
  if (wanted.has('inhibitors')) kinds.push('inhibit');
  if (wanted.has('resets')) kinds.push('reset');
  if (wanted.has('growth')) kinds.push('put');
  return kinds[kind % kinds.length]!;
}

function touched(arc: ArcNumbers, wanted: ReadonlySet<NetFeature>): number[] {
  return kindOf(arc, wanted) === 'move' ? [arc[1], arc[2]] : [arc[1]];
}

function transitionOf(
  arcs: readonly ArcNumbers[],
  [priority, weight, delay, guard]: TransitionNumbers,
  k: number,
  places: readonly Place[],
  wanted: ReadonlySet<NetFeature>,
): Transition {
  const given = arcs.map((arc) => ({ arc, kind: kindOf(arc, wanted) }));
  // Every transition takes a token: one that is always enabled would prevent time from advancing.
  const takes = given.some(({ kind }) => kind === 'move' || kind === 'take');
  const kinds = takes ? given : [{ arc: arcs[0]!, kind: 'take' as const }, ...given];
  const isColoured = (place: number): boolean => places[place]!.fields.length > 0;
  const looks = kinds.filter(({ kind }) => kind === 'move' || kind === 'take' || kind === 'read');
  const bound = looks.some(({ arc: [, place, , term] }) => isColoured(place) && term % 3 === 0);
  const term = (n: number): Expression => (n % 3 === 0 && bound ? X : colour(n % 2));
  const count = (n: number): number => (n % 5 === 4 ? 2 : 1);
  const input = (kind: InputArc['kind'], [, place, , n, many]: ArcNumbers): InputArc => ({
    kind,
    place: places[place]!.name,
    pattern: isColoured(place) && (kind === 'take' || kind === 'read' || n % 3 > 0) ? { c: term(n) } : {},
    count: kind === 'reset' ? 1 : count(many),
  });
  const inputs = [
    ...looks.map(({ arc, kind }) => input(kind === 'read' ? 'read' : 'take', arc)),
    ...kinds.flatMap(({ arc, kind }) => (kind === 'inhibit' || kind === 'reset' ? [input(kind, arc)] : [])),
  ];
  const outputs = kinds.flatMap(({ arc: [, from, to, n, many], kind }): OutputArc[] => {
    if (kind !== 'move' && kind !== 'put') return [];
    const place = kind === 'move' ? to : from;
    return [{ place: places[place]!.name, values: isColoured(place) ? { c: term(n) } : {}, count: num(count(many)) }];
  });
  return {
    name: `t${k}`,
    inputs,
    outputs,
    ...(bound && guard % 6 === 5 ? { guard: { op: 'eq', a: X, b: colour(guard % 2) } as const } : {}),
    ...(wanted.has('priorities') && priority % 4 > 1 ? { priority: (priority % 4) - 1 } : {}),
    ...(wanted.has('weights') && weight % 3 === 2 ? { weight: num(1 + (weight % 4)) } : {}),
    ...(wanted.has('delays') ? delayOf(delay) : {}),
  };
}

function delayOf(n: number): Pick<Transition, 'delay' | 'timing'> {
  switch (n % 6) {
    case 1:
    case 2:
      return { delay: num(n % 6) };
    case 3:
      return { delay: { dist: 'exponential', rate: num(1) } };
    case 4:
      return { delay: { dist: 'exponential', rate: num(2) }, timing: 'race' };
    default:
      return {};
  }
}

/**
 * Rejects options that are not an object or have unknown members.
 *
 * @throws InputError TEST002
 */
export function checkMembers(part: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    fail('TEST002', `options: expected an object, got ${shown(options)}`, { part });
  for (const key of Object.keys(options as object))
    if (!known.includes(key)) fail('TEST002', `has no option ${quote(key)}.${didYouMean(key, known)}`, { part });
}

/**
 * Checks that an option is an integer from `min` to `max`.
 *
 * @throws InputError TEST002
 */
export function integerOption(part: string, key: string, value: unknown, min: number, max: number): number {
  if (!(Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max))
    fail('TEST002', `${key}: expected an integer from ${min} to ${max}, got ${shown(value)}`, { part });
  return Number(value);
}

/** Sets the text that counter-examples of fast-check show for a value; it does not affect copies, comparisons or files. */
export function shownAs<T extends object>(value: T, text: () => string): T {
  Object.defineProperty(value, toStringMethod, { value: text, enumerable: false });
  return value;
}
