import type { Budget } from '../../analysis/space/budget.ts';
import { fail } from '../../base/problem.ts';
import type { Net, Transition } from '../../net/net.ts';
import { NO_INTERVAL } from '../exact/absorption.ts';
import { byChain } from './chain/by-chain.ts';
import type { Question } from './steady-options.ts';
import type { SteadyFindings } from './steady-result.ts';

/** Share of the time for the chain with fewer stages. */
const FIRST = 0.3;

/**
 * Figures of the Markov chain of a net whose deterministic delays are replaced by Erlang delays, with `stages` and with twice as many stages.
 * They approximate those of the net, so no figure has an interval. `change` is the difference of the two results.
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
  const changes = new Changes();
  const all = changes.of(many as unknown as Tree, few as unknown as Tree, '') as unknown as SteadyFindings;
  return { ...all, complete: many.complete && few.complete, erlang: { ...erlang, largestChange: changes.largest } };
}

/** A part of the result, as JSON. */
type Tree = { readonly [key: string]: unknown };

/** The value of a figure, by the part of the document that has it; `value` in others. */
const VALUES: Readonly<Record<string, string>> = {
  places: 'mean',
  transitions: 'throughput',
  rewards: 'mean',
  runTime: 'mean',
  parallelism: 'mean',
  fragments: 'probability',
  nodes: 'load',
  resources: 'utilisation',
  absorption: 'mean',
  reach: 'mean',
  quantiles: 'time',
  until: 'probability',
};
/** Members that are the interval of another member, and that member. */
const INTERVAL_OF: Readonly<Record<string, string>> = {
  varianceInterval: 'variance',
  probabilityInterval: 'probability',
};
/** Parts whose entries do not correspond in the two documents: probabilities at other times, and sets of other states. */
const UNRELATED = ['distribution', 'components'];

/** Replaces the intervals of figures by their changes. */
class Changes {
  /** The largest change of a figure, relative to the larger value. */
  largest = 0;

  of(many: Tree, few: Tree | undefined, part: string): Tree {
    const own = Object.entries(many).map(([key, value]) => [key, this.#part(key, value, few?.[key], many, few)]);
    const of = VALUES[part] ?? 'value';
    return { ...Object.fromEntries(own), ...('certainty' in many ? this.#change(many[of], few?.[of], part) : {}) };
  }

  #part(key: string, value: unknown, before: unknown, many: Tree, few: Tree | undefined): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const of = INTERVAL_OF[key];
    if (of !== undefined) return { ...value, ...this.#change(many[of], few?.[of], key) };
    if (!Array.isArray(value)) return this.of(value as Tree, before as Tree | undefined, key);
    const others = new Map((Array.isArray(before) ? before : []).map((other) => [identity(other), other as Tree]));
    return value.map((item) =>
      typeof item === 'object' && item !== null ? this.of(item as Tree, others.get(identity(item)), key) : item,
    );
  }

  #change(value: unknown, before: unknown, part: string): Tree {
    if (typeof value !== 'number' || typeof before !== 'number' || UNRELATED.includes(part)) return { ...NO_INTERVAL };
    const change = value - before;
    if (change !== 0)
      this.largest = Math.max(this.largest, Math.abs(change) / Math.max(Math.abs(value), Math.abs(before)));
    return { ...NO_INTERVAL, change };
  }
}

/** Identifies an entry of a list in both documents, by its name, processes, probability or end. */
function identity(item: unknown): string {
  const { name, processes, probability, until } = (item ?? {}) as Tree;
  return JSON.stringify([name, processes, name === undefined && processes === undefined ? probability : 0, until]);
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
  if (replaced.length === 0) fail('CTMC007', 'erlang: no transition has a deterministic delay: leave the option out');
  return { net: { ...net, transitions }, transitions: replaced };
}
