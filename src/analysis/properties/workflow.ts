import { fail, quote } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import type { MarkingView } from '../space/state-space.ts';
import { crowded } from './colours.ts';
import { type Formula, normalised, type Sum } from './property.ts';
import { name } from './property-text.ts';
import type { Known } from './units.ts';

/** Soundness as a conjunction, and the name of each part of it. */
export interface Soundness {
  readonly formula: Formula & { readonly op: 'and' };
  /** Its operands: the condition in words. */
  readonly conditions: ReadonlyMap<Formula, string>;
  /** The part that fails if tokens are left when the sink is marked. */
  readonly proper: Formula;
  /** Name of the sink place. */
  readonly sink: string;
}

const sumOf = (...places: readonly string[]): Sum =>
  normalised(
    places.map((place) => ({ factor: 1, place })),
    0,
  );
const count = (constant: number): Sum => ({ terms: [], constant });

/**
 * Soundness of a workflow net (van der Aalst, _Verification of workflow nets_, ICATPN 1997): from every reachable marking the
 * case can end (option to complete); once the sink is marked, it holds one token and everything else is empty (proper
 * completion); every transition can fire. In a net with time an ended case has no firing in progress. O(size of the net).
 *
 * @throws InputError PROP011 for a net that is not a workflow net
 */
export function soundness(net: Net): Soundness {
  const { source, sink } = endsOf(net);
  checkInitial(net, source);
  checkPaths(net, source, sink);
  const others = net.places.flatMap(({ name }) => (name === sink ? [] : [name]));
  const ended: Formula = {
    op: 'and',
    of: [
      { op: 'compare', relation: '=', left: sumOf(sink), right: count(1) },
      { op: 'compare', relation: '=', left: sumOf(...others), right: count(0) },
      ...(net.transitions.some((t) => t.delay !== undefined) ? [{ op: 'dead' as const }] : []),
    ],
  };
  const marked: Formula = { op: 'compare', relation: '>=', left: sumOf(sink), right: count(1) };
  const proper: Formula = { op: 'AG', of: { op: 'implies', a: marked, b: ended } };
  const conditions = new Map<Formula, string>([
    [proper, 'proper completion'],
    [{ op: 'AG', of: { op: 'EF', of: ended } }, 'option to complete'],
    ...net.transitions.map(({ name }): [Formula, string] => [
      { op: 'EF', of: { op: 'enabled', transitions: [name] } },
      `transition ${quote(name)} is never possible`,
    ]),
  ]);
  return { formula: { op: 'and', of: [...conditions.keys()] }, conditions, proper, sink };
}

const PLACE = { part: 'property sound' };
const NEEDED = 'sound is a property of workflow nets';

/** Places that each transition takes from or reads, and places that it puts into. */
function arcsOf(net: Net): { readonly into: readonly string[]; readonly outOf: readonly string[] }[] {
  return net.transitions.map(({ inputs, outputs }) => ({
    into: inputs.flatMap(({ kind, place }) => (kind === 'take' || kind === 'read' ? [place] : [])),
    outOf: outputs.map(({ place }) => place),
  }));
}

function endsOf(net: Net): { readonly source: string; readonly sink: string } {
  const arcs = arcsOf(net);
  const [filled, emptied] = [new Set(arcs.flatMap((t) => t.outOf)), new Set(arcs.flatMap((t) => t.into))];
  const only = (what: string, rule: string, ends: readonly string[]): string => {
    if (ends.length === 1) return ends[0]!;
    const found =
      ends.length === 0
        ? 'none'
        : `${ends.length}: ${ends
            .slice(0, 5)
            .map((p) => quote(p))
            .join(', ')}`;
    return fail('PROP011', `${NEEDED}: expected one ${what} (${rule}), got ${found}`, PLACE);
  };
  const names = net.places.map(({ name }) => name);
  const sources = names.filter((p) => !filled.has(p));
  const sinks = names.filter((p) => !emptied.has(p));
  const source = only('source place', 'no transition puts into it', sources);
  const sink = only('sink place', 'no transition takes from it', sinks);
  if (source === sink)
    fail('PROP011', `${NEEDED}: place ${quote(source)} is both the only source and the only sink`, PLACE);
  return { source, sink };
}

function checkInitial(net: Net, source: string): void {
  for (const { name, initial } of net.places) {
    const tokens = initial.reduce((sum, t) => sum + t.count, 0);
    const expected = name === source ? 1 : 0;
    if (tokens !== expected)
      fail('PROP011', `${NEEDED}: initially place ${quote(name)} must hold ${expected}, but holds ${tokens}`, PLACE);
  }
}

/** Checks that every place and transition lies on a path from the source to the sink. O(arcs). */
function checkPaths(net: Net, source: string, sink: string): void {
  const arcs = arcsOf(net);
  const [forwards, backwards] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const connect = (from: string, to: string): void => {
    for (const [edges, a, b] of [
      [forwards, from, to],
      [backwards, to, from],
    ] as const) {
      const known = edges.get(a);
      if (known === undefined) edges.set(a, [b]);
      else known.push(b);
    }
  };
  for (const [k, { into, outOf }] of arcs.entries()) {
    for (const place of into) connect(`p${place}`, `t${k}`);
    for (const place of outOf) connect(`t${k}`, `p${place}`);
  }
  const nodes: [string, string][] = [
    ...net.places.map(({ name }): [string, string] => [`p${name}`, `place ${quote(name)}`]),
    ...net.transitions.map(({ name }, k): [string, string] => [`t${k}`, `transition ${quote(name)}`]),
  ];
  for (const [edges, start, missing] of [
    [forwards, source, `from the source ${quote(source)}`],
    [backwards, sink, `to the sink ${quote(sink)}`],
  ] as const) {
    const reached = reachable(edges, `p${start}`);
    const lost = nodes.find(([node]) => !reached.has(node));
    if (lost !== undefined) fail('PROP011', `${NEEDED}: ${lost[1]} is on no path ${missing}`, PLACE);
  }
}

function reachable(edges: ReadonlyMap<string, readonly string[]>, start: string): Set<string> {
  const found = new Set([start]);
  const left = [start];
  for (let node = left.pop(); node !== undefined; node = left.pop())
    for (const next of edges.get(node) ?? [])
      if (!found.has(next)) {
        found.add(next);
        left.push(next);
      }
  return found;
}

/**
 * The violated conditions of soundness in words. For improper completion with the tokens that are left. A cycle of the
 * short-circuited net, whose additional transition moves the token of the sink to the source, leaves them again each time.
 */
export function violatedConditions(
  net: Net,
  sound: Soundness,
  known: ReadonlyMap<Formula, Known>,
  markingOf: (state: number) => Pick<MarkingView, 'places'>,
): string[] {
  return [...sound.conditions].flatMap(([part, words]) => {
    const is = known.get(part);
    if (is?.value !== false) return [];
    const marking = is.path?.marking ?? (is.state === undefined ? undefined : markingOf(is.state));
    if (part !== sound.proper || marking === undefined) return [words];
    const left = crowded(net, marking, 0).filter((text) => text !== `tokens(${name(sound.sink)}) = 1`);
    if (left.length === 0) return [`${words}: a firing is in progress when the sink is marked`];
    const grows = isMonotone(net) ? ', and grows without bound in the short-circuited net' : '';
    return [`${words}: ${left.join(' and ')} when the sink is marked${grows}`];
  });
}

/** True if more tokens disable no firing and none are removed without being taken. */
function isMonotone(net: Net): boolean {
  return (
    net.places.every((p) => p.capacity === undefined && p.order === 'bag') &&
    net.transitions.every(
      (t) => t.priority === undefined && t.inputs.every(({ kind }) => kind === 'take' || kind === 'read'),
    )
  );
}
