import { entryAt } from '../../../base/columns.ts';
import { given } from '../../../base/given.ts';
import { fail } from '../../../base/problem.ts';
import { OP, type Operations } from '../../../models/operations.ts';
import type { TraceEncoder } from '../../../models/trace-encoder.ts';
import type { TiTrace } from '../../../trace/ti/read.ts';
import type { Trace } from '../compact-trace.ts';
import type { JobInput } from './jobs.ts';

/** A job whose trace is read; its ranks are numbered from `first` among those of all jobs. */
export interface Job extends JobInput {
  readonly trace: TiTrace;
  readonly encoder: TraceEncoder;
  readonly first: number;
}

/** A job among all operations of a {@link jointTrace}. */
export interface JointJob extends Job {
  /** Its rows of the table of operations, and the number of its first tag. */
  readonly firstRow: number;
  readonly rows: number;
  readonly firstTag: number;
}

/** Largest number of positions of all jobs together. */
const MOST = 2 ** 31 - 1;

/**
 * The traces of several jobs as one, in memory. Ranks, requests, tags and pairs are numbered job after job, so that no message
 * of a job fits a receive of another one. A job that starts late has an additional sleep before its first action.
 */
export function jointTrace(jobs: readonly Job[]): {
  readonly trace: Trace;
  readonly operations: Operations;
  readonly jobs: readonly JointJob[];
} {
  const ranks = jobs.reduce((sum, { trace }) => sum + trace.ranks, 0);
  const late = ({ start }: Job): number => (start > 0 ? 1 : 0);
  let length = 0;
  for (const job of jobs)
    for (let r = 0; r < job.trace.ranks; r++) length += job.trace.end[r]! - job.trace.start[r]! + 1 + late(job);
  if (length > MOST)
    fail('TI050', `the jobs have ${length} positions together: at most ${MOST} are supported.`, {
      file: jobs[0]!.path,
    });
  const operations = jobs.map(({ encoder, trace }) => encoder.operations(trace.named));
  const joined = joinedOperations(jobs, operations, ranks);
  const [start, end] = [new Int32Array(ranks), new Int32Array(ranks)];
  const code = new Int32Array(length);
  const amount = new Float64Array(length);
  let at = 0;
  for (const [k, job] of jobs.entries()) {
    const { trace, first } = job;
    for (let r = 0; r < trace.ranks; r++) {
      start[first + r] = at;
      if (job.start > 0) code[at++] = joined.sleeps[first + r]!;
      for (let i = trace.start[r]!; i <= trace.end[r]!; i++, at++) {
        code[at] = entryAt(trace.code, i) + joined.rows[k]!;
        amount[at] = entryAt(trace.amount, i);
      }
      end[first + r] = at - 1;
    }
  }
  const locate: TiTrace['locate'] = (position) => {
    const rank = start.findLastIndex((from) => from <= position);
    const job = jobs.findLast(({ first }) => first <= rank);
    if (job === undefined) throw new RangeError(`position ${position} is not an action of a rank`);
    const own = Math.max(0, position - start[rank]! - late(job));
    return job.trace.locate(job.trace.start[rank - job.first]! + own);
  };
  const all = jobs.map((job) => job.trace);
  const types = all.map((trace) => trace.dataTypes());
  return {
    jobs: jobs.map((job, k) => ({
      ...job,
      firstRow: joined.rows[k]!,
      rows: operations[k]!.count,
      firstTag: joined.tags[k]!,
    })),
    operations: joined.operations,
    trace: {
      ranks,
      actions: all.reduce((sum, { actions }) => sum + actions, 0),
      start,
      end,
      length,
      code,
      amount,
      named: new Uint8Array(0),
      warnings: all.flatMap(({ warnings }) => warnings),
      // One note of each text: the jobs' traces usually have the same ones.
      notes: [...new Map(all.flatMap(({ notes }) => notes.map((note) => [note.message, note]))).values()],
      files: [...new Set(all.flatMap(({ files }) => files))],
      locate,
      dataTypes: () => ({
        of: (rank, index) => {
          const k = jobs.findLastIndex(({ first }) => first <= rank);
          return types[k]!.of(rank - jobs[k]!.first, index);
        },
      }),
      close: () => {
        for (const trace of all) trace.close();
      },
    },
  };
}

/** Columns of the operations table that number something: by how much the rows of a later job are shifted. */
type Shifted = 'rank' | 'by' | 'peer' | 'channel' | 'tag' | 'pair' | 'request';

/** The operations of all jobs, the first row of each job, and by rank the row of its sleep before a late start. */
function joinedOperations(jobs: readonly Job[], parts: readonly Operations[], ranks: number) {
  const late = jobs.some(({ start }) => start > 0);
  // Rows that number nothing have 0, which stays if the job has no numbers of the kind.
  const before = (of: (part: Operations) => number): number[] => {
    let sum = 0;
    return parts.map((part) => {
      sum += of(part);
      return of(part) === 0 ? 0 : sum - of(part);
    });
  };
  const rows = before(({ count }) => count);
  const shifts: { readonly [column in Shifted]: readonly number[] } = {
    rank: jobs.map(({ first }) => first),
    by: jobs.map(({ first }) => first),
    peer: jobs.map(({ first }) => first),
    channel: before(({ channels }) => channels),
    tag: before(({ tags }) => tags),
    pair: before(({ pairs }) => pairs.from.length),
    request: before(({ requests }) => requests),
  };
  const own = parts.reduce((sum, { count }) => sum + count, 0);
  const count = own + (late ? ranks : 0);
  const column = (name: 'op' | 'more' | 'wildcard' | 'named' | 'mode' | Shifted): Int32Array => {
    const all = new Int32Array(count);
    for (const [k, part] of parts.entries()) {
      const from = name === 'by' ? (part.by ?? part.rank) : part[name];
      const shift = name in shifts ? shifts[name as Shifted][k]! : 0;
      // −1 represents any source and any tag.
      if (from !== undefined)
        for (let i = 0; i < part.count; i++) all[rows[k]! + i] = from[i]! < 0 ? -1 : from[i]! + shift;
    }
    return all;
  };
  const op = column('op');
  const rank = column('rank');
  const by = parts.some((part) => part.by !== undefined) ? column('by') : undefined;
  const size = new Float64Array(count);
  for (const [k, part] of parts.entries()) size.set(part.size.subarray(0, part.count), rows[k]!);
  const sleeps = new Int32Array(ranks);
  if (late)
    for (const job of jobs)
      for (let r = job.first; r < job.first + job.trace.ranks; r++) {
        const row = own + r;
        sleeps[r] = row;
        op[row] = OP.sleep;
        rank[row] = r;
        if (by !== undefined) by[row] = r;
        size[row] = job.start;
      }
  const total = (of: (part: Operations) => number): number => parts.reduce((sum, part) => sum + of(part), 0);
  const ends = (end: 'from' | 'to'): Int32Array =>
    Int32Array.from(parts.flatMap(({ pairs }, k) => Array.from(pairs[end], (r) => r + jobs[k]!.first)));
  const operations: Operations = {
    count,
    op,
    more: column('more'),
    size,
    rank,
    peer: column('peer'),
    channel: column('channel'),
    channels: total(({ channels }) => channels),
    tag: column('tag'),
    tags: total(({ tags }) => tags),
    wildcard: column('wildcard'),
    pair: column('pair'),
    pairs: { from: ends('from'), to: ends('to') },
    request: column('request'),
    requests: total(({ requests }) => requests),
    named: column('named'),
    ...(parts.some(({ mode }) => mode !== undefined) ? { mode: column('mode') } : {}),
    tests: parts.some(({ tests }) => tests),
    ...(parts.some(({ anyWaits }) => anyWaits === true) ? { anyWaits: true } : {}),
    ...given({ by }, ['by']),
  };
  return { operations, rows, tags: shifts.tag, sleeps };
}
