import { afterSuccess, ROW, type ThreadProgram } from './program/rows.ts';

/**
 * Sums of a figure of rows by outermost region, as a region's time on one worker, where every try succeeds: index k is region k of
 * the program. Rows outside regions are left out. O(rows).
 */
export function sumByRegion(program: ThreadProgram, secondsOfRow: (row: number) => number): Float64Array {
  const { rows, strands, regions, loops, ranges } = program;
  const regionOf = new Int32Array(strands.count).fill(-1);
  const sums = new Float64Array(regions.length);
  const regionOfLoop = new Int32Array(loops.length).fill(-1);
  const regionOfRange = new Int32Array(ranges.length).fill(-1);
  const rowsFrom = (start: number, last: number, begin: number): void => {
    let region = begin;
    let depth = 0;
    for (let k = start; ; k = afterSuccess(rows, k)) {
      const op = rows.op[k]!;
      const a = rows.a[k]!;
      if (op === ROW.region) {
        if (rows.b[k] === 1 && depth++ === 0) region = a;
        else if (rows.b[k] === 0 && --depth === 0) region = begin;
      } else if (op === ROW.spawn || op === ROW.meet) regionOf[a] = region;
      else if (op === ROW.fetch) regionOfLoop[a] = region;
      else if (op === ROW.divide) regionOfRange[a] = Math.max(regionOfRange[a]!, region);
      else if (region >= 0) sums[region]! += secondsOfRow(k);
      if (op === last) return;
    }
  };
  // Strands are numbered after their parents. Those that depend on each other have one parent, and one region.
  for (let s = 0; s < strands.count; s++) rowsFrom(strands.start[s]!, ROW.end, regionOf[s]!);
  // The rows of chunks belong to no strand.
  loops.forEach(({ chunkRows }, l) => {
    for (const row of chunkRows) rowsFrom(row, ROW.chunkEnd, regionOfLoop[l]!);
  });
  ranges.forEach(({ pieceRows }, l) => {
    for (const row of pieceRows) rowsFrom(row, ROW.pieceEnd, regionOfRange[l]!);
  });
  return sums;
}
