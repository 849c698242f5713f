import type { ProgramNet } from '../net/program-net.ts';
import { type Block, blocksOf, type Statement } from '../record/statement.ts';
import { type Argument, INVALID } from '../resolve/argument.ts';
import { RANK } from '../resolve/state.ts';

/** Returns the share of a run's work that is done, from the firings of each transition so far. */
export type ShareDone = (firings: ArrayLike<number>) => number;

/** Iterations of a loop: the transitions that begin one, their number in a whole run, and the statements in each. */
interface CountedLoop {
  readonly transitions: readonly string[];
  readonly iterations: number;
  readonly statements: number;
}

/**
 * Progress of a run of a program: iterations of its loops that have begun, over those of the whole run. An iteration counts as the
 * statements directly in it. Only loops count whose number of iterations is known before the run: constants and functions of the rank.
 * Other loops may be within these: then the share follows the outer ones. Elsewhere, the amount of work is unknown.
 *
 * @param transitions names of the net's transitions, in the order of the firings
 * @returns undefined if the amount of work is unknown, and for programs without loops
 * @complexity O(statements × ranks) once, O(loops) for each share
 */
export function shareOfLoops(
  { programs, shaped }: Pick<ProgramNet, 'programs' | 'shaped'>,
  transitions: readonly string[],
): ShareDone | undefined {
  const loops: CountedLoop[] = [];
  for (const { body, first, size } of programs)
    if (!countLoops(body, first, new Float64Array(size).fill(1), false, shaped, loops)) return undefined;
  const all = loops.reduce((sum, { iterations, statements }) => sum + iterations * statements, 0);
  if (all === 0) return undefined;
  const numbers = new Map(transitions.map((name, k) => [name, k]));
  const terms = loops.flatMap(({ transitions, statements }) =>
    transitions.flatMap((name) => {
      const number = numbers.get(name);
      return number === undefined ? [] : [{ number, weight: statements / all }];
    }),
  );
  return (firings) => terms.reduce((sum, { number, weight }) => sum + weight * firings[number]!, 0);
}

/**
 * Appends the loops of a block whose iterations are known.
 *
 * @param times executions of the block by each rank of the program, from `first` on
 * @param isInside whether the block is in a loop that counts
 * @returns false if a loop outside of those has an unknown number of iterations
 */
function countLoops(
  block: Block,
  first: number,
  times: Float64Array,
  isInside: boolean,
  shaped: ProgramNet['shaped'],
  loops: CountedLoop[],
): boolean {
  const inner = (body: Block, by: (rank: number) => number, isIn = isInside): boolean => {
    const each = times.map((n, k) => (n === 0 ? 0 : n * by(first + k)));
    return countLoops(body, first, each, isIn, shaped, loops);
  };
  for (const s of block.statements) {
    const { label, test } = shaped.get(s)!;
    const of = test === undefined ? undefined : byRank(test);
    if (s.kind === 'interval') {
      if (!inner(s.body, () => 1)) return false;
    } else if (s.kind === 'when' && of !== undefined) {
      if (!inner(s.holds, (rank) => Number(of(rank) === 1))) return false;
      if (!inner(s.otherwise, (rank) => Number(of(rank) === 0))) return false;
    } else if (s.kind === 'loop' && of !== undefined) {
      const iterations = times.reduce((sum, n, k) => sum + (n === 0 ? 0 : n * of(first + k)), 0);
      if (iterations === 0) continue;
      // The first iteration has a transition of its own.
      loops.push({ transitions: [label, `${label} again`], iterations, statements: Math.max(1, directIn(s.body)) });
      if (!inner(s.body, of, true)) return false;
    } else if (!isInside && hasLoops(s)) return false;
  }
  return true;
}

/** The number of an argument on each rank; undefined if it depends on more than the rank. */
function byRank(argument: Argument): ((rank: number) => number) | undefined {
  const { constant } = argument;
  if (constant !== undefined) return () => constant;
  if (argument.called || argument.reads.some((name) => name !== RANK)) return undefined;
  return (rank) => {
    const number = argument.in(() => rank);
    return number === INVALID ? 0 : number;
  };
}

/** Statements of a block outside its loops. */
function directIn({ statements }: Block): number {
  return statements.reduce(
    (sum, s) => sum + (isLoop(s) ? 0 : 1 + blocksOf(s).reduce((inner, block) => inner + directIn(block), 0)),
    0,
  );
}

const isLoop = ({ kind }: Statement): boolean => kind === 'loop' || kind === 'while' || kind === 'repeat';

const hasLoops = (s: Statement): boolean =>
  isLoop(s) || blocksOf(s).some(({ statements }) => statements.some(hasLoops));
