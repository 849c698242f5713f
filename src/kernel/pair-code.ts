import type { Writer } from './built-ins.ts';
import { fault } from './function-scope.ts';
import { PAIR, PAIR_INFIX, PAIR_OP } from './opcodes.ts';
import type { Expr } from './syntax.ts';

function instruction({ out }: Writer, op: number): void {
  out.byte(PAIR);
  out.unsigned(op);
}

/** Leaves a pair of two equal numbers. */
export function emitPair(x: Writer, value: number): void {
  instruction(x, PAIR_OP.const);
  x.out.double(value);
  x.out.double(value);
}

/** Turns the number on the stack into a pair of two copies. */
export const emitBoth = (x: Writer): void => instruction(x, PAIR_OP.both);

/** An operator on pairs; a number as operand is turned into a pair of two copies. */
export function emitPairInfix(x: Writer, op: string, a: Expr, b: Expr): void {
  x.as(a, 'pair');
  if (op === '>>>') {
    x.as(b, 'int');
    instruction(x, PAIR_OP.shiftRight);
    return;
  }
  x.as(b, 'pair');
  instruction(x, PAIR_INFIX[op] ?? fault(`no operator ${op} on pairs`));
}

/**
 * Built-in functions on pairs. `choose(bits, a, b)`: the bits of `a` where those of `bits` are set, otherwise those of
 * `b`. `any(bits)`: whether any bit is set.
 */
export function emitPairBuiltIn(x: Writer, name: string, [first, a, b]: readonly Expr[]): boolean {
  if (name === 'any') {
    x.as(first!, 'pair');
    instruction(x, PAIR_OP.any);
    return true;
  }
  if (name !== 'choose') return false;
  for (const e of [a!, b!, first!]) x.as(e, 'pair');
  instruction(x, PAIR_OP.select);
  return true;
}
