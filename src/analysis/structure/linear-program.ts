/**
 * A linear program: the least `costs` · x with every row's sum of coefficients × x at most, or equal to, its right side.
 * Variables are at least 0, or free.
 */
export interface LinearProgram {
  readonly costs: ReadonlyMap<number, number>;
  readonly variables: number;
  /** By variable: whether it may be negative. */
  readonly free: (variable: number) => boolean;
  readonly rows: readonly LinearRow[];
}

export interface LinearRow {
  readonly coefficients: ReadonlyMap<number, number>;
  readonly most: number;
}

/** Values of the variables in an optimum, as doubles; undefined where none was found. Nothing is claimed by it. */
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

/** Long sums are broken into lines: readers of the format limit their length. */
function sumText(coefficients: ReadonlyMap<number, number>): string {
  const terms = [...coefficients].map(
    ([v, value], k) => `${k > 0 && k % 20 === 0 ? '\n  ' : ''}${value < 0 ? '-' : '+'} ${Math.abs(value)} x${v}`,
  );
  return terms.length === 0 ? '0 x0' : terms.join(' ');
}
