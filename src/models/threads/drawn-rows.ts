import { isZeroColumn } from '../../base/columns.ts';
import type { Noise } from '../../base/random/noise.ts';
import { ProcessStream } from '../../base/random/process-stream.ts';
import { exponential, lognormal, normal, uniform } from '../../net/builder/distributions.ts';
import { drawer } from '../../net/distributions/laws.ts';
import { ROW, type ThreadProgram } from './program/rows.ts';

/** Parameters of the random draws of a run. */
export interface RowDraws {
  /** Random factor on all computing without a separate factor. Absent: none. */
  readonly noise?: Noise | undefined;
  readonly seed: string;
  readonly replication: number;
}

/**
 * The program with drawn times: flops and seconds of each row, and the seconds of sleeps that have noise, times a
 * random factor of mean 1. Bytes are left as they are.
 *
 * The k-th execution of a statement in a chunk that begins with an iteration, in the order in which a program is written down, has
 * the k-th factor of this statement and iteration. Factors hence do not depend on schedules, workers, costs or speeds, and a
 * change of the program that keeps its chunks keeps its work.
 *
 * @returns the program itself if nothing in it is random
 * @complexity linear in rows
 */
export function drawnRows(program: ThreadProgram, { noise, seed, replication }: RowDraws): ThreadProgram {
  const { rows, noises } = program;
  if (noise === undefined && noises === undefined) return program;
  const drawn = (column: Float64Array): Float64Array => (isZeroColumn(column) ? column : column.slice());
  const [flops, seconds] = [drawn(rows.flops), drawn(rows.seconds)];
  const [hasFlops, hasSeconds] = [flops !== rows.flops, seconds !== rows.seconds];
  const factorOf = new Map<number, (part: number) => number>();
  const numbers = statementNumbers(program);
  let isRandom = false;
  let works = 0;
  for (let k = 0; k < rows.count; k++) {
    const op = rows.op[k]!;
    if (op !== ROW.work && op !== ROW.sleep) continue;
    const part = op === ROW.work ? (rows.parts?.[works++] ?? 0) : 0;
    const site = rows.site[k]!;
    const own = noises?.get(site) ?? (op === ROW.work ? noise : undefined);
    if (own === undefined) continue;
    let factor = factorOf.get(site);
    if (factor === undefined) {
      const owner = `compute ${numbers[site]!}`;
      factor = factors(own, new ProcessStream({ seed, replication, purpose: 'delay', owner }));
      factorOf.set(site, factor);
    }
    // Every execution takes a draw, so that those of others do not depend on its amount.
    const times = factor(part);
    if (hasFlops) flops[k]! *= times;
    if (hasSeconds) seconds[k]! *= times;
    isRandom ||= (hasFlops && flops[k] !== 0) || (hasSeconds && seconds[k] !== 0);
  }
  return isRandom ? { ...program, rows: { ...rows, flops, seconds } } : program;
}

/** The numbers of statements in the order of their lines: that of their rows depends on schedules. By site. */
function statementNumbers({ sites }: ThreadProgram): Int32Array {
  const places = sites.map(({ place: { file = '', line = 0, column = 0 } }) => ({ file, line, column }));
  const order = Array.from(sites, (_, k) => k).sort((j, k) => {
    const [a, b] = [places[j]!, places[k]!];
    if (a.file !== b.file) return a.file < b.file ? -1 : 1;
    return a.line - b.line || a.column - b.column || j - k;
  });
  const numbers = new Int32Array(sites.length);
  order.forEach((site, number) => {
    numbers[site] = number;
  });
  return numbers;
}

/** The factors of a statement, by the first iteration of the chunk. */
function factors(noise: Noise, stream: ProcessStream): (part: number) => number {
  const { draw } = stream;
  const next = (of: Parameters<typeof drawer>[0], ...parameters: number[]): ((part: number) => number) => {
    const drawn = drawer(of, draw);
    return (part) => {
      stream.begin(part);
      return drawn(...parameters);
    };
  };
  switch (noise.kind) {
    case 'exponential':
      return next(exponential(1), 1);
    case 'normal':
      return next(normal(1, noise.cv), 1, noise.cv);
    case 'uniform':
      return next(uniform(1 - noise.spread, 1 + noise.spread), 1 - noise.spread, 1 + noise.spread);
    case 'lognormal': {
      const variance = Math.log1p(noise.cv ** 2);
      const [mean, deviation] = [-variance / 2, Math.sqrt(variance)];
      return next(lognormal(mean, deviation), mean, deviation);
    }
  }
}
