import { given } from '../../../base/given.ts';
import { fail, type Problem, quote } from '../../../base/problem.ts';
import { mapThreads, type ThreadNode } from '../../../machine/map-machine.ts';
import { drawnRows } from '../../../models/threads/drawn-rows.ts';
import type { PoolOptions } from '../../../models/threads/net/pool-queues.ts';
import { isCooperative, type ThreadNet, threadNet } from '../../../models/threads/net/thread-net.ts';
import { ROW, type ThreadProgram, withoutPriorities } from '../../../models/threads/program/rows.ts';
import type { ThreadModel } from '../../../models/threads/program/threads.ts';
import { duringBuild } from '../../inputs/build-phase.ts';
import type { PoolSettings } from '../../inputs/document-parts.ts';
import { readTarget, type Target } from '../../inputs/target.ts';
import { checkThreadOptions, poolOf, resizeText } from '../../inputs/thread-options.ts';
import { withParameters } from '../../inputs/with-parameters.ts';
import { DEFAULT_SEED } from '../document.ts';
import type { PredictOptions } from '../options.ts';

/** Machine used if none is given; results mark it as assumed. A node has 16 cores. */
export const ASSUMED_THREAD_MACHINE = 'sdsc-gordon-switch';

/** A thread model, its machine, and the net built from the two. */
export interface ThreadModelNet {
  readonly model: ThreadModel;
  readonly target: Target;
  readonly node: ThreadNode;
  readonly workers: number;
  readonly pool: Omit<PoolOptions, 'queues'>;
  /** The program with mean times, and whether runs draw the times of its computing. */
  readonly mean: ThreadProgram;
  readonly drawsTimes: boolean;
  /** The net of the seed's replication 0. */
  readonly net: ThreadNet;
  /** The net with mean times. */
  readonly withMeanTimes: () => ThreadNet;
  /** The net of another replication; without drawn times the same one. */
  readonly replication: (number: number) => ThreadModelNet;
}

/**
 * Builds the net of a thread model on the machine that the options name.
 *
 * @param sharesEvenly whether threads beyond the cores share them without time slices and priorities
 * @throws InputError THR010 for options, THR00x for faults of the model, and problems of the machine
 */
export function threadModelNet(
  model: ThreadModel,
  options: PredictOptions,
  { sharesEvenly = false }: { readonly sharesEvenly?: boolean } = {},
): ThreadModelNet {
  checkThreadOptions(options);
  const chosen = withParameters(model, options.set);
  const target = readTarget({ machine: options.machine ?? ASSUMED_THREAD_MACHINE });
  const node = mapThreads(target);
  const workers = options.workers ?? node.machine.cores;
  return duringBuild(() => {
    const asked = options.scheduler;
    // Under a cooperative scheduler, threads are joined by primitives.
    const written = chosen.program(workers, asked !== undefined && isCooperative(asked) ? { joins: 'object' } : {});
    const program = sharesEvenly ? withoutPriorities(written) : written;
    const scheduler = asked ?? (spawnsTasks(program) ? 'stealing' : 'os');
    const pool = poolOf(scheduler, options, workers);
    const machine = sharesEvenly ? { ...node.machine, costs: { ...node.machine.costs, timeSlice: 0 } } : node.machine;
    const netFrom = (drawn: ThreadProgram): ThreadNet =>
      threadNet(drawn, machine, { scheduler, ...pool, ...given(options, ['allocator']) });
    const draws = { noise: node.machine.noise, seed: options.seed ?? DEFAULT_SEED };
    const builtFrom = (drawn: ThreadProgram): ThreadModelNet => {
      const drawsTimes = drawn !== program;
      const built: ThreadModelNet = {
        ...{ model: chosen, target, node, workers, pool, mean: program, drawsTimes },
        net: netFrom(drawn),
        withMeanTimes: () => (drawsTimes ? netFrom(program) : built.net),
        replication: (replication) =>
          drawsTimes && replication > 0 ? builtFrom(drawnRows(program, { ...draws, replication })) : built,
      };
      return built;
    };
    return builtFrom(drawnRows(program, { ...draws, replication: 0 }));
  });
}

/** The workers and the scheduler of a net, with the settings that this scheduler has. */
export function poolSettings(built: ThreadModelNet, allocator: PredictOptions['allocator']): PoolSettings {
  const { workers, net, pool } = built;
  const { scheduler } = net;
  const common = { workers, scheduler };
  if (isCooperative(scheduler)) return { ...common, ...(allocator === undefined ? {} : { allocator }) };
  if (scheduler === 'os') return common;
  const { victim, take, rounds, bypass, pool: kind, spawn, resizes } = pool;
  return {
    ...common,
    ...(scheduler === 'stealing' ? { victim, take, rounds } : {}),
    pool: kind,
    ...(spawn === 'work-first' ? { spawn } : {}),
    ...(resizes.length === 0 ? {} : { resize: resizeText(resizes) }),
    ...(kind === 'migrating' ? { bypass: bypass ? 'yes' : 'no' } : {}),
  };
}

/** THR013, for the net with mean times of a model whose times are drawn. */
export const meanTimes = ({ name }: Pick<ThreadModel, 'name'>): Problem => ({
  code: 'THR013',
  message: `the times of model ${quote(name)} are drawn for each run: the net has their means. predict draws them`,
});

/** True if a strand is neither a main strand nor a thread of a parallel section, or a loop of one piece could be divided by demand. */
function spawnsTasks({ strands: { count, parent, thread }, ranges }: ThreadProgram): boolean {
  if (ranges.length > 0) return true;
  for (let s = 0; s < count; s++) if (parent[s]! >= 0 && thread[s]! < 0) return true;
  return false;
}

export function drawsRandomly({ net, drawsTimes }: ThreadModelNet): boolean {
  return drawsTimes || net.net.transitions.some(({ weight }) => weight !== undefined);
}

/**
 * Warnings of parts of the program that the machine does not describe. MODEL030: bytes of computations, without a description of the memory.
 */
export function machineWarnings({ net: { program, machine }, target }: ThreadModelNet): Problem[] {
  const name = quote(target.platform.name);
  const row = machine.memory === undefined ? program.rows.op.indexOf(ROW.memory) : -1;
  const bytes = `machine ${name} does not describe its memory: the bytes of computations take no time`;
  return [
    ...(row < 0
      ? []
      : [{ code: 'MODEL030', message: bytes, place: program.sites[program.rows.site[row]!]!.place } as const]),
  ];
}

/**
 * Refuses noise of statements in regions of threads of ranks, which are executed any number of times in a run.
 *
 * @throws InputError THR006
 */
export function assertMeanTimes({ noises, sites }: Pick<ThreadProgram, 'noises' | 'sites'>): void {
  if (noises === undefined) return;
  const [site] = noises.keys();
  fail(
    'THR006',
    'noise of a computation in a region of threads of a rank: expected mean times there. Draw times of the rank (m.compute with noise), or predict the threads as a separate model, with threads',
    sites[site!]!.place,
  );
}

/** THR012, for regions of threads in ranks. */
export const noiseWarnings = ({ description, platform }: Pick<Target, 'description' | 'platform'>): Problem[] =>
  description?.noise === undefined
    ? []
    : [
        {
          code: 'THR012',
          message: `machine ${quote(platform.name)} has noise, which applies to computations of ranks only: threads compute without it`,
        },
      ];
