import { AccessCode } from './access-code.ts';
import { emitBuiltIn, type Writer } from './built-ins.ts';
import { BITS, fault, type ModuleNames } from './function-scope.ts';
import { INT_INFIX, NUM_INFIX, OP, PAIR, PAIR_INFIX, PAIR_OP, VALUES } from './opcodes.ts';
import { type Expr, isArray, type Scalar, type Signature, type Target } from './syntax.ts';

/** Code of the expressions of one function: instructions that leave values on the stack. */
export class ExpressionCode extends AccessCode {
  /** Inlines a function at a call; returns false if it must be called. */
  readonly #inline: (f: Signature, args: readonly Expr[]) => boolean;

  constructor(module: ModuleNames, inline: (f: Signature, args: readonly Expr[]) => boolean) {
    super(module);
    this.#inline = inline;
  }

  /** Leaves the value on the stack, converted to the given type. */
  as(e: Expr, type: Scalar): void {
    if (e.k === 'literal') {
      if (type === 'pair') emitPair(this, e.value);
      else if (type === 'num') this.num(e.value);
      else this.int(Math.trunc(e.value));
      return;
    }
    const own = this.emit(e);
    if (own === 'void') fault(`expected a value, got ${JSON.stringify(e)}`);
    this.convert(own as Scalar, type);
  }

  convert(from: Scalar, to: Scalar): void {
    if (from === to) return;
    if (from === 'pair') fault('expected a number, got a pair');
    if (to === 'int') this.out.two(OP.more, 2);
    else if (from === 'int') this.out.byte(OP.numFromInt);
    if (to === 'pair') emitBoth(this);
  }

  /** Leaves an int that is non-zero if the value is true. */
  boolean(e: Expr): void {
    if (this.typeOf(e) === 'num') {
      this.emit(e);
      this.num(0);
      this.out.byte(OP.numNe);
    } else this.emit(e);
  }

  /** Evaluates an expression and discards its value. */
  drop(e: Expr): void {
    if (e.k === 'assign') this.#assign(e, false);
    else if (e.k === 'step') this.#step(e, false);
    else if (e.k === 'comma') {
      this.drop(e.first);
      this.drop(e.last);
    } else if (this.emit(e) !== 'void') this.out.byte(OP.drop);
  }

  /** Leaves the value in its own type, and returns the type. */
  emit(e: Expr): Scalar | 'void' {
    const type = this.typeOf(e);
    switch (e.k) {
      case 'literal':
        if (type === 'int') this.int(e.value);
        else this.num(e.value);
        break;
      case 'name':
        this.get(this.meaning(e.name));
        break;
      case 'index':
        this.load(e.array, this.address(e.array, e.at));
        break;
      case 'length':
        this.length(e.array);
        break;
      case 'unary':
        this.#unary(e.op, e.a, type as Scalar);
        break;
      case 'binary':
        this.#binary(e);
        break;
      case 'cond':
        this.boolean(e.test);
        this.#either(
          VALUES[type as Scalar],
          () => this.as(e.a, type as Scalar),
          () => this.as(e.b, type as Scalar),
        );
        break;
      case 'assign':
        this.#assign(e, true);
        break;
      case 'step':
        this.#step(e, true);
        break;
      case 'comma':
        this.drop(e.first);
        this.emit(e.last);
        break;
      case 'call':
        this.#call(e);
        break;
    }
    return type;
  }

  /** An if-else expression; its condition is on the stack. */
  #either(type: number, yes: () => void, no: () => void): void {
    this.out.two(OP.if, type);
    const { held } = this;
    const before = held.now;
    yes();
    const after = held.now;
    held.now = before;
    this.out.byte(OP.else);
    no();
    this.out.byte(OP.end);
    held.now &= after;
  }

  #unary(op: string, a: Expr, type: Scalar): void {
    if (op === '!') {
      this.boolean(a);
      this.out.byte(OP.intEqz);
    } else if (op === '+') this.as(a, 'num');
    else if (op === '~') {
      this.as(a, 'int');
      this.int(-1);
      this.out.byte(OP.intXor);
    } else if (type === 'num') {
      this.as(a, 'num');
      this.out.byte(OP.numNeg);
    } else {
      this.int(0);
      this.as(a, 'int');
      this.out.byte(OP.intSub);
    }
  }

  #binary(e: Extract<Expr, { k: 'binary' }>): void {
    const { op, a, b } = e;
    if (this.typeOf(e) === 'pair') {
      emitPairInfix(this, op, a, b);
      return;
    }
    if (op === '&&' || op === '||') {
      this.boolean(a);
      const rest = (): void => this.boolean(b);
      if (op === '&&') this.#either(VALUES.int, rest, () => this.int(0));
      else this.#either(VALUES.int, () => this.int(1), rest);
      return;
    }
    if (op === '|' && b.k === 'literal' && b.value === 0) {
      this.#toInt(a);
      return;
    }
    const ints = BITS.has(op) || (op !== '/' && this.typeOf(a) === 'int' && this.typeOf(b) === 'int');
    if (ints) {
      this.as(a, 'int');
      this.as(b, 'int');
      this.out.byte(INT_INFIX[op]!);
      return;
    }
    this.as(a, 'num');
    this.as(b, 'num');
    if (op === '%') this.callFunction('fmod');
    else this.out.byte(NUM_INFIX[op] ?? fault(`unknown operator ${op}`));
  }

  /** `x | 0`; for a quotient of ints, integer division. */
  #toInt(a: Expr): void {
    if (a.k === 'binary' && a.op === '/' && this.typeOf(a.a) === 'int' && this.typeOf(a.b) === 'int') {
      this.as(a.a, 'int');
      this.as(a.b, 'int');
      this.out.byte(OP.intDiv);
    } else this.as(a, 'int');
  }

  #assign({ op, to, value }: Extract<Expr, { k: 'assign' }>, wanted: boolean): void {
    if (this.isArrayName(to)) {
      this.grow((to as { name: string }).name, value);
      return;
    }
    const type = this.typeOf(to) as Scalar;
    this.#change(to, type, wanted, op === '=', () => {
      if (op === '=') this.as(value, type);
      else this.#applied(op.slice(0, -1), to, value, type);
    });
  }

  /** Leaves the result of `to op= value`; the old value is on the stack. */
  #applied(op: string, to: Target, value: Expr, type: Scalar): void {
    const ints = BITS.has(op) || (type === 'int' && this.typeOf(value) === 'int');
    if (type === 'pair') fault(`no operator ${op}= on pairs`);
    const within: Scalar = ints ? 'int' : 'num';
    this.convert(type, within);
    this.as(value, within);
    this.out.byte((ints ? INT_INFIX : NUM_INFIX)[op] ?? fault(`no operator ${op}= on ${JSON.stringify(to)}`));
    this.convert(within, type);
  }

  #step({ by, prefix, to }: Extract<Expr, { k: 'step' }>, wanted: boolean): void {
    const type = this.typeOf(to) as Scalar;
    const old = wanted && !prefix ? this.local(type) : -1;
    this.#change(to, type, wanted && prefix, false, () => {
      if (old >= 0) this.#keep(old);
      this.as({ k: 'literal', value: by }, type);
      this.out.byte(type === 'int' ? OP.intAdd : OP.numAdd);
    });
    if (old >= 0) this.#kept(old);
  }

  /** Stores the value on the stack in a local, and leaves it. */
  #keep(local: number): void {
    this.out.byte(OP.localTee);
    this.out.unsigned(local);
  }

  #kept(local: number): void {
    this.out.byte(OP.localGet);
    this.out.unsigned(local);
  }

  /**
   * Assigns to a variable or element the value that `value` leaves; unless `fresh`, the old value is on the stack
   * before.
   */
  #change(to: Target, type: Scalar, wanted: boolean, fresh: boolean, value: () => void): void {
    if (to.k === 'name') {
      const m = this.meaning(to.name);
      if (m.k !== 'local' && m.k !== 'global') throw fault(`${to.name} cannot be assigned`);
      if (!fresh) this.get(m);
      value();
      const kept = wanted ? (m.k === 'local' ? m.index : this.local(type)) : -1;
      if (kept >= 0) this.#keep(kept);
      if (m.k === 'global' || !wanted) {
        this.out.byte(m.k === 'global' ? OP.globalSet : OP.localSet);
        this.out.unsigned(m.index);
      }
      if (m.k === 'global' && wanted) this.#kept(kept);
      return;
    }
    const offset = this.address(to.array, to.at);
    if (!fresh) {
      const address = this.local('int');
      this.#keep(address);
      this.#kept(address);
      this.load(to.array, offset);
    }
    value();
    if (!wanted) {
      this.store(to.array, offset);
      return;
    }
    const kept = this.local(type);
    this.#keep(kept);
    this.store(to.array, offset);
    this.#kept(kept);
  }

  #call(e: Extract<Expr, { k: 'call' }>): void {
    const { name, args } = e;
    if (emitBuiltIn(this, name, args, this.typeOf(e)) || emitPairBuiltIn(this, name, args)) return;
    switch (name) {
      case 'copy':
        this.copy(args);
        return;
      case 'numAt':
        this.numAt(args);
        return;
      case 'Atomics.load':
        this.atomic(OP.atomicLoad, args);
        return;
      case 'Atomics.compareExchange':
        this.atomic(OP.atomicCompareExchange, args);
        return;
      default:
        if (name.endsWith('.fill')) this.#fill(name.slice(0, -5), args);
        else this.#callWith(name, args);
    }
  }

  #fill(array: string, [value, from, to]: readonly Expr[]): void {
    const m = this.array(array);
    const length: Expr = { k: 'length', array };
    if (m.element === 'pairs') throw fault('fill: arrays of pairs are not supported');
    const range = [from ?? { k: 'literal', value: 0 }, to ?? length] as const;
    if (this.fillEqual(array, value!, range)) return;
    const name = { ints: '$fillInts', nums: '$fillNums', bytes: '$fillBytes' }[m.element];
    this.#callWith(name, [{ k: 'name', name: array }, value!, ...range]);
  }

  #callWith(name: string, args: readonly Expr[]): void {
    const f = this.module.functions.get(name) ?? fault(`unknown function ${name}`);
    const { parameters } = f.declaration;
    if (args.length !== parameters.length)
      fault(`${name}: expected ${parameters.length} arguments, got ${args.length}`);
    if (this.#inline(f, args)) return;
    args.forEach((a, k) => {
      const { type } = parameters[k]!;
      if (!isArray(type)) this.as(a, type);
      else if (a.k === 'name') this.get(this.array(a.name));
      else fault(`${name}: expected an array`);
    });
    this.callFunction(name);
  }
}

function instruction({ out }: Writer, op: number): void {
  out.byte(PAIR);
  out.unsigned(op);
}

/** Leaves a pair of two equal numbers. */
function emitPair(x: Writer, value: number): void {
  instruction(x, PAIR_OP.const);
  x.out.double(value);
  x.out.double(value);
}

/** Turns the number on the stack into a pair of two copies. */
const emitBoth = (x: Writer): void => instruction(x, PAIR_OP.both);

/** An operator on pairs; a number as operand is turned into a pair of two copies. */
function emitPairInfix(x: Writer, op: string, a: Expr, b: Expr): void {
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
function emitPairBuiltIn(x: Writer, name: string, [first, a, b]: readonly Expr[]): boolean {
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
