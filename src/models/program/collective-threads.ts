import type { Recorded } from './recorder.ts';
import { type Block, blocksOf, type Statement } from './statement.ts';

/** The thread of collectives that their rank waits for at once; 0 is the program itself. */
export const BLOCKING = 1;

/**
 * The thread of each collective call. Non-blocking calls are counted along the way through the program, on both ways of a
 * branch from the same number on, so that ranks that go different ways meet; their messages are told apart by it.
 */
export function threadsOf(programs: readonly Recorded[]): Map<Statement, number> {
  const threads = new Map<Statement, number>();
  const walk = (block: Block, from: number): number => {
    let next = from;
    for (const s of block.statements) {
      if (s.kind === 'fence') threads.set(s, BLOCKING);
      else if (s.kind === 'collective') threads.set(s, s.request === undefined ? BLOCKING : next++);
      next = Math.max(next, ...blocksOf(s).map((inner) => walk(inner, next)));
    }
    return next;
  };
  for (const { body } of programs) walk(body, BLOCKING + 1);
  return threads;
}
