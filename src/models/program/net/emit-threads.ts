import type { NetBuilder } from '../../../net/builder/builder.ts';
import { sub } from '../../../net/terms.ts';
import { DEFAULT_COSTS } from '../../threads/costs.ts';
import type { ThreadMachine } from '../../threads/net/ports.ts';
import { emitThreads, isCooperative, type SchedulerName } from '../../threads/net/thread-net.ts';
import { elaborate } from '../../threads/program/elaborate.ts';
import type { ThreadProgram } from '../../threads/program/rows.ts';
import type { ThreadRegion } from '../../threads/thread-region.ts';
import type { Shaped } from '../resolve/shape.ts';
import { RANK } from '../resolve/state.ts';
import type { ControlNet, Point } from './control-net.ts';

/**
 * Net of a region of threads: a rank waits while the threads of its pool execute the region. The region is active computing
 * of the rank, however many threads take part.
 */
export function emitThreadRegion(
  control: ControlNet,
  shaped: Shaped,
  label: string,
  region: ThreadRegion,
  at: Point,
  next: Point,
): void {
  const { net, machine, shape, prefix } = control.parts;
  const { first, size, params } = shape.program;
  const { recorded, workers, scheduler, pool } = region;
  // Under a cooperative scheduler, threads are joined by primitives.
  const joins = isCooperative(scheduler) ? 'object' : 'counter';
  const program = elaborate(recorded, { name: label, params, workers, pools: size, repeats: true, joins });
  const names = `${prefix}${label}: `;
  const part = emitThreads(net as NetBuilder, names, program, machineOf(), {
    scheduler,
    ...(pool === undefined ? {} : { pool }),
  });
  const { ports } = part;
  control.parts.world.threadParts.push({ prefix: names, first, about: part.about });
  const inside = control.point(`${label} inside`);
  control.step(label, at, inside, (t, state) => {
    const pool = first === 0 ? state[RANK]! : sub(state[RANK]!, first);
    t.put(ports.run, { w: part.scheduler.begin!(t, pool), s: pool, at: ports.start.at(pool) });
    return undefined;
  });
  control.describe(label, { statement: shaped, begins: true });
  control.step(`${label} done`, inside, next, (t, state) => {
    const pool = first === 0 ? state[RANK]! : sub(state[RANK]!, first);
    t.take(ports.ended, { pool });
    return undefined;
  });
  control.describe(`${label} done`, { statement: shaped, before: 'computing', ends: true });

  function machineOf(): ThreadMachine {
    const { memory, speed, threadCosts = DEFAULT_COSTS } = machine;
    const own = speed.slice(first, first + size);
    const known = { speed: own, cores: workers, costs: threadCosts };
    if (memory === undefined) return known;
    return {
      ...known,
      memory: {
        links: memory.links,
        ofCore: poolOfCarrier(program, scheduler).map((pool) => memory.ofRank[first + pool]!),
        perCore: memory.perCore[first]!,
      },
    };
  }
}

/** The pool of each carrier. */
function poolOfCarrier({ strands, workers, pools }: ThreadProgram, scheduler: SchedulerName): Int32Array {
  if (scheduler !== 'os') return Int32Array.from({ length: workers * pools }, (_, w) => Math.floor(w / workers));
  const pool = new Int32Array(strands.count);
  // Parents come before their children.
  for (let s = 0; s < strands.count; s++) pool[s] = strands.parent[s]! < 0 ? s : pool[strands.parent[s]!]!;
  return pool;
}
