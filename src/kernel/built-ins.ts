import type { Bytes } from './bytes.ts';
import { INT_INFIX, NUM_FUNCTIONS, OP } from './opcodes.ts';
import type { Expr, Scalar } from './syntax.ts';

/** The part of a function's code writer that built-in functions need. */
export interface Writer {
  readonly out: Bytes;
  typeOf(e: Expr): Scalar | 'void';
  /** Leaves the value on the stack, converted to the given type. */
  as(e: Expr, type: Scalar): void;
  /** Evaluates an expression and discards its value. */
  drop(e: Expr): void;
  int(value: number): void;
  num(value: number): void;
  /** A local that is free until the end of the current block. */
  local(type: Scalar): number;
}

/** Emits a call of a built-in numeric function as a few instructions; returns false for other functions. */
export function emitBuiltIn(x: Writer, name: string, args: readonly Expr[], type: Scalar | 'void'): boolean {
  const instruction = NUM_FUNCTIONS[name];
  if (instruction !== undefined) {
    if (type === 'num') {
      x.as(args[0]!, 'num');
      x.out.byte(instruction);
    } else if (name === 'Math.abs') select(x, [args[0]!, { k: 'unary', op: '-', a: args[0]! }], OP.intGreater);
    else x.as(args[0]!, 'int');
    return true;
  }
  switch (name) {
    case 'Math.imul':
      x.as(args[0]!, 'int');
      x.as(args[1]!, 'int');
      x.out.byte(OP.intMul);
      return true;
    case 'Math.clz32':
      x.as(args[0]!, 'int');
      x.out.byte(OP.intClz);
      return true;
    case 'lowestBit':
      x.as(args[0]!, 'int');
      x.out.byte(OP.intCtz);
      return true;
    case 'Math.min':
    case 'Math.max':
      if (type === 'int') select(x, args, name === 'Math.min' ? OP.intLess : OP.intGreater);
      else
        args.forEach((a, k) => {
          x.as(a, 'num');
          if (k > 0) x.out.byte(name === 'Math.min' ? OP.numMin : OP.numMax);
        });
      return true;
    case 'Number.isInteger':
      isInteger(x, args[0]!);
      return true;
    case 'highWord':
      x.as(args[0]!, 'num');
      x.out.byte(OP.longOfNum);
      long(x, 32);
      x.out.two(OP.longShr, OP.intFromLong);
      return true;
    case 'lowWord':
      x.as(args[0]!, 'num');
      x.out.two(OP.longOfNum, OP.intFromLong);
      return true;
    case 'withHighWord':
      withHighWord(x, args[0]!, args[1]!);
      return true;
    case 'carry':
      product(x, args);
      long(x, 32);
      x.out.two(OP.longShr, OP.intFromLong);
      return true;
    case 'carried':
      product(x, args);
      x.out.byte(OP.intFromLong);
      return true;
    case 'joined':
      joined(x, args);
      return true;
    default:
      return false;
  }
}

function long(x: Writer, value: number): void {
  x.out.byte(OP.longConst);
  x.out.signed(value);
}

/** The bits of a number with its upper 32 bits replaced by `high`. */
function withHighWord(x: Writer, value: Expr, high: Expr): void {
  x.as(value, 'num');
  x.out.byte(OP.longOfNum);
  // Keeps the lower 32 bits: shifts left, then right.
  long(x, 32);
  x.out.byte(OP.longShl);
  long(x, 32);
  x.out.byte(OP.longShr);
  x.as(high, 'int');
  x.out.byte(OP.longFromInt);
  long(x, 32);
  x.out.two(OP.longShl, OP.longOr);
  x.out.byte(OP.numOfLong);
}

/**
 * The 64-bit integer a × b + c of unsigned operands. Engines compute it once for `carry`, its upper 32 bits, and
 * `carried`, its lower 32 bits.
 */
function product(x: Writer, args: readonly Expr[]): void {
  args.forEach((a, k) => {
    x.as(a, 'int');
    x.out.byte(OP.longFromInt);
    if (k === 1) x.out.byte(OP.longMul);
  });
  x.out.byte(OP.longAdd);
}

/** The number high · 2^shift + low; `high` is unsigned, and `low` must fit into `shift` bits. */
function joined(x: Writer, [high, low, shift]: readonly Expr[]): void {
  x.as(high!, 'int');
  x.out.byte(OP.longFromInt);
  x.as(shift!, 'int');
  x.out.byte(OP.longFromInt);
  x.out.byte(OP.longShl);
  x.as(low!, 'int');
  x.out.byte(OP.longFromInt);
  x.out.two(OP.longOr, OP.numOfLongInt);
}

/** Minimum or maximum of ints, as `order` compares them. */
function select(x: Writer, args: readonly Expr[], order: number): void {
  x.as(args[0]!, 'int');
  for (const b of args.slice(1)) {
    const [first, second] = [x.local('int'), x.local('int')];
    x.out.byte(OP.localTee);
    x.out.unsigned(first);
    x.as(b, 'int');
    for (const [op, index] of [
      [OP.localTee, second],
      [OP.localGet, first],
      [OP.localGet, second],
    ] as const) {
      x.out.byte(op);
      x.out.unsigned(index);
    }
    x.out.byte(order);
    x.out.byte(OP.select);
  }
}

function isInteger(x: Writer, value: Expr): void {
  if (x.typeOf(value) === 'int') {
    x.drop(value);
    x.int(1);
    return;
  }
  const held = x.local('num');
  const get = (): void => {
    x.out.byte(OP.localGet);
    x.out.unsigned(held);
  };
  x.as(value, 'num');
  x.out.byte(OP.localTee);
  x.out.unsigned(held);
  get();
  x.out.byte(OP.numTrunc);
  x.out.byte(OP.numEq);
  get();
  x.out.byte(OP.numAbs);
  x.num(Number.POSITIVE_INFINITY);
  x.out.byte(OP.numLess);
  x.out.byte(INT_INFIX['&']!);
}
