import { assertIs } from '../../base/options.ts';
import { didYouMean, fail, quote, shown } from '../../base/problem.ts';
import { mapMachine } from '../../machine/map-machine.ts';
import { openMachineNet } from '../../models/program/net/machine-net.ts';
import type { Net } from '../../net/net.ts';
import { type MachineOptions, placeOn, readTarget } from '../inputs/target.ts';

/** Services of a machine, by the label that begins one. */
const SERVICES = { compute: 'processor', load: 'memory', access: 'storage', transfer: 'network' } as const;
/** A service of a machine; its label for the end is `computed`, `loaded`, `accessed` or `transferred`. */
export type MachineService = keyof typeof SERVICES;

/** Options of {@link machineModule}. The placement is that of `predict`. */
export interface MachineModuleOptions
  extends Pick<MachineOptions, 'hostfile' | 'placement' | 'oversubscribe' | 'networkModel'> {
  /** Number of ranks: processes of the program, each on a host by the placement. */
  readonly ranks: number;
  /** Labels that the program uses; others would have no partner. Default: all four. */
  readonly services?: readonly MachineService[];
  /** Requests of a rank at one time: `k` is their number, from 0. Default 1. */
  readonly threads?: number;
  /** Messages from one rank to another at one time: `id` is their number, from 0. Default 1. */
  readonly messages?: number;
}

/** All pairs of ranks get a route, so that a machine of more would need gigabytes. */
const MAX_RANKS = 4096;

/**
 * A machine as a module for programs that are nets: an open net with the labels `compute(rank, k, w)` and `computed(rank, k)`, w
 * in flop; `load`, `loaded` (memory) and `access`, `accessed` (files) likewise, w in bytes; `transfer(from, to, id, b)` and
 * `transferred(from, to, id, b)`, b in bytes. Colour sets are `Rank`, `Thread` and `Message`, ranges from 0, and `Bytes`, the
 * integers. `compose([program, machineModule(…)], { synchronise })` maps the program onto the machine. The program says
 * when a message is sent and the cost for its ranks: `eagerBelow`, `overhead` and `callTimes` of the machine are not applied. A model
 * of `spmd` has them, see `map`.
 *
 * @param machine a machine, or the path of a machine file or platform
 * @throws InputError MODEL001 for invalid options, MODEL042 for a machine with noise, MACH022 and others for the placement
 * @complexity O(ranks² × length of routes)
 */
export function machineModule(machine: NonNullable<MachineOptions['machine']>, options: MachineModuleOptions): Net {
  assertIs('machineModule', 'options', options, 'an object', 'APP061');
  const known = ['ranks', 'services', 'threads', 'messages', 'hostfile', 'placement', 'oversubscribe', 'networkModel'];
  for (const key of Object.keys(options))
    if (!known.includes(key)) fail('MODEL001', `machineModule has no option ${quote(key)}.${didYouMean(key, known)}`);
  const { ranks, threads = 1, messages = 1, services = Object.keys(SERVICES) as MachineService[] } = options;
  assertCount('ranks', ranks, MAX_RANKS);
  assertCount('threads', threads, MAX_COLOURS);
  assertCount('messages', messages, MAX_COLOURS);
  const names = Object.keys(SERVICES);
  const unknown = Array.isArray(services) ? services.find((name) => !names.includes(name)) : services;
  if (unknown !== undefined || services.length === 0) {
    const got = unknown === undefined ? 'an empty one' : `${shown(unknown)}.${didYouMean(String(unknown), names)}`;
    fail('MODEL001', `machineModule: services: expected a list of ${names.join(', ')}, got ${got}`);
  }
  const target = readTarget({ ...options, machine });
  const { placement } = placeOn(target, options, ranks);
  const pairs = {
    from: Int32Array.from({ length: ranks * ranks }, (_, p) => Math.floor(p / ranks)),
    to: Int32Array.from({ length: ranks * ranks }, (_, p) => p % ranks),
  };
  const mapped = mapMachine(target, placement, pairs);
  if (mapped.noise !== undefined)
    fail('MODEL042', 'the noise of the machine: expected a machine without, as a module computes for a fixed time');
  return openMachineNet(
    { services: new Set(services.map((name) => SERVICES[name])), ranks, threads, messages },
    mapped,
  );
}

const MAX_COLOURS = 1 << 20;

function assertCount(name: string, value: unknown, most: number): void {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > most)
    fail('MODEL001', `machineModule: ${name}: expected an integer from 1 to ${most}, got ${shown(value)}`);
}
