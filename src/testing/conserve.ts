import { flatten } from '../analysis/petri/flatten.ts';
import type { Formula } from '../analysis/properties/property.ts';
import { propertyText } from '../analysis/properties/property-text.ts';
import { replay } from '../analysis/properties/replay.ts';
import { shortestPaths } from '../analysis/properties/shortest.ts';
import { namedStep } from '../analysis/properties/steps.ts';
import { exploration } from '../analysis/space/explore.ts';
import type { StateSpace } from '../analysis/space/state-space.ts';
import { ownOf } from '../base/own.ts';
import { fail, InputError } from '../base/problem.ts';
import type { Net, Transition } from '../net/net.ts';
import type { Answer } from './answer.ts';
import { repeatLines, stepText, verifyArguments } from './asked.ts';
import { checkedCounts } from './marking-formula.ts';
import type { Subject } from './subject.ts';

/** Largest weight; sums remain exact in doubles. */
const MAX_WEIGHT = 1e6;
const MAX_EDGES = 4e9;
const SLICE = 1 << 14;

/**
 * Checks that a weighted sum of tokens is the same in every reachable marking; tokens taken by a firing in progress count
 * until it ends. The incidence matrix C is tried first: y · C = 0 proves the invariant for any initial marking, even of nets
 * with infinitely many markings (Murata 1989, §VII). Otherwise the state space decides, because a transition that changes the
 * sum may never fire; it is explored breadth first, so that a counter-example is as short as possible.
 *
 * @throws InputError TEST005 for weights of unknown places, weights that are not integers, or only zero weights
 */
export function conserve(subject: Subject, weights: Readonly<Record<string, number>>, test: string): Answer {
  const { net, words } = subject;
  const checked = checkedCounts(net, 'toConserve', weights);
  const values = Object.values(checked);
  if (values.every((w) => w === 0)) fail('TEST005', 'every weight is 0', { part: 'toConserve' });
  if (values.some((w) => Math.abs(w) > MAX_WEIGHT))
    fail('TEST005', `expected weights of at most ${MAX_WEIGHT}`, { part: 'toConserve' });
  const y = net.places.map((p) => ownOf(checked, p.name) ?? 0);
  const text = sumText(checked);
  const demand = `to conserve ${text}`;
  const changes = changeOf(net, y);
  if (changes === undefined) {
    const found = [`y · C = 0: no transition changes ${text}, for any initial marking`];
    return { holds: true, words, demand, found, again: () => repeatLines(net, test, (file) => ['verify', file]) };
  }
  return { words, demand, ...bySpace(subject, y, text, changes, test) };
}

/** By transition: the weighted tokens that a firing in progress holds until it ends. */
function heldBy(net: Net, y: readonly number[]): number[] {
  const of = new Map(net.places.map((p, k) => [p.name, y[k]!]));
  return net.transitions.map((t) =>
    t.inputs.reduce((sum, a) => sum + (a.kind === 'take' ? of.get(a.place)! * a.count : 0), 0),
  );
}

/** Describes a transition that may change the sum; undefined if y · C = 0. */
function changeOf(net: Net, y: readonly number[]): string | undefined {
  const of = new Map(net.places.map((p, k) => [p.name, y[k]!]));
  const held = heldBy(net, y);
  const resets = (t: Transition): boolean => t.inputs.some((a) => a.kind === 'reset' && of.get(a.place) !== 0);
  const reset = net.transitions.find(resets);
  if (reset !== undefined) return `transition ${reset.name} resets a place with a weight`;
  let exact = true;
  for (const [k, t] of net.transitions.entries()) {
    const counted = t.outputs.filter((a) => of.get(a.place) !== 0);
    if (counted.some((a) => a.count.op !== 'const')) {
      exact = false;
      continue;
    }
    const brought = counted.reduce(
      (sum, a) => sum + of.get(a.place)! * (a.count as { readonly value: number }).value,
      0,
    );
    if (brought !== held[k]) return `transition ${t.name} removes ${held[k]} and adds ${brought}`;
  }
  return exact ? undefined : changeOfBindings(net, y, held);
}

/** The same for nets whose token counts depend on the binding: examines every binding that seems possible. */
function changeOfBindings(net: Net, y: readonly number[], held: readonly number[]): string | undefined {
  let flat: ReturnType<typeof flatten>;
  try {
    flat = flatten(net);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return 'the number of tokens that a transition adds depends on its binding';
  }
  const weight = flat.places.map((p) => (p.kind === 'busy' ? held[p.node]! : y[p.node]!));
  for (const { kind, node, change } of flat.transitions) {
    const by = change.reduce((sum, [place, count]) => sum + weight[place]! * count, 0);
    if (by !== 0) return `${kind} of ${net.transitions[node]!.name} changes it by ${by}`;
  }
  return undefined;
}

function bySpace(
  subject: Subject,
  y: readonly number[],
  text: string,
  changes: string,
  test: string,
): Pick<Answer, 'holds' | 'found' | 'again'> {
  const { net, limits } = subject;
  const held = heldBy(net, y);
  const lasts = net.transitions.some((t, k) => t.delay !== undefined && t.timing !== 'race' && held[k] !== 0);
  const running = exploration(net, limits);
  const { space } = running;
  const initial = sums(space, y, lasts ? held : undefined, 0, 1)[0]!;
  const property = { kind: 'invariant', formula: equals(net, y, initial) } as const;
  const again = (): string[] =>
    lasts
      ? ['reproduce with this test: a property cannot count the tokens held by firings in progress']
      : repeatLines(net, test, (file) => verifyArguments(file, subject, [propertyText(property)]));
  for (let more = true, seen = 1; more || seen < space.states; ) {
    if (seen < space.states) {
      const to = space.states;
      const found = sums(space, y, lasts ? held : undefined, seen, to);
      const at = found.findIndex((sum) => sum !== initial);
      if (at >= 0)
        return {
          holds: false,
          found: broken(space, seen + at, `${text} is initially ${initial}, then ${found[at]}`),
          again,
        };
      seen = to;
    } else more = running.advance(SLICE);
  }
  if (space.complete)
    return {
      holds: true,
      found: [
        `${text} is ${initial} in all ${space.states} markings, although y · C ≠ 0 (${changes}, but this never happens)`,
      ],
      again,
    };
  return {
    holds: undefined,
    found: [
      `${changes}, and ${text} is ${initial} in the ${space.states} markings found before a limit was reached (${space.truncation}; maxStates ${limits.maxStates})`,
    ],
    again,
  };
}

/** The weighted sums of the states `from` … `to − 1`. */
function sums(
  space: StateSpace,
  y: readonly number[],
  held: readonly number[] | undefined,
  from: number,
  to: number,
): Float64Array {
  const sum = new Float64Array(to - from);
  for (const [place, weight] of y.entries()) {
    if (weight === 0) continue;
    const tokens = space.tokens([place], from, to);
    for (let k = 0; k < sum.length; k++) sum[k]! += weight * tokens[k]!;
  }
  if (held !== undefined)
    for (let k = 0; k < sum.length; k++)
      for (const { transition, count } of space.marking(from + k).busy) sum[k]! += held[transition]! * count;
  return sum;
}

/** A shortest path to a state, as lines. */
function broken(space: StateSpace, state: number, what: string): string[] {
  const [path] = shortestPaths(space, [state], MAX_EDGES);
  const steps = path!.steps.map((step) => namedStep(space.net, step));
  const { changes } = replay(space.net, steps);
  return [
    `after ${steps.length} step${steps.length === 1 ? '' : 's'} (a shortest sequence): ${what}`,
    ...steps.map((step, k) => `  ${k + 1}. ${stepText({ ...step, changes: changes[k]! })}`),
  ];
}

function equals(net: Net, y: readonly number[], value: number): Formula {
  const terms = net.places.flatMap(({ name }, k) => (y[k] === 0 ? [] : [{ factor: y[k]!, place: name }]));
  return { op: 'compare', relation: '=', left: { terms, constant: 0 }, right: { terms: [], constant: value } };
}

function sumText(weights: Readonly<Record<string, number>>): string {
  return Object.entries(weights)
    .filter(([, w]) => w !== 0)
    .map(([place, w], k) => {
      const sign = w < 0 ? (k === 0 ? '−' : ' − ') : k === 0 ? '' : ' + ';
      return `${sign}${Math.abs(w) === 1 ? '' : `${Math.abs(w)}·`}${place}`;
    })
    .join('');
}
