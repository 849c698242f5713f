import { fail } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import type { StateSpace } from '../space/state-space.ts';
import { EdgeList } from './edge-list.ts';
import type { StepRates } from './step-rates.ts';

/** Kinds of states: time passes in a tangible one; a vanishing one is left at once, its next step being drawn or open. */
export const TANGIBLE = 0;
export const DRAWN = 1;
/** Several immediate steps are possible and none has a weight: the ages of tokens decide. */
export const OPEN = 2;

/**
 * The markings that are reached with positive probability, numbered from 0, the initial one, and their steps: with rates per
 * second from tangible states, with probabilities from drawn ones, and 1 each from open ones.
 */
export interface TimedGraph {
  readonly net: Net;
  readonly space: StateSpace;
  /** Number of each state in the space. */
  readonly states: Int32Array;
  readonly kind: Uint8Array;
  /** Rows by state; `node` is the transition that fires, −1 where none does (services, starts). */
  readonly edges: EdgeList;
  /** Maximum number of immediate steps of a state. */
  readonly choices: number;
}

/** States between two calls of `stop`. */
const CHECK_EVERY = 1024;

/**
 * Follows the steps that exponential delays allow (docs/semantics.md, S9 to S10): starts happen before anything else, and ends of
 * firings, services and races one at a time. Undefined if `stop` ended the work.
 *
 * @param space the complete state space of the net
 * @throws InputError CTMC001, CTMC002, CTMC003, RUN008, RUN017
 */
export function timedGraph(space: StateSpace, rates: StepRates, stop: () => boolean): TimedGraph | undefined {
  const { net } = space;
  const numberOf = new Int32Array(space.states).fill(-1);
  const states = new Int32Array(space.states);
  const kind = new Uint8Array(space.states);
  const edges = new EdgeList();
  let found = 0;
  let choices = 1;
  const numbered = (state: number): number => {
    if (numberOf[state] === -1) {
      numberOf[state] = found;
      states[found++] = state;
    }
    return numberOf[state]!;
  };
  numbered(0);
  for (let s = 0; s < found; s++) {
    if (s % CHECK_EVERY === 0 && stop()) return undefined;
    const steps = space.firings(states[s]!);
    let marking: ReturnType<StateSpace['marking']> | undefined;
    const current = () => {
      marking ??= space.marking(states[s]!);
      return marking;
    };
    const starts = steps.filter((step) => rates.isImmediate(step));
    if (starts.length > 0) {
      const weights = starts.length === 1 ? [1] : starts.map((step) => rates.weight(step, current));
      kind[s] = weights.every((w) => w === undefined) ? OPEN : DRAWN;
      const total = weights.reduce<number>((sum, w) => sum + (w ?? 1), 0);
      if (total === Number.POSITIVE_INFINITY) fail('RUN008', 'weights without a finite sum');
      starts.forEach((step, k) => {
        const value = kind[s] === OPEN ? 1 : (weights[k] ?? 1) / total;
        edges.add(numbered(step.target), step.kind === 'fire' ? step.node : -1, value);
      });
      choices = Math.max(choices, starts.length);
    } else {
      rates.assertServers(steps, current);
      for (const step of steps) {
        const rate = rates.rate(step, current);
        if (rate > 0) edges.add(numbered(step.target), step.kind === 'serve' ? -1 : step.node, rate);
      }
    }
    edges.endRow();
  }
  return { net, space, states: states.slice(0, found), kind: kind.slice(0, found), edges, choices };
}
