import { type LinearSolver, linearProgramText } from '../../analysis/structure/linear-program.ts';

/** Maximum number of pivots per program. Unlike a time limit, it is the same on every computer. */
const MAX_PIVOTS = 100_000;

/** The part of the package `highs` that is used. */
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
 * Loads HiGHS (Huangfu & Hall 2018) from the optional package `highs`; undefined if it is not installed. Takes about 0.2 s
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
    // A failing solver gives no answer. Results are checked exactly elsewhere, so correctness does not depend on the solver.
    return { Status: 'Failed', Columns: {} };
  }
}
