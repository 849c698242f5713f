import { Bytes } from './bytes.ts';
import { FunctionScope, fault } from './function-scope.ts';
import { HeldAddresses } from './held-addresses.ts';
import { ELEMENTS, INT_INFIX, OP, PAIR } from './opcodes.ts';
import type { Element, Expr, Scalar } from './syntax.ts';
import { isInt, type Meaning, type Signature } from './syntax.ts';

/**
 * Code that reads and writes named things: variables, constants, and array elements, whose base addresses it caches in
 * locals.
 */
export abstract class AccessCode extends FunctionScope {
  readonly out: Bytes = new Bytes();
  readonly held: HeldAddresses = new HeldAddresses();

  /** Leaves the value on the stack, converted to the given type. */
  abstract as(e: Expr, type: Scalar): void;

  int(value: number): void {
    this.out.byte(OP.intConst);
    this.out.signed(value);
  }

  num(value: number): void {
    this.out.byte(OP.numConst);
    this.out.double(value);
  }

  get(m: Meaning): void {
    if (m.k === 'constant') {
      if (isInt(m.value)) this.int(m.value);
      else this.num(m.value);
    } else if (m.k === 'array') {
      if ('address' in m.base) {
        this.int(m.base.address | 0);
        return;
      }
      if (m.base.local) {
        this.out.byte(OP.localGet);
        this.out.unsigned(m.base.index);
      } else this.#getAddress(m.base.index);
    } else {
      this.out.byte(m.k === 'local' ? OP.localGet : OP.globalGet);
      this.out.unsigned(m.index);
    }
  }

  /** Leaves an array address that is stored in a global. */
  #getAddress(base: number): void {
    const local = this.held.local(base, () => this.lasting('int'));
    if (local?.held !== true) {
      this.out.byte(OP.globalGet);
      this.out.unsigned(base);
    }
    if (local === undefined) return;
    this.out.byte(local.held ? OP.localGet : OP.localTee);
    this.out.unsigned(local.index);
  }

  /**
   * Updates the cached addresses after a call. Those that a cold or imported function may have moved are reloaded, so
   * that the other paths keep theirs; after other calls they are forgotten.
   */
  #called({ declaration: f }: Signature): void {
    const mayMove = (base: number): boolean => this.module.growth.mayMove(f.name, base);
    if (f.body !== undefined && !f.cold) {
      this.held.forget(mayMove);
      return;
    }
    for (const { base, local } of this.held.changed(mayMove)) {
      this.out.byte(OP.globalGet);
      this.out.unsigned(base);
      this.out.byte(OP.localSet);
      this.out.unsigned(local);
    }
  }

  length(array: string): void {
    const { length } = this.array(array);
    if (length < 0) fault(`unknown length of ${array}`);
    this.out.byte(OP.globalGet);
    this.out.unsigned(length);
  }

  /** Leaves the address of an element without its constant part, which is returned as an offset. */
  address(array: string, at: Expr): number {
    const m = this.array(array);
    const { shift } = ELEMENTS[m.element];
    // A constant address is folded into the offset. Not for `own` arrays with a computed index: WebAssembly offsets do
    // not wrap, so a negative index would trap.
    const fixed = 'address' in m.base && (!m.base.own || at.k === 'literal') ? m.base.address : undefined;
    if (fixed === undefined) this.get(m);
    if (at.k === 'literal' && at.value >= 0) {
      if (fixed !== undefined) this.int(0);
      return at.value * 2 ** shift + (fixed ?? 0);
    }
    let index = at;
    let offset = 0;
    if (at.k === 'binary' && at.op === '+') {
      const by = this.#constantOf(at.b);
      if (by !== undefined && by >= 0 && this.typeOf(at.a) === 'int') {
        index = at.a;
        offset = by * 2 ** shift;
      }
    }
    this.as(index, 'int');
    if (shift > 0) {
      this.int(shift);
      this.out.byte(OP.intShl);
    }
    if (fixed === undefined) this.out.byte(OP.intAdd);
    return offset + (fixed ?? 0);
  }

  #constantOf(e: Expr): number | undefined {
    if (e.k === 'literal') return isInt(e.value) ? e.value : undefined;
    if (e.k !== 'name') return undefined;
    const m = this.meaning(e.name);
    return m.k === 'constant' && isInt(m.value) ? m.value : undefined;
  }

  load(array: string, offset: number): void {
    this.#access('load', array, offset);
  }

  store(array: string, offset: number): void {
    this.#access('store', array, offset);
  }

  #access(how: 'load' | 'store', array: string, offset: number): void {
    const { element } = this.array(array);
    if (element === 'pairs') this.out.byte(PAIR);
    this.out.two(ELEMENTS[element][how], ELEMENTS[element].align);
    this.out.unsigned(offset);
  }

  /** Code for `A = grown(A, n)`. */
  grow(name: string, value: Expr): void {
    const m = this.array(name);
    const [own, length] = value.k === 'call' && value.name === 'grown' ? value.args : [];
    if (
      own?.k !== 'name' ||
      own.name !== name ||
      length === undefined ||
      'address' in m.base ||
      m.base.local ||
      m.length < 0
    )
      throw fault(`${name} = grown(${name}, n) expected`);
    const { shift } = ELEMENTS[m.element];
    const held = this.local('int');
    this.as(length, 'int');
    this.out.byte(OP.localSet);
    this.out.unsigned(held);
    this.get(m);
    this.out.byte(OP.globalGet);
    this.out.unsigned(m.length);
    this.out.byte(OP.localGet);
    this.out.unsigned(held);
    this.int(shift);
    this.callFunction('$grow');
    this.out.byte(OP.globalSet);
    this.out.unsigned(m.base.index);
    const { index } = m.base;
    this.held.forget((base) => base === index);
    this.out.byte(OP.localGet);
    this.out.unsigned(held);
    this.out.byte(OP.globalSet);
    this.out.unsigned(m.length);
  }

  callFunction(name: string): void {
    const f = this.module.functions.get(name) ?? fault(`unknown function ${name}`);
    this.out.byte(OP.call);
    this.out.unsigned(this.module.numberOf(f));
    if (f.declaration.noreturn) {
      // Marks the end of the path; otherwise the engine keeps values alive for the code after the call.
      this.out.byte(OP.unreachable);
      this.held.now = -1;
    } else this.#called(f);
  }

  /** Atomic access to an array of ints in shared memory. */
  atomic(op: number, [array, at, ...values]: readonly Expr[]): void {
    if (array?.k !== 'name' || this.array(array.name).element !== 'ints') fault('expected an array of ints');
    const offset = this.address((array as { name: string }).name, at!);
    for (const value of values) this.as(value, 'int');
    this.out.two(OP.atomic, op);
    this.out.byte(2);
    this.out.unsigned(offset);
  }

  /** Loads a double at any byte position of an array of bytes. */
  numAt([array, at]: readonly Expr[]): void {
    if (array?.k !== 'name' || this.array(array.name).element !== 'bytes') fault('expected an array of bytes');
    const offset = this.address((array as { name: string }).name, at!);
    this.out.two(ELEMENTS.nums.load, ELEMENTS.bytes.align);
    this.out.unsigned(offset);
  }

  copy([array, to, from, end]: readonly Expr[]): void {
    if (array?.k !== 'name') throw fault('copy: expected an array');
    const m = this.array(array.name);
    const { shift } = ELEMENTS[m.element];
    const scaled = (): void => {
      this.int(shift);
      this.out.byte(OP.intShl);
    };
    for (const at of [to!, from!]) {
      this.get(m);
      this.as(at, 'int');
      scaled();
      this.out.byte(OP.intAdd);
    }
    this.as(end!, 'int');
    this.as(from!, 'int');
    this.out.byte(OP.intSub);
    scaled();
    this.out.two(OP.more, 10);
    this.out.two(0, 0);
  }

  /**
   * Sets the elements from `from` to `to` to a value whose bytes are all equal, which one instruction writes. Without effect unless
   * `from` is less than `to`. False, without code, for other values.
   */
  fillEqual(array: string, value: Expr, [from, to]: readonly [Expr, Expr]): boolean {
    const m = this.array(array);
    const byte = equalByte(m.element, this.#constantOf(value));
    if (byte === undefined) return false;
    const { shift } = ELEMENTS[m.element];
    const scaled = (): void => {
      this.int(shift);
      this.out.byte(OP.intShl);
    };
    const count = this.local('int');
    this.get(m);
    this.as(from, 'int');
    scaled();
    this.out.byte(OP.intAdd);
    this.int(byte);
    this.as(to, 'int');
    this.as(from, 'int');
    this.out.byte(OP.intSub);
    this.out.byte(OP.localTee);
    this.out.unsigned(count);
    // The count, or 0 if it is negative.
    this.out.byte(OP.localGet);
    this.out.unsigned(count);
    this.int(31);
    this.out.byte(INT_INFIX['>>']!);
    this.int(-1);
    this.out.byte(INT_INFIX['^']!);
    this.out.byte(INT_INFIX['&']!);
    scaled();
    this.out.two(OP.more, 11);
    this.out.byte(0);
    return true;
  }
}

/** The byte that an element of this value consists of; undefined if its bytes differ. */
function equalByte(element: Element, value: number | undefined): number | undefined {
  if (value === undefined || element === 'pairs') return undefined;
  if (Object.is(value, 0)) return 0;
  if (element === 'bytes') return isInt(value) ? value & 255 : undefined;
  return element === 'ints' && value === -1 ? 255 : undefined;
}
