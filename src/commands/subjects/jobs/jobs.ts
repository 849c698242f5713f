import { basename, extname } from 'node:path';
import { didYouMean, fail, quote, shown, withArticle } from '../../../base/problem.ts';
import { pathFacts } from '../../inputs/path-kinds.ts';

/** Several traces that run at once on one machine. Each is a job, named after its file. */
export interface JobsOptions {
  /** Traces only: the traces of further jobs, which run on the same machine at the same time. */
  readonly otherPrograms?: readonly string[];
  /** Traces only: when jobs start, in seconds, by name; default 0. */
  readonly start?: Readonly<Record<string, number>>;
  /** Traces only: hostfiles of single jobs, by name. The others are placed on the hosts that these leave free. */
  readonly jobHostfiles?: Readonly<Record<string, string>>;
}

/** A job before its trace is read. */
export interface JobInput {
  readonly name: string;
  readonly path: string;
  /** When it starts, in seconds. */
  readonly start: number;
  readonly hostfile?: string;
}

/** True if the options ask for jobs, also for a single one. */
export function hasJobs({ otherPrograms = [], start = {}, jobHostfiles = {} }: JobsOptions): boolean {
  return otherPrograms.length + Object.keys(start).length + Object.keys(jobHostfiles).length > 0;
}

/** Latest start of a job, in seconds: 30 years, at which times still differ by 0.1 µs. */
const LATEST = 1e9;

/**
 * The jobs that the options name, in order: the first is the input itself. A job has the name of its file without folder and
 * endings; the second one of a name is `NAME#2`.
 *
 * @throws InputError APP063 an unknown job, APP064 a time that is no start, APP065 a program that is not a trace
 */
export function jobsOf(input: string, { otherPrograms = [], start = {}, jobHostfiles = {} }: JobsOptions): JobInput[] {
  const paths = [input, ...otherPrograms];
  for (const path of otherPrograms) assertTrace(path);
  if (paths.filter((path) => path === '-').length > 1)
    fail('APP065', 'standard input (-) is given twice: it can be read once', { part: 'programs' });
  const names = jobNames(paths);
  for (const [option, given] of [
    ['start', start],
    ['jobHostfiles (--job-hostfile)', jobHostfiles],
  ] as const)
    for (const name of Object.keys(given))
      if (!names.includes(name))
        fail('APP063', `no job is named ${quote(name)}.${didYouMean(name, names)}`, { part: option });
  for (const [name, seconds] of Object.entries(start))
    if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= LATEST))
      fail('APP064', `start of job ${quote(name)}: expected seconds from 0 to ${LATEST}, got ${shown(seconds)}`, {
        part: 'start',
      });
  return paths.map((path, k): JobInput => {
    const name = names[k]!;
    const hostfile = Object.hasOwn(jobHostfiles, name) ? jobHostfiles[name] : undefined;
    const from = Object.hasOwn(start, name) ? start[name]! : 0;
    return { name, path, start: from, ...(hostfile === undefined ? {} : { hostfile }) };
  });
}

function assertTrace(path: unknown): void {
  if (typeof path !== 'string' || path === '')
    fail('APP061', `otherPrograms: expected the paths of traces, got ${shown(path)}`, { part: 'predict' });
  const { role, isCode, isRecord, kinds } = pathFacts(path);
  if (!isCode && kinds.length === 0) return;
  const kind = isRecord ? 'a run record' : withArticle(role);
  fail('APP065', `is ${kind}: programs that run at once are traces, all of them`, { file: path });
}

/** Unique names of jobs: a name that is taken gets the first free number from 2. */
export function jobNames(paths: readonly string[]): string[] {
  const taken = new Set<string>();
  return paths.map((path) => {
    const file = basename(path).replace(/\.gz$/, '');
    const own = path === '-' ? 'stdin' : file.slice(0, file.length - extname(file).length) || file;
    let name = own;
    for (let k = 2; taken.has(name); k++) name = `${own}#${k}`;
    taken.add(name);
    return name;
  });
}
