import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
if (!existsSync(main)) throw new Error('dist/cli/main.js is missing: npm run build');

export const stencil = 'examples/stencil/stencil-8.ti';
export const cluster = 'examples/stencil/cluster.xml';

/** All commands: each has a folder of its name. */
export const COMMANDS: readonly string[] = readdirSync(join(root, 'src/commands')).filter((name) =>
  existsSync(join(root, 'src/commands', name, 'command.ts')),
);

/** Result of a run of the command line. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Main script; default: the project's build. */
  readonly main?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory; default: the project's folder. */
  readonly cwd?: string;
  /** Standard input: a string, or `open` for a pipe without data. */
  readonly stdin?: string;
  /** Action on the running process, such as sending a signal. */
  readonly during?: (process: ChildProcess) => void | Promise<void>;
}

/** The variables of the command line: the cache of the test run, no colour, 100 columns, a UTF-8 locale. */
export function environment(): Readonly<Record<string, string>> {
  const { PATH = '', FORETOKEN_CACHE = 'off' } = process.env;
  return { PATH, FORETOKEN_CACHE, LC_ALL: 'C.UTF-8', COLUMNS: '100' };
}

/** Runs the built command line in the project's folder, without colour, 100 columns wide, in a UTF-8 locale. */
export async function foretoken(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = spawn(process.execPath, [options.main ?? main, ...args], {
    cwd: options.cwd ?? root,
    env: { ...environment(), ...options.env },
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  if (options.stdin !== 'open') child.stdin.end(options.stdin ?? '');
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  await options.during?.(child);
  return ended;
}

/** Processor time of a process in seconds, from its beginning; undefined where the system does not tell, or after its end. */
function processorTime({ pid }: ChildProcess): number | undefined {
  try {
    // Fields 14 and 15, in hundredths of a second, after the name of the program in parentheses (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}

/** Waits until a process has computed for this long, whatever else the machine does; for elapsed seconds where the system does not tell. */
export async function hasComputed(child: ChildProcess, seconds: number): Promise<void> {
  if (processorTime(child) === undefined) return sleep(1000 * seconds);
  while ((processorTime(child) ?? seconds) < seconds) await sleep(20);
}

/** Waits until a process that has begun computes no more: it waits for input. */
export async function waits(child: ChildProcess): Promise<void> {
  let last = -1;
  for (let time = 0; time !== last || time < 0.1; time = processorTime(child) ?? last) {
    last = time;
    await sleep(1000);
    if (processorTime(child) === undefined) return;
  }
}

/** Writes a module to a folder that runs the whole program, without scripts for short answers. */
export function wholeProgram(folder: string): string {
  const program = readdirSync(dirname(main)).find((name) => /^program-[A-Z\d]{8}\.js$/.test(name))!;
  const path = join(folder, 'whole.mjs');
  writeFileSync(
    path,
    `import { run } from ${JSON.stringify(pathToFileURL(join(dirname(main), program)).href)};
process.exitCode = await run(process.argv.slice(2));
`,
  );
  return path;
}
