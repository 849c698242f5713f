import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isUnguarded, UNGUARDED } from '../../base/workers/start-thread.ts';
import { exitCode } from './exit-code.ts';

/** V8 reserves guard regions of 8 to 10 GiB for each WebAssembly memory; every thread has at least one. */
const GUARDED = 16 * 2 ** 30;

/** True if guard regions do not fit into the address space and this process has them. */
export function needsUnguarded(): boolean {
  const limit = addressSpace();
  if (limit >= GUARDED * (availableParallelism() + 4)) return false;
  return !isUnguarded() && process.allowedNodeEnvironmentFlags.has(UNGUARDED);
}

/**
 * Runs this command line again in a process without guard regions, and returns its exit code. The flag has no effect once a
 * process has started. Without guard regions, instructions check each access to memory, which takes longer.
 */
export async function rerunUnguarded(): Promise<number> {
  const { code, signal } = await runAgain([UNGUARDED]).ended;
  if (code !== null) return code;
  if (signal === null || endAs(signal)) return exitCode.internal;
  process.stderr.write(`foretoken: ended by ${signal}. ${limitText()}\n`);
  return exitCode.incomplete;
}

/** The limit of address space (`ulimit -v`) in bytes; Infinity without a limit and where it is unknown. */
export function addressSpace(): number {
  try {
    const [, bytes] = /^Max address space +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return bytes === undefined ? Number.POSITIVE_INFINITY : Number(bytes);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Blames the limit of address space: how much it is, and what to do. */
export function limitText(): string {
  return `The limit of address space (ulimit -v) is ${Math.floor(addressSpace() / 1024)} KiB: expected 16000000 or more, or unlimited.`;
}

/** V8's and this package's messages for memory that cannot be reserved. */
const RESERVING = /\bOut of memory\b|could not allocate memory|no address space|Array buffer allocation failed/;

/** The message for a crash that a limit of address space explains; undefined for other crashes and without a limit. */
export function blamedLimit({ message }: { readonly message: string }): string | undefined {
  if (addressSpace() === Number.POSITIVE_INFINITY || !RESERVING.test(message)) return undefined;
  return `foretoken: out of address space before a result was available. ${limitText()}\n`;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Runs this command line again in another process, which has the same standard streams, and passes signals on to it.
 *
 * @param flags flags of Node.js that come before all others
 * @param environment further variables of its environment
 * @param talks true: it can send messages (`process.send`)
 */
export function runAgain(
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  talks = false,
): { readonly child: ChildProcess; readonly ended: Promise<ProcessEnd> } {
  const child = spawn(process.execPath, [...flags, ...process.execArgv, ...process.argv.slice(1)], {
    stdio: talks ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    env: { ...process.env, ...environment },
  });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  // A terminal sends Ctrl-C to both processes.
  const onCtrlC = process.stdin.isTTY === true ? (): void => {} : pass;
  process.on('SIGTERM', pass).on('SIGINT', onCtrlC);
  const ended = new Promise<ProcessEnd>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      process.off('SIGTERM', pass).off('SIGINT', onCtrlC);
      resolve({ code, signal });
    };
    child.once('error', () => end(null, null));
    child.once('close', end);
  });
  return { child, ended };
}

/** Ends this process as the other one ended, if a signal did that which the user sends. */
export function endAs(signal: NodeJS.Signals | null): boolean {
  if (signal !== 'SIGINT' && signal !== 'SIGTERM' && signal !== 'SIGKILL') return false;
  process.kill(process.pid, signal);
  return true;
}
