import type { Block, Statement } from './statements.ts';

/** Strands and rows of a part of a program. */
export interface Size {
  readonly strands: number;
  readonly rows: number;
}

const NOTHING: Size = { strands: 0, rows: 0 };
const known = new WeakMap<Block, Size>();

/**
 * Strands and rows that a block has at least, from the numbers in it; parts that a function of the state decides count as 0. Lets
 * a program that is too large be refused before it takes memory. O(statements), once for each block.
 */
export function leastSize(block: Block): Size {
  let size = known.get(block);
  if (size === undefined) {
    size = block.statements.map(sizeOf).reduce(sum, NOTHING);
    known.set(block, size);
  }
  return size;
}

export const times = (count: number, { strands, rows }: Size): Size =>
  count === 0 ? NOTHING : { strands: count * strands, rows: count * rows };
const sum = (a: Size, b: Size): Size => ({ strands: a.strands + b.strands, rows: a.rows + b.rows });
const numberOf = (argument: unknown): number => (typeof argument === 'number' && argument > 0 ? argument : 0);

/** A strand has a row that makes it, and one that ends it. */
const STRAND: Size = { strands: 1, rows: 2 };

/** Tasks of n iterations, of which the first may be part of the strand that makes the others. */
export const tasksOf = (n: number, grain: number, body: Block): Size =>
  sum(times(Math.max(0, Math.ceil(n / grain) - 1), STRAND), times(Math.ceil(n / grain), leastSize(body)));

function sizeOf(s: Statement): Size {
  switch (s.kind) {
    case 'compute':
      return { strands: 0, rows: s.flops === undefined && s.seconds === undefined ? 0 : 1 };
    case 'sleep':
    case 'object':
      return { strands: 0, rows: 1 };
    case 'spawn':
      return STRAND;
    case 'parallel':
      return times(numberOf(s.threads), sum(STRAND, leastSize(s.body)));
    case 'parallelFor': {
      const { n, chunk = 1, schedule, body } = s;
      if (s.sizes === 'tasks') return times(Math.min(numberOf(n), numberOf(chunk)), sum(STRAND, leastSize(body)));
      if (schedule !== 'tasks' || typeof chunk === 'function' || !(numberOf(chunk) > 0)) return NOTHING;
      return tasksOf(numberOf(n), numberOf(chunk), body);
    }
    case 'pipeline':
      return times(numberOf(s.items) * s.stages.length, STRAND);
    case 'loop':
      return times(numberOf(s.count), leastSize(s.body));
    case 'when': {
      const [a, b] = [leastSize(s.holds), leastSize(s.otherwise)];
      return { strands: Math.min(a.strands, b.strands), rows: Math.min(a.rows, b.rows) };
    }
    case 'try':
    case 'waitFor':
      return [leastSize(s.holds), leastSize(s.otherwise)].reduce(sum, { strands: 0, rows: 3 });
    case 'region':
      return leastSize(s.body);
    default:
      return NOTHING;
  }
}
