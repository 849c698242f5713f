// biome-ignore lint/suspicious/noExplicitAny: the generated source determines the parameters
type Exported = Readonly<Record<string, (...args: any[]) => number>>;

/** An instance of an exploration kernel, bound to the memory of the exploration. */
export class PackedKernel {
  readonly call: Exported;
  readonly #globals: Readonly<Record<string, WebAssembly.Global>>;

  /** @param queueStart index of this thread's queue in the queue region */
  constructor(module: WebAssembly.Module, memory: WebAssembly.Memory, queueStart: number = 0) {
    const instance = new WebAssembly.Instance(module, {
      host: { memory, fmod: (a: number, b: number) => a % b, $grow: () => 0 },
    });
    this.call = instance.exports as Exported;
    this.#globals = instance.exports as unknown as Record<string, WebAssembly.Global>;
    this.call['$init']!();
    this.set('queueStart', queueStart);
  }

  get(name: string): number {
    return this.#globals[`.${name}`]!.value;
  }

  set(name: string, value: number): void {
    this.#globals[`.${name}`]!.value = value;
  }
}
