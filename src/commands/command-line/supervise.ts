import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { outputsAreIncomplete } from '../../base/files/output-file.ts';
import { formatBytes, formatSeconds } from '../../report/units.ts';
import { endAs, runAgain } from './address-space.ts';
import { exitCode } from './exit-code.ts';
import { sendResultTo, WRITING, withoutResult, writeResult } from './result-output.ts';
import { memorySize, positiveSeconds } from './space-options.ts';

/** Names the supervisor to the process that it watches. */
const SUPERVISOR = 'FORETOKEN_SUPERVISOR';
/** Commands that keep limits themselves, and then print their partial results. */
const KEEP_LIMITS: readonly string[] = ['explore', 'verify', 'structure', 'steady'];
/** Milliseconds between two looks at the memory; of `ps`, which starts a process, more. */
const LOOK_EVERY = 20;
const PS_EVERY = 250;
const MEBIBYTE = 2 ** 20;
/** Memory of a process that only refuses its options, with room. */
const LEAST = 200 * MEBIBYTE;
/** Limits below this number of seconds leave the command as much time to end as this limit. */
const LEAST_SECONDS = 2;

interface Limits {
  /** Seconds from the start of this process. */
  readonly seconds?: number;
  /** Bytes of resident memory. */
  readonly memory?: number;
}

/**
 * Runs a command that has limits of time or memory in another process, and watches it. First the command itself is to end: by its
 * own limit, or by the signal of Ctrl-C, after which it prints its results so far. If it does not, it is killed: by 1.1 × seconds +
 * 0.8 s (limits of at least 2 s), and above 1.08 × memory + 70 MiB. Reading, preparation and functions of models thus count, too.
 *
 * @returns the exit code; undefined if this process is the watched one, or the limits are not valid
 */
export async function supervised(argv: readonly string[]): Promise<number | undefined> {
  if (process.env[SUPERVISOR] === String(process.ppid)) return undefined;
  const limits = limitsIn(argv);
  if (limits === undefined) return undefined;
  const { seconds, memory } = limits;
  const keeps = KEEP_LIMITS.some((name) => name === argv[0]);
  const { child, ended } = runAgain([], { [SUPERVISOR]: String(process.pid) }, true);
  let writes = false;
  child.once('message', (message) => {
    writes = message === WRITING;
  });
  let reached: 'time' | 'memory' | undefined;
  let killed = false;
  const ask = (limit: 'time' | 'memory'): void => {
    if (reached !== undefined || writes) return;
    reached = limit;
    child.kill('SIGINT');
  };
  const kill = (limit: 'time' | 'memory'): void => {
    reached ??= limit;
    killed = true;
    child.kill('SIGKILL');
  };
  const timers: NodeJS.Timeout[] = [];
  if (seconds !== undefined) {
    const at = (limit: number, run: () => void): void => {
      timers.push(setTimeout(run, Math.min(MAX_DELAY, Math.max(0, 1000 * limit - performance.now()))));
    };
    // A short limit is shorter than the start of a process on a busy machine.
    const start = Math.max(0, LEAST_SECONDS - seconds);
    at(keeps ? 1.04 * seconds + 0.3 + start : 0.96 * seconds, () => ask('time'));
    at(1.1 * seconds + 0.8 + start, () => kill('time'));
  }
  if (memory !== undefined) {
    const residentOf = memoryReader(child.pid ?? 0);
    const look = (): void => {
      const bytes = residentOf.read();
      if (bytes > Math.max(1.08 * memory + 70 * MEBIBYTE, LEAST)) kill('memory');
      else if (bytes > Math.max(keeps ? 1.04 * memory + 40 * MEBIBYTE : memory, LEAST)) ask('memory');
    };
    timers.push(setInterval(look, residentOf.every));
  }
  const { code, signal } = await ended;
  for (const timer of timers) clearTimeout(timer);
  if (reached === undefined) {
    if (code !== null) return code;
    return signal === null || endAs(signal) ? exitCode.internal : exitCode.incomplete;
  }
  const limit =
    reached === 'time' ? `time limit of ${formatSeconds(seconds!)}` : `memory limit of ${formatBytes(memory!)}`;
  const when = killed ? ' before a result was available' : '';
  process.stderr.write(`foretoken: the ${limit} was reached${when}\n`);
  // A violation that was found before the limit remains one.
  if (code === exitCode.violated || code === exitCode.input) return code;
  if (!writes && argv.includes('--json')) await writeWithoutResult(argv, withoutResult(argv[0]!, limit));
  return exitCode.incomplete;
}

/** Writes the document of a command without a result to where its result was to go. A complete file stays as it is. */
async function writeWithoutResult(argv: readonly string[], document: string): Promise<void> {
  const file = optionValue(argv, '-o') ?? optionValue(argv, '--output');
  if (file !== undefined) {
    outputsAreIncomplete();
    sendResultTo(file);
  }
  await writeResult(document);
}

/** Largest delay of a timer, in milliseconds. */
const MAX_DELAY = 2 ** 31 - 1;

/** The limits among the arguments; undefined without one, or if one is not valid: the command then refuses it. */
function limitsIn(argv: readonly string[]): Limits | undefined {
  const [time, size] = [optionValue(argv, '--seconds'), optionValue(argv, '--memory')];
  try {
    return {
      ...(time === undefined ? {} : { seconds: positiveSeconds(time) }),
      ...(size === undefined ? {} : { memory: memorySize(size) }),
    };
  } catch {
    return undefined;
  }
}

/** The last value of an option. */
function optionValue(argv: readonly string[], name: string): string | undefined {
  const k = argv.findLastIndex((word) => word === name || word.startsWith(`${name}=`));
  if (k < 0) return undefined;
  return argv[k] === name ? (argv[k + 1] ?? '') : argv[k]!.slice(name.length + 1);
}

/** Reads the resident memory of a process in bytes; 0 where it is unknown. */
function memoryReader(pid: number): { readonly every: number; read(): number } {
  const ofProc = (): number => {
    try {
      return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
    } catch {
      return 0;
    }
  };
  if (ofProc() > 0) return { every: LOOK_EVERY, read: ofProc };
  const ofPs = (): number => {
    try {
      return 1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'latin1' }));
    } catch {
      return 0;
    }
  };
  return { every: PS_EVERY, read: ofPs };
}
