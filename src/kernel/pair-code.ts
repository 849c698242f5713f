import type { Writer } from './built-ins.ts';
import { fault } from './function-scope.ts';
import { PAIR, PAIR_INFIX, PAIR_OP } from './opcodes.ts';
import type { Expr } from './syntax.ts';

function instruction({ out }: Writer, op: number): void {
  out.byte(PAIR);
  out.unsigned(op);
}

/** Leaves a pair of a number twice. */
export function emitPair(x: Writer, value: number): void {
  instruction(x, PAIR_OP.const);
  x.out.double(value);
  x.out.double(value);
}

/** Makes a pair of the number on the stack, twice. */
export const emitBoth = (x: Writer): void => instruction(x, PAIR_OP.both);

/** An operator on pairs; one of the two may be a number, which then stands for a pair of it. */
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

/** `choose(bits, a, b)`: bits of a pair where those of `bits` are set, else of another. `any(bits)`: whether some bit is. */
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
