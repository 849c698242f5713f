import { type LinearSolver, linearProgramText } from '../../analysis/structure/linear-program.ts';

/** Pivots of one program at most: the same on any machine, other than a limit of time. */
const MAX_PIVOTS = 100_000;

/** What is used of the package `highs`. */
interface Highs {
  solve(
    program: string,
    options: Readonly<Record<string, number | boolean | string>>,
  ): {
    readonly Status: string;
    readonly Columns: Readonly<Record<string, { readonly Primal?: number }>>;
  };
}

/**
 * HiGHS (Huangfu & Hall 2018), where the package `highs` is installed beside this one; undefined where it is not. Some 0.2 s,
 * once.
 */
export async function linearSolver(): Promise<LinearSolver | undefined> {
  let highs: Highs;
  try {
    const { default: load } = (await import('highs')) as unknown as { readonly default: () => Promise<Highs> };
    highs = await load();
  } catch {
    return undefined;
  }
  return (program) => {
    const { Status, Columns } = solved(highs, linearProgramText(program));
    if (Status !== 'Optimal') return undefined;
    return Float64Array.from({ length: program.variables }, (_, v) => Columns[`x${v}`]?.Primal ?? 0);
  };
}

function solved(highs: Highs, text: string): ReturnType<Highs['solve']> {
  try {
    return highs.solve(text, { output_flag: false, simplex_iteration_limit: MAX_PIVOTS, solver: 'simplex' });
  } catch {
    // A solver that fails has no answer: nothing rests on its being right.
    return { Status: 'Failed', Columns: {} };
  }
}
