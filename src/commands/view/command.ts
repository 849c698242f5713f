import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { given } from '../../base/given.ts';
import { fail } from '../../base/problem.ts';
import type { AnyDocument } from '../../report/page-parts.ts';
import { exitCode, signalCode } from '../command-line/exit-code.ts';
import type { Job, JobEnd, Shell } from '../command-line/job.ts';
import {
  jobOptions,
  type MachineFlags,
  type ProgramFlags,
  programOptions,
  programsOf,
  runOptions,
} from '../command-line/machine-options.ts';
import { limitCount, list, moment, parameter, processes, seconds } from '../command-line/option-values.ts';
import { finished } from '../command-line/outcome.ts';
import { resultFile, writeResult } from '../command-line/result-output.ts';
import { type ThreadFlags, threadOptions, threadsOf } from '../command-line/thread-options.ts';
import { visible } from '../command-line/visible.ts';
import { filesOf, pathFacts } from '../inputs/path-kinds.ts';
import type { Moment } from '../profile/read-record.ts';
import type { View, Viewed } from './view.ts';

interface ViewFlags extends MachineFlags, ThreadFlags, ProgramFlags {
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
  readonly serve?: true;
  readonly port?: number;
  readonly follow?: true;
  readonly text?: true;
}

/** Adds `foretoken view`. */
export function viewCommand(program: Command, { ends, runJob, forkJob }: Shell): void {
  const command = runOptions(
    program
      .command('view')
      .description('writes a page for the browser: summary, timeline, replay and tables of a run, or the net')
      .argument('<inputs...>', `${filesOf('view')}; or RESULT.json; several traces run at once, as jobs`),
  );
  programOptions(
    threadOptions(command.option('--set <name=value>', 'model only: value of a parameter (repeatable)', parameter, {})),
  )
    .option('--messages <file>', 'messages of a run whose states are CSV (repeatable)', list)
    .option('--align', 'shift the clocks of recorded processes so that messages and collective operations fit')
    .option('--from <time>', 'show the run from here on: seconds, or per cent of the run as in 25%', moment)
    .option('--to <time>', 'show the run up to here', moment)
    .option('--process <numbers>', 'show only these processes, their calls and messages, as in 0,3,8-15', processes)
    .option('--until <seconds>', 'net only: stop at this simulated time, in seconds', seconds)
    .option('--max-steps <number>', 'net only: maximum number of starts and ends of firings', limitCount)
    .option('--text', 'print the findings of the first screen of the page, instead of a page')
    .option('--serve', 'serve the page on 127.0.0.1, and make it again whenever a file of the input changes')
    .option('--port <number>', '--serve only: the port; default: any that is free', port)
    .option('--follow', '--serve only: the run record is still being written; show its complete part')
    .option('--witness <file>', 'net only: step through the firing sequences of a result of verify')
    .option('--open', 'open the page in the browser (FORETOKEN_BROWSER: the program that opens it)')
    .addHelpText('after', EXAMPLE)
    .action(async ([input = '', ...otherPrograms]: readonly string[], flags: ViewFlags) => {
      const output = resultFile();
      if (flags.serve === true && output !== undefined)
        fail('APP007', 'a served page has no file: leave out -o or --serve', { file: output });
      const served = flags.port === undefined ? flags.follow && '--follow' : '--port';
      if (served !== undefined && flags.serve !== true)
        fail('APP004', `option ${served} applies to served pages only: add --serve`, { file: input });
      if (flags.follow === true && !pathFacts(input).isRecord)
        fail('APP004', 'option --follow applies to run records only', { file: input });
      const [whole] = flags.follow === true ? Object.keys(given(flags, ['messages', 'align', 'from', 'to'])) : [];
      if (whole !== undefined)
        fail('APP004', `option --${whole} does not apply to a record that is followed`, { file: input });
      const needsPage = (['serve', 'open'] as const).find((name) => flags[name] === true);
      if (flags.text === true && needsPage !== undefined)
        fail('APP004', `option --${needsPage} needs a page: leave out --text`, { file: input });
      if (flags.serve !== true && flags.text !== true && output === undefined)
        fail('APP007', 'a page needs a file name: give -o, as in -o out.html', { file: input });
      const options = {
        ...jobOptions(flags),
        ...programsOf(flags, otherPrograms),
        ...threadsOf(flags),
        ...given(flags, ['until', 'maxSteps', 'witness']),
        ...(Object.keys(flags.set).length === 0 ? {} : { set: flags.set }),
        ...given(flags, ['messages', 'align', 'from', 'to']),
        ...(flags.process === undefined ? {} : { processes: flags.process }),
      };
      const job = { command: 'view', input, options: { ...options, ...given(flags, ['follow']) } };
      if (flags.text === true) {
        ends(await printed(job, runJob));
        return;
      }
      if (output === undefined) {
        ends(await serve(job, otherPrograms, flags, forkJob));
        return;
      }
      const { answer, signal } = await runJob<View>(job);
      if (answer.kind !== 'done') {
        ends(await finished(answer, signal));
        return;
      }
      const { html, spans, messages, progress } = answer.result;
      if (progress !== undefined) process.stderr.write(`note: ${progress}\n`);
      const contents = spans === 0 ? '' : `${spans} spans, ${messages} messages, `;
      process.stderr.write(`${visible(`${output}: ${contents}${html.length} bytes`)}\n`);
      const { writeWhole } = await import('../output.ts');
      writeWhole(output, html);
      if (flags.open === true) await openPage(output);
      ends(codeOf(answer.result, signal));
    });
}

/** Parses a port: 0 to 65535. */
function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65535) throw new InvalidArgumentError(' Expected a port from 0 to 65535.');
  return value;
}

const EXAMPLE = `
Examples:
  foretoken view jacobi.ts --machine cluster.yaml --ranks 64 -o jacobi.html
  foretoken view app.ti --machine cluster.xml -o app.html
  foretoken view run.ftrun --from 10% --to 20% -o part.html
  foretoken view study.json -o study.html
  foretoken view net.pnml -o net.html
  foretoken view study.json --text
  foretoken view jacobi.ts --machine cluster.yaml --ranks 64 --serve --open
  foretoken verify net.pnml -p deadlock-free --json -o result.json
  foretoken view result.json -o witness.html`;

function codeOf({ complete, deadlocked }: Pick<View, 'complete' | 'deadlocked'>, signal: JobEnd['signal']): number {
  if (deadlocked) return exitCode.violated;
  if (complete) return exitCode.ok;
  return signal === undefined ? exitCode.incomplete : signalCode(signal);
}

/** Prints the first screen of the page. */
async function printed(job: Job<object>, runJob: Shell['runJob']): Promise<number> {
  const { answer, signal } = await runJob<Viewed>({ ...job, options: { ...job.options, text: true } });
  if (answer.kind !== 'done') return finished(answer, signal);
  const { title, texts, notes } = answer.result;
  const [{ summaryOf }, { summaryText }, { outputStyle }] = await Promise.all([
    import('./summary/summary.ts'),
    import('./summary/summary-text.ts'),
    import('../command-line/output-style.ts'),
  ]);
  const documents = texts.map((text) => JSON.parse(text) as AnyDocument);
  await writeResult(summaryText(title, summaryOf(documents, notes), outputStyle()));
  return codeOf(answer.result, signal);
}

/** Serves the page until a signal ends it. Each address is a line of standard output. */
async function serve(
  job: Job<object>,
  otherPrograms: readonly string[],
  flags: ViewFlags,
  forkJob: Shell['forkJob'],
): Promise<number> {
  const { machine, hostfile, placement, messages = [] } = flags;
  const hosts = Object.values(flags.jobHostfile ?? {});
  const files = [machine, hostfile, placement, ...messages, ...otherPrograms, ...hosts].filter(
    (path) => path !== undefined && existsSync(path),
  );
  let isFirst = true;
  const { servePage } = await import('./serve/serve-page.ts');
  return servePage(
    {
      job,
      files: files as string[],
      isGrowing: flags.follow === true,
      port: flags.port ?? 0,
      opened: (address) => {
        process.stdout.write(`${address}\n`);
        if (isFirst && flags.open === true) void openPage(address);
        isFirst = false;
      },
    },
    forkJob,
  );
}

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
