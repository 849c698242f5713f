import { Bytes } from './bytes.ts';
import { FunctionCode } from './function-code.ts';
import { Growth } from './growth.ts';
import { LOWEST, rounded } from './memory.ts';
import { ELEMENTS, OP, VALUES } from './opcodes.ts';
import { parse } from './parse.ts';
import type { Declarator, Element, Expr, FunctionDeclaration, Scalar, Statement, Type } from './syntax.ts';
import { isArray, type Meaning, type Signature } from './syntax.ts';

/**
 * Functions up to this size, in tokens, are inlined at every call: by default, and for fast code. The larger limit
 * produces about 1.5 times as much code, whose translation and compilation pays off only in long runs.
 */
const SMALL = 100;
const SMALL_IF_FAST = 300;

/** Maximum elements of an array with a fixed address, so that all of them together stay far from the end of memory. */
const MAX_FIXED = 2 ** 22;

/** Maximum pages of a memory: 4 GiB. */
const MAX_PAGES = 2 ** 16;

/** Imports that every module needs, and functions that every source may use. */
const COMMON = `
declare nogrow function $grow(address: int, old: int, length: int, shift: int): int;
declare nogrow function fmod(a: num, b: num): num;
function $fillInts(a: ints, v: int, from: int, to: int) { for (let k = from; k < to; k++) a[k] = v; }
function $fillNums(a: nums, v: num, from: int, to: int) { for (let k = from; k < to; k++) a[k] = v; }
function $fillBytes(a: bytes, v: int, from: int, to: int) { for (let k = from; k < to; k++) a[k] = v; }
`;

export interface ArrayShape {
  readonly name: string;
  readonly element: Element;
}

/** An array of the module; `size` only if it is allocated at the start. */
interface OwnArray extends ArrayShape {
  readonly size: Expr | undefined;
  readonly fill: Expr | undefined;
}

/** A WebAssembly module and the declarations of its source. */
export interface Translated {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Global variables in order. */
  readonly scalars: readonly { readonly name: string; readonly type: Scalar }[];
  /** Arrays allocated by the module. */
  readonly arrays: readonly ArrayShape[];
  readonly views: readonly (ArrayShape & { readonly of: string })[];
  /** Arrays whose contents the host supplies. */
  readonly given: readonly ArrayShape[];
  /** Arrays below this address never move. */
  readonly lowest: number;
}

/** Name of the global that holds the length of an array. */
export const lengthOf = (array: string): string => `${array}#`;

export interface TranslateOptions {
  /** True if threads share its memory. Default false. */
  readonly shared?: boolean;
  /** True if it will run for seconds, which justifies slower compilation to faster code. Default false. */
  readonly fast?: boolean;
}

/** Translates a source in the kernel language to WebAssembly. O(length). */
export function translate(text: string, options: TranslateOptions = {}): Translated {
  return new Translation(text, options).run();
}

/** Translations in this thread so far. */
let translations = 0;

class Translation {
  readonly #shared: boolean;
  readonly #small: number;
  readonly #functions: readonly FunctionDeclaration[];
  readonly #top: readonly Statement[];
  readonly #given: ArrayShape[] = [];
  readonly #meanings = new Map<string, Meaning>();
  readonly #signatures = new Map<string, Signature>();
  readonly #calls: ReadonlyMap<string, number>;
  /** Functions by index, imports first. */
  readonly #numbered: FunctionDeclaration[] = [];
  readonly #numbers = new Map<FunctionDeclaration, number>();
  readonly #scalars: { name: string; type: Scalar; value: number }[] = [];
  readonly #globals: { name: string; type: Scalar; value: number }[] = [];
  readonly #arrays: OwnArray[] = [];
  readonly #views: (ArrayShape & { of: string })[] = [];
  readonly #grown: ReadonlySet<string>;
  #lowest = LOWEST;
  readonly #types: string[] = [];
  readonly #typeBytes = new Bytes();

  constructor(text: string, { shared = false, fast = false }: TranslateOptions) {
    this.#shared = shared;
    const common = parse(COMMON);
    const { functions, given, top, calls, grown } = parse(text);
    this.#calls = calls;
    this.#grown = grown;
    this.#functions = [...common.functions, ...functions];
    this.#small = fast ? SMALL_IF_FAST : SMALL;
    for (const g of given) this.#given.push(this.#addArray(g.name, g.type as Element));
    this.#top = top.filter((s) => s.k !== 'let' || !this.#global(s));
  }

  run(): Translated {
    const imports = this.#functions.filter((f) => f.body === undefined);
    const init: FunctionDeclaration = {
      name: '$init',
      parameters: [],
      result: undefined,
      body: [...this.#arrays.flatMap(allocation), ...this.#top],
      exported: true,
      cold: true,
      noreturn: false,
      nogrow: false,
      size: 0,
      reach: { calls: [], grows: [] },
    };
    for (const f of [...this.#functions, init]) {
      if (this.#signatures.has(f.name)) throw new Error(`kernel text: duplicate function ${f.name}`);
      this.#signatures.set(f.name, { declaration: f, calls: this.#calls.get(f.name) ?? 0 });
    }
    for (const f of imports) this.#numberOf(f);
    return {
      bytes: this.#module(imports),
      scalars: this.#scalars.map(({ name, type }) => ({ name, type })),
      arrays: this.#arrays.map(({ name, element }) => ({ name, element })),
      views: this.#views,
      given: this.#given,
      lowest: this.#lowest,
    };
  }

  #numberOf(f: FunctionDeclaration): number {
    let number = this.#numbers.get(f);
    if (number === undefined) {
      number = this.#numbered.push(f) - 1;
      this.#numbers.set(f, number);
    }
    return number;
  }

  #addGlobal(name: string, type: Scalar, value: number): number {
    return this.#globals.push({ name, type, value }) - 1;
  }

  #addArray(name: string, element: Element): ArrayShape {
    const index = this.#addGlobal(name, 'int', 0);
    const length = this.#addGlobal(lengthOf(name), 'int', 0);
    this.#meanings.set(name, { k: 'array', element, base: { local: false, index }, length });
    return { name, element };
  }

  /** An array of constant length: its address is a constant in the code. */
  #addFixed(name: string, element: Element, count: number): ArrayShape {
    const address = this.#lowest;
    this.#lowest += rounded(count * 2 ** ELEMENTS[element].shift);
    this.#addGlobal(name, 'int', address | 0);
    const length = this.#addGlobal(lengthOf(name), 'int', count);
    this.#meanings.set(name, { k: 'array', element, base: { address, own: true }, length });
    return { name, element };
  }

  /** Handles a top-level declaration. */
  #global(s: Extract<Statement, { k: 'let' }>): boolean {
    for (const d of s.list) {
      const known = this.#meanings.get(d.name);
      const isSame = known?.k === 'constant' && d.value.k === 'literal' && known.value === d.value.value;
      if (known !== undefined && !isSame) throw new Error(`kernel text: duplicate variable ${d.name}`);
      if (s.constant && d.value.k === 'literal') this.#meanings.set(d.name, { k: 'constant', value: d.value.value });
      else if (isArray(d.type)) this.#arrayOf(d, d.type);
      else if (d.value.k === 'literal') {
        const type = (d.type ?? 'int') as Scalar;
        this.#scalars.push({ name: d.name, type, value: d.value.value });
        this.#meanings.set(d.name, { k: 'global', index: this.#addGlobal(d.name, type, d.value.value), type });
      } else throw new Error(`kernel text: global ${d.name}: expected a literal as its initial value`);
    }
    return true;
  }

  #arrayOf(d: Declarator, element: Element): void {
    if (d.value.k !== 'call')
      throw new Error(`kernel text: array ${d.name}: expected ${element}(n), view(array) or at(address)`);
    const { name, args } = d.value;
    if (name === 'at') {
      const [address] = args;
      if (address?.k !== 'literal') throw new Error(`kernel text: address of ${d.name}: expected a number`);
      this.#meanings.set(d.name, { k: 'array', element, base: { address: address.value, own: false }, length: -1 });
      return;
    }
    if (name !== 'view') {
      if (element === 'pairs') throw new Error(`kernel text: ${d.name}: expected a view of an array of nums`);
      const [size, fill] = args;
      if (!this.#shared && size!.k === 'literal' && size!.value <= MAX_FIXED && !this.#grown.has(d.name))
        this.#arrays.push({ ...this.#addFixed(d.name, element, size!.value), size: undefined, fill });
      else this.#arrays.push({ ...this.#addArray(d.name, element), size, fill });
      return;
    }
    const of = (args[0] as Extract<Expr, { k: 'name' }>).name;
    const m = this.#meanings.get(of);
    if (m?.k !== 'array') throw new Error(`kernel text: ${of} is not an array`);
    this.#meanings.set(d.name, { ...m, element, length: -1 });
    this.#views.push({ name: d.name, element, of });
  }

  #typeNumber(parameters: readonly Type[], result: Scalar | undefined): number {
    const key = `${parameters.map((t) => (isArray(t) ? 'int' : t)).join()}>${result ?? ''}`;
    const known = this.#types.indexOf(key);
    if (known >= 0) return known;
    const out = this.#typeBytes;
    out.byte(0x60);
    out.unsigned(parameters.length);
    for (const t of parameters) out.byte(VALUES[isArray(t) ? 'int' : t]);
    out.unsigned(result === undefined ? 0 : 1);
    if (result !== undefined) out.byte(VALUES[result]);
    return this.#types.push(key) - 1;
  }

  #module(imports: readonly FunctionDeclaration[]): Uint8Array<ArrayBuffer> {
    const typeOf = (f: FunctionDeclaration): number =>
      this.#typeNumber(
        f.parameters.map((p) => p.type),
        f.result,
      );
    const importing = new Bytes();
    importing.unsigned(imports.length + 1);
    importing.name('host');
    importing.name('memory');
    // Import kind memory, with limits; a shared memory needs a maximum.
    importing.two(2, this.#shared ? 3 : 0);
    importing.unsigned(1);
    if (this.#shared) importing.unsigned(MAX_PAGES);
    for (const f of imports) {
      importing.name('host');
      importing.name(f.name);
      importing.byte(0);
      importing.unsigned(typeOf(f));
    }
    const code = this.#code(imports.length);
    const own = this.#numbered.slice(imports.length);
    const functions = new Bytes();
    functions.unsigned(own.length);
    for (const f of own) functions.unsigned(typeOf(f));
    const types = new Bytes();
    types.unsigned(this.#types.length);
    types.append(this.#typeBytes);
    const out = new Bytes(code.length * 2);
    for (const b of [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]) out.byte(b);
    [
      { id: 1, part: types },
      { id: 2, part: importing },
      { id: 3, part: functions },
      { id: 6, part: this.#globalSection() },
      { id: 7, part: this.#exports(own) },
      { id: 10, part: code },
      { id: 0, part: functionNames(this.#numbered) },
    ].forEach(({ id, part }) => {
      out.byte(id);
      out.sized(part);
    });
    return out.done();
  }

  #globalSection(): Bytes {
    const out = new Bytes();
    out.unsigned(this.#globals.length);
    for (const { type, value } of this.#globals) {
      out.two(VALUES[type], 1);
      out.byte(type === 'num' ? OP.numConst : OP.intConst);
      if (type === 'num') out.double(value);
      else out.signed(value);
      out.byte(OP.end);
    }
    return out;
  }

  #exports(own: readonly FunctionDeclaration[]): Bytes {
    const out = new Bytes();
    const shown = own.filter((f) => f.exported);
    out.unsigned(shown.length + this.#globals.length);
    for (const f of shown) {
      out.name(f.name);
      out.byte(0);
      out.unsigned(this.#numberOf(f));
    }
    this.#globals.forEach(({ name }, index) => {
      out.name(`.${name}`);
      out.byte(3);
      out.unsigned(index);
    });
    return out;
  }

  /** Code of the exported functions and of all functions called from them. */
  #code(imports: number): Bytes {
    for (const { declaration: f } of this.#signatures.values()) if (f.exported) this.#numberOf(f);
    const names = {
      translation: translations++,
      meanings: this.#meanings,
      functions: this.#signatures,
      growth: new Growth(this.#signatures, this.#meanings),
      small: this.#small,
      numberOf: (f: Signature) => this.#numberOf(f.declaration),
    };
    const bodies = new Bytes(1 << 14);
    for (let number = imports; number < this.#numbered.length; number++) {
      const f = this.#numbered[number]!;
      const body = new Bytes(256);
      try {
        new FunctionCode(names, f).body(body);
      } catch (e) {
        throw new Error(`${(e as Error).message} (in function ${f.name})`, { cause: e });
      }
      bodies.sized(body);
    }
    const out = new Bytes(bodies.length + 8);
    out.unsigned(this.#numbered.length - imports);
    out.append(bodies);
    return out;
  }
}

/** Name section with all functions, for profiles and stack traces. */
function functionNames(functions: readonly FunctionDeclaration[]): Bytes {
  const names = new Bytes(1 << 12);
  names.unsigned(functions.length);
  functions.forEach((f, index) => {
    names.unsigned(index);
    names.name(f.name);
  });
  const out = new Bytes(1 << 12);
  out.name('name');
  out.byte(1);
  out.sized(names);
  return out;
}

/** Statements that allocate and fill an array at the start. */
function allocation({ name, size, fill }: OwnArray): Statement[] {
  const own: Expr = { k: 'name', name };
  const call = (of: string, args: readonly Expr[]): Expr => ({ k: 'call', name: of, args });
  return [
    ...(size === undefined ? [] : [{ k: 'assign', op: '=', to: own, value: call('grown', [own, size]) } as const]),
    ...(fill === undefined ? [] : [call(`${name}.fill`, [fill])]),
  ].map((value) => ({ k: 'expr', value }));
}
