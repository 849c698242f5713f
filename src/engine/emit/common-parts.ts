/*
 * Sample:
 * const p = place('p'), q = place('q');
 * fires((t) => { const y = mod(mul(t.take(p).x, 7), 10); t.put(q, { x: y }); t.put(q, { x: y }); });
 * →
 *   const x5 = ((Math.imul(v0, 7) | 0) % (10 | 0));
 *   let o0_0: int = 0;
 *   o0_0 = x5;
 *   let o1_0: int = 0;
 *   o1_0 = x5;
 */
import { ARITHMETIC, type Expression, operands } from '../../net/expression.ts';
import { emitValue, mayFail, type Scope } from './expression.ts';

/**
 * Common subexpressions of one piece of code: each is evaluated once, before the rest. Only parts that cannot fail qualify,
 * because a part may be evaluated that would otherwise have been skipped.
 */
export class CommonParts {
  readonly #scope: Scope;
  /** Numbers of parts by their structure; operands have lower numbers than the expressions that contain them. */
  readonly #ids = new Map<string, number>();
  readonly #known = new WeakMap<Expression, number>();
  readonly #firsts: Expression[] = [];
  /** By number: how often the part would be evaluated if each shared part that contains it were evaluated once. */
  readonly #counts: number[] = [];
  readonly #names = new Map<number, string>();

  constructor(scope: Scope, expressions: Iterable<Expression>) {
    this.#scope = scope;
    for (const e of expressions) this.#count(e);
  }

  /** Code that evaluates the shared parts, and the scope in which they have names. */
  emit(): { readonly code: string; readonly scope: Scope } {
    const scope: Scope = { ...this.#scope, nameOf: (e) => this.#nameOf(e) };
    const code: string[] = [];
    this.#firsts.forEach((e, id) => {
      if (this.#counts[id]! < 2 || !this.#mayBeNamed(e)) return;
      code.push(`const x${id} = ${emitValue(e, scope)};`);
      this.#names.set(id, `x${id}`);
    });
    return { code: code.join(' '), scope };
  }

  #nameOf(e: Expression): string | undefined {
    const id = this.#known.get(e);
    return id === undefined ? undefined : this.#names.get(id);
  }

  #count(e: Expression): void {
    const id = this.#numberOf(e);
    const count = this.#counts[id]! + 1;
    this.#counts[id] = count;
    if (count === 1 || !this.#mayBeNamed(e)) for (const part of operands(e)) this.#count(part);
  }

  #numberOf(e: Expression): number {
    const known = this.#known.get(e);
    if (known !== undefined) return known;
    const parts = operands(e).map((part) => this.#numberOf(part));
    const key = `${e.op} ${parts.join()} ${ownOf(e)}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#firsts.push(e) - 1;
      this.#ids.set(key, id);
      this.#counts.push(0);
    }
    this.#known.set(e, id);
    return id;
  }

  /** True if a part is a number that costs more than reading a local, cannot fail, and cannot load a table page needlessly. */
  #mayBeNamed(e: Expression): boolean {
    if (!NUMBERS.has(e.op) || mayFail(e, this.#scope)) return false;
    if (e.op !== 'at') return true;
    const table = this.#scope.tables.get(e.table)!;
    return !((table.kind === 'int' || table.kind === 'real') && 'pages' in table.values);
  }
}

const NUMBERS: ReadonlySet<Expression['op']> = new Set([...ARITHMETIC, 'neg', 'floor', 'if', 'at', 'step']);

/** The attribute of an expression that is neither its operation nor an operand. */
function ownOf(e: Expression): string {
  switch (e.op) {
    case 'const':
      return String(e.value);
    case 'var':
      return e.name;
    case 'at':
    case 'step':
      return e.table;
    case 'call':
      return e.function;
    default:
      return '';
  }
}
