import type { Code } from '../../../base/codes.ts';
import { didYouMean, fail, quote, shown } from '../../../base/problem.ts';
import { Site } from '../../site.ts';

/**
 * Ranks in a grid of `px` columns and `py` rows, row by row. Neighbours outside the grid are `null`. The functions
 * throw a `RangeError` for ranks and coordinates that are not integers.
 */
export interface Grid2d {
  /** Number of columns. */
  readonly px: number;
  /** Number of rows. */
  readonly py: number;
  /** Column of a rank, from 0. */
  x(rank: number): number;
  /** Row of a rank, from 0. */
  y(rank: number): number;
  /** Rank at a position; `null` outside the grid unless it is periodic. */
  at(x: number, y: number): number | null;
  /** Rank at x − 1, or `null`. */
  west(rank: number): number | null;
  /** Rank at x + 1, or `null`. */
  east(rank: number): number | null;
  /** Rank at y − 1, or `null`. */
  north(rank: number): number | null;
  /** Rank at y + 1, or `null`. */
  south(rank: number): number | null;
}

/** Like {@link Grid2d} in three dimensions; x varies fastest, z slowest. */
export interface Grid3d {
  /** Number of ranks in the x direction. */
  readonly px: number;
  /** Number of ranks in the y direction. */
  readonly py: number;
  /** Number of ranks in the z direction. */
  readonly pz: number;
  /** The rank at an offset in steps, or `null`. */
  neighbour(rank: number, dx: number, dy: number, dz: number): number | null;
  /** Rank at a position; `null` outside the grid unless it is periodic. */
  at(x: number, y: number, z: number): number | null;
  /** Position of a rank, each coordinate from 0. */
  coordinates(rank: number): readonly [x: number, y: number, z: number];
}

/** Options of {@link grid2d} and {@link grid3d}. */
export interface GridOptions {
  /** Connects opposite edges (a torus). Default false. */
  readonly periodic?: boolean;
  /** Number of ranks in each dimension. Default: as close to a square or cube as possible, largest first. */
  readonly sizes?: readonly number[];
}

/**
 * A grid of `size` ranks, with sizes as MPI_Dims_create chooses them.
 *
 * @throws InputError MODEL006 if the sizes are not integers from 1 whose product is the number of ranks; MODEL012,
 *   MODEL018 for invalid options
 */
export function grid2d(size: number, options: GridOptions = {}): Grid2d {
  const [px, py] = sizesOf(size, 2, options, grid2d) as [number, number];
  const at = (x: number, y: number): number | null => {
    assertIntegers('coordinates', [x, y], at);
    const [cx, cy] = [inside(x, px, options), inside(y, py, options)];
    return cx === null || cy === null ? null : cx + px * cy;
  };
  const x = (rank: number): number => {
    assertIntegers('rank', [rank], x);
    return rank % px;
  };
  const y = (rank: number): number => {
    assertIntegers('rank', [rank], y);
    return Math.floor(rank / px);
  };
  const step = (dx: number, dy: number): ((rank: number) => number | null) => {
    const neighbour = (rank: number): number | null => {
      assertIntegers('rank', [rank], neighbour);
      return at(x(rank) + dx, y(rank) + dy);
    };
    return neighbour;
  };
  return Object.freeze({
    px,
    py,
    x,
    y,
    at,
    west: step(-1, 0),
    east: step(1, 0),
    north: step(0, -1),
    south: step(0, 1),
  });
}

/** Like {@link grid2d} in three dimensions. */
export function grid3d(size: number, options: GridOptions = {}): Grid3d {
  const [px, py, pz] = sizesOf(size, 3, options, grid3d) as [number, number, number];
  const at = (x: number, y: number, z: number): number | null => {
    assertIntegers('coordinates', [x, y, z], at);
    const [cx, cy, cz] = [inside(x, px, options), inside(y, py, options), inside(z, pz, options)];
    return cx === null || cy === null || cz === null ? null : cx + px * (cy + py * cz);
  };
  const coordinates = (rank: number): readonly [number, number, number] => {
    assertIntegers('rank', [rank], coordinates);
    return [rank % px, Math.floor(rank / px) % py, Math.floor(rank / (px * py))];
  };
  const neighbour = (rank: number, dx: number, dy: number, dz: number): number | null => {
    assertIntegers('rank and steps', [rank, dx, dy, dz], neighbour);
    const [x, y, z] = coordinates(rank);
    return at(x + dx, y + dy, z + dz);
  };
  return Object.freeze({
    px,
    py,
    pz,
    at,
    coordinates,
    neighbour,
  });
}

function inside(x: number, size: number, { periodic = false }: GridOptions): number | null {
  if (x >= 0 && x < size) return x;
  return periodic ? ((x % size) + size) % size : null;
}

/**
 * Throws a plain error, since only ranks that reach a statement need valid arguments.
 *
 * @param above the function that the model calls: the error's stack begins at the model's line
 */
function assertIntegers(what: string, numbers: readonly number[], above: (...args: never[]) => unknown): void {
  if (numbers.every(Number.isSafeInteger)) return;
  const some =
    numbers.length > 1
      ? `expected integers, got (${numbers.map(shown).join(', ')})`
      : `expected an integer, got ${shown(numbers[0])}`;
  const error = new RangeError(`${what} of a grid: ${some}`);
  Error.captureStackTrace(error, above);
  throw error;
}

/** @param above the function that the model calls; its call site is the place in messages */
function sizesOf(
  size: number,
  dimensions: number,
  options: GridOptions,
  above: typeof grid2d | typeof grid3d,
): readonly number[] {
  const refuse = (code: Code, message: string): never => fail(code, message, new Site(above).place);
  if (!(Number.isSafeInteger(size) && size >= 1))
    refuse('MODEL006', `ranks of a grid: expected an integer >= 1, got ${shown(size)}`);
  if (typeof options !== 'object' || options === null)
    refuse('MODEL012', `${above.name}: expected options (${OPTIONS.join(', ')}), got ${shown(options)}`);
  for (const key of Object.keys(options))
    if (!OPTIONS.includes(key))
      refuse('MODEL018', `${above.name} has no option ${quote(key)}.${didYouMean(key, OPTIONS)}`);
  const { sizes, periodic } = options;
  if (periodic !== undefined && typeof periodic !== 'boolean')
    refuse('MODEL012', `periodic of a grid: expected true or false, got ${shown(periodic)}`);
  const fitting = balanced(size, dimensions);
  if (sizes === undefined) return fitting;
  const such = `expected ${dimensions} integers >= 1 with the product ${size}, such as ${fitting.join(' × ')}`;
  if (!Array.isArray(sizes)) refuse('MODEL006', `sizes of a grid: ${such}, got ${shown(sizes)}`);
  const fits = sizes.length === dimensions && sizes.every((n) => Number.isSafeInteger(n) && n >= 1);
  if (!fits || sizes.reduce((a, b) => a * b, 1) !== size)
    refuse('MODEL006', `sizes of a grid: ${such}, got ${sizes.map(shown).join(' × ') || 'an empty list'}`);
  return sizes;
}

const OPTIONS: readonly string[] = ['periodic', 'sizes'];

/** Factors of `size` with the smallest spread, largest first. O(√size) per dimension. */
function balanced(size: number, dimensions: number): number[] {
  if (dimensions === 1) return [size];
  let best: number[] | undefined;
  for (let f = 1; f * f <= size || f === 1; f++) {
    for (const min of new Set([f, size / f])) {
      if (!Number.isInteger(min) || size % min !== 0) continue;
      const rest = balanced(size / min, dimensions - 1);
      const all = [...rest, min].sort((a, b) => b - a);
      if (best === undefined || all[0]! - all.at(-1)! < best[0]! - best.at(-1)!) best = all;
    }
    if (f * f > size) break;
  }
  return best!;
}
