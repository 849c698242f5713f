/**
 * Processes as a grid: rank = x + nx · (y + ny · z). A grid with one dimension is a row of processes.
 */
export type Grid = readonly number[];

/** Distance between two processes of a grid: one number for each dimension. */
export type Offset = readonly number[];

/** Grids of more dimensions are not looked for. */
const MAX_DIMENSIONS = 3;

/** `4 × 4`, as messages show a grid. */
export const gridText = (grid: Grid): string => grid.join(' × ');

export const ranksOf = (grid: Grid): number => grid.reduce((product, n) => product * n, 1);

export function coordinatesOf(grid: Grid, rank: number): number[] {
  let left = rank;
  return grid.map((n) => {
    const at = left % n;
    left = Math.floor(left / n);
    return at;
  });
}

export const rankAt = (grid: Grid, coordinates: readonly number[]): number =>
  coordinates.reduceRight((rank, at, k) => rank * grid[k]! + at, 0);

/**
 * The offset of one process from another. In a dimension of at least three processes it goes around the end if that is shorter;
 * with two processes, neighbours are adjacent.
 */
export function offsetOf(grid: Grid, from: number, to: number): Offset {
  const [a, b] = [coordinatesOf(grid, from), coordinatesOf(grid, to)];
  return grid.map((n, k) => {
    const straight = b[k]! - a[k]!;
    return n > 2 && Math.abs(straight) > n / 2 ? straight - Math.sign(straight) * n : straight;
  });
}

/** The process at an offset from another, around the ends. */
export function displaced(grid: Grid, coordinates: readonly number[], offset: Offset): number {
  return rankAt(
    grid,
    coordinates.map((at, k) => (((at + offset[k]!) % grid[k]!) + grid[k]!) % grid[k]!),
  );
}

/** All grids of a number of processes: those of fewer dimensions first, then those with more equal sides. O(√ranks · divisors). */
export function gridsOf(ranks: number): Grid[] {
  const all: Grid[] = [];
  const add = (grid: Grid, left: number): void => {
    if (left >= 2 || grid.length === 0) all.push([...grid, left]);
    if (grid.length + 1 === MAX_DIMENSIONS) return;
    for (const n of divisorsOf(left)) if (n >= 2 && left / n >= 2) add([...grid, n], left / n);
  };
  add([], ranks);
  const unequal = (grid: Grid): number => Math.max(...grid) / Math.min(...grid);
  return all.sort((a, b) => a.length - b.length || unequal(a) - unequal(b));
}

/**
 * The grid of another number of processes whose sides have the most similar proportions; undefined if a side of at least two
 * processes would have one. O(√ranks · divisors).
 */
export function gridLike(grid: Grid, ranks: number): Grid | undefined {
  const candidates = gridsOf(ranks).filter(({ length }) => length === grid.length);
  const growth = Math.log(ranks / ranksOf(grid)) / grid.length;
  const unlike = (other: Grid): number =>
    Math.max(...other.map((n, k) => Math.abs(Math.log(n / grid[k]!) - growth))) +
    // Among equally similar grids, whole multiples come first.
    1e-9 * other.filter((n, k) => n % grid[k]! !== 0).length;
  return candidates.reduce<Grid | undefined>(
    (best, one) => (best === undefined || unlike(one) < unlike(best) ? one : best),
    undefined,
  );
}

function divisorsOf(n: number): number[] {
  const small: number[] = [];
  for (let d = 1; d * d <= n; d++) if (n % d === 0) small.push(d);
  const large = small.map((d) => n / d).filter((d) => d * d !== n);
  return [...small, ...large.reverse()];
}
