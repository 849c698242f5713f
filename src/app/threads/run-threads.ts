import { fail } from '../../base/problem.ts';
import { compile } from '../../engine/compile.ts';
import type { ThreadNet } from '../../models/threads/net/thread-net.ts';
import { ACQUIRE, ROW } from '../../models/threads/program/rows.ts';
import { ThreadEvents, type ThreadSink } from '../../models/threads/thread-events.ts';
import { DEFAULT_SEED } from '../document.ts';

/** Maximum number of steps of a run. */
const MAX_STEPS = 1e9;
/** Steps between two looks at the limit. */
const SLICE = 1 << 20;

/** A strand that cannot continue at the end of a run. */
export interface BlockedThread {
  readonly strand: number;
  /** Operation and object, as in `lock m`. */
  readonly operation: string;
  readonly file: string;
  readonly line: number;
}

/** The result of {@link runThreads}. */
export interface ThreadRun {
  /** Seconds until the last main strand has ended; in a deadlock, until the last event. */
  readonly time: number;
  /** Starts and ends of firings. */
  readonly steps: number;
  /** Strands that are blocked in a deadlock; empty if the program has ended. */
  readonly deadlock: readonly BlockedThread[];
  readonly ended: boolean;
}

/**
 * Runs the net of a thread program to its end.
 *
 * @throws InputError DIAG007 for a program that unlocks what it does not hold, DIAG008 for too many steps
 */
export function runThreads(
  net: ThreadNet,
  options: { readonly seed?: string; readonly sink?: ThreadSink } = {},
): ThreadRun {
  const { seed = DEFAULT_SEED, sink } = options;
  const compiled = compile(net.net, {
    timed: ['ended'],
    ...(sink === undefined ? {} : { log: new ThreadEvents(net, sink).log() }),
  });
  const run = compiled.start({ seed });
  while (run.run(SLICE, Number.POSITIVE_INFINITY) && run.steps < MAX_STEPS);
  if (run.steps >= MAX_STEPS) fail('DIAG008', `the program takes more than ${MAX_STEPS} steps: use a smaller problem`);
  const ends = run.tokens('ended').map(({ time }) => time);
  const ended = ends.length === net.program.pools;
  return {
    time: ended ? Math.max(...ends) : run.now,
    steps: run.steps,
    deadlock: ended ? [] : blockedThreads(net, run),
    ended,
  };
}

interface Marking {
  tokens(place: string): readonly { readonly values: readonly number[] }[];
}

/** @throws InputError DIAG007 */
function blockedThreads({ net, program }: ThreadNet, run: Marking): BlockedThread[] {
  const at = (place: string): BlockedThread[] => {
    const fields = net.places.find(({ name }) => name === place)?.fields.map(({ name }) => name);
    if (fields === undefined) return [];
    return run.tokens(place).map(({ values }) => {
      const row = values[fields.indexOf('at')]!;
      const { rows, sites, objects } = program;
      const object = objects[rows.a[row]!];
      const mode =
        rows.op[row] === ROW.acquire ? ACQUIRE[rows.b[row]!]!.name : rows.op[row] === ROW.wait ? 'wait' : 'unlock';
      const { file = '', line = 0 } = sites[rows.site[row]!]!.place;
      return { strand: values[fields.indexOf('s')]!, operation: `${mode} ${object?.name ?? ''}`, file, line };
    });
  };
  const [fault] = at('faults');
  if (fault !== undefined)
    fail('DIAG007', `${fault.operation}: strand ${fault.strand} does not hold it`, {
      file: fault.file,
      line: fault.line,
    });
  return at('waiting').sort((a, b) => a.strand - b.strand);
}
