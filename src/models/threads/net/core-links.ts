import type { NetBuilder } from '../../../net/builder/builder.ts';
import type { ServiceLink } from '../../../net/net.ts';
import type { Term } from '../../../net/terms.ts';
import { poolOfStrands } from '../program/rows.ts';
import type { NetPart, ThreadPorts } from './ports.ts';

type RoutesTable = ReturnType<NetBuilder['routesTable']>;

/** Cores as links, and the route of a strand on a carrier. */
interface Cores {
  readonly links: readonly ServiceLink[];
  readonly routes: RoutesTable;
  readonly route: (w: Term<number>, s: Term<number>) => Term<number>;
}

/** The cores that carriers share, or on which they slow each other down. */
export const coreLinks = (ports: ThreadPorts): Cores => (ports.slowed ? socketsOf(ports) : coresOfPools(ports));

/** The cores of each pool, which its threads share evenly. */
function coresOfPools({ net, program, machine }: ThreadPorts): Cores {
  const { pools } = program;
  const links = Array.from({ length: pools }, (_, p) => ({
    name: `cores ${p}`,
    capacity: machine.cores,
    fatpipe: false,
  }));
  const poolOf = net.intTable('pool of strand', poolOfStrands(program));
  return { links, routes: oneLinkEach(net, 'cores of pool', pools), route: (_, s) => poolOf.at(s) };
}

/** The sockets, whose cores are slower the more of them compute. */
function socketsOf({ net, machine, Worker }: ThreadPorts): Cores {
  const { links, ofCore } = machine.turbo!;
  const carriers = Worker.set.kind === 'range' ? Worker.set.high + 1 : 1;
  const socketOf = net.intTable(
    'socket of worker',
    Int32Array.from({ length: carriers }, (_, w) => ofCore[w % ofCore.length]!),
    { low: 0, high: links.length - 1 },
  );
  return { links, routes: oneLinkEach(net, 'cores of socket', links.length), route: (w) => socketOf.at(w) };
}

const oneLinkEach = (net: NetPart, name: string, count: number): RoutesTable =>
  net.routesTable(
    name,
    Int32Array.from({ length: count + 1 }, (_, k) => k),
    Int32Array.from({ length: count }, (_, k) => k),
    new Float64Array(count).fill(1),
  );
