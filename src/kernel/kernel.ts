import { Memory, PLENTY } from './memory.ts';
import { ELEMENTS } from './opcodes.ts';
import { storedKernel } from './stored-kernels.ts';
import type { Element } from './syntax.ts';
import { type ArrayShape, lengthOf, type Translated, type TranslateOptions, translate } from './translate.ts';

export type KernelArray = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** A compiled kernel source; it can be started any number of times. */
export interface CompiledKernel {
  readonly text: string;
  readonly shape: Omit<Translated, 'bytes'>;
  readonly module: WebAssembly.Module;
  /** Initial pages of its memory. Default 1. */
  readonly pages?: number;
  /** Its memory, if it shares one. */
  readonly memory?: Memory | undefined;
}

/** Contents of an array, written directly to its memory. */
export interface Contents {
  readonly length: number;
  write(to: KernelArray): void;
}

/** All variables and arrays of a kernel. */
export interface KernelState {
  readonly scalars: Readonly<Record<string, number>>;
  readonly arrays: Readonly<Record<string, KernelArray>>;
}

/**
 * Cache of the last kernels, by source: nets that differ only in the numbers of their tables, like the scenarios of a
 * study, share one source.
 */
const known = new Map<string, CompiledKernel>();
const MAX_KNOWN = 8;
/** Sources shorter than this, in characters, are always optimised: it takes negligible time. */
const SHORT = 60_000;

/**
 * Translates a source in the kernel language (see `syntax.ts`) to WebAssembly and compiles it, unless it is cached or
 * its translation is stored ({@link storeKernels}). O(length).
 */
export function compileKernel(text: string, { shared = false, fast = false }: TranslateOptions = {}): CompiledKernel {
  const key = `${shared} ${fast} ${text}`;
  const found = known.get(key) ?? {
    ...compiled(text, { shared, fast: fast || text.length < SHORT }),
    pages: fast ? PLENTY : 1,
  };
  known.delete(key);
  known.set(key, found);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  return found;
}

function compiled(text: string, options: Required<TranslateOptions>): CompiledKernel {
  return storedKernel(
    `${options.shared} ${options.fast} ${text}`,
    () => translate(text, options),
    ({ bytes, ...shape }) => ({ text, shape, module: new WebAssembly.Module(bytes) }),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: parameter types depend on the source
type HostFunction = (...args: any[]) => unknown;
// biome-ignore lint/suspicious/noExplicitAny: parameter types depend on the source
type Exported = Readonly<Record<string, (...args: any[]) => number>>;

/** A started kernel: its functions, variables and arrays. */
export class Kernel {
  readonly memory: Memory;
  /** Exported functions of the source. */
  readonly call: Exported;
  readonly #compiled: CompiledKernel;
  readonly #exports: Readonly<Record<string, WebAssembly.Global>>;
  /** Globals of the variables used so far, by name. */
  readonly #scalars = new Map<string, WebAssembly.Global>();
  readonly #elements: ReadonlyMap<string, { element: Element; owner: string }>;

  /**
   * @param functions implementations of the imports that the source declares
   * @param given contents of the declared arrays; copied or written
   * @param cleared memory of a kernel that is no longer used, which `clear` has made as new. Default: another one
   */
  constructor(
    compiled: CompiledKernel,
    functions: Readonly<Record<string, HostFunction>> = {},
    given: Readonly<Record<string, KernelArray | Contents>> = {},
    cleared?: Memory,
  ) {
    this.#compiled = compiled;
    const memory = compiled.memory ?? cleared ?? new Memory(compiled.pages, compiled.shape.lowest);
    this.memory = memory;
    const { shape } = compiled;
    const instance = new WebAssembly.Instance(compiled.module, {
      host: {
        ...functions,
        memory: memory.memory,
        fmod: (a: number, b: number) => a % b,
        // Lengths are converted to bytes here: they may exceed 32 bits.
        $grow: (address: number, old: number, length: number, shift: number) =>
          memory.grow(address >>> 0, (old >>> 0) * 2 ** shift, (length >>> 0) * 2 ** shift),
      },
    });
    this.call = instance.exports as Exported;
    this.#exports = instance.exports as unknown as Record<string, WebAssembly.Global>;
    this.#elements = new Map([
      ...[...shape.arrays, ...shape.given].map((a) => [a.name, { element: a.element, owner: a.name }] as const),
      ...shape.views.map((v) => [v.name, { element: v.element, owner: v.of }] as const),
    ]);
    for (const a of shape.given) this.#place(a, given[a.name]!);
    this.call['$init']!();
  }

  get(scalar: string): number {
    return this.#scalar(scalar).value as number;
  }

  set(scalar: string, value: number): void {
    this.#scalar(scalar).value = value;
  }

  #scalar(name: string): WebAssembly.Global {
    let found = this.#scalars.get(name);
    if (found === undefined) {
      found = this.#exports[`.${name}`]!;
      this.#scalars.set(name, found);
    }
    return found;
  }

  /** A view of an array; invalid after any array grows. */
  array<A extends KernelArray = Int32Array<ArrayBuffer>>(name: string): A {
    const { element, owner } = this.#elements.get(name)!;
    if (element === 'pairs') throw new Error(`${name} is an array of pairs: use the array of which it is a view`);
    const own = ELEMENTS[this.#elements.get(owner)!.element].shift;
    const { shift } = ELEMENTS[element];
    const start = (this.get(owner) >>> 0) >>> shift;
    const length = (this.get(lengthOf(owner)) * 2 ** own) / 2 ** shift;
    return this.memory[element].subarray(start, start + length) as A;
  }

  /** Copies all variables, and all or the wanted arrays. O(memory copied). */
  state(wants: (array: string) => boolean = () => true): KernelState {
    const { scalars, arrays } = this.#compiled.shape;
    return {
      scalars: Object.fromEntries(scalars.map((s) => [s.name, this.get(s.name)])),
      arrays: Object.fromEntries(
        arrays.filter((a) => wants(a.name)).map((a) => [a.name, this.array<KernelArray>(a.name).slice()]),
      ),
    };
  }

  /** Restores variables and arrays; arrays that are missing in the state stay unchanged. */
  restore(state: KernelState): void {
    const { scalars, arrays } = this.#compiled.shape;
    for (const s of scalars) this.set(s.name, state.scalars[s.name]!);
    for (const a of arrays) {
      const contents = state.arrays[a.name];
      if (contents !== undefined) this.#place(a, contents);
    }
  }

  #place({ name, element }: ArrayShape, contents: KernelArray | Contents): void {
    const { shift } = ELEMENTS[element];
    const length = this.get(lengthOf(name));
    if (length !== contents.length || length === 0) {
      const address = this.memory.grow(this.get(name) >>> 0, length * 2 ** shift, contents.length * 2 ** shift);
      this.set(name, address | 0);
      this.set(lengthOf(name), contents.length);
    }
    const array = this.array<KernelArray>(name);
    if ('write' in contents) contents.write(array);
    else array.set(contents);
  }
}
