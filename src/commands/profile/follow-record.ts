import { extname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fail, type Problem, quote } from '../../base/problem.ts';
import { PRODUCT } from '../../base/version.ts';
import type { Batch, RunConsumer } from '../../trace/run/batch.ts';
import type { Growth } from '../../trace/run/checks/run-checker.ts';
import { readRun } from '../../trace/run/read-run.ts';
import { profileRecord } from './profile.ts';
import type { ProfileDocument } from './profile-document.ts';
import type { ProfileOptions } from './profile-options.ts';

/** The part of a record that is complete. */
export interface CompletePart {
  /** The record has its end, so that the part is all of it. */
  readonly isComplete: boolean;
  /** End of the part, in seconds. */
  readonly until: number;
}

/**
 * Follows a record that is still being written. All rows up to an instant are known when every process has rows up to it: rows of one
 * process are ordered, and a recorder writes messages and stays of nodes before the states that end later. Where it does not, an
 * earlier profile was wrong, which {@link RecordFollower.next} reports.
 *
 * @complexity each look reads the record from its begin, and once more for its profile
 */
export class RecordFollower {
  readonly #file: string;
  readonly #isGrowing: boolean;
  #shown: { readonly until: number; readonly rows: number } | undefined;
  #late: Problem | undefined;
  /** The processes that had rows at the last look at a record without an end; none if it was refused. */
  started: readonly number[] = [];

  /**
   * @param isGrowing false for a record that was cut off
   * @throws InputError REC002 for a record without an end, or of several files
   */
  constructor(files: string | readonly string[], isGrowing = true) {
    this.#isGrowing = isGrowing;
    const [file, ...others] = [files].flat() as [string, ...string[]];
    const ending = extname(file).toLowerCase();
    if (others.length > 0)
      fail('REC002', `is one of several files: expected one record to follow`, { file: others[0]! });
    if (ending === '.csv')
      fail(
        'REC002',
        `${quote(ending)} records have no end that tells when they are complete: expected .ftrun or .jsonl`,
        {
          file,
        },
      );
    this.#file = file;
  }

  /**
   * The part that is complete now; undefined before one exists, or if it has not grown since the last call that returned one.
   *
   * @throws InputError as `profileRun`, but not for a record that is truncated
   */
  next(): CompletePart | undefined {
    const growth: Growth = { isComplete: false };
    const survey = new Survey();
    this.started = [];
    readRun(this.#file, undefined, PRODUCT, survey, { growing: growth });
    const { isComplete, until, started = [] } = growth;
    this.started = started;
    if (until === undefined || (!isComplete && !(until > survey.begin))) return undefined;
    const shown = this.#shown;
    if (shown !== undefined) {
      if (!isComplete && until === shown.until) return undefined;
      // The record was written anew.
      if (until < shown.until) this.#late = undefined;
      else this.#check(survey.rowsBefore(shown.until) - shown.rows, shown.until);
    }
    this.#shown = { until, rows: survey.rowsBefore(until) };
    return { isComplete, until };
  }

  /** The profile of a part. */
  profile({ isComplete, until }: CompletePart, options: ProfileOptions): ProfileDocument {
    const document = isComplete
      ? profileRecord(this.#file, options)
      : profileRecord(this.#file, { ...options, to: until }, { isComplete });
    return {
      ...document,
      complete: isComplete && document.complete,
      warnings: [...document.warnings, ...this.notes(isComplete, until)],
    };
  }

  /** Notes for readers of the part. */
  notes(isComplete: boolean, until: number): Problem[] {
    const about = `this is its part up to ${until} s, to which all processes have rows`;
    const part: Problem = this.#isGrowing
      ? { code: 'PROF008', message: `the record is still being written: ${about}` }
      : { code: 'PROF010', message: `the record is cut off: ${about}` };
    return [...(isComplete ? [] : [part]), ...(this.#late === undefined ? [] : [this.#late])];
  }

  #check(rows: number, until: number): void {
    if (rows <= 0) return;
    this.#late = {
      code: 'PROF009',
      message: `${rows} ${rows === 1 ? 'row' : 'rows'} of messages or nodes before ${until} s came after this time was profiled: figures of earlier parts were wrong. A recorder that is followed writes them before the states that end later`,
    };
  }
}

/** The begin of a run, and the instants of the rows that must be written before the states that end later. */
class Survey implements RunConsumer {
  readonly #received: Float64Array[] = [];
  readonly #stays: { readonly joined: number; readonly left: number }[] = [];
  begin = Number.POSITIVE_INFINITY;

  head(): void {}
  name(): void {}
  end(): void {}

  batch({ table, columns, count }: Batch): void {
    if (table === 'messages') this.#received.push((columns['received'] as Float64Array).slice(0, count));
    else if (table === 'states')
      for (let row = 0; row < count; row++) this.begin = Math.min(this.begin, columns['start']![row]!);
    else if (table === 'nodes')
      for (let row = 0; row < count; row++)
        this.#stays.push({ joined: columns['joined']![row]!, left: columns['left']![row]! });
  }

  /** Number of rows that affect the figures of the time before an instant. Nodes without a row take part in all of it. */
  rowsBefore(until: number): number {
    let rows = this.#stays.filter(({ joined, left }) => joined > 0 || left < until).length;
    for (const received of this.#received) for (const time of received) if (time < until) rows++;
    return rows;
  }
}

/** A look takes at most this share of the time: a record is read from its begin each time. */
const SHARE = 0.25;

/**
 * Profiles a record that is being written whenever more of it is complete, until it has its end.
 *
 * @param every milliseconds between two looks; more if a look takes long
 * @param show called with each profile
 * @param signal ends following
 * @returns the last profile; undefined if there was none before the signal
 * @throws InputError as `profileRun`, but not for a record that is truncated
 */
export async function followRecord(
  files: readonly string[],
  options: ProfileOptions,
  every: number,
  show: (document: ProfileDocument) => Promise<void>,
  signal: AbortSignal,
): Promise<ProfileDocument | undefined> {
  const follower = new RecordFollower(files);
  let last: ProfileDocument | undefined;
  let isWaiting = false;
  while (!signal.aborted) {
    const begun = performance.now();
    const part = follower.next();
    if (part !== undefined) {
      last = follower.profile(part, options);
      await show(last);
      if (part.isComplete) break;
    } else if (last === undefined && !isWaiting) {
      isWaiting = true;
      process.stderr.write('note: nothing is complete yet: a part is, when each process has rows up to its end\n');
    }
    const spent = performance.now() - begun;
    await wait(Math.max(every, spent / SHARE), undefined, { signal }).catch(() => {});
  }
  return last;
}
