import type { Command } from 'commander';
import { cleanUp } from '../command-line/clean-up.ts';
import { exitCode } from '../command-line/exit-code.ts';
import type { Shell } from '../command-line/job.ts';
import { jobOptions, type MachineFlags, machineOptions } from '../command-line/machine-options.ts';
import { limitCount, parameter } from '../command-line/option-values.ts';
import { finished } from '../command-line/outcome.ts';
import { type ThreadFlags, threadOptions, threadsOf } from '../command-line/thread-options.ts';
import { visible, visibleNote } from '../command-line/visible.ts';
import { filesOf } from '../inputs/path-kinds.ts';
import type { Written } from './convert-options.ts';

interface ConvertFlags extends Omit<MachineFlags, 'seed'>, ThreadFlags {
  readonly unfold?: boolean;
  readonly safe?: boolean;
  readonly limit?: number;
  readonly module?: string;
  readonly set: Readonly<Record<string, number | string | boolean>>;
}

/** Adds `foretoken convert`. */
export function convertCommand(program: Command, { ends, runJob }: Shell): void {
  const command = machineOptions(
    program
      .command('convert')
      .description('writes the net of a model or trace on a machine, or converts a net or a machine to another format')
      .argument('<in>', `${filesOf('convertCommand')}; - is a trace from standard input`)
      .argument(
        '<out>',
        'output file: .json or .pnml (can be read back), .txt, .dot, .svg, .csv (incidence matrix), .prism or .jani (Markov model), .tra, .sta or .lab (rates, states, labels of its chain); of a trace also .goal; of a machine .yaml or .json',
      )
      .option('--set <name=value>', 'model only: value of a parameter (repeatable)', parameter, {})
      .option('--module <name>', 'model only: write only this module of the net')
      .option('--unfold', 'first unfold to a place/transition net: a place per colour, a transition per binding')
      .option('--safe', 'first convert to an equivalent safe net: at most one token per place')
      .option(
        '--limit <number>',
        'maximum of places and transitions of the unfolded net (default: 1000000) or the safe net (100000)',
        limitCount,
      ),
  );
  threadOptions(command)
    .addHelpText('after', EXAMPLE)
    .action(async (input: string, output: string, flags: ConvertFlags) => {
      const { unfold, safe, limit, module, set } = flags;
      const options = {
        ...jobOptions(flags),
        ...threadsOf(flags),
        ...(module === undefined ? {} : { module }),
        ...(Object.keys(set).length === 0 ? {} : { set }),
        ...(unfold === undefined ? {} : { unfold }),
        ...(safe === undefined ? {} : { safe }),
        ...(limit === undefined ? {} : { limit }),
      };
      const job = { command: 'convert', input, output, options } as const;
      const { answer, signal } = await runJob<Written>(job, await cleanUp(output));
      if (answer.kind !== 'done') {
        ends(await finished(answer, signal));
        return;
      }
      const { contents, bytes, notes } = answer.result;
      for (const note of notes) process.stderr.write(`${visibleNote(`note: ${note}`)}\n`);
      const written = `${output}: ${contents}, ${bytes} bytes`;
      process.stderr.write(`${visible(written)}\n`);
      ends(exitCode.ok);
    });
}
const EXAMPLE = `
Examples:
  foretoken convert jacobi.ts jacobi.dot --ranks 4
  foretoken convert stencil-8.ti net.json --machine cluster.xml
  foretoken convert loop.ts net.json --machine node.yaml --workers 4
  foretoken convert net.pnml net.svg
  foretoken convert net.json net.pnml
  foretoken convert net.json net.prism
  foretoken convert net.json chain.tra
  foretoken convert net.json safe.pnml --safe
  foretoken convert net.json matrix.csv --unfold
  foretoken convert cluster.xml machine.yaml`;
