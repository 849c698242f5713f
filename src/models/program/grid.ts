import { didYouMean, fail, quote, shown } from '../../base/problem.ts';
import { Site } from './site.ts';

/**
 * Ranks in a grid of `px` columns and `py` rows; the column counts fastest. Neighbours outside it are null. Its functions
 * throw a `RangeError` for ranks and coordinates that are no whole numbers.
 */
export interface Grid2d {
  readonly px: number;
  readonly py: number;
  x(rank: number): number;
  y(rank: number): number;
  at(x: number, y: number): number | null;
  west(rank: number): number | null;
  east(rank: number): number | null;
  north(rank: number): number | null;
  south(rank: number): number | null;
}

/** As {@link Grid2d}, in three dimensions; x counts fastest. */
export interface Grid3d {
  readonly px: number;
  readonly py: number;
  readonly pz: number;
  /** The rank so many steps away, or null. */
  neighbour(rank: number, dx: number, dy: number, dz: number): number | null;
  at(x: number, y: number, z: number): number | null;
  coordinates(rank: number): readonly [x: number, y: number, z: number];
}

export interface GridOptions {
  /** Opposite edges meet. Default false. */
  readonly periodic?: boolean;
  /** Default: as near to a square or cube as the number of ranks allows, the first size being the largest. */
  readonly sizes?: readonly number[];
}

/**
 * A grid of `size` ranks, as MPI_Dims_create would have it.
 *
 * @throws InputError MODEL006 where sizes are no whole numbers or do not multiply to the number of ranks; MODEL012, MODEL018
 * for other options
 */
export function grid2d(size: number, options: GridOptions = {}): Grid2d {
  const [px, py] = sizesOf(size, 2, options, grid2d) as [number, number];
  const at = (x: number, y: number): number | null => {
    assertWhole('coordinates', [x, y], at);
    const [cx, cy] = [inside(x, px, options), inside(y, py, options)];
    return cx === null || cy === null ? null : cx + px * cy;
  };
  const x = (rank: number): number => {
    assertWhole('rank', [rank], x);
    return rank % px;
  };
  const y = (rank: number): number => {
    assertWhole('rank', [rank], y);
    return Math.floor(rank / px);
  };
  const step = (dx: number, dy: number): ((rank: number) => number | null) => {
    const neighbour = (rank: number): number | null => {
      assertWhole('rank', [rank], neighbour);
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

/** As {@link grid2d}, in three dimensions. */
export function grid3d(size: number, options: GridOptions = {}): Grid3d {
  const [px, py, pz] = sizesOf(size, 3, options, grid3d) as [number, number, number];
  const at = (x: number, y: number, z: number): number | null => {
    assertWhole('coordinates', [x, y, z], at);
    const [cx, cy, cz] = [inside(x, px, options), inside(y, py, options), inside(z, pz, options)];
    return cx === null || cy === null || cz === null ? null : cx + px * (cy + py * cz);
  };
  const coordinates = (rank: number): readonly [number, number, number] => {
    assertWhole('rank', [rank], coordinates);
    return [rank % px, Math.floor(rank / px) % py, Math.floor(rank / (px * py))];
  };
  const neighbour = (rank: number, dx: number, dy: number, dz: number): number | null => {
    assertWhole('rank and steps', [rank, dx, dy, dz], neighbour);
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
 * A plain error, since only ranks that come to a statement need valid arguments for it.
 *
 * @param above the function that the model calls: the error's stack begins at the model's line
 */
function assertWhole(what: string, numbers: readonly number[], above: (...args: never[]) => unknown): void {
  if (numbers.every(Number.isSafeInteger)) return;
  const some =
    numbers.length > 1
      ? `(${numbers.map(shown).join(', ')}): whole numbers are`
      : `${shown(numbers[0])}: a whole number is`;
  const error = new RangeError(`${what} of a grid ${some} expected`);
  Error.captureStackTrace(error, above);
  throw error;
}

/** @param above the function that the model calls, for the place in messages */
function sizesOf(
  size: number,
  dimensions: number,
  options: GridOptions,
  above: typeof grid2d | typeof grid3d,
): readonly number[] {
  const refuse = (code: string, message: string): never => fail(code, message, new Site(above as never).place);
  if (!(Number.isSafeInteger(size) && size >= 1))
    refuse('MODEL006', `a grid of ${shown(size)} ranks: a whole number from 1 on is expected`);
  if (typeof options !== 'object' || options === null)
    refuse('MODEL012', `${above.name}: ${shown(options)} where options are expected: ${OPTIONS.join(', ')}`);
  for (const key of Object.keys(options))
    if (!OPTIONS.includes(key))
      refuse('MODEL018', `${above.name} has no option ${quote(key)}.${didYouMean(key, OPTIONS)}`);
  const { sizes, periodic } = options;
  if (periodic !== undefined && typeof periodic !== 'boolean')
    refuse('MODEL012', `periodic of a grid is ${shown(periodic)}: true or false is expected`);
  const fitting = balanced(size, dimensions);
  if (sizes === undefined) return fitting;
  const such = `expected are ${dimensions} whole numbers from 1 on with the product ${size}, as in ${fitting.join(' × ')}`;
  if (!Array.isArray(sizes)) refuse('MODEL006', `sizes of a grid are ${shown(sizes)}: ${such}`);
  const fits = sizes.length === dimensions && sizes.every((n) => Number.isSafeInteger(n) && n >= 1);
  if (!fits || sizes.reduce((a, b) => a * b, 1) !== size)
    refuse('MODEL006', `a grid of ${sizes.map(shown).join(' × ') || 'no'} places for ${size} ranks: ${such}`);
  return sizes;
}

const OPTIONS: readonly string[] = ['periodic', 'sizes'];

/** Factors of `size`, as equal as they can be, the largest first. O(√size) each. */
function balanced(size: number, dimensions: number): number[] {
  if (dimensions === 1) return [size];
  let best: number[] | undefined;
  for (let f = 1; f * f <= size || f === 1; f++) {
    for (const least of new Set([f, size / f])) {
      if (!Number.isInteger(least) || size % least !== 0) continue;
      const rest = balanced(size / least, dimensions - 1);
      const all = [...rest, least].sort((a, b) => b - a);
      if (best === undefined || all[0]! - all.at(-1)! < best[0]! - best.at(-1)!) best = all;
    }
    if (f * f > size) break;
  }
  return best!;
}
