import { fail, InputError } from '../../../base/problem.ts';
import { PLACEMENTS, placeRanks } from '../../../machine/placement.ts';
import type { Target } from '../../inputs/target.ts';
import type { PlacementFigures, SuggestedPlacement } from '../improvement-figures.ts';
import type { PredictOptions } from '../options.ts';
import type { PredictionDocument } from '../prediction.ts';
import { equalHosts } from './equal-hosts.ts';
import { Placing } from './placing.ts';
import { searchPlacement } from './search.ts';
import { bytesBetweenHosts, TrafficMeter } from './traffic.ts';

/** Maximum number of predictions of a search, and of the firings of all of them together, unless 10 predictions have more. */
export const MAX_PREDICTIONS = 200;
const MAX_FIRINGS = 2e7;
const LEAST_PREDICTIONS = 10;
/** Maximum number of nodes on which ranks are placed. */
const MAX_NODES = 1024;

/**
 * Refuses a suggestion that cannot be made.
 *
 * @throws InputError APP061 an option that is no boolean; APP056 with replications
 */
export function checkSuggestion({ suggestPlacement, replications, precision }: PredictOptions): void {
  const value: unknown = suggestPlacement;
  if (value !== undefined && typeof value !== 'boolean')
    fail('APP061', `suggestPlacement: expected true or false, got ${JSON.stringify(value)}`, { part: 'predict' });
  if (suggestPlacement !== true || (replications === undefined && precision === undefined)) return;
  const other = replications === undefined ? 'precision' : 'replications';
  fail(
    'APP056',
    `suggestPlacement and ${other} exclude each other: placements are compared by one run each. Expected one of the two.`,
    { part: 'predict' },
  );
}

/** Options that concern the first run only. */
const OF_FIRST_RUN = [
  ...(['trace', 'run', 'record', 'progress', 'offloadedRanks', 'hostfile', 'placement'] as const),
  ...(['secondRuns', 'exact', 'suggestPlacement'] as const),
];

/** A prediction whose placement is to be improved, with the means to repeat it. */
export interface Predicted {
  readonly document: PredictionDocument;
  /** The machine and the node of each rank. */
  readonly target: Target;
  readonly placement: Int32Array;
  readonly options: PredictOptions;
  /** Predicts the same input with other options. */
  readonly predict: (options: PredictOptions) => PredictionDocument;
}

/** Adds the placement with the shortest run time that a search finds. */
export function withSuggestion({ document, target, placement, options, predict }: Predicted): PredictionDocument {
  const { platform, description } = target;
  if (!document.complete || document.deadlock.length > 0)
    return { ...document, suggestedPlacement: { kind: 'none', because: 'the run does not come to its end' } };
  const own: { -readonly [key in keyof PredictOptions]: PredictOptions[key] } = { ...options };
  for (const name of OF_FIRST_RUN) delete own[name];
  const others: PredictOptions = {
    ...own,
    machine: description ?? platform,
    ranks: placement.length,
  };
  const on = (nodes: Int32Array): PredictOptions => ({ ...others, placement: [...nodes] });
  const isOver = (): boolean => options.cancelled?.() === true;
  const meter = new TrafficMeter();
  predict({ ...on(placement), record: meter });
  const { flows } = meter;
  const seconds = document.figures.runTime.value;
  const firings = Object.values(document.firings).reduce((sum, n) => sum + n, 0);
  const limit = Math.max(LEAST_PREDICTIONS, Math.min(MAX_PREDICTIONS, Math.floor(MAX_FIRINGS / firings)));
  const room = roomOf(document, target, placement);
  const groups = groupsOf(target);
  const classes = equalHosts(platform, (host) => `${groups[host]} ${room[host]}`);
  const speeds = [...placement].map((host) => platform.hosts[host]!.speed);
  const work = Float64Array.from(document.ranks, ({ computing }, rank) => computing * speeds[rank]!);
  const found = searchPlacement({
    placing: new Placing({ platform, flows, work, room }),
    classes,
    given: { placement, seconds },
    limit,
    cancelled: isOver,
    predict(nodes) {
      try {
        const { complete, deadlock, figures } = predict(on(nodes));
        return complete && deadlock.length === 0 ? figures.runTime.value : undefined;
      } catch (error) {
        // Two hosts without a route, for instance.
        if (error instanceof InputError) return undefined;
        throw error;
      }
    },
  });
  const figures = (nodes: Int32Array, time: number): PlacementFigures => ({
    runTime: { value: time, unit: 's' },
    betweenNodes: { value: bytesBetweenHosts(flows, nodes), unit: 'B' },
  });
  const names = [...found.placement].map((host) => platform.hosts[host]!.name);
  const named = PLACEMENTS.find((name) => isPlacement(name, document, target, found.placement));
  const suggestedPlacement: SuggestedPlacement = {
    kind: found.seconds < seconds ? 'better' : 'given',
    ...(named === undefined ? {} : { placement: named }),
    hostfile: hostfileLines(names),
    before: figures(placement, seconds),
    after: figures(found.placement, found.seconds),
    predictions: found.predictions,
    limit,
    tried: found.all ? 'all' : 'some',
    complete: found.complete,
  };
  return { ...document, suggestedPlacement };
}

/** Cores that a rank uses, for its threads. */
const coresPerRank = ({ ranks }: PredictionDocument): number =>
  ranks.reduce((most, { threads = 1 }) => Math.max(most, threads), 1);

/**
 * Room on each host: a rank per core, or as many ranks as the given placement has there. Of a machine with more than 1,024 nodes,
 * only that many have room: those in use, then the first ones.
 */
function roomOf(document: PredictionDocument, { platform }: Target, placement: Int32Array): Int32Array {
  const used = new Int32Array(platform.hosts.length);
  for (const host of placement) used[host]!++;
  const each = coresPerRank(document);
  let others = MAX_NODES - used.filter((ranks) => ranks > 0).length;
  return used.map((ranks, host) => {
    if (ranks === 0 && others-- <= 0) return 0;
    return Math.max(ranks, Math.floor(platform.hosts[host]!.cores / each));
  });
}

/** The group of each node of a machine file: nodes of several groups may differ in their memory. */
function groupsOf({ platform, description }: Target): Int32Array {
  const groups = new Int32Array(platform.hosts.length);
  let first = 0;
  for (const [group, { count }] of (description?.nodes ?? []).entries()) {
    groups.fill(group, first, first + count);
    first += count;
  }
  return groups;
}

/** True if an option of this name places the ranks so. */
function isPlacement(
  name: (typeof PLACEMENTS)[number],
  document: PredictionDocument,
  { platform }: Target,
  placement: Int32Array,
): boolean {
  const placed = placeRanks(platform, placement.length, name, coresPerRank(document));
  return placed.every((host, rank) => host === placement[rank]);
}

/** Lines of a hostfile: `HOST`, or `HOST:SLOTS` for several ranks in a row. */
function hostfileLines(names: readonly string[]): string[] {
  const lines: string[] = [];
  for (let rank = 0; rank < names.length; ) {
    let end = rank + 1;
    while (names[end] === names[rank]) end++;
    lines.push(end - rank === 1 && !names[rank]!.includes(':') ? names[rank]! : `${names[rank]}:${end - rank}`);
    rank = end;
  }
  return lines;
}
