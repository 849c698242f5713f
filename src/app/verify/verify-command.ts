import type { Formula } from '../../analysis/properties/property.ts';
import { formulaText } from '../../analysis/properties/property-text.ts';
import { commandLine, fileArgument } from '../../base/command-line.ts';
import type { MachineOptions } from '../target.ts';

/** Options of a verification that are repeated on the command line. */
interface Repeated extends MachineOptions {
  readonly maxStates?: number;
  readonly memory?: number;
  readonly seconds?: number;
  readonly reduce?: string;
  readonly final?: string | Formula;
  readonly set?: Readonly<Record<string, number | string | boolean>>;
}

const FLAGS = {
  machine: '--machine',
  hostfile: '--hostfile',
  placement: '--placement',
  ranks: '--ranks',
  networkModel: '--network-model',
  collectives: '--collectives',
  maxStates: '--max-states',
  memory: '--memory',
  seconds: '--seconds',
  reduce: '--reduce',
} as const;

/** Command line for a POSIX shell that verifies one property again. */
export function verifyCommandLine(input: string, property: string, options: Repeated): string {
  const words = ['foretoken', 'verify', fileArgument(input), '--property', property];
  for (const key of Object.keys(FLAGS) as (keyof typeof FLAGS)[]) {
    const value = options[key];
    if (typeof value === 'string' || typeof value === 'number') words.push(FLAGS[key], String(value));
  }
  const { final } = options;
  if (final !== undefined) words.push('--final', typeof final === 'string' ? final : formulaText(final));
  if (options.oversubscribe === true) words.push('--oversubscribe');
  for (const [name, value] of Object.entries(options.set ?? {})) words.push('--set', `${name}=${value}`);
  return commandLine(words);
}
