import { type Command, Option } from 'commander';
import { given } from '../base/given.ts';
import type { JobOptions } from './job.ts';
import { positiveInteger } from './option-values.ts';

/** What commander gives for the options of {@link machineOptions}. */
export interface MachineFlags {
  readonly machine?: string;
  readonly hostfile?: string;
  readonly placement?: string;
  readonly oversubscribe?: boolean;
  readonly ranks?: number;
  readonly networkModel?: string;
  readonly collectives?: string;
  readonly seed?: string;
}

/** Adds the options that say on which machine a program runs. */
export function machineOptions(command: Command): Command {
  return command
    .option(
      '-m, --machine <file>',
      'machine file (.yaml, .json), SimGrid platform (XML), or the name of a built-in machine',
    )
    .option(
      '--placement <how>',
      'block, cyclic, or a hostfile (default: block; on a SimGrid platform one rank per host, in file order)',
    )
    .option('--hostfile <file>', 'hosts of the ranks, one a line, HOST or HOST:SLOTS')
    .option('--oversubscribe', 'let ranks share cores where there are fewer cores than ranks')
    .option(
      '-n, --ranks <number>',
      'number of ranks (default: of a trace those it has, of a model one for each core)',
      positiveInteger,
    )
    .option(
      '--network-model <name>',
      'foretoken (default), simgrid-smpi (default on a SimGrid platform), simgrid-plain, simgrid-eager, simgrid-rendezvous',
    )
    .addOption(
      new Option(
        '--collectives <name>',
        'algorithms of the collectives (default: logarithmic; simgrid on a SimGrid platform)',
      ).choices(['logarithmic', 'simgrid']),
    )
    .option('--seed <text>', 'seed of the random numbers (default: 1)');
}

/** The flags as the application layer takes them. */
export function jobOptions(flags: MachineFlags): JobOptions {
  return given(flags, [
    'machine',
    'hostfile',
    'placement',
    'oversubscribe',
    'ranks',
    'networkModel',
    'collectives',
    'seed',
  ]);
}

/** What commander gives for the options of {@link replicationOptions}. */
export interface ReplicationFlags {
  readonly replications?: number;
  readonly precision?: `${number}%`;
  readonly confidence?: `${number}%`;
}

/** Adds the options that say how often a model with random parts is run. */
export function replicationOptions(command: Command): Command {
  return command
    .option('--replications <number>', 'of a model: runs with independent random numbers', positiveInteger)
    .option('--precision <share>', 'of a model: run until the mean run time is known to so much, as in 1%')
    .option('--confidence <share>', 'of the interval of the mean run time (default: 95%)');
}

/** The flags as the application layer takes them. */
export function replicationsOf({ replications, precision, confidence }: ReplicationFlags): ReplicationFlags {
  return {
    ...(replications === undefined ? {} : { replications }),
    ...(precision === undefined ? {} : { precision }),
    ...(confidence === undefined ? {} : { confidence }),
  };
}
