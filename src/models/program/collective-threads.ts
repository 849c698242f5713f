import type { Recorded } from './recorder.ts';
import type { Shape } from './shape.ts';
import { type Block, blocksOf, type Statement, statementsIn } from './statement.ts';

/** The thread of collectives that their rank waits for at once; 0 is the program itself. */
export const BLOCKING = 1;

/**
 * What tells the messages of all non-blocking collectives from those of others, where these are numbered as they are called
 * ({@link isNumbered}).
 */
export const NUMBERED: number = BLOCKING + 1;

/** So many non-blocking collectives later the first of them must be complete. */
export const LAPS = 64;

/** The thread of each collective call: every non-blocking one of a program has its own. O(statements). */
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

/** Whether a statement begins a collective that goes on beside its rank's program. */
export function isBeside(s: Statement): s is Extract<Statement, { kind: 'collective' }> {
  return s.kind === 'collective' && s.request !== undefined;
}

/**
 * Whether it takes the run to say which non-blocking collectives meet: the k-th calls of all ranks on a communicator do (MPI
 * 4.1, §6.12). Where all ranks come by the same statements as often, those of one line meet, and no numbers are needed.
 * O(statements).
 */
export function isNumbered(shapes: readonly Shape[]): boolean {
  const some = shapes.some(({ of }) => [...of.keys()].some(isBeside));
  return some && (shapes.length > 1 || !isAlike(shapes[0]!, shapes[0]!.program.body));
}

/** Whether all ranks do the non-blocking collectives of a block alike: no test that they depend on reads anything. */
function isAlike(shape: Shape, block: Block): boolean {
  return block.statements.every((s) => {
    const inner = blocksOf(s);
    if (inner.every((b) => ![...statementsIn(b)].some(isBeside))) return true;
    const same = s.kind === 'interval' || shape.of.get(s)!.test?.reads.length === 0;
    return same && inner.every((b) => isAlike(shape, b));
  });
}
