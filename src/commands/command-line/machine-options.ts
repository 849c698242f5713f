import { type Command, Option } from 'commander';
import { given } from '../../base/given.ts';
import type { JobOptions } from './job.ts';
import { derivedType, jobHostfile, jobStart, limitCount, positiveInteger, seconds, settings } from './option-values.ts';

/** Parsed options of {@link runOptions}. */
export interface MachineFlags {
  readonly machine?: string;
  readonly hostfile?: string;
  readonly placement?: string;
  readonly oversubscribe?: boolean;
  readonly ranks?: number;
  readonly scale?: 'weak' | 'strong';
  readonly networkModel?: string;
  readonly collectives?: string;
  readonly cfg?: string;
  readonly networkSolver?: 'full' | 'lazy';
  readonly datatype?: number | string;
  readonly confine?: boolean;
  readonly seed?: string;
}

/** Adds the options of a run: those of {@link machineOptions}, and the seed. */
export function runOptions(command: Command): Command {
  return machineOptions(command).option(
    '--seed <text>',
    'seed of the random numbers (default: 1); for traces only with predict --ties random',
  );
}

/** Adds `--loggops`. */
export function scheduleOption(command: Command): Command {
  return command.option(
    '--loggops <parameters>',
    'schedule (.goal), trace or model: parameters of LogGOPS in ns and bytes (default: L=2500,o=1500,g=1000,G=6,O=0,S=65535)',
  );
}

/** Parsed options of {@link programOptions}. */
export interface ProgramFlags {
  readonly loggops?: string;
  readonly start?: Readonly<Record<string, number>>;
  readonly jobHostfile?: Readonly<Record<string, string>>;
}

/** Adds the options of several traces at once and of LogGOPS. */
export function programOptions(command: Command): Command {
  return scheduleOption(command)
    .option(
      '--start <job=seconds>',
      'traces: when a job starts, by the name of its file (repeatable; default: 0)',
      jobStart,
    )
    .option('--job-hostfile <job=file>', 'traces: hostfile of one of several jobs (repeatable)', jobHostfile);
}

/** The options of {@link programOptions}, with the traces after the first one. */
export function programsOf(
  { loggops, start, jobHostfile: jobHostfiles }: ProgramFlags,
  others: readonly string[],
): Pick<JobOptions, 'loggops' | 'start' | 'jobHostfiles' | 'otherPrograms'> {
  const otherPrograms = others.length === 0 ? undefined : others;
  return given({ loggops, start, jobHostfiles, otherPrograms }, ['loggops', 'start', 'jobHostfiles', 'otherPrograms']);
}

/** Parsed options of {@link endOptions}. */
export interface EndFlags {
  readonly ties?: 'fixed' | 'random';
  readonly until?: number;
  readonly maxSteps?: number;
}

/** Adds the options that decide how far a run goes, and which of several orders it takes. */
export function endOptions(command: Command): Command {
  return command
    .option('--until <seconds>', 'net only: stop at this simulated time, in seconds', seconds)
    .option('--max-steps <number>', 'net only: maximum number of starts and ends of firings', limitCount)
    .addOption(
      new Option(
        '--ties <how>',
        'model, trace or net: choices at one instant that the input leaves open; random draws them with the seed (default: fixed)',
      ).choices(['fixed', 'random']),
    );
}

/** Adds the options that describe the machine and the placement of ranks. */
export function machineOptions(command: Command): Command {
  return command
    .option(
      '-m, --machine <file>',
      'machine file (.yaml, .json), SimGrid platform (XML), or the name of a built-in machine',
    )
    .option(
      '--placement <how>',
      'block, cyclic, or a hostfile (default: block; on a SimGrid platform one rank per host, hosts sorted by name)',
    )
    .option(
      '--hostfile <file>',
      'hosts of the ranks, one per line, HOST or HOST:SLOTS; the lines repeat if there are more ranks',
    )
    .option('--oversubscribe', 'let ranks share cores if there are fewer cores than ranks')
    .option(
      '-n, --ranks <number>',
      'number of ranks (default: those of the trace; for a model, one per core)',
      positiveInteger,
    )
    .addOption(
      new Option(
        '--scale <how>',
        'trace only: its program on --ranks ranks; weak: the work of a rank stays, strong: that of the program',
      ).choices(['weak', 'strong']),
    )
    .option(
      '--network-model <name>',
      'foretoken (default), fcfs (links serve messages one by one), simgrid-smpi (default on a SimGrid platform), simgrid-plain, simgrid-eager, simgrid-rendezvous',
    )
    .option(
      '--collectives <choice>',
      'algorithms of the collectives: logarithmic, simgrid, ompi, mpich, mvapich2, impi, a file of rules (rules.yaml), and of operations (ompi,bcast=binomial) (default: logarithmic; simgrid with a simgrid-* network model)',
    )
    .option(
      '--cfg <key:value>',
      'SimGrid platform: a setting as of its option --cfg, before those of <config> (repeatable)',
      settings,
    )
    .addOption(
      new Option(
        '--network-solver <solver>',
        "SimGrid platform: full (default), each flow gets its fair share; lazy, SimGrid's default, which solves only some links again: --cfg network/optim:Full or Lazy",
      ).choices(['full', 'lazy']),
    )
    .option('--datatype <what=bytes>', DATATYPE_HELP, derivedType)
    .option('--confine', CONFINE_HELP);
}

export const DATATYPE_HELP =
  'trace only: size of derived datatypes, recorded as -1: -1=BYTES for all, CALL=BYTES, FILE:LINE=BYTES (repeatable; 0: no payload, as in SimGrid)';

export const CONFINE_HELP =
  'trace only: refuse files of a listing outside its folder, also through symbolic links (for listings of strangers)';

/** Converts the flags to options of the application layer. */
export function jobOptions(flags: MachineFlags): JobOptions {
  const { datatype, networkSolver } = flags;
  const derived = datatype === undefined ? {} : { derivedTypeBytes: datatype };
  const others = given(flags, [
    'machine',
    'hostfile',
    'placement',
    'oversubscribe',
    'ranks',
    'scale',
    'networkModel',
    'collectives',
    'cfg',
    'confine',
    'seed',
  ]);
  if (networkSolver === undefined) return { ...others, ...derived };
  const solver = `network/optim:${networkSolver === 'lazy' ? 'Lazy' : 'Full'}`;
  return { ...others, ...derived, cfg: settings(solver, flags.cfg) };
}

/** Parsed options of {@link replicationOptions}. */
export interface ReplicationFlags {
  readonly replications?: number;
  readonly precision?: `${number}%`;
  readonly confidence?: `${number}%`;
}

/** Adds the options that control replications of a stochastic model or net. */
export function replicationOptions(command: Command): Command {
  return command
    .option(
      '--replications <number>',
      'model, net, or --ties random: number of runs with independent random numbers',
      positiveInteger,
    )
    .option('--precision <share>', 'model or net: run until the mean run time has this relative precision, as in 1%')
    .option('--confidence <share>', 'confidence level of the interval of the mean run time (default: 95%)');
}

/** Selects the replication options that were given. */
export function replicationsOf({ replications, precision, confidence }: ReplicationFlags): ReplicationFlags {
  return {
    ...(replications === undefined ? {} : { replications }),
    ...(precision === undefined ? {} : { precision }),
    ...(confidence === undefined ? {} : { confidence }),
  };
}
