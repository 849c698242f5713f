import type { NetBuilder, PlaceOf } from '../../../net/builder/builder.ts';
import type { NumberFields } from '../../../net/builder/builder-types.ts';
import { add, floor, mul, sub, type Term } from '../../../net/terms.ts';
import { DEFAULT_COSTS } from '../../threads/costs.ts';
import type { OuterService, OuterServices, RunTerms, ThreadMachine } from '../../threads/net/ports.ts';
import { emitThreads } from '../../threads/net/thread-net.ts';
import { poolOfStrands } from '../../threads/program/rows.ts';
import type { ThreadRegion } from '../../threads/thread-region.ts';
import type { Shaped } from '../resolve/shape.ts';
import { RANK } from '../resolve/state.ts';
import type { ControlNet, Point } from './control-net.ts';
import type { ProgramRegion } from './served-place.ts';

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
  const { first, size } = shape.program;
  const { workers, scheduler, pool } = region;
  const own = control.parts.carriers.regions.get(shaped.statement)!;
  const { program } = own;
  const names = `${prefix}${label}: `;
  const outer = outerServices(control, own, names);
  const part = emitThreads(net as NetBuilder, names, program, machineOf(), {
    scheduler,
    outer,
    ...(pool === undefined ? {} : { pool }),
  });
  const { ports } = part;
  control.parts.world.threadParts.push({ prefix: names, first, about: part.about, poolOf: own.poolOf });
  const inside = control.activePoint(`${label} inside`, 'inThreads');
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
    const { speed, threadCosts = DEFAULT_COSTS } = machine;
    const speeds = speed.slice(first, first + size);
    return { speed: speeds, cores: workers, costs: threadCosts };
  }
}

/**
 * Services of the program's net that a region of threads uses: the cores of the nodes if ranks share them, and the memories.
 */
function outerServices(
  { parts: { net, machine, ports, sizes } }: ControlNet,
  { program, first, base }: ProgramRegion,
  prefix: string,
): OuterServices {
  const rankOfStrand = net.intTable(
    `${prefix}rank of strand`,
    poolOfStrands(program).map((pool) => first + pool),
  );
  const user = ({ w, s }: RunTerms): { readonly rank: Term<number>; readonly k: Term<number> } => ({
    rank: rankOfStrand.at(s),
    k: add(w, sizes.threads + base),
  });
  const service = (
    place: () => PlaceOf<NumberFields>,
    amountOf: (amount: Term<number>, rank: Term<number>) => Term<number>,
  ): OuterService => ({
    put: (t, run, amount) => {
      const { rank, k } = user(run);
      t.put(place(), { rank, k, w: floor(amountOf(amount, rank)) });
    },
    take: (t, run) => {
      t.take(place(), user(run));
    },
  });
  return {
    ...(machine.cores === undefined
      ? {}
      : {
          slowed: machine.cores.bySpeed,
          cores: service(
            () => ports.processor().asked,
            (seconds, rank) => mul(seconds, ports.speed().at(rank)),
          ),
        }),
    ...(machine.memory === undefined
      ? {}
      : {
          memory: service(
            () => ports.memory().asked,
            (bytes) => bytes,
          ),
        }),
  };
}
