import { fail, shown } from '../../base/problem.ts';

/** Ranks in a grid of `px` columns and `py` rows; the column counts fastest. Neighbours outside it are null. */
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

/** Ranks in a grid of three dimensions; x counts fastest. Neighbours outside it are null. */
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
 * @throws InputError MODEL006 where sizes do not multiply to the number of ranks
 */
export function grid2d(size: number, options: GridOptions = {}): Grid2d {
  const [px, py] = sizesOf(size, 2, options) as [number, number];
  const at = (x: number, y: number): number | null => {
    const [cx, cy] = [inside(x, px, options), inside(y, py, options)];
    return cx === null || cy === null ? null : cx + px * cy;
  };
  const x = (rank: number): number => rank % px;
  const y = (rank: number): number => Math.floor(rank / px);
  return Object.freeze({
    px,
    py,
    x,
    y,
    at,
    west: (rank: number) => at(x(rank) - 1, y(rank)),
    east: (rank: number) => at(x(rank) + 1, y(rank)),
    north: (rank: number) => at(x(rank), y(rank) - 1),
    south: (rank: number) => at(x(rank), y(rank) + 1),
  });
}

/** As {@link grid2d}, in three dimensions. */
export function grid3d(size: number, options: GridOptions = {}): Grid3d {
  const [px, py, pz] = sizesOf(size, 3, options) as [number, number, number];
  const at = (x: number, y: number, z: number): number | null => {
    const [cx, cy, cz] = [inside(x, px, options), inside(y, py, options), inside(z, pz, options)];
    return cx === null || cy === null || cz === null ? null : cx + px * (cy + py * cz);
  };
  const coordinates = (rank: number): readonly [number, number, number] => [
    rank % px,
    Math.floor(rank / px) % py,
    Math.floor(rank / (px * py)),
  ];
  return Object.freeze({
    px,
    py,
    pz,
    at,
    coordinates,
    neighbour: (rank: number, dx: number, dy: number, dz: number) => {
      const [x, y, z] = coordinates(rank);
      return at(x + dx, y + dy, z + dz);
    },
  });
}

function inside(x: number, size: number, { periodic = false }: GridOptions): number | null {
  if (x >= 0 && x < size) return x;
  return periodic ? ((x % size) + size) % size : null;
}

function sizesOf(size: number, dimensions: number, { sizes }: GridOptions): readonly number[] {
  if (!(Number.isSafeInteger(size) && size >= 1)) fail('MODEL006', `a grid of ${shown(size)} ranks`);
  if (sizes === undefined) return balanced(size, dimensions);
  if (sizes.length !== dimensions || sizes.reduce((a, b) => a * b, 1) !== size)
    fail('MODEL006', `a grid of ${sizes.join(' × ')} places for ${size} ranks`);
  return sizes;
}

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
