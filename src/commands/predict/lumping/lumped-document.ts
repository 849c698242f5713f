import type { ParallelismMeter } from '../../../analysis/parallelism.ts';
import type { SimulatedRun } from '../../../analysis/simulate.ts';
import { given } from '../../../base/given.ts';
import { fullSpeed } from '../../../machine/platform.ts';
import type { ProvenClasses } from '../../../models/lumping/proof.ts';
import type { MessagePassingMachine, MessagePassingProgram } from '../../../models/message-passing-parts.ts';
import { statementsIn } from '../../../models/program/record/statement.ts';
import type { RankStates } from '../../../models/rank-states.ts';
import type { Placed } from '../../inputs/target.ts';
import { type EnergyFigures, energyFigures, type HostActivity } from '../../subjects/host-activity.ts';
import { checkPrediction } from '../check-prediction.ts';
import { documentHead, mainFigures, notesOf, profileOf } from '../document.ts';
import { type LoadedModel, settingsOf } from '../model/stages.ts';
import type { PredictOptions } from '../options.ts';
import type { PredictionDocument, RankFigures, ResourceFigures } from '../prediction.ts';

/** Up to this number of ranks, the document lists each rank and each resource. */
const MAX_LISTED = 65_536;

/** A model, its classes of ranks, and the program of one rank of each. */
export interface LumpedModel {
  readonly loaded: LoadedModel;
  readonly placed: Placed;
  readonly proven: ProvenClasses;
  readonly program: MessagePassingProgram;
  readonly machine: MessagePassingMachine;
  readonly linkClass: readonly number[];
  readonly carried: readonly number[];
}

/** A run of one rank of each class. */
interface LumpedRun {
  readonly run: SimulatedRun;
  readonly states: RankStates;
  readonly parallelism: ParallelismMeter;
  /** Undefined if the power of no host is known. */
  readonly hosts: Pick<HostActivity, 'busy' | 'coreSeconds'> | undefined;
}

/**
 * The document of all ranks, from a run of one rank of each class. Shares of latency and bandwidth are left out: they depend on
 * the order of the transfers of a rank within one instant.
 */
export function lumpedDocument(built: LumpedModel, options: PredictOptions, ended: LumpedRun): PredictionDocument {
  const { loaded, placed, proven } = built;
  const { target, ranks } = loaded;
  const { platform, description } = target;
  const { run, states, parallelism, hosts } = ended;
  const { time } = run;
  const energy = energyFigures(platform, hosts, time);
  const counts = proven.classes.map((c) => c.ranks);
  const complete = run.ended === 'quiescent';
  const document: PredictionDocument = {
    ...documentHead(options),
    complete,
    ended: run.ended,
    inputs: {},
    options: settingsOf(loaded, placed.name, options, { lump: 'yes', ...given(options, ['ties']) }),
    ...(description === undefined ? {} : { machine: { ...description } }),
    figures: {
      ...mainFigures(time, parallelism, states.computing),
      loadBalance: { value: loadBalanceOf(states.computing, counts), unit: '1' },
      ...energy.all,
    },
    lumping: { ranks, simulated: counts.length, factor: ranks / counts.length },
    ranks: rankFigures(built, states),
    resources: [...hostFigures(built, states, time, energy), ...linkFigures(built, time)],
    firings: {},
    profile: profileOf(time, parallelism),
    deadlock: [],
    warnings: target.warnings,
    ...notesOf([...(platform.notes ?? []), ...placed.notes]),
  };
  checkPrediction(document, () => undefined);
  return document;
}

/** As `loadBalance`, of classes of ranks. */
function loadBalanceOf(computing: Float64Array, counts: readonly number[]): number {
  let [total, count, maximum] = [0, 0, 0];
  computing.forEach((seconds, c) => {
    if (!(seconds > 0)) return;
    total += seconds * counts[c]!;
    count += counts[c]!;
    maximum = Math.max(maximum, seconds);
  });
  return maximum > 0 ? total / count / maximum : 1;
}

function rankFigures({ loaded, placed, proven }: LumpedModel, states: RankStates): RankFigures[] {
  const { hosts } = loaded.target.platform;
  const figures = (rank: number, c: number): RankFigures => {
    const end = states.ended[c]!;
    return {
      rank,
      host: hosts[placed.placement[rank]!]!.name,
      endTime: Number.isNaN(end) ? null : end,
      computing: states.computing[c]!,
      memory: 0,
      communicating: states.communicating[c]!,
      waiting: states.waiting[c]!,
      idle: states.idle[c]!,
    };
  };
  if (loaded.ranks <= MAX_LISTED) return Array.from(proven.ofRank, (c, rank) => figures(rank, c));
  return proven.classes.map(({ first, ranks }, c) => ({ ...figures(first, c), count: ranks }));
}

/** Hosts in the order of their first rank, those with equal figures once if they are many. */
function hostFigures(
  { loaded, placed, proven }: LumpedModel,
  states: RankStates,
  time: number,
  energy: EnergyFigures,
): ResourceFigures[] {
  const { hosts } = loaded.target.platform;
  const seconds = new Float64Array(hosts.length).fill(-1);
  const order: number[] = [];
  for (let rank = 0; rank < loaded.ranks; rank++) {
    const h = placed.placement[rank]!;
    if (seconds[h] === -1) {
      order.push(h);
      seconds[h] = 0;
    }
    seconds[h]! += states.computing[proven.ofRank[rank]!]!;
  }
  const computes = loaded.programs.flatMap(({ body }) => [...statementsIn(body)].filter((s) => s.kind === 'compute'));
  const inSeconds = computes.length > 0 && computes.every((s) => s.flops === undefined);
  const figures = (h: number): ResourceFigures => {
    const { name, speed } = hosts[h]!;
    const busy = seconds[h]!;
    return {
      name,
      kind: 'host',
      utilisation: time > 0 ? busy / (fullSpeed({ ...hosts[h]!, speed: 1 }) * time) : 0,
      amount: inSeconds ? { value: busy, unit: 's' } : { value: busy * speed, unit: 'flop' },
      capacity: { value: fullSpeed(hosts[h]!), unit: 'flop/s' },
      ...energy.ofHost(h),
    };
  };
  if (loaded.ranks <= MAX_LISTED) return order.map(figures);
  const equal = new Map<string, { readonly first: number; count: number }>();
  for (const h of order) {
    const { speed, cores, turbo } = hosts[h]!;
    const key = JSON.stringify([seconds[h], speed, cores, turbo, energy.ofHost(h)]);
    const known = equal.get(key);
    if (known === undefined) equal.set(key, { first: h, count: 1 });
    else known.count++;
  }
  return [...equal.values()].map(({ first, count }) => ({ ...figures(first), count }));
}

/** Links that carried data, the busiest first, those of a class once if they are many. */
function linkFigures({ loaded, proven, linkClass, carried }: LumpedModel, time: number): ResourceFigures[] {
  const { links } = loaded.target.platform;
  const figures = (l: number, k: number): ResourceFigures => ({
    name: links[l]!.name,
    kind: 'link',
    utilisation: time > 0 ? carried[k]! / (links[l]!.bandwidth * time) : 0,
    amount: { value: carried[k]!, unit: 'B' },
    capacity: { value: links[l]!.bandwidth, unit: 'B/s' },
    ...(links[l]!.fatpipe ? { fatpipe: true as const } : {}),
  });
  const all: ResourceFigures[] = [];
  if (loaded.ranks <= MAX_LISTED) {
    const numbers = new Map(linkClass.map((own, k) => [own, k]));
    proven.ofLink.forEach((own, l) => {
      const k = numbers.get(own);
      if (k !== undefined) all.push(figures(l, k));
    });
  } else
    linkClass.forEach((own, k) => {
      const { first, count } = proven.links[own]!;
      all.push({ ...figures(first, k), count });
    });
  return all
    .filter(({ amount }) => amount.value > 0)
    .sort((a, b) => b.utilisation - a.utilisation || (a.name < b.name ? -1 : 1));
}
