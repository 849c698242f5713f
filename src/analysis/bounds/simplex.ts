/** coefficients · x ≤ most, or = most. */
export interface Row {
  readonly coefficients: ReadonlyMap<number, number>;
  readonly most: number;
  readonly isEquation: boolean;
}

/** Pivots below this are not used. */
const SMALL = 1e-9;
/** Reduced costs above this are zero. */
const ZERO = 1e-9;
/** Pivots without progress after which Bland's rule takes over, which cannot cycle. */
const STALLED = 50;
/** Relative size of the shifts of right sides, which break ties. */
const SHIFT = 1e-7;

/**
 * Maximises several objectives over the same rows and x ≥ 0, by the primal simplex method with a dense tableau in doubles. The first
 * objective needs a feasible point; the others start at the vertex of the one before. A solution carries no guarantee: callers prove
 * a bound from its multipliers. O(rows × columns) for each pivot.
 */
export class Simplex {
  readonly #rows: number;
  readonly #variables: number;
  /** Variables, then two columns for each row: its slack, and the unit column from which its multiplier is read. */
  readonly #width: number;
  readonly #table: Float64Array[];
  readonly #basis: Int32Array;
  readonly #flipped: Uint8Array;
  readonly #scale: Float64Array;
  readonly #rowScale: Float64Array;
  /** Columns that may enter. */
  readonly #real: Uint8Array;
  readonly #stop: () => boolean;
  #pivotsLeft = 0;
  /** False if no feasible point was found. */
  readonly isFeasible: boolean;

  constructor(variables: number, rows: readonly Row[], stop: () => boolean = () => false) {
    const m = rows.length;
    this.#rows = m;
    this.#variables = variables;
    this.#width = variables + 2 * m + 1;
    this.#stop = stop;
    const { columns, rows: rowScale } = scales(variables, rows);
    this.#scale = columns;
    this.#rowScale = rowScale;
    this.#flipped = new Uint8Array(m);
    this.#basis = new Int32Array(m);
    this.#real = new Uint8Array(this.#width - 1);
    this.#real.fill(1, 0, variables);
    this.#table = rows.map((row, i) => this.#line(row, i));
    this.isFeasible = this.#feasible();
  }

  #line({ coefficients, most, isEquation }: Row, i: number): Float64Array {
    const line = new Float64Array(this.#width);
    for (const [v, c] of coefficients) line[v] = c * this.#scale[v]! * this.#rowScale[i]!;
    let right = most * this.#rowScale[i]!;
    // Only inequalities can be shifted: equations may depend on each other. Different shifts, the same in every run.
    if (!isEquation) right += SHIFT * (1 + Math.abs(right)) * (0.5 + ((i * 0.6180339887498949) % 1));
    if (!isEquation) {
      line[this.#variables + i] = 1;
      this.#real[this.#variables + i] = 1;
    }
    if (right < 0) {
      this.#flipped[i] = 1;
      right = -right;
      for (let k = 0; k < line.length; k++) line[k] = -line[k]!;
    }
    line[this.#variables + this.#rows + i] = 1;
    line[this.#width - 1] = right;
    this.#basis[i] = isEquation || this.#flipped[i] === 1 ? this.#variables + this.#rows + i : this.#variables + i;
    return line;
  }

  /** Drives the artificial unit columns out of the basis. */
  #feasible(): boolean {
    const first = this.#variables + this.#rows;
    const costs = new Float64Array(this.#width);
    this.#table.forEach((line, i) => {
      if (this.#basis[i]! < first) return;
      for (let k = 0; k < this.#width; k++) costs[k]! += line[k]!;
    });
    // Only real columns count; artificial ones never come back.
    if (!this.#improve(costs)) return false;
    if (costs[this.#width - 1]! > 1e-6) return false;
    for (let i = 0; i < this.#rows; i++) {
      if (this.#basis[i]! < first) continue;
      const line = this.#table[i]!;
      let best = -1;
      for (let k = 0; k < first; k++)
        if (this.#real[k] === 1 && Math.abs(line[k]!) > Math.max(SMALL, best < 0 ? 0 : Math.abs(line[best]!))) best = k;
      // Without an entry, the row follows from others and stays as it is.
      if (best >= 0) this.#pivot(i, best, costs);
    }
    return true;
  }

  /**
   * The multipliers of the rows at a maximum of an objective: y ≥ 0 for inequalities, and nearly yA ≥ c. Undefined if it is unbounded,
   * or none was found.
   */
  maximise(objective: ReadonlyMap<number, number>): Float64Array | undefined {
    if (!this.isFeasible) return undefined;
    const costs = new Float64Array(this.#width);
    for (const [v, c] of objective) costs[v] = c * this.#scale[v]!;
    for (let i = 0; i < this.#rows; i++) subtract(costs, this.#table[i]!, costs[this.#basis[i]!]!);
    if (!this.#improve(costs)) return undefined;
    const first = this.#variables + this.#rows;
    return Float64Array.from({ length: this.#rows }, (_, i) => {
      const y = -costs[first + i]! * this.#rowScale[i]!;
      return this.#flipped[i] === 1 ? -y : y;
    });
  }

  /** Pivots until no column improves; false if it is unbounded, or a limit ended it. */
  #improve(costs: Float64Array): boolean {
    const last = this.#width - 1;
    this.#pivotsLeft = 50 * this.#width;
    for (let stalled = 0; ; ) {
      const column = this.#entering(costs, stalled > STALLED);
      if (column < 0) return true;
      if (--this.#pivotsLeft < 0 || this.#stop()) return false;
      const row = this.#leaving(column);
      if (row < 0) return false;
      const before = costs[last]!;
      this.#pivot(row, column, costs);
      stalled = before - costs[last]! > 1e-12 * (1 + Math.abs(before)) ? 0 : stalled + 1;
    }
  }

  #entering(costs: Float64Array, first: boolean): number {
    let best = -1;
    let most = ZERO;
    for (let k = 0; k < this.#variables + this.#rows; k++) {
      if (this.#real[k] === 0 || !(costs[k]! > most)) continue;
      if (first) return k;
      most = costs[k]!;
      best = k;
    }
    return best;
  }

  #leaving(column: number): number {
    const first = this.#variables + this.#rows;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#rows; i++) {
      const line = this.#table[i]!;
      const entry = line[column]!;
      // An artificial column in the basis is 0 and must stay so.
      const isStuck = this.#basis[i]! >= first && Math.abs(entry) > SMALL && line[this.#width - 1]! <= SMALL;
      if (!(entry > SMALL || isStuck)) continue;
      const limit = isStuck ? 0 : line[this.#width - 1]! / entry;
      const isTie = best >= 0 && Math.abs(limit - least) <= 1e-12;
      if (limit < least - 1e-12 || (isTie && Math.abs(entry) > Math.abs(this.#table[best]![column]!))) {
        least = limit;
        best = i;
      }
    }
    return best;
  }

  #pivot(row: number, column: number, costs: Float64Array): void {
    const line = this.#table[row]!;
    const by = 1 / line[column]!;
    for (let k = 0; k < this.#width; k++) line[k]! *= by;
    line[column] = 1;
    for (let i = 0; i < this.#rows; i++)
      if (i !== row) subtract(this.#table[i]!, line, this.#table[i]![column]!, column);
    subtract(costs, line, costs[column]!, column);
    this.#basis[row] = column;
  }
}

/** a −= factor · b. */
function subtract(a: Float64Array, b: Float64Array, factor: number, zero?: number): void {
  if (factor === 0) return;
  for (let k = 0; k < a.length; k++) a[k]! -= factor * b[k]!;
  if (zero !== undefined) a[zero] = 0;
}

/** Rounds of scaling. */
const ROUNDS = 4;

/** Powers of two for rows and columns that bring entries near 1 (geometric means). */
function scales(
  variables: number,
  rows: readonly Row[],
): { readonly columns: Float64Array; readonly rows: Float64Array } {
  const columns = new Float64Array(variables).fill(1);
  const lines = new Float64Array(rows.length).fill(1);
  for (let round = 0; round < ROUNDS; round++) {
    const low = new Float64Array(variables).fill(Number.POSITIVE_INFINITY);
    const high = new Float64Array(variables);
    rows.forEach(({ coefficients }, i) => {
      let [least, most] = [Number.POSITIVE_INFINITY, 0];
      for (const [v, c] of coefficients) {
        const size = Math.abs(c) * columns[v]!;
        if (size > 0) [least, most] = [Math.min(least, size), Math.max(most, size)];
      }
      if (most > 0) lines[i] = powerNear(1 / Math.sqrt(least * most));
      for (const [v, c] of coefficients) {
        const size = Math.abs(c) * lines[i]!;
        if (size > 0) [low[v], high[v]] = [Math.min(low[v]!, size), Math.max(high[v]!, size)];
      }
    });
    for (let v = 0; v < variables; v++) if (high[v]! > 0) columns[v] = powerNear(1 / Math.sqrt(low[v]! * high[v]!));
  }
  return { columns, rows: lines };
}

const powerNear = (x: number): number => 2 ** Math.round(Math.log2(x));
