import { type Problem, quote } from '../../../base/problem.ts';
import type { NetRun } from '../../../engine/compile.ts';
import { meanFullSpeed } from '../../../machine/profile.ts';
import type { ProgramNet } from '../../../models/program/net/program-net.ts';
import type { ProgramStates } from '../../../models/program/run/program-states.ts';
import type { ThreadActivity } from '../../../models/threads/thread-activity.ts';
import type { Placed, Target } from '../../inputs/target.ts';
import type { EnergyFigures } from '../../subjects/host-activity.ts';
import { linkFigures } from '../document.ts';
import type { ResourceFigures } from '../prediction.ts';

/** Meters of what ranks and their threads do. */
interface Meters {
  readonly states: ProgramStates;
  readonly threads: readonly ThreadActivity[];
}

/** Nodes with the work of their ranks, and memories, storage and links with the data they carried. */
export function resourcesOf(
  {
    target: { platform },
    placed: { placement },
    program,
  }: { readonly target: Target; readonly placed: Placed; readonly program: ProgramNet },
  run: NetRun,
  meters: Meters,
  time: number,
  energy: EnergyFigures,
): ResourceFigures[] {
  const has = (place: string): boolean => program.net.places.some((p) => p.name === place);
  const { cores, memory, storage, links } = program.machine;
  const speeds = platform.hosts.map(({ speed }) => speed);
  const flops =
    cores !== undefined && has('processor')
      ? carriedByHost(run.carried('processor'), cores.hostOf, speeds.length)
      : flopsOf(program, placement, meters, speeds);
  // A program that gives its computations in seconds has no flops.
  const computes = program.world.statements.flatMap(({ statement: s }) => (s.kind === 'compute' ? [s] : []));
  const inSeconds = computes.length > 0 && computes.every((s) => s.flops === undefined);
  const hosts = [...new Set(placement)].map((h): ResourceFigures => {
    const { name, speed } = platform.hosts[h]!;
    const capacity = meanFullSpeed(platform.hosts[h]!, time);
    return {
      name,
      kind: 'host',
      // A host that fails at once has no capacity.
      utilisation: time > 0 && capacity > 0 ? flops[h]! / (capacity * time) : 0,
      amount: inSeconds ? { value: flops[h]! / speed, unit: 's' } : { value: flops[h]!, unit: 'flop' },
      capacity: { value: capacity, unit: 'flop/s' },
      ...energy.ofHost(h),
    };
  });
  const disk = storage && [{ name: 'storage', capacity: storage.bandwidth, fatpipe: false }];
  return [
    ...hosts,
    ...(has('memory') ? linkFigures(memory!.links, run.carried('memory'), time, 'memory') : []),
    ...(has('storage') ? linkFigures(disk!, run.carried('storage'), time) : []),
    ...(has('network') ? linkFigures(links, run.carried('network'), time) : []),
  ];
}

/** Work by host; links beyond those of hosts limit threads to the cores of their rank. */
function carriedByHost(carried: Float64Array, hostOf: Int32Array, hosts: number): Float64Array {
  const flops = new Float64Array(hosts);
  hostOf.forEach((host, link) => {
    flops[host]! += carried[link]!;
  });
  return flops;
}

/** Work by host, of ranks and threads that do not share cores: the speed of a core times the seconds of computing. */
function flopsOf(
  { world }: ProgramNet,
  placement: Int32Array,
  { states, threads }: Meters,
  speeds: readonly number[],
): Float64Array {
  const flops = new Float64Array(speeds.length);
  const add = (rank: number, seconds: number): void => {
    const host = placement[rank]!;
    flops[host]! += seconds * speeds[host]!;
  };
  // A rank that waits for its threads does no work itself.
  placement.forEach((_, rank) => {
    add(rank, states.seconds.computing[rank]! - states.inThreads[rank]!);
  });
  threads.forEach(({ work }, k) => {
    const { first } = world.threadParts[k]!;
    work.forEach((seconds, pool) => {
      add(first + pool, seconds);
    });
  });
  return flops;
}

/** Warnings of amounts that take no time, because the machine does not describe the resource. */
export function missingResources(program: ProgramNet, target: Target): Problem[] {
  return [...withoutMemory(program, target), ...withoutStorage(program, target)];
}

function withoutStorage(program: ProgramNet, target: Target): Problem[] {
  const files = program.world.statements.find(({ statement: s }) => s.kind === 'file');
  if (files === undefined || program.machine.storage !== undefined) return [];
  const message = `machine ${quote(target.platform.name)} has no storage: reading and writing files takes no time`;
  return [{ code: 'MODEL032', message, place: files.statement.site.place }];
}

function withoutMemory(program: ProgramNet, target: Target): Problem[] {
  const bytes = program.world.statements.filter(({ statement: s }) => s.kind === 'compute' && s.bytes !== undefined);
  if (bytes.length === 0 || program.machine.memory !== undefined) return [];
  const groups = target.description?.nodes ?? [];
  const without = groups.filter(({ memory }) => memory === undefined).map(({ name }) => quote(`${name}0`));
  const some = without.length < groups.length ? ` of the nodes like ${without.join(', ')}` : '';
  const all = some === '' ? '' : ' on any node, because times could not be compared';
  return [
    {
      code: 'MODEL030',
      message: `machine ${quote(target.platform.name)} does not describe the memory${some}: the bytes of computations take no time${all}`,
      place: bytes[0]!.statement.site.place,
    },
  ];
}
