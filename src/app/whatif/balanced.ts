import type { Recorded } from '../../models/program/recorder.ts';
import { type Block, blocksOf, type Statement } from '../../models/program/statement.ts';
import type { RankFigures } from '../../report/prediction.ts';

/**
 * By what the computing of each rank is multiplied, so that all ranks spend the same time on it: the mean, over those
 * that compute at all, of computing and memory in a first run, divided by the rank's own. The sum over all ranks stays; a
 * rank that computes nothing stays so.
 */
export function balancing(ranks: readonly RankFigures[]): Float64Array {
  const busy = Float64Array.from(ranks, ({ computing, memory = 0 }) => computing + memory);
  const working = busy.filter((seconds) => seconds > 0);
  const mean = working.reduce((sum, seconds) => sum + seconds, 0) / working.length;
  return busy.map((seconds) => (seconds > 0 ? mean / seconds : 1));
}

/** Programs whose computations (flops, bytes and seconds) are multiplied by a factor of the rank that does them. */
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
