import { ParallelismMeter } from '../../../analysis/parallelism.ts';
import { simulate } from '../../../analysis/simulate.ts';
import { fail, InputError } from '../../../base/problem.ts';
import { compile } from '../../../engine/compile.ts';
import { lumpedNetwork, machineObstacle, withLevels } from '../../../machine/lumped-network.ts';
import { protocolOf } from '../../../machine/map-message-passing.ts';
import { lumped } from '../../../models/lumping/lump.ts';
import { lumpedProgram } from '../../../models/lumping/lumped-program.ts';
import { NotLumped } from '../../../models/lumping/rank-rows.ts';
import { messagePassingNet } from '../../../models/message-passing.ts';
import { MAX_LUMPED_RANKS, MAX_RANKS } from '../../../models/program/allowed-ranks.ts';
import type { ProgramModel } from '../../../models/program/model-object.ts';
import { statementsIn } from '../../../models/program/record/statement.ts';
import { RankStates } from '../../../models/rank-states.ts';
import { messageLatency } from '../../../models/transfer-parts.ts';
import { duringBuild } from '../../inputs/build-phase.ts';
import { machineFiles, placeOn } from '../../inputs/target.ts';
import { LumpedHosts, poweredHosts } from '../../subjects/host-activity.ts';
import { chosenLogGops } from '../../subjects/loggops-network.ts';
import { DEFAULT_SEED } from '../document.ts';
import { modelSubject } from '../model/model-subject.ts';
import { scheduledModel } from '../model/scheduled-model.ts';
import { loadedModel, mapModel } from '../model/stages.ts';
import type { PredictOptions } from '../options.ts';
import type { PredictionDocument } from '../prediction.ts';
import type { Subject } from '../subject.ts';
import { instantSteps } from '../trace/blocked.ts';
import { type LumpedModel, lumpedDocument } from './lumped-document.ts';

/** Options of runs whose results show all ranks, or several runs. */
const OF_ALL_RANKS = {
  ...{ trace: 'a Chrome trace', run: 'a run record', record: 'a run record' },
  ...{ replications: 'replications', precision: 'replications', exact: 'figures of all runs' },
  ...{ suggestPlacement: 'a search for placements', until: 'an end before that of the program' },
  ...{ maxSteps: 'an end before that of the program', loggops: 'LogGOPS' },
} as const satisfies { readonly [option in keyof PredictOptions]?: string };

/**
 * A model of which one rank of each class is simulated; all ranks if its ranks cannot be lumped, with the reason in the
 * document.
 *
 * @throws InputError all problems of the model and the machine
 */
export function lumpedModel(model: ProgramModel, options: PredictOptions): Subject {
  let reason: string;
  try {
    return lumpedSubject(lumpedOn(model, options), options, () => fullSubject(model, options));
  } catch (error) {
    // The full run reports problems of the input as it always does.
    if (!(error instanceof NotLumped || error instanceof InputError)) throw error;
    reason = error.message;
    const { ranks = 0 } = options;
    if (error instanceof NotLumped && ranks > MAX_RANKS)
      fail('MODEL004', `ranks: expected an integer from 1 to ${MAX_RANKS} without lumping, got ${ranks}: ${reason}`);
  }
  const full = fullSubject(model, options);
  return { ...full, runs: withReason(full.runs, reason) };
}

function fullSubject(model: ProgramModel, options: PredictOptions): Subject {
  return chosenLogGops(options) === undefined
    ? modelSubject(mapModel(model, options), options)
    : scheduledModel(model, options);
}

/** The runs of all ranks, with the reason. */
const withReason =
  (runs: Subject['runs'], reason: string): Subject['runs'] =>
  (writers) => {
    const run = runs(writers);
    return (replication) => {
      const document = run(replication);
      const ranks = Number(document.options.ranks);
      return {
        ...document,
        options: { ...document.options, lump: 'yes' },
        lumping: { ranks, simulated: ranks, factor: 1, reason },
      };
    };
  };

/** @throws NotLumped with the reason, InputError as {@link loadedModel} */
function lumpedOn(given: ProgramModel, options: PredictOptions): LumpedModel {
  const shown = Object.entries(OF_ALL_RANKS).find(([name]) => {
    const value = options[name as keyof PredictOptions];
    return value !== undefined && value !== false;
  });
  if (shown !== undefined) throw new NotLumped(`the result has ${shown[1]}`);
  if (options.ties === 'random') throw new NotLumped('ties are drawn');
  if (chosenLogGops(options) !== undefined) throw new NotLumped('the result has LogGOPS');
  const loaded = loadedModel(given, options, MAX_LUMPED_RANKS);
  const { target, ranks, programs } = loaded;
  return duringBuild(() => {
    const placed = placeOn(target, options, ranks);
    const { placement } = placed;
    const loads = programs.some(({ body }) =>
      [...statementsIn(body)].some((s) => s.kind === 'compute' && s.bytes !== undefined),
    );
    const obstacle = machineObstacle(target, placement, loads);
    if (obstacle !== undefined) throw new NotLumped(obstacle);
    const network = lumpedNetwork(target, placement);
    const { hosts } = target.platform;
    const proven = lumped(programs, network, {
      collectives: target.collectives,
      hosts: placement,
      speed: (rank) => hosts[placement[rank]!]!.speed,
    });
    const { program, machine, linkClass, carried } = lumpedProgram(proven, network, protocolOf(target.model));
    return { loaded, placed, proven, program, machine: withLevels(machine), linkClass, carried };
  });
}

function lumpedSubject(built: LumpedModel, options: PredictOptions, full: () => Subject): Subject {
  const { loaded, placed } = built;
  const { model, target } = loaded;
  return {
    name: model.name,
    called: `model "${model.name}"`,
    options,
    files: [model.file, ...Object.values(machineFiles(options))],
    hosts: { target, placement: placed.placement },
    draws: false,
    exact: ' on this machine',
    place: {},
    runs: () => (replication) =>
      lumpedRun(built, options) ?? withReason(full().runs, 'ranks are blocked')()(replication),
  };
}

/** Runs one rank of each class; undefined if some do not end. */
function lumpedRun(built: LumpedModel, options: PredictOptions): PredictionDocument | undefined {
  const { program, machine, proven, loaded } = built;
  const { model } = loaded.target;
  const net = messagePassingNet(program, machine);
  const parallelism = new ParallelismMeter();
  const { platform } = loaded.target;
  const { placement } = built.placed;
  const hosts =
    poweredHosts(platform, placement) === undefined
      ? undefined
      : new LumpedHosts(platform, placement, proven.ofRank, program.ranks);
  const states = new RankStates(program.operations, program.ranks, {
    sharedCores: false,
    detachedBelow: Math.max(model.detachedBelow, model.eagerBelow),
    eagerBelow: model.eagerBelow,
    messages: messageLatency(machine),
    // The ranks of a class start and stop together.
    active: (time, by, rank) => {
      parallelism.change(time, by * proven.classes[rank]!.ranks);
      hosts?.change(time, rank, by);
    },
  });
  const compiled = compile(net, { log: states.log(net.transitions.map((t) => t.name)) });
  options.progress?.({ time: 0, share: Number.NaN });
  const run = simulate(compiled, {
    seed: options.seed ?? DEFAULT_SEED,
    maxInstantSteps: instantSteps(program.ranks, program.code.length),
    progress: ({ now }) => options.progress?.({ time: now, share: Number.NaN }),
    ...(options.cancelled === undefined ? {} : { cancelled: options.cancelled }),
  });
  if (run.ended === 'quiescent' && states.ended.some(Number.isNaN)) return undefined;
  states.finish(run.time);
  parallelism.change(run.time, 0);
  return lumpedDocument(built, options, { run, states, parallelism, hosts: hosts?.finish(run.time) });
}
