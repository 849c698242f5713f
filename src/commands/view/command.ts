import type { Command } from 'commander';
import { given } from '../../base/given.ts';
import { fail } from '../../base/problem.ts';
import { exitCode, signalCode } from '../command-line/exit-code.ts';
import type { Shell } from '../command-line/job.ts';
import { jobOptions, type MachineFlags, runOptions } from '../command-line/machine-options.ts';
import { list, moment, parameter, positiveInteger, processes, seconds } from '../command-line/option-values.ts';
import { finished } from '../command-line/outcome.ts';
import { resultFile } from '../command-line/result-output.ts';
import { type ThreadFlags, threadOptions, threadsOf } from '../command-line/thread-options.ts';
import { visible } from '../command-line/visible.ts';
import type { Moment } from '../profile/read-record.ts';
import type { View } from './view.ts';

interface ViewFlags extends MachineFlags, ThreadFlags {
  readonly set: Readonly<Record<string, number | string | boolean>>;
  readonly messages?: readonly string[];
  readonly align?: true;
  readonly from?: Moment;
  readonly to?: Moment;
  readonly process?: readonly number[];
  readonly until?: number;
  readonly maxSteps?: number;
  readonly witness?: string;
  readonly open?: true;
}

/** Adds `foretoken view`. */
export function viewCommand(program: Command, { ends, runJob }: Shell): void {
  const command = runOptions(
    program
      .command('view')
      .description('writes a page for the browser: summary, timeline, replay and tables of a run, or the net')
      .argument(
        '<input>',
        'MODEL.ts, a trace, a run record (.ftrun, .jsonl, .csv), NET.json, NET.pnml, or RESULT.json',
      ),
  );
  threadOptions(command.option('--set <name=value>', 'model only: value of a parameter (repeatable)', parameter, {}))
    .option('--messages <file>', 'messages of a run whose states are CSV (repeatable)', list)
    .option('--align', 'shift the clocks of recorded processes so that messages and collective operations fit')
    .option('--from <time>', 'show the run from here on: seconds, or per cent of the run as in 25%', moment)
    .option('--to <time>', 'show the run up to here', moment)
    .option('--process <numbers>', 'list only these processes in tables, as in 0,3,8-15', processes)
    .option('--until <seconds>', 'net only: stop at this simulated time, in seconds', seconds)
    .option('--max-steps <number>', 'net only: maximum number of starts and ends of firings', positiveInteger)
    .option('--witness <file>', 'net only: step through the firing sequences of a result of verify')
    .option('--open', 'open the page in the browser (FORETOKEN_BROWSER: the program that opens it)')
    .addHelpText('after', EXAMPLE)
    .action(async (input: string, flags: ViewFlags) => {
      const output = resultFile();
      if (output === undefined) fail('APP007', 'a page needs a file name: give -o, as in -o out.html', { file: input });
      const options = {
        ...jobOptions(flags),
        ...threadsOf(flags),
        ...given(flags, ['until', 'maxSteps', 'witness']),
        ...(Object.keys(flags.set).length === 0 ? {} : { set: flags.set }),
        ...given(flags, ['messages', 'align', 'from', 'to']),
        ...(flags.process === undefined ? {} : { processes: flags.process }),
      };
      const { answer, signal } = await runJob<View>({ command: 'view', input, options });
      if (answer.kind !== 'done') {
        ends(await finished(answer, signal));
        return;
      }
      const { html, spans, messages, complete, deadlocked } = answer.result;
      const contents = spans === 0 ? '' : `${spans} spans, ${messages} messages, `;
      process.stderr.write(`${visible(`${output}: ${contents}${html.length} bytes`)}\n`);
      const { writeWhole } = await import('../output.ts');
      writeWhole(output, html);
      if (flags.open === true) await openPage(output);
      if (deadlocked) ends(exitCode.violated);
      else if (complete) ends(exitCode.ok);
      else ends(signal === undefined ? exitCode.incomplete : signalCode(signal));
    });
}

const EXAMPLE = `
Examples:
  foretoken view jacobi.ts --machine cluster.yaml --ranks 64 -o jacobi.html
  foretoken view app.ti --machine cluster.xml -o app.html
  foretoken view run.ftrun --from 10% --to 20% -o part.html
  foretoken view study.json -o study.html
  foretoken view net.pnml -o net.html
  foretoken verify net.pnml -p deadlock-free --json -o result.json
  foretoken view result.json -o witness.html`;

/** The program that opens a file as its user would. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

/** Opens a page; a program that cannot be started is a note, because the page has been written. */
async function openPage(file: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const program = process.env['FORETOKEN_BROWSER'] ?? OPENERS[process.platform] ?? 'xdg-open';
  await new Promise<void>((done) => {
    const child = spawn(program, [file], { detached: true, stdio: 'ignore' });
    child.once('error', ({ message }) => {
      process.stderr.write(`${visible(`note: ${program} cannot open ${file}: ${message}`)}\n`);
      done();
    });
    child.once('spawn', () => {
      child.unref();
      done();
    });
  });
}
