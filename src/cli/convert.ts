import { type Command, InvalidArgumentError } from 'commander';
import { cleanUp } from './clean-up.ts';
import { exitCode } from './exit-code.ts';
import { jobOptions, type MachineFlags, machineOptions } from './machine-options.ts';
import { parameter } from './option-values.ts';
import { finished } from './outcome.ts';
import { visible, visibleNote } from './visible.ts';

interface ConvertFlags extends MachineFlags {
  readonly unfold?: boolean;
  readonly safe?: boolean;
  readonly limit?: number;
  readonly module?: string;
  readonly set: Readonly<Record<string, number | string | boolean>>;
}

/** Adds `foretoken convert`. */
export function convertCommand(program: Command, ends: (code: number) => void): void {
  machineOptions(
    program
      .command('convert')
      .description('writes the net of a model or a trace on a machine, or a net in another form')
      .argument('<in>', 'MODEL.ts, a time-independent trace (- is standard input), NET.json or NET.pnml')
      .argument(
        '<out>',
        'file to write: .json or .pnml (can be read back), .txt, .dot, .svg or .csv (incidence matrix)',
      )
      .option('--set <name=value>', 'of a model: the value of a parameter (again for another one)', parameter, {})
      .option('--module <name>', 'of a model: only this one of the modules that its net is merged of')
      .option('--unfold', 'into a place/transition net first: a place for each colour, a transition for each binding')
      .option('--safe', 'into the equivalent net first in which no place ever holds more than one token')
      .option(
        '--limit <number>',
        'most places and transitions of the unfolded net (default: 1000000), of the safe one (100000)',
        positive,
      ),
  )
    .addHelpText('after', EXAMPLE)
    .action(async (input: string, output: string, flags: ConvertFlags) => {
      const { runJob } = await import('./run-job.ts');
      const { unfold, safe, limit, module, set } = flags;
      const options = {
        ...jobOptions(flags),
        ...(module === undefined ? {} : { module }),
        ...(Object.keys(set).length === 0 ? {} : { set }),
        ...(unfold === undefined ? {} : { unfold }),
        ...(safe === undefined ? {} : { safe }),
        ...(limit === undefined ? {} : { limit }),
      };
      const job = { command: 'convert', input, output, options } as const;
      const { answer, signal } = await runJob(job, await cleanUp(output));
      if (answer.kind !== 'conversion') {
        ends(await finished(answer, signal));
        return;
      }
      const { places, transitions, bytes, notes } = answer.result;
      for (const note of notes) process.stderr.write(`${visibleNote(`note: ${note}`)}\n`);
      const written = `${output}: ${places} places, ${transitions} transitions, ${bytes} bytes`;
      process.stderr.write(`${visible(written)}\n`);
      ends(exitCode.ok);
    });
}

function positive(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 1e8)
    throw new InvalidArgumentError(' Expected a whole number from 1 to 100000000.');
  return value;
}

const EXAMPLE = `
Examples:
  foretoken convert jacobi.ts jacobi.dot --ranks 4
  foretoken convert stencil-8.ti net.json --machine cluster.xml
  foretoken convert net.pnml net.svg
  foretoken convert net.json net.pnml
  foretoken convert net.json safe.pnml --safe
  foretoken convert net.json matrix.csv --unfold`;
