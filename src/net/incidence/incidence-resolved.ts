import { fail } from '../../base/problem.ts';
import type { Net, Place } from '../net.ts';
import { type UnfoldOptions, unfold } from '../unfold/unfold.ts';

/** Sparse integer matrix (CSR): row r has the entries `start[r]` … `start[r+1]−1`, columns ascending. */
export interface SparseRows {
  /** By row: its first entry; one more element for the end of the last row. */
  readonly start: Int32Array;
  /** Column of each entry. */
  readonly column: Int32Array;
  /** Value of each entry. */
  readonly value: Int32Array;
}

/** The incidence matrix resolved by colour: rows are the places, columns the transitions of the unfolded net. */
export interface ResolvedIncidence {
  /** The unfolded net. */
  readonly net: Net;
  /** Names of the places, in row order. */
  readonly places: readonly string[];
  /** Names of the transitions, in column order. */
  readonly transitions: readonly string[];
  /** Token count of the initial marking, by place. */
  readonly initial: Float64Array;
  /** Tokens taken. */
  readonly pre: SparseRows;
  /** Tokens put. */
  readonly post: SparseRows;
  /** C = Post − Pre, non-zero entries only. */
  readonly change: SparseRows;
  /** Tokens read; not visible in C, like the following arcs. */
  readonly read: SparseRows;
  /** Thresholds of inhibitor arcs. */
  readonly inhibit: SparseRows;
  /** 1 for each reset arc. */
  readonly reset: SparseRows;
}

/**
 * The integer incidence matrix of the unfolded net in sparse rows. Node order, options, defaults and errors are those
 * of {@link unfold}: unreachable parts are omitted unless `reachableOnly` is false. A marking m is reachable only if m
 * = m₀ + C·x has a solution in firing counts x. This also holds with read and inhibitor arcs, but not with resets.
 * O(size of the unfolded net).
 *
 * @throws InputError INC002 for a count above 2³¹ − 1
 */
export function resolvedIncidence(net: Net, options: UnfoldOptions = {}): ResolvedIncidence {
  const flat = unfold(net, options);
  const rowOf = new Map(flat.places.map((p, k) => [p.name, k]));
  const cells = {
    pre: new Cells(),
    post: new Cells(),
    change: new Cells(),
    read: new Cells(),
    inhibit: new Cells(),
    reset: new Cells(),
  };
  flat.transitions.forEach((t, column) => {
    for (const { kind, place, count } of t.inputs) {
      const row = rowOf.get(place)!;
      if (kind !== 'take') {
        cells[kind].add(row, column, count);
        continue;
      }
      cells.pre.add(row, column, count);
      cells.change.add(row, column, -count);
    }
    for (const { place, count } of t.outputs) {
      if (count.op !== 'const') throw new Error('an unfolded net has constant counts');
      const row = rowOf.get(place)!;
      cells.post.add(row, column, count.value);
      cells.change.add(row, column, count.value);
    }
  });
  const rows = flat.places.length;
  const tokens = (p: Place): number => p.initial.reduce((sum, t) => sum + t.count, 0);
  return {
    net: flat,
    places: flat.places.map((p) => p.name),
    transitions: flat.transitions.map((t) => t.name),
    initial: Float64Array.from(flat.places, tokens),
    pre: cells.pre.rows(rows),
    post: cells.post.rows(rows),
    change: cells.change.rows(rows),
    read: cells.read.rows(rows),
    inhibit: cells.inhibit.rows(rows),
    reset: cells.reset.rows(rows),
  };
}

/** Collects entries column by column; entries of the same place and column are summed. */
class Cells {
  readonly #rows: Map<number, number>[] = [];

  add(row: number, column: number, value: number): void {
    this.#rows[row] ??= new Map();
    this.#rows[row]!.set(column, (this.#rows[row]!.get(column) ?? 0) + value);
  }

  rows(count: number): SparseRows {
    const start = new Int32Array(count + 1);
    const entries: [number, number][] = [];
    for (let r = 0; r < count; r++) {
      for (const [column, value] of this.#rows[r] ?? []) if (value !== 0) entries.push([column, value]);
      start[r + 1] = entries.length;
    }
    const huge = entries.find(([, value]) => Math.abs(value) > 2 ** 31 - 1);
    if (huge !== undefined) fail('INC002', `a count of ${huge[1]}: expected at most ${2 ** 31 - 1} in a matrix`);
    return { start, column: Int32Array.from(entries, (e) => e[0]), value: Int32Array.from(entries, (e) => e[1]) };
  }
}
