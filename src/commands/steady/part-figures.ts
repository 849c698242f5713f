import type { ActivityMeter } from '../../analysis/activity-meter.ts';
import type { Estimate } from '../../analysis/long-run/estimate.ts';
import type { Gauges } from '../../analysis/long-run/measured-run.ts';
import { activeAmong, activityRewards, inFragment } from '../../analysis/markov/activity-rewards.ts';
import type { MarkovChain } from '../../analysis/markov/chain.ts';
import type { Reward } from '../../analysis/markov/mean-bounds.ts';
import { largestFirst } from '../../analysis/space/reachable-fragments.ts';
import type { StateSpace } from '../../analysis/space/state-space.ts';
import { leavesAtOnce, serversOf } from '../../analysis/stations.ts';
import type { Net } from '../../net/net.ts';
import { MAX_FRAGMENTS } from '../exact/space-parallelism.ts';
import { known, quotient, sum } from './derived-figures.ts';
import type { Valued } from './steady-figures.ts';
import type { MappedNode, Question } from './steady-options.ts';
import type { SteadyFindings, SteadyFragment, SteadyNode, SteadyResource } from './steady-result.ts';

/** Figures besides those of places and transitions. */
type PartFigures = Pick<SteadyFindings, 'parallelism' | 'fragments' | 'nodes' | 'balance' | 'resources'>;

/** Rewards of a chain, and the figures that their means are. */
interface ChainParts {
  readonly rewards: readonly Reward[];
  /** @param means by reward */
  figures(means: readonly Valued[]): PartFigures;
}

/** Fragments, load of nodes, and utilisation of resources (the method, results 1, 2 and 4) from a chain. */
export function chainParts(question: Question, chain: MarkovChain, space: StateSpace): ChainParts {
  const all = [stationParts(question.net, chain), ...processParts(question, chain, space)];
  return {
    rewards: all.flatMap(({ rewards }) => rewards),
    figures(means) {
      let to = 0;
      const found = all.map(({ rewards, figures }) => {
        const from = to;
        to += rewards.length;
        return figures(means.slice(from, to));
      });
      const resources = found.flatMap((part) => part.resources ?? []);
      return Object.assign({}, ...found, resources.length === 0 ? {} : { resources }) as PartFigures;
    },
  };
}

/** A resource with the number that is in use, by state. */
interface Used extends Pick<SteadyResource, 'name' | 'kind' | 'capacity'> {
  readonly reward: Float64Array;
}

const exact = (reward: Float64Array): Reward => ({ reward, isExact: true });

/** Stations, and places of kind `resource`, by the numbers that are in use. */
function stationParts(net: Net, chain: MarkovChain): ChainParts {
  const used = net.places.flatMap((place, k): readonly Used[] => {
    const { name, kind, initial } = place;
    const servers = serversOf(place);
    if (servers !== undefined && leavesAtOnce(net, place)) {
      const reward = chain.tokens(k).map((tokens) => Math.min(tokens, servers));
      return [{ name, kind: 'station', capacity: servers, reward }];
    }
    const capacity = initial.reduce((n, { count }) => n + count, 0);
    if (kind !== 'resource' || capacity === 0) return [];
    const tokens = chain.tokens(k);
    // More tokens than at the start: not a resource whose tokens are only lent.
    if (tokens.some((n) => n > capacity)) return [];
    return [{ name, kind: 'resource', capacity, reward: tokens.map((n) => capacity - n) }];
  });
  return {
    rewards: used.map(({ reward }) => exact(reward)),
    figures: (means) => ({
      resources: used.map(({ name, kind, capacity }, k) => utilisation(name, kind, capacity, capacity, means[k]!)),
    }),
  };
}

/** @param most the value of `used` if the whole resource is in use */
function utilisation(
  name: string,
  kind: SteadyResource['kind'],
  capacity: number,
  most: number,
  used: Valued,
): SteadyResource {
  const { value, ...interval } = quotient(used, known(most));
  const { because } = used;
  return { name, kind, utilisation: value, capacity, ...interval, ...(because === undefined ? {} : { because }) };
}

function processParts({ activity, nodes = [] }: Question, chain: MarkovChain, space: StateSpace): ChainParts[] {
  if (activity === undefined) return [];
  const found = activityRewards(chain, space, activity);
  const listed = found.fragments.slice(0, MAX_FRAGMENTS);
  const fragments: ChainParts = {
    rewards: [exact(found.degree), ...listed.map((_, k) => exact(inFragment(found, k)))],
    figures: ([degree, ...shares]) => ({
      parallelism: named('mean', degree!),
      fragments: listed.map(({ processes }, k): SteadyFragment => ({ processes, ...named('probability', shares[k]!) })),
    }),
  };
  const loads: ChainParts = {
    rewards: nodes.map(({ ranks }) => exact(activeAmong(found, ranks))),
    figures: (means) => nodeFigures(nodes, means),
  };
  return nodes.length === 0 ? [fragments] : [fragments, loads];
}

/** Load and utilisation of nodes from the mean numbers of their active ranks. */
export function nodeFigures(nodes: readonly MappedNode[], loads: readonly Valued[]): PartFigures {
  return {
    nodes: nodes
      .map(({ name, ranks }, k): SteadyNode => ({ name, ranks: ranks.size, ...named('load', loads[k]!) }))
      .sort((a, b) => b.load - a.load || (a.name < b.name ? -1 : 1)),
    ...balanceOf(loads),
    resources: nodes.flatMap(({ name, cores }, k) =>
      cores === undefined ? [] : [utilisation(name, 'host', cores, cores, loads[k]!)],
    ),
  };
}

/** A figure under a key. */
export function named<K extends string>(
  key: K,
  { value, ...interval }: Valued,
): { [k in K]: number } & Omit<Valued, 'value'> {
  return { [key]: value, ...interval } as { [k in K]: number } & Omit<Valued, 'value'>;
}

/** Mean load of the nodes that have any, over the largest. */
function balanceOf(loads: readonly Valued[]): Pick<SteadyFindings, 'balance'> {
  const busy = loads.filter(({ value }) => value > 0);
  if (busy.length === 0) return {};
  const most = busy.reduce((a, b) => (b.value > a.value ? b : a));
  // The largest load is at least the lower end of each, and at most the largest upper end.
  const largestEnd = (end: 'lower' | 'upper'): number | null =>
    busy.some((f) => f[end] === null)
      ? null
      : busy.reduce((all, f) => Math.max(all, f[end]!), Number.NEGATIVE_INFINITY);
  const largest: Valued = { ...most, lower: largestEnd('lower'), upper: largestEnd('upper') };
  const mean = sum(busy.map((rate) => ({ rate, factor: 1 / busy.length })));
  const balance = quotient(mean, largest);
  const upperEnd = balance.upper === null ? null : Math.min(1, balance.upper);
  return { balance: { ...balance, upper: upperEnd, unit: '1' } };
}

/** Names of gauges, followed by the processes, the name of the node, or the number of the resource. */
const DEGREE = 'degree';
const FRAGMENT = 'fragment ';
const NODE = 'node ';
const SERVED = 'served ';

/**
 * Gauges of simulated runs: seconds by fragment and by node, the degree of parallelism times seconds, and seconds in which each
 * shared resource is used.
 */
export function gaugesOf(
  meter: ActivityMeter | undefined,
  { nodes = [], served = [] }: Pick<Question, 'nodes' | 'served'>,
): Gauges {
  const active = meter && activityGauges(meter, nodes);
  return {
    begin: () => meter?.begin(),
    integrals: (time, run) => {
      const carried = new Map(served.map(({ place }) => [place, run.carried(place)]));
      return new Map([
        ...(active?.(time) ?? []),
        ...served.map(({ place, link, rate }, k) => [SERVED + k, carried.get(place)![link]! / rate] as const),
      ]);
    },
  };
}

function activityGauges(meter: ActivityMeter, nodes: readonly MappedNode[]): (time: number) => Map<string, number> {
  return (time) => {
    meter.finish(time);
    const { low, seconds } = meter;
    return new Map<string, number>([
      [DEGREE, meter.degree],
      ...meter.fragments
        .fragments()
        .map(({ processes, seconds: own }) => [FRAGMENT + processes.map((p) => low + p).join(), own] as const),
      ...nodes.map(
        ({ name, ranks }) => [NODE + name, [...ranks].reduce((sum, rank) => sum + seconds[rank - low]!, 0)] as const,
      ),
    ]);
  };
}

/** Figures of processes, nodes and shared resources from the gauges of simulated runs. */
export function gaugedParts(
  { nodes = [], served = [] }: Question,
  gauged: ReadonlyMap<string, Estimate>,
  valued: (found: Estimate) => Valued,
): PartFigures {
  const fragments = [...gauged].flatMap(([name, found]): SteadyFragment[] => {
    if (!name.startsWith(FRAGMENT)) return [];
    const list = name.slice(FRAGMENT.length);
    return [{ processes: list === '' ? [] : list.split(',').map(Number), ...named('probability', valued(found)) }];
  });
  const degree = gauged.get(DEGREE);
  const ofNodes =
    nodes.length === 0 || degree === undefined
      ? {}
      : nodeFigures(
          nodes,
          nodes.map(({ name }) => valued(gauged.get(NODE + name)!)),
        );
  const shared = served.flatMap(({ name, kind, capacity }, k) => {
    const used = gauged.get(SERVED + k);
    return used === undefined || used.mean === 0 ? [] : [utilisation(name, kind, capacity, 1, valued(used))];
  });
  const busiest = shared.sort((a, b) => b.utilisation - a.utilisation || (a.name < b.name ? -1 : 1));
  const resources = [...(ofNodes.resources ?? []), ...busiest];
  return {
    ...(degree === undefined
      ? {}
      : {
          parallelism: named('mean', valued(degree)),
          fragments: fragments.sort(largestFirst).slice(0, MAX_FRAGMENTS),
        }),
    ...ofNodes,
    ...(resources.length === 0 ? {} : { resources }),
  };
}
