import { type Command, InvalidArgumentError, Option } from 'commander';
import { given } from '../../base/given.ts';
import { quantity } from '../../base/units.ts';
import type { SpaceFlags } from './job.ts';
import { limitCount } from './option-values.ts';

/** Adds the limits and the search order of a state-space exploration. */
export function spaceOptions(command: Command): Command {
  return command
    .option('--max-states <number>', 'maximum number of states stored', limitCount)
    .option('--memory <size>', 'memory limit, as in 4GiB (default: half of the free memory)', memorySize)
    .option('--seconds <seconds>', 'time limit of the whole command', positiveSeconds)
    .addOption(
      new Option('--order <order>', 'search order (default: breadth, nearest states first)').choices([
        'breadth',
        'depth',
      ]),
    )
    .option('--hash-compact', 'keep a 62-bit hash of each state instead of its marking: less memory, no proofs')
    .option('--seed <text>', 'with --hash-compact: another seed gives an independent run (default: 1)');
}

/** Meaning of `--workers` for inputs that are explored. */
export const EXPLORING_WORKERS = 'other inputs: number of threads that explore together (default: 1)';

/** Selects the limits that were given. */
export function spaceLimits(flags: SpaceFlags): SpaceFlags {
  return given(flags, ['maxStates', 'memory', 'seconds', 'workers', 'order', 'hashCompact', 'seed']);
}

export function memorySize(text: string): number {
  const value = quantity('size', /^-?\d+$/.test(text) ? Number(text) : text, 'positive');
  if (typeof value !== 'number') throw new InvalidArgumentError(` ${value.message}.`);
  return Math.floor(value);
}

export function positiveSeconds(text: string): number {
  const value = quantity('time', /^-?[\d.]+(?:e-?\d+)?$/i.test(text) ? Number(text) : text, 'positive');
  if (typeof value !== 'number') throw new InvalidArgumentError(` ${value.message}.`);
  return value;
}
