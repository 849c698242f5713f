/**
 * A linear program: minimise `costs` · x subject to coefficients · x ≤ right side for every row. Variables are non-negative
 * unless free.
 */
export interface LinearProgram {
  readonly costs: ReadonlyMap<number, number>;
  readonly variables: number;
  /** True for variables that may be negative. */
  readonly free: (variable: number) => boolean;
  readonly rows: readonly LinearRow[];
}

/** coefficients · x ≤ `most`. */
export interface LinearRow {
  readonly coefficients: ReadonlyMap<number, number>;
  readonly most: number;
}

/** An optimal solution in doubles, undefined if none was found. Callers must verify it; it carries no guarantee. */
export type LinearSolver = (program: LinearProgram) => Float64Array | undefined;

/** The program in the LP format of CPLEX, as HiGHS reads it. O(size of the program). */
export function linearProgramText({ costs, variables, free, rows }: LinearProgram): string {
  const lines = ['Minimize', ` obj: ${sumText(costs)}`, 'Subject To'];
  rows.forEach(({ coefficients, most }, k) => {
    lines.push(` c${k}: ${sumText(coefficients)} <= ${most}`);
  });
  lines.push('Bounds');
  for (let v = 0; v < variables; v++) if (free(v)) lines.push(` x${v} free`);
  lines.push('End', '');
  return lines.join('\n');
}

/** A sum in LP syntax; long sums are split into lines because readers limit the line length. */
function sumText(coefficients: ReadonlyMap<number, number>): string {
  const terms = [...coefficients].map(
    ([v, value], k) => `${k > 0 && k % 20 === 0 ? '\n  ' : ''}${value < 0 ? '-' : '+'} ${Math.abs(value)} x${v}`,
  );
  return terms.length === 0 ? '0 x0' : terms.join(' ');
}
