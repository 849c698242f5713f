import { ownObjects, scaledLine } from '../../models/threads/program/row-changes.ts';
import type { ThreadProgram } from '../../models/threads/program/rows.ts';
import { changedModel, type ThreadModel } from '../../models/threads/program/threads.ts';
import { fromHere } from '../predict/model/model-figures.ts';
import type { PredictOptions } from '../predict/options.ts';
import type { DiagnosedLock, WorkingLine } from './ledger-losses.ts';
import { isSubject } from './predicted-gain.ts';
import { runTimeOf } from './speedup.ts';

/** A line or lock that is made cheaper. */
export interface CheaperPart {
  /** `line`: its work takes 10 % less. `lock`: each tenth of its operations waits for nobody. */
  readonly kind: 'line' | 'lock';
  /** Name of the lock. */
  readonly name?: string;
  /** Source file. */
  readonly file: string;
  /** Line in this file, from 1. */
  readonly line: number;
  /** Seconds by which the run becomes shorter; negative if it becomes longer. Absent if the changed program does not end. */
  readonly gain?: number;
}

/** Predicted gains of lines and locks that are 10 % cheaper, the largest first. */
export interface CheaperParts {
  /** Number of runs of changed programs: one for each part. */
  readonly runs: number;
  /** The parts, the largest gain first. */
  readonly parts: readonly CheaperPart[];
}

/** Maximum number of lines, and of locks. */
const MAX_PARTS = 8;
/** A tenth of a line's work, and of a lock's operations. */
const TENTH = 10;

const LOCKS: ReadonlySet<string> = new Set(['mutex', 'rwlock', 'atomic', 'counter']);

/**
 * Makes each of the lines that work longest, and of the locks that take longest, 10 % cheaper, and runs the program. After the
 * virtual speed-ups of Coz: Curtsinger and Berger, SOSP 2015; the model itself is changed, so that nothing needs to be delayed.
 *
 * @param time run time of the program as it is, in seconds
 * @complexity at most 16 runs
 */
export function cheaperParts(
  model: ThreadModel,
  options: PredictOptions,
  time: number,
  { lines, locks }: { readonly lines: readonly WorkingLine[]; readonly locks: readonly DiagnosedLock[] },
): CheaperParts {
  const gainOf = (rowChange: (program: ThreadProgram) => ThreadProgram): { readonly gain?: number } => {
    const changed = changedModel(model, (recorded) => ({ ...recorded, rowChange }));
    const own = runTimeOf(changed, options);
    return own === undefined ? {} : { gain: time - own };
  };
  const works = (line: WorkingLine): number => line.executing + line.waiting;
  const ofLines = lines
    .filter(({ isWork }) => isWork)
    .sort((a, b) => works(b) - works(a))
    .slice(0, MAX_PARTS)
    .map(({ file, line }): CheaperPart => {
      const change = (program: ThreadProgram): ThreadProgram =>
        scaledLine(
          program,
          (site) => {
            const { file: own = '', line: at = 0 } = program.sites[site]!.place;
            return at === line && fromHere(own) === file;
          },
          1 - 1 / TENTH,
        );
      return { kind: 'line', file, line, ...gainOf(change) };
    });
  const takes = (lock: DiagnosedLock): number => lock.wait + lock.overhead;
  const ofLocks = locks
    .filter((lock) => LOCKS.has(lock.kind) && takes(lock) > 0)
    .sort((a, b) => takes(b) - takes(a))
    .slice(0, MAX_PARTS)
    .map(({ name, kind, file, line }): CheaperPart => {
      const isOf: Parameters<typeof ownObjects>[1] = (object) => isSubject(object, { object: name, kind, line });
      return { kind: 'lock', name, file, line, ...gainOf((program) => ownObjects(program, isOf, TENTH) ?? program) };
    });
  const parts = [...ofLines, ...ofLocks].sort((a, b) => (b.gain ?? -Infinity) - (a.gain ?? -Infinity));
  return { runs: parts.length, parts };
}
