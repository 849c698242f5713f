import type { Recorded } from '../../models/program/recorder.ts';
import { type Block, blocksOf, type Statement } from '../../models/program/statement.ts';
import type { RankFigures } from '../../report/prediction.ts';

/**
 * Factors by which the computation of each rank is multiplied so that all ranks take the same time for it: the mean time
 * for computing and memory over the ranks that compute, divided by the rank's time, both from a first run. The sum over
 * all ranks is preserved; ranks that compute nothing get factor 1.
 */
export function balancing(ranks: readonly RankFigures[]): Float64Array {
  const busy = Float64Array.from(ranks, ({ computing, memory = 0 }) => computing + memory);
  const working = busy.filter((seconds) => seconds > 0);
  const mean = working.reduce((sum, seconds) => sum + seconds, 0) / working.length;
  return busy.map((seconds) => (seconds > 0 ? mean / seconds : 1));
}

/** Copies programs with the flops, bytes and seconds of computations multiplied by the factor of the executing rank. */
export function balanced(programs: readonly Recorded[], factors: Float64Array): Recorded[] {
  return programs.map((program) => {
    const scaled = (argument: unknown): unknown =>
      argument === undefined
        ? undefined
        : (s: { readonly rank: number }) => {
            const amount: unknown = typeof argument === 'function' ? argument(s) : argument;
            return typeof amount === 'number' ? amount * factors[program.first + s.rank]! : amount;
          };
    const block = ({ statements }: Block): Block => ({ statements: statements.map(statement) });
    const statement = (s: Statement): Statement => {
      if (s.kind === 'compute')
        return { ...s, flops: scaled(s.flops), bytes: scaled(s.bytes), seconds: scaled(s.seconds) };
      if (blocksOf(s).length === 0) return s;
      if ('holds' in s) return { ...s, holds: block(s.holds), otherwise: block(s.otherwise) };
      return 'body' in s ? { ...s, body: block(s.body) } : s;
    };
    return { ...program, body: block(program.body) };
  });
}
