import { assertIs } from '../../base/options.ts';
import { didYouMean, fail, quote, shown } from '../../base/problem.ts';
import { mapMachine } from '../../machine/map-machine.ts';
import type { ProgramModel } from '../../models/program/model-object.ts';
import { type Pairs, programNet } from '../../models/program/net/program-net.ts';
import { close } from '../../net/merge/close.ts';
import { merge } from '../../net/merge/merge.ts';
import type { Net } from '../../net/net.ts';
import { duringBuild } from '../inputs/build-phase.ts';
import { type MachineOptions, placeOn, readTarget } from '../inputs/target.ts';

/** Options of {@link map}: the machine and the placement, as `predict` takes them, and the number of ranks. */
export interface MapOptions extends MachineOptions {
  /** A machine, or the path of a machine file or platform. */
  readonly machine: NonNullable<MachineOptions['machine']>;
  /** Default: the number that the model runs on, if there is only one. */
  readonly ranks?: number;
}

/** A program and a machine as modules, and their synchronised merge. */
export interface Mapped {
  /** The program, which offers its requests as labels. */
  readonly program: Net;
  /** The machine, which serves them. */
  readonly machine: Net;
  /** The performance model of the application: the merge of both, closed. */
  readonly net: Net;
}

const KNOWN = ['machine', 'ranks', 'hostfile', 'placement', 'oversubscribe', 'networkModel', 'collectives', 'cfg'];

/** Alternatives for models that are no programs. */
const OTHERS =
  'A net is merged with `machineModule(machine, { ranks })` by compose; threads are bound to the cores by their scheduler, use predict';

/**
 * Maps a program onto a machine by synchronised merge (the method, step 2): the machine offers `compute`, `load` (memory),
 * `access` (files) and `transfer` as labels, with `computed`, `loaded`, `accessed` and `transferred` for their ends; the program
 * asks for them. `predict` gives the same times with fewer steps: its net has the machine's speeds, delays and services where
 * they are used, instead of merging them. The protocol of messages and their overhead belong to the program's module.
 *
 * @param options `machine` is required
 * @throws InputError MODEL042 for amounts that are not whole numbers, for regions of threads and for noise; MODEL004 for a number of
 *   ranks that the model does not run on
 * @complexity as that of `predict`'s net
 */
export function map(model: ProgramModel, options: MapOptions): Mapped {
  if (typeof model?.record !== 'function')
    fail('APP061', `map: expected a model of a program, got ${shown(model)}. ${OTHERS}`);
  assertIs('map', 'options', options, 'an object', 'APP061');
  for (const key of Object.keys(options))
    if (!KNOWN.includes(key)) fail('MODEL001', `map has no option ${quote(key)}.${didYouMean(key, KNOWN)}`);
  if (options.machine === undefined)
    fail('MODEL001', 'map: expected a machine, { machine: FILE }, as the machine is a module of the merge');
  const target = readTarget(options);
  const ranks = options.ranks ?? model.ranks ?? 1;
  return duringBuild(() => {
    const programs = model.record(ranks);
    const { placement } = placeOn(target, options, ranks, 1);
    const machineFor = (pairs: Pairs) => ({ ...mapMachine(target, placement, pairs), separate: true });
    const program = programNet(programs, target.collectives, machineFor, placement);
    const machine = program.machineNet!();
    return { program: program.net, machine, net: close(merge([program.net, machine], { name: program.net.name })) };
  });
}
