import type { Command } from 'commander';
import { cleanUp } from './clean-up.ts';
import { exitCode } from './exit-code.ts';
import { jobOptions, type MachineFlags, machineOptions } from './machine-options.ts';
import { finished } from './outcome.ts';
import { visible } from './visible.ts';

/** Adds `foretoken convert`. */
export function convertCommand(program: Command, ends: (code: number) => void): void {
  machineOptions(
    program
      .command('convert')
      .description('writes the net of a trace on a machine, or a net in another form')
      .argument('<in>', 'time-independent trace (- is standard input) or NET.json')
      .argument('<out>', 'file to write: .json (can be read back), .txt or .dot'),
  )
    .addHelpText('after', EXAMPLE)
    .action(async (input: string, output: string, flags: MachineFlags) => {
      const { runJob } = await import('./run-job.ts');
      const job = { command: 'convert', input, output, options: jobOptions(flags) } as const;
      const { answer, signal } = await runJob(job, await cleanUp(output));
      if (answer.kind !== 'conversion') {
        ends(await finished(answer, signal));
        return;
      }
      const { places, transitions, bytes } = answer.result;
      const written = `${output}: ${places} places, ${transitions} transitions, ${bytes} bytes`;
      process.stderr.write(`${visible(written)}\n`);
      ends(exitCode.ok);
    });
}

const EXAMPLE = `
Examples:
  foretoken convert stencil-8.ti net.json --machine cluster.xml
  foretoken convert net.json net.dot`;
