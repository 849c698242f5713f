import type { Budget } from '../../analysis/space/budget.ts';
import { fail } from '../../base/problem.ts';
import type { Net, Transition } from '../../net/net.ts';
import type { Absorption, Interval } from '../exact/exact-parts.ts';
import { byChain } from './by-chain.ts';
import type { Question } from './steady-options.ts';
import type { SteadyFindings } from './steady-result.ts';

/** Share of the time for the chain with fewer stages. */
const FIRST = 0.3;

/**
 * Figures of the Markov chain of a net whose deterministic delays are replaced by Erlang delays, with `stages` and with twice as many stages.
 * They approximate those of the net, so that none has an interval; the difference of both shows how much they still change.
 *
 * @throws InputError CTMC001 … CTMC007
 */
export function byErlang(question: Question, stages: number): SteadyFindings {
  const { transitions } = withErlangDelays(question.net, stages);
  const solved = (own: number, budget: Budget): SteadyFindings =>
    byChain({ ...question, net: withErlangDelays(question.net, own).net, budget });
  const few = solved(stages, question.budget.before(FIRST));
  const many = few.places.length === 0 ? few : solved(2 * stages, question.budget);
  const erlang = { stages, double: 2 * stages, transitions };
  if (many.places.length === 0) return { ...many, erlang: { ...erlang, largestChange: null } };
  let largest = 0;
  const approximate = (value: number, before: number | undefined): Approximate => {
    if (before === undefined) return NO_INTERVAL;
    const change = value - before;
    if (change !== 0) largest = Math.max(largest, Math.abs(change) / Math.max(Math.abs(value), Math.abs(before)));
    return { ...NO_INTERVAL, change };
  };
  const places = many.places.map((p, k) => ({ ...p, ...approximate(p.mean, few.places[k]!.mean) }));
  const figures = many.transitions.map((t, k) => {
    const before = few.transitions[k]!;
    return {
      ...t,
      ...approximate(t.throughput, before.throughput),
      enabled: { ...t.enabled, ...approximate(t.enabledProbability, before.enabledProbability) },
    };
  });
  const rewards = many.rewards?.map((r, k) => ({ ...r, ...approximate(r.mean, few.rewards![k]!.mean) }));
  const absorption = many.absorption && few.absorption && approximateEnd(many.absorption, few.absorption, approximate);
  const components = many.components.map((c) => ({ ...c, ...NO_INTERVAL }));
  return {
    ...many,
    complete: many.complete && few.complete,
    places,
    transitions: figures,
    ...(rewards === undefined ? {} : { rewards }),
    ...(absorption === undefined ? {} : { absorption }),
    components,
    erlang: { ...erlang, largestChange: largest },
  };
}

type Approximate = Pick<Interval, 'lower' | 'upper' | 'halfWidth' | 'certainty' | 'change'>;

const NO_INTERVAL: Approximate = { lower: null, upper: null, halfWidth: null, certainty: 0 };

function approximateEnd(
  many: Absorption,
  few: Absorption,
  approximate: (value: number, before: number | undefined) => Approximate,
): Absorption {
  return {
    ...many,
    ...approximate(many.mean, few.mean),
    varianceInterval: approximate(many.variance, few.variance),
    quantiles: many.quantiles.map((q) => ({
      ...q,
      ...approximate(q.time, few.quantiles.find(({ probability }) => probability === q.probability)?.time),
    })),
    // The other distribution is known at other times.
    distribution: many.distribution.map((point) => ({ ...point, ...NO_INTERVAL })),
  };
}

/**
 * The net with an Erlang delay of `stages` stages and the same mean for each deterministic delay of a transition, and the names of these
 * transitions. The variance of a delay is its square / `stages`, so that figures approach those of the net as `stages` grows.
 *
 * @throws InputError CTMC007 if no transition has a deterministic delay
 */
function withErlangDelays(net: Net, stages: number): { readonly net: Net; readonly transitions: readonly string[] } {
  const replaced: string[] = [];
  const transitions = net.transitions.map((t): Transition => {
    const { delay } = t;
    if (delay === undefined || 'dist' in delay) return t;
    replaced.push(t.name);
    const shape = { op: 'const', value: stages } as const;
    return { ...t, delay: { dist: 'erlang', shape, rate: { op: 'div', a: shape, b: delay } } };
  });
  if (replaced.length === 0)
    fail(
      'CTMC007',
      'erlang: no transition has a deterministic delay. Leave the option out: the figures are exact then',
    );
  return { net: { ...net, transitions }, transitions: replaced };
}
