import { type Command, Option } from 'commander';
import { given } from '../../base/given.ts';
import { THREAD_OPTIONS } from '../inputs/option-rows.ts';
import type { ThreadOptions } from '../inputs/thread-options.ts';
import { positiveInteger } from './option-values.ts';

/** Parsed options of {@link threadOptions}. The name of the scheduler is checked later. */
export interface ThreadFlags extends Omit<ThreadOptions, 'scheduler' | 'bypass'> {
  readonly scheduler?: string;
  readonly bypass: boolean;
}

/**
 * Adds the options of thread models.
 *
 * @param others what `--workers` means for other inputs; default: nothing
 */
export function threadOptions(command: Command, others?: string): Command {
  return poolOptions(workersOption(command, 'cores of the first node', others));
}

/**
 * As {@link threadOptions}, for commands that analyse the net of a model.
 *
 * @param others what `--workers` means for other inputs; undefined: nothing
 */
export function threadNetOptions(command: Command, others?: string): Command {
  return poolOptions(workersOption(command, 'its verifyWith, or 2', others));
}

/** `--workers`, with the default number of workers of a thread model, and its meaning for other inputs. */
export function workersOption(command: Command, standard: string, others: string | undefined): Command {
  const meaning = `thread model: workers of the pool (default: ${standard})${others === undefined ? '' : `; ${others}`}`;
  return command.option('--workers <number>', meaning, positiveInteger);
}

function poolOptions(command: Command): Command {
  return command
    .option(
      '--scheduler <name>',
      'thread model: stealing (default if tasks are spawned), central, static, os (a thread for every strand; default otherwise), or a cooperative scheduler: a0, a1, a2',
    )
    .option('--victim <whose>', 'work stealing: whose queue is searched: random (default), nearest, or last')
    .option('--take <how-many>', 'work stealing: tasks taken at a time: one (default), or half of a queue')
    .option(
      '--rounds <number>',
      'work stealing: searches of all queues before a worker sleeps (default: 1)',
      positiveInteger,
    )
    .option('--no-bypass', 'pools: a strand whose tasks have ended goes through a queue')
    .addOption(poolOption('default: migrating'))
    .option(
      '--spawn <policy>',
      'work stealing: after a spawn the strand goes on (help-first), or its worker begins the task and queues the rest of the strand, as Cilk (work-first) (default: help-first)',
    )
    .option(
      '--resize <changes>',
      'stealing, central: a resource manager permits this number of workers from a time on: TIME=WORKERS,… as in 10ms=2,20ms=8',
    )
    .addOption(allocatorOption());
}

/** `--pool`, with the default of a command in words. */
export function poolOption(standard: string): Option {
  return new Option(
    '--pool <kind>',
    `pools: a strand that waits for tasks leaves its worker (migrating), or stays on its stack, below any tasks (stack) or those it waits for (isolated) (${standard})`,
  );
}

/** `--allocator`. */
export function allocatorOption(): Option {
  return new Option(
    '--allocator <memory>',
    "schedulers a1, a2: entries of queues are in the scheduler's own memory, kept for reuse (buffered, default) or allocated one by one (own), or from the allocator of the program, whose lock is the mutex allocator (shared)",
  );
}

/** Selects the options of thread models that were given. */
export function threadsOf(flags: ThreadFlags): ThreadOptions {
  const { bypass, ...others } = given(flags, THREAD_OPTIONS);
  return { ...(others as Omit<ThreadOptions, 'bypass'>), ...(bypass === false ? { bypass } : {}) };
}
