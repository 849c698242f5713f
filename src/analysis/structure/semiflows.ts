/** A vector of whole numbers > 0, by index. */
export type SparseVector = ReadonlyMap<number, number>;

/** Work that a search does before it gives up, in entries looked at. */
export const SEMIFLOW_EFFORT = 5_000_000;

/** Rows that a search keeps at most. */
const MOST_ROWS = 20_000;

/**
 * The minimal semiflows of a matrix: vectors y ≥ 0, y ≠ 0 of whole numbers without a common divisor with y · C = 0, of which
 * none has a support that contains another's. With the incidence matrix (rows: places) these are the place semiflows: y · m
 * is the same in every reachable marking. Fourier–Motzkin elimination (Colom & Silva, _Advances in Petri Nets 1990_, the
 * algorithm of Farkas with minimal supports), the cheapest column first.
 *
 * `complete` is false where the search was given up (there can be exponentially many): what is returned are semiflows then,
 * too, but not all. Exact: numbers that would exceed 2⁵³ end it as well.
 */
export function semiflows(
  rows: readonly SparseVector[],
  effort: number = SEMIFLOW_EFFORT,
): { readonly flows: readonly SparseVector[]; readonly complete: boolean } {
  return new Elimination(rows, effort).run();
}

interface Row {
  /** y, and y · C for the columns that are left. */
  readonly flow: SparseVector;
  readonly rest: SparseVector;
}

class Elimination {
  #rows: Row[];
  #effort: number;
  #complete = true;

  constructor(rows: readonly SparseVector[], effort: number) {
    this.#rows = rows.map((rest, k) => ({ flow: new Map([[k, 1]]), rest }));
    this.#effort = effort;
  }

  run(): { flows: SparseVector[]; complete: boolean } {
    for (;;) {
      const column = this.#cheapest();
      if (column === undefined) break;
      this.#eliminate(column);
    }
    return { flows: this.#rows.map((r) => r.flow), complete: this.#complete };
  }

  /** The column that leaves the fewest rows; undefined: none is left. */
  #cheapest(): number | undefined {
    const counts = new Map<number, [plus: number, minus: number]>();
    for (const { rest } of this.#rows)
      for (const [column, value] of rest) {
        const count = counts.get(column) ?? [0, 0];
        count[value > 0 ? 0 : 1]++;
        counts.set(column, count);
      }
    let best: number | undefined;
    let cost = Number.POSITIVE_INFINITY;
    for (const [column, [plus, minus]] of counts) {
      const own = plus * minus - plus - minus;
      if (own < cost) {
        cost = own;
        best = column;
      }
    }
    return best;
  }

  #eliminate(column: number): void {
    const kept: Row[] = [];
    const plus: Row[] = [];
    const minus: Row[] = [];
    for (const row of this.#rows) {
      const value = row.rest.get(column);
      if (value === undefined) kept.push(row);
      else (value > 0 ? plus : minus).push(row);
    }
    const made: Row[] = [];
    for (const a of plus)
      for (const b of minus) {
        // Given up: rows that still have this column are no semiflows and go.
        if (this.#effort <= 0 || kept.length + made.length > MOST_ROWS) {
          this.#complete = false;
          break;
        }
        const row = this.#combined(a, b, column);
        if (row !== undefined) made.push(row);
      }
    this.#rows = this.#minimal(kept, made);
  }

  #combined(a: Row, b: Row, column: number): Row | undefined {
    const [x, y] = [Math.abs(b.rest.get(column)!), Math.abs(a.rest.get(column)!)];
    const flow = sum(a.flow, x, b.flow, y);
    const rest = sum(a.rest, x, b.rest, y);
    this.#effort -= flow.size + rest.size;
    const divisor = [...flow.values(), ...rest.values()].reduce(gcd, 0);
    for (const v of [flow, rest])
      for (const [k, value] of v) {
        if (!Number.isSafeInteger(value)) {
          this.#complete = false;
          return undefined;
        }
        v.set(k, value / divisor);
      }
    return { flow, rest };
  }

  /** Without rows whose support contains that of another. */
  #minimal(kept: readonly Row[], made: readonly Row[]): Row[] {
    const all = [...kept, ...made].sort((a, b) => a.flow.size - b.flow.size);
    const result: Row[] = [];
    // Rows by the index of their support that is met least: a row that lies inside another has its own there.
    const by = new Map<number, Row[]>();
    for (const row of all) {
      let inside = false;
      for (const k of row.flow.keys()) {
        for (const other of by.get(k) ?? []) {
          this.#effort--;
          if (contains(row.flow, other.flow)) {
            inside = true;
            break;
          }
        }
        if (inside) break;
      }
      if (inside) continue;
      result.push(row);
      let least: number | undefined;
      for (const k of row.flow.keys())
        if (least === undefined || (by.get(k)?.length ?? 0) < (by.get(least)?.length ?? 0)) least = k;
      by.set(least!, [...(by.get(least!) ?? []), row]);
    }
    return result;
  }
}

function sum(a: SparseVector, x: number, b: SparseVector, y: number): Map<number, number> {
  const result = new Map<number, number>();
  for (const [k, value] of a) result.set(k, x * value);
  for (const [k, value] of b) {
    const total = (result.get(k) ?? 0) + y * value;
    if (total === 0) result.delete(k);
    else result.set(k, total);
  }
  return result;
}

function contains(support: SparseVector, part: SparseVector): boolean {
  if (part.size > support.size) return false;
  for (const k of part.keys()) if (!support.has(k)) return false;
  return true;
}

function gcd(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
