import type { Recorded } from '../record/recorder.ts';
import { type Block, blocksOf, type Statement, statementsIn } from '../record/statement.ts';
import type { Shape } from './shape.ts';

/** Thread of blocking collectives; thread 0 is the program. */
export const BLOCKING = 1;

/**
 * `callNumber` of all non-blocking collectives if they are numbered at run time ({@link isNumbered}): separates their
 * messages from those of other collectives.
 */
export const NUMBERED: number = BLOCKING + 1;

/** Number of sequence numbers: a non-blocking collective must complete before the one 64 calls later starts. */
export const LAPS = 64;

/**
 * The thread of each collective call: all blocking calls share one, every non-blocking call has its own. O(statements).
 */
export function threadsOf(programs: readonly Recorded[]): Map<Statement, number> {
  const threads = new Map<Statement, number>();
  for (const { body } of programs) {
    let next = BLOCKING + 1;
    for (const s of statementsIn(body)) {
      if (s.kind === 'fence') threads.set(s, BLOCKING);
      else if (s.kind === 'collective') threads.set(s, isBeside(s) ? next++ : BLOCKING);
    }
  }
  return threads;
}

/** True if a statement starts a non-blocking collective. */
export function isBeside(s: Statement): s is Extract<Statement, { kind: 'collective' }> {
  return s.kind === 'collective' && s.request !== undefined;
}

/**
 * True if the matching of non-blocking collectives is known only at run time. The k-th calls of all ranks on a
 * communicator match (MPI 4.1, §6.12). If all ranks execute the same statements equally often, calls of the same
 * statement match, and no sequence numbers are needed. O(statements).
 */
export function isNumbered(shapes: readonly Shape[]): boolean {
  const some = shapes.some(({ of }) => [...of.keys()].some(isBeside));
  return some && (shapes.length > 1 || !isAlike(shapes[0]!, shapes[0]!.program.body));
}

/**
 * True if all ranks execute the non-blocking collectives of a block equally often: no enclosing test or count reads the
 * state.
 */
function isAlike(shape: Shape, block: Block): boolean {
  return block.statements.every((s) => {
    const inner = blocksOf(s);
    if (inner.every((b) => ![...statementsIn(b)].some(isBeside))) return true;
    const same = s.kind === 'interval' || shape.of.get(s)!.test?.reads.length === 0;
    return same && inner.every((b) => isAlike(shape, b));
  });
}
