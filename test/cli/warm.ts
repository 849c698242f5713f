import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathFacts } from '../../src/commands/inputs/path-kinds.ts';
import { type Ended, environment, foretoken, main, type RunOptions, root } from './run.ts';

/** Arguments whose effect lasts as long as the process, or that concern the process: outputs, limits, streams, threads. */
const OWN_PROCESS =
  /^(?:-|-o|--(?:output|no-clobber|trace|run|graph|witness|seconds|memory|replications)(?:=.*)?|\/dev\/(?!shm\/).*)$/;
const OWN_PROCESS_COMMANDS: ReadonlySet<string | undefined> = new Set(['convert', 'init']);
/** Commands whose `--workers`, of a model, are those of the program; otherwise they are threads of the command line. */
const OF_PROGRAMS: ReadonlySet<string | undefined> = new Set(['predict', 'profile', 'diagnose', 'verify']);

/** A process that has the command line loaded, and the texts of the modules that it has imported. */
interface Warm {
  readonly process: ChildProcess;
  readonly modules: Map<string, string>;
}
let warm: Warm | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * As {@link foretoken}, for tests of what a command prints, not of its process: commands run one after the other in one process
 * that has the command line loaded, without a thread of their own. A start takes 0.6 to 1.5 s of processor time, the work of most
 * commands a few hundredths. Commands that need a process of their own get one.
 */
export function warmly(args: readonly string[], options: Pick<RunOptions, 'cwd' | 'env'> = {}): Promise<Ended> {
  if (needsOwnProcess(args)) return foretoken(args, options);
  const ended = last.then(() => runWarm(args, options.cwd ?? root, options.env));
  last = ended.catch(() => {});
  return ended;
}

/** True for commands that {@link warmly} runs in their own process. Files in memory, where those of tests are, need none. */
export function needsOwnProcess(args: readonly string[]): boolean {
  if (OWN_PROCESS_COMMANDS.has(args[0]) || args.some((arg) => OWN_PROCESS.test(arg))) return true;
  const ofProgram = OF_PROGRAMS.has(args[0]) && args.some((arg) => pathFacts(arg).isCode);
  return !ofProgram && args.some((arg) => /^--workers(?:=.*)?$/.test(arg));
}

function runWarm(args: readonly string[], cwd: string, env: RunOptions['env']): Promise<Ended> {
  const child = processFor(args, cwd);
  return new Promise((end, fail) => {
    const died = (): void => {
      warm = undefined;
      fail(new Error(`foretoken ${args.join(' ')} ended the process that runs the commands`));
    };
    child.once('exit', died).once('message', (ended: Ended) => {
      child.off('exit', died);
      end(ended);
    });
    child.send({ main, args, cwd, env: { ...environment(), ...env } });
  });
}

/** The process that has the command line loaded; a new one if a module has changed, since modules are imported once. */
function processFor(args: readonly string[], cwd: string): ChildProcess {
  const given = args.map((arg) => resolve(cwd, arg)).filter((path) => pathFacts(path).isCode && existsSync(path));
  const modules = given.map((path) => [path, readFileSync(path, 'utf8')] as const);
  if (warm !== undefined && modules.some(([path, text]) => (warm!.modules.get(path) ?? text) !== text)) {
    warm.process.removeAllListeners().kill();
    warm = undefined;
  }
  warm ??= { process: start(), modules: new Map() };
  for (const [path, text] of modules) warm.modules.set(path, text);
  return warm.process;
}

function start(): ChildProcess {
  const child = fork(fileURLToPath(new URL('./warm-process.mjs', import.meta.url)), {
    env: environment(),
    execArgv: ['--max-semi-space-size=64'],
  });
  // The tests may end before it: then it ends, too.
  child.unref();
  child.channel?.unref();
  return child;
}
