import { type Problem, quote } from '../../../base/problem.ts';
import { mapThreads, type ThreadNode } from '../../../machine/map-machine.ts';
import type { PoolOptions } from '../../../models/threads/net/pool-queues.ts';
import { isCooperative, type ThreadNet, threadNet } from '../../../models/threads/net/thread-net.ts';
import { ROW, type ThreadProgram } from '../../../models/threads/program/rows.ts';
import type { ThreadModel } from '../../../models/threads/program/threads.ts';
import { duringBuild } from '../../inputs/build-phase.ts';
import { readTarget, type Target } from '../../inputs/target.ts';
import { checkThreadOptions, poolOf } from '../../inputs/thread-options.ts';
import { withParameters } from '../../inputs/with-parameters.ts';
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
  readonly net: ThreadNet;
}

/**
 * Builds the net of a thread model on the machine that the options name.
 *
 * @throws InputError THR010 for options, THR00x for faults of the model, and problems of the machine
 */
export function threadModelNet(model: ThreadModel, options: PredictOptions): ThreadModelNet {
  checkThreadOptions(options);
  const chosen = withParameters(model, options.set);
  const target = readTarget({ machine: options.machine ?? ASSUMED_THREAD_MACHINE });
  const node = mapThreads(target);
  const workers = options.workers ?? node.machine.cores;
  return duringBuild(() => {
    const given = options.scheduler;
    // Under a cooperative scheduler, threads are joined by primitives.
    const program = chosen.program(workers, given !== undefined && isCooperative(given) ? { joins: 'object' } : {});
    const scheduler = given ?? (spawnsTasks(program) ? 'stealing' : 'os');
    const pool = poolOf(scheduler, options);
    const net = threadNet(program, node.machine, {
      scheduler,
      ...pool,
      ...(options.allocator === undefined ? {} : { allocator: options.allocator }),
    });
    return { model: chosen, target, node, workers, pool, net };
  });
}

/** Whether a strand is neither a main strand nor a thread of a parallel section. */
function spawnsTasks({ strands: { count, parent, thread } }: ThreadProgram): boolean {
  for (let s = 0; s < count; s++) if (parent[s]! >= 0 && thread[s]! < 0) return true;
  return false;
}

export function drawsRandomly({ net }: ThreadModelNet): boolean {
  return net.net.transitions.some(({ weight }) => weight !== undefined);
}

/**
 * What the machine has and the run leaves out. MODEL030: bytes of computations, without a description of the memory; THR012: noise.
 */
export function machineWarnings({ net: { program, machine }, target }: ThreadModelNet): Problem[] {
  const name = quote(target.platform.name);
  const row = machine.memory === undefined ? program.rows.op.indexOf(ROW.memory) : -1;
  const bytes = `machine ${name} does not describe its memory: the bytes of computations take no time`;
  return [
    ...(row < 0
      ? []
      : [{ code: 'MODEL030', message: bytes, place: program.sites[program.rows.site[row]!]!.place } as const]),
    ...noiseWarnings(target),
  ];
}

/** THR012, for programs whose threads compute. */
export const noiseWarnings = ({ description, platform }: Pick<Target, 'description' | 'platform'>): Problem[] =>
  description?.noise === undefined
    ? []
    : [
        {
          code: 'THR012',
          message: `machine ${quote(platform.name)} has noise, which applies to computations of ranks only: threads compute without it`,
        },
      ];
