import type { Growth } from './growth.ts';
import { type Expr, isInt, type Meaning, type Scalar, type Signature, type Target } from './syntax.ts';

const COMPARISONS: ReadonlySet<string> = new Set(['===', '!==', '<', '>', '<=', '>=']);
/** Bit operators: their results are ints for operands of any type. */
export const BITS: ReadonlySet<string> = new Set(['&', '|', '^', '<<', '>>', '>>>']);

/** Types by their number in `typed`, which is `TYPES.length` times the number of the translation plus that of the type. */
const TYPES = ['int', 'num', 'pair', 'void'] as const;

const VALUE_OF = { ints: 'int', nums: 'num', bytes: 'int', pairs: 'pair' } as const;

export const fault = (message: string): never => {
  throw new Error(`kernel text: ${message}`);
};

/** Names visible in one function, its locals, and the types of its expressions. */
export class FunctionScope {
  readonly module: ModuleNames;
  #scopes: Map<string, Meaning>[] = [];
  /** Types of the locals, without parameters. */
  readonly locals: Scalar[] = [];
  readonly #spare: Record<Scalar, number[]> = { int: [], num: [], pair: [] };
  readonly #held: { index: number; type: Scalar }[][] = [];
  #parameters = 0;

  constructor(module: ModuleNames) {
    this.module = module;
  }

  /** Runs `code` in the scope of another function, which sees only `names`. */
  inOwnScope(names: ReadonlyMap<string, Meaning>, code: () => void): void {
    const scopes = this.#scopes;
    this.#scopes = [new Map(names)];
    code();
    this.#scopes = scopes;
  }

  parameter(name: string, meaning: (index: number) => Meaning): void {
    this.#scopes.at(-1)!.set(name, meaning(this.#parameters++));
  }

  open(): void {
    this.#scopes.push(new Map());
    this.#held.push([]);
  }

  close(): void {
    this.#scopes.pop();
    for (const { index, type } of this.#held.pop()!) this.#spare[type].push(index);
  }

  local(type: Scalar): number {
    const index = this.#spare[type].pop() ?? this.#parameters + this.locals.push(type) - 1;
    this.#held.at(-1)!.push({ index, type });
    return index;
  }

  /** A local that is reserved in the whole function. */
  lasting(type: Scalar): number {
    return this.#parameters + this.locals.push(type) - 1;
  }

  declare(name: string, meaning: Meaning): void {
    this.#scopes.at(-1)!.set(name, meaning);
  }

  meaning(name: string): Meaning {
    for (let k = this.#scopes.length - 1; k >= 0; k--) {
      const found = this.#scopes[k]!.get(name);
      if (found !== undefined) return found;
    }
    return this.module.meanings.get(name) ?? fault(`unknown name ${name}`);
  }

  array(name: string): Extract<Meaning, { k: 'array' }> {
    const m = this.meaning(name);
    return m.k === 'array' ? m : fault(`${name} is not an array`);
  }

  typeOf(e: Expr): Scalar | 'void' {
    const { typed = -1 } = e;
    const known = typed - TYPES.length * this.module.translation;
    if (known >= 0 && known < TYPES.length) return TYPES[known]!;
    const type = this.#typeOf(e);
    e.typed = TYPES.length * this.module.translation + TYPES.indexOf(type);
    return type;
  }

  #typeOf(e: Expr): Scalar | 'void' {
    switch (e.k) {
      case 'literal':
        return isInt(e.value) ? 'int' : 'num';
      case 'name': {
        const m = this.meaning(e.name);
        if (m.k === 'array') return fault(`expected a number, got array ${e.name}`);
        return m.k === 'constant' ? (isInt(m.value) ? 'int' : 'num') : m.type;
      }
      case 'index':
        return VALUE_OF[this.array(e.array).element];
      case 'length':
        return 'int';
      case 'unary':
        return e.op === '+' ? 'num' : e.op === '-' ? this.typeOf(e.a) : 'int';
      case 'binary':
        if (this.typeOf(e.a) === 'pair' || this.typeOf(e.b) === 'pair') return 'pair';
        if (e.op === '&&' || e.op === '||' || COMPARISONS.has(e.op) || BITS.has(e.op)) return 'int';
        if (e.op === '/') return 'num';
        return this.typeOf(e.a) === 'int' && this.typeOf(e.b) === 'int' ? 'int' : 'num';
      case 'cond':
        return this.typeOf(e.a) === 'int' && this.typeOf(e.b) === 'int' ? 'int' : 'num';
      case 'assign':
      case 'step':
        return this.isArrayName(e.to) ? 'void' : this.typeOf(e.to);
      case 'comma':
        return this.typeOf(e.last);
      case 'call':
        return this.#typeOfCall(e);
    }
  }

  isArrayName(to: Target): boolean {
    return to.k === 'name' && this.meaning(to.name).k === 'array';
  }

  #typeOfCall(e: Extract<Expr, { k: 'call' }>): Scalar | 'void' {
    switch (e.name) {
      case 'Math.imul':
      case 'Math.clz32':
      case 'lowestBit':
      case 'Number.isInteger':
      case 'highWord':
      case 'lowWord':
      case 'carry':
      case 'carried':
      case 'any':
      case 'Atomics.load':
      case 'Atomics.compareExchange':
        return 'int';
      case 'Math.min':
      case 'Math.max':
        return e.args.every((a) => this.typeOf(a) === 'int') ? 'int' : 'num';
      case 'Math.abs':
      case 'Math.floor':
      case 'Math.ceil':
      case 'Math.trunc':
        return this.typeOf(e.args[0]!);
      case 'Math.sqrt':
      case 'withHighWord':
      case 'joined':
      case 'numAt':
        return 'num';
      case 'choose':
        return 'pair';
      case 'copy':
        return 'void';
      default:
        if (e.name.endsWith('.fill')) return 'void';
        return (this.module.functions.get(e.name) ?? fault(`unknown function ${e.name}`)).declaration.result ?? 'void';
    }
  }
}

export interface ModuleNames {
  /** Unique number of this translation within its thread. */
  readonly translation: number;
  readonly meanings: ReadonlyMap<string, Meaning>;
  readonly functions: ReadonlyMap<string, Signature>;
  readonly growth: Growth;
  /** Functions up to this size, in tokens, are inlined at every call. */
  readonly small: number;
  /** Index of a function for calls; adds the function to the module. */
  numberOf(f: Signature): number;
}
