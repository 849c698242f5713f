import { Blocks, partsOf } from './blocks.ts';
import type { Bytes } from './bytes.ts';
import { ExpressionCode } from './expression-code.ts';
import type { ModuleNames } from './function-scope.ts';
import { OP, VALUES } from './opcodes.ts';
import {
  type Case,
  type Declarator,
  type Expr,
  type FunctionDeclaration,
  isArray,
  isInt,
  type Meaning,
  type Reach,
  type Scalar,
  type Signature,
  type Statement,
} from './syntax.ts';

/** Targets of `break` and `continue` as block depths; −1: none. */
interface Exit {
  readonly onBreak: number;
  readonly onContinue: number;
}

/** A switch becomes a jump table if its range of values is less than this many times its number of cases. */
const SPARSE = 4;

/**
 * Limits of inlining, in tokens: a function with a single call is inlined up to LARGE; a function does not grow beyond
 * MOST.
 */
const LARGE = 400;
const MAX_SIZE = 12_000;

export class FunctionCode {
  readonly #module: ModuleNames;
  readonly #x: ExpressionCode;
  readonly #out: Bytes;
  readonly #blocks: Blocks;
  readonly #result: Scalar | undefined;
  #exits: Exit[] = [];
  /** Functions being inlined, the innermost last. */
  readonly #inlined: {
    name: string;
    depth: number;
    result: number;
    type: Scalar | undefined;
    /** True if the function, or one it is inlined into, may be inlined at several calls. */
    copied: boolean;
  }[] = [];
  readonly #declaration: FunctionDeclaration;
  #size: number;

  constructor(module: ModuleNames, declaration: FunctionDeclaration) {
    this.#module = module;
    this.#x = new ExpressionCode(module, (f, args) => this.#inline(f, args));
    this.#out = this.#x.out;
    this.#blocks = new Blocks(this.#x);
    this.#declaration = declaration;
    this.#result = declaration.result;
    this.#size = declaration.size;
    this.#x.open();
    for (const { name, type } of declaration.parameters)
      this.#x.parameter(name, (index) =>
        isArray(type)
          ? { k: 'array', element: type, base: { local: true, index }, length: -1 }
          : { k: 'local', index, type },
      );
  }

  /** Writes the types of the locals, then the code, as in the code section of a module. */
  body(into: Bytes): void {
    this.#block(this.#declaration.body!);
    if (this.#result !== undefined || this.#declaration.noreturn) this.#out.byte(OP.unreachable);
    this.#out.byte(OP.end);
    const { locals } = this.#x;
    const runs: { type: Scalar; count: number }[] = [];
    for (const type of locals) {
      const last = runs.at(-1);
      if (last?.type === type) last.count++;
      else runs.push({ type, count: 1 });
    }
    into.unsigned(runs.length);
    for (const { type, count } of runs) {
      into.unsigned(count);
      into.byte(VALUES[type]);
    }
    into.append(this.#out);
  }

  #block(statements: readonly Statement[]): void {
    this.#x.open();
    for (const s of statements) this.#statement(s);
    this.#x.close();
  }

  /** A statement in a separate scope. */
  #inner(s: Statement): void {
    this.#block(s.k === 'block' ? s.body : [s]);
  }

  #statement(s: Statement): void {
    switch (s.k) {
      case 'let':
        for (const d of s.list) this.#declare(d, s.constant);
        return;
      case 'expr':
        this.#x.drop(s.value);
        return;
      case 'if':
        this.#if(s);
        return;
      case 'for':
        this.#x.open();
        if (s.init !== undefined) this.#statement(s.init);
        this.#loop(s, s.update);
        this.#x.close();
        return;
      case 'while':
        this.#loop(s, undefined);
        return;
      case 'do':
        this.#doWhile(s);
        return;
      case 'switch':
        this.#switch(s.on, s.cases);
        return;
      case 'break':
      case 'continue': {
        const to =
          s.k === 'break' ? this.#exits.at(-1)?.onBreak : this.#exits.findLast((e) => e.onContinue >= 0)?.onContinue;
        if (to === undefined) throw new Error(`kernel text: ${s.k} outside a loop`);
        this.#blocks.branch(OP.br, to);
        return;
      }
      case 'return':
        this.#return(s.value);
        return;
      case 'block':
        this.#block(s.body);
        return;
    }
  }

  #return(value: Expr | undefined): void {
    const inlined = this.#inlined.at(-1);
    if (inlined === undefined) {
      if (value !== undefined) this.#x.as(value, this.#result!);
      this.#out.byte(OP.return);
      this.#x.held.now = -1;
      return;
    }
    if (value !== undefined) {
      this.#x.as(value, inlined.type!);
      this.#out.byte(OP.localSet);
      this.#out.unsigned(inlined.result);
    }
    this.#blocks.branch(OP.br, inlined.depth);
  }

  /**
   * Inlines a function at a call if it is small or has no other call, unless it or the caller is cold or exported. A
   * call costs about ten instructions, and WebAssembly engines do not inline it.
   */
  #inline({ declaration: f, calls }: Signature, args: readonly Expr[]): boolean {
    const { name, parameters, result, body } = f;
    if (body === undefined || f.cold || f.exported || this.#declaration.exported || this.#declaration.cold)
      return false;
    const copied = calls > 1 || (this.#inlined.at(-1)?.copied ?? false);
    if (f.size > this.#module.small && (copied || f.size > LARGE)) return false;
    if (this.#size + f.size > MAX_SIZE || this.#inlined.some((g) => g.name === name)) return false;
    if (this.#declaration.name === name) return false;
    this.#size += f.size;
    const x = this.#x;
    x.open();
    const names = new Map<string, Meaning>();
    parameters.forEach((p, k) => {
      const a = args[k]!;
      if (isArray(p.type)) {
        names.set(p.name, x.array((a as Extract<Expr, { k: 'name' }>).name));
        return;
      }
      const index = x.local(p.type);
      x.as(a, p.type);
      this.#out.byte(OP.localSet);
      this.#out.unsigned(index);
      names.set(p.name, { k: 'local', index, type: p.type });
    });
    const kept = result === undefined ? -1 : x.local(result);
    const exits = this.#exits;
    this.#exits = [];
    this.#inlined.push({ name, depth: this.#blocks.begin(OP.block), result: kept, type: result, copied });
    x.inOwnScope(names, () => this.#block(body));
    this.#inlined.pop();
    this.#blocks.end();
    this.#exits = exits;
    if (result !== undefined) {
      this.#out.byte(OP.localGet);
      this.#out.unsigned(kept);
    }
    x.close();
    return true;
  }

  #declare({ name, type, value }: Declarator, constant: boolean): void {
    const x = this.#x;
    // An alias of an array.
    if (value.k === 'name') {
      const m = x.meaning(value.name);
      if (m.k === 'array') {
        x.declare(name, m);
        return;
      }
    }
    if (constant && value.k === 'literal' && (type === undefined || type === 'int')) {
      x.declare(name, { k: 'constant', value: value.value });
      return;
    }
    const own = type ?? x.typeOf(value);
    if (own === 'void' || isArray(own)) throw new Error(`kernel text: ${name} has no value`);
    x.as(value, own);
    const index = x.local(own);
    x.declare(name, { k: 'local', index, type: own });
    this.#out.byte(OP.localSet);
    this.#out.unsigned(index);
  }

  #if(s: Extract<Statement, { k: 'if' }>): void {
    const { test, body, otherwise } = s;
    if (partsOf(test).op !== '') {
      this.#ifParts(s);
      return;
    }
    this.#x.boolean(test);
    this.#blocks.begin(OP.if);
    const { held } = this.#x;
    const before = held.now;
    this.#inner(body);
    const after = held.now;
    held.now = before;
    if (otherwise !== undefined) {
      this.#out.byte(OP.else);
      this.#inner(otherwise);
    }
    held.now &= after;
    this.#blocks.end();
  }

  /** An `if` whose test has operands. */
  #ifParts({ test, body, otherwise }: Extract<Statement, { k: 'if' }>): void {
    const end = otherwise === undefined ? -1 : this.#blocks.begin(OP.block);
    const no = this.#blocks.begin(OP.block);
    this.#blocks.unless(test, no);
    this.#inner(body);
    if (otherwise !== undefined) {
      this.#blocks.branch(OP.br, end);
      this.#blocks.end();
      this.#inner(otherwise);
    }
    this.#blocks.end();
  }

  /** Starts a loop: only those addresses stay held that no iteration may move. */
  #top(reach: Reach): number {
    const { growth } = this.#module;
    this.#x.held.forget((base) => growth.mayMoveIn(reach, base));
    return this.#blocks.begin(OP.loop);
  }

  #loop({ test, body, reach }: Extract<Statement, { k: 'for' | 'while' }>, update: Expr | undefined): void {
    const onBreak = this.#blocks.begin(OP.block);
    const top = this.#top(reach);
    if (test !== undefined) this.#blocks.unless(test, onBreak);
    const onContinue = update === undefined ? top : this.#blocks.begin(OP.block);
    this.#exits.push({ onBreak, onContinue });
    this.#inner(body);
    this.#exits.pop();
    if (update !== undefined) {
      this.#blocks.end();
      this.#x.drop(update);
    }
    this.#blocks.branch(OP.br, top);
    this.#blocks.end();
    this.#blocks.end();
  }

  #doWhile({ test, body, reach }: Extract<Statement, { k: 'do' }>): void {
    const onBreak = this.#blocks.begin(OP.block);
    const top = this.#top(reach);
    const onContinue = this.#blocks.begin(OP.block);
    this.#exits.push({ onBreak, onContinue });
    this.#inner(body);
    this.#exits.pop();
    this.#blocks.end();
    this.#blocks.when(test, top);
    this.#blocks.end();
    this.#blocks.end();
  }

  /** Opens a block per case that ends where the case's code starts, and jumps to the end of the right one. */
  #switch(on: Expr, cases: readonly Case[]): void {
    if (cases.length === 0) {
      this.#x.drop(on);
      return;
    }
    this.#x.open();
    const onBreak = this.#blocks.begin(OP.block);
    const starts = cases.map(() => this.#blocks.begin(OP.block)).reverse();
    const other = cases.findIndex((c) => c.value === undefined);
    this.#jump(on, cases, starts, other < 0 ? onBreak : starts[other]!);
    this.#exits.push({ onBreak, onContinue: -1 });
    for (const c of cases) {
      this.#blocks.end();
      this.#block(c.body);
    }
    this.#exits.pop();
    this.#blocks.end();
    this.#x.close();
  }

  #jump(on: Expr, cases: readonly Case[], starts: readonly number[], other: number): void {
    const x = this.#x;
    const values = cases.map((c) => (c.value === undefined ? undefined : this.#literal(c.value)));
    const known = values.filter((v) => v !== undefined);
    const low = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const high = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    if (x.typeOf(on) === 'int' && known.every(isInt) && high - low < SPARSE * known.length) {
      x.as(on, 'int');
      if (low !== 0) {
        x.int(low);
        this.#out.byte(OP.intSub);
      }
      this.#out.byte(OP.brTable);
      this.#out.unsigned(high - low + 1);
      for (let v = low; v <= high; v++) {
        const k = values.indexOf(v);
        this.#blocks.label(k < 0 ? other : starts[k]!);
      }
      this.#blocks.label(other);
      for (const to of [...starts, other]) this.#blocks.join(to);
      this.#x.held.now = -1;
      return;
    }
    const type = x.typeOf(on) as Scalar;
    const held = x.local(type);
    x.as(on, type);
    this.#out.byte(OP.localSet);
    this.#out.unsigned(held);
    values.forEach((v, k) => {
      if (v === undefined || (type === 'int' && !isInt(v))) return;
      this.#out.byte(OP.localGet);
      this.#out.unsigned(held);
      x.as({ k: 'literal', value: v }, type);
      this.#out.byte(type === 'int' ? 0x46 : OP.numEq);
      this.#blocks.branch(OP.brIf, starts[k]!);
    });
    this.#blocks.branch(OP.br, other);
  }

  #literal(e: Expr): number {
    if (e.k === 'literal') return e.value;
    const m = e.k === 'name' ? this.#x.meaning(e.name) : undefined;
    if (m?.k !== 'constant') throw new Error('kernel text: expected a constant as a case');
    return m.value;
  }
}
