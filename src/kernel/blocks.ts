import type { Bytes } from './bytes.ts';
import type { ExpressionCode } from './expression-code.ts';
import type { HeldAddresses } from './held-addresses.ts';
import { OP, VOID } from './opcodes.ts';
import type { Expr } from './syntax.ts';

/**
 * The open blocks of a function, identified by their nesting depth, and the branches that leave them, also those under a test. After a block
 * those addresses are held that are held on every path to its end.
 */
export class Blocks {
  readonly #x: ExpressionCode;
  readonly #out: Bytes;
  readonly #held: HeldAddresses;
  #depth = 0;
  /**
   * By depth: addresses held on all branches to the end of the block so far; undefined for a loop, whose branches go to
   * its start.
   */
  readonly #joins: (number | undefined)[] = [];

  constructor(x: ExpressionCode) {
    this.#x = x;
    this.#out = x.out;
    this.#held = x.held;
  }

  /** Opens a block and returns its depth. */
  begin(op: number): number {
    this.#out.two(op, VOID);
    this.#joins[this.#depth] = op === OP.loop ? undefined : -1;
    return this.#depth++;
  }

  end(): void {
    this.#out.byte(OP.end);
    this.#held.now &= this.#joins[--this.#depth] ?? -1;
  }

  branch(op: number, to: number): void {
    this.#out.byte(op);
    this.label(to);
    this.join(to);
    if (op === OP.br) this.#held.now = -1;
  }

  /** Writes the label of a branch: the number of blocks it leaves. */
  label(to: number): void {
    this.#out.unsigned(this.#depth - 1 - to);
  }

  /** Intersects the addresses held at the end of a block with those held here, on a path to it. */
  join(to: number): void {
    const join = this.#joins[to];
    if (join !== undefined) this.#joins[to] = join & this.#held.now;
  }

  /**
   * Branches to `to` if the test is false, with one jump for each operand of `&&` and `||`, since engines do not
   * optimise the combined value.
   */
  unless(test: Expr, to: number): void {
    const { op, a, b } = partsOf(test);
    if (op === '!') this.when(a, to);
    else if (op === '&&') {
      this.unless(a, to);
      this.unless(b, to);
    } else if (op === '||') {
      const yes = this.begin(OP.block);
      this.when(a, yes);
      this.unless(b, to);
      this.end();
    } else {
      this.#x.boolean(test);
      this.#out.byte(OP.intEqz);
      this.branch(OP.brIf, to);
    }
  }

  /** Branches to `to` if the test is true. */
  when(test: Expr, to: number): void {
    const { op, a, b } = partsOf(test);
    if (op === '!') this.unless(a, to);
    else if (op === '||') {
      this.when(a, to);
      this.when(b, to);
    } else if (op === '&&') {
      const no = this.begin(OP.block);
      this.unless(a, no);
      this.when(b, to);
      this.end();
    } else {
      this.#x.boolean(test);
      this.branch(OP.brIf, to);
    }
  }
}

/** Operands of a test with `!`, `&&` or `||`; otherwise `op` is empty. */
export function partsOf(test: Expr): { readonly op: string; readonly a: Expr; readonly b: Expr } {
  if (test.k === 'unary' && test.op === '!') return { op: '!', a: test.a, b: test.a };
  if (test.k === 'binary' && (test.op === '&&' || test.op === '||')) return test;
  return { op: '', a: test, b: test };
}
