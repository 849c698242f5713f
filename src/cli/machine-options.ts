import { type Command, InvalidArgumentError, Option } from 'commander';
import { given } from '../base/given.ts';
import type { JobOptions } from './job.ts';

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

/** Adds `name=value` to what was given before; numbers and truth values are known by their looks. */
export function parameter(
  text: string,
  before: Readonly<Record<string, number | string | boolean>>,
): Record<string, number | string | boolean> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError(' Expected name=value.');
  const [name, value] = [text.slice(0, at).replace(/^model\./, ''), text.slice(at + 1)];
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(` ${name} is given twice.`);
  return { ...before, [name]: valueIn(value) };
}

function valueIn(text: string): number | string | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** A time from 0 on, in seconds. */
export function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value < Infinity))
    throw new InvalidArgumentError(' Expected seconds, from 0 on.');
  return value;
}

/** How sends of a program are taken to behave. */
export function protocol(text: string): 'eager' | 'rendezvous' | 'both' {
  if (text === 'eager' || text === 'rendezvous' || text === 'both') return text;
  throw new InvalidArgumentError(' Expected eager, rendezvous or both.');
}

/** A number of things, from 0 on. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 2 ** 31 - 1) throw new InvalidArgumentError(' Expected a whole number from 0.');
  return value;
}

export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 2 ** 31 - 1) {
    throw new InvalidArgumentError(' Expected a whole number from 1.');
  }
  return value;
}
