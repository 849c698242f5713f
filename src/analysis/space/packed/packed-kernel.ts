// biome-ignore lint/suspicious/noExplicitAny: functions take what their text says
type Exported = Readonly<Record<string, (...args: any[]) => number>>;

/** A kernel that has been started over the memory of an exploration. */
export class PackedKernel {
  readonly call: Exported;
  readonly #globals: Readonly<Record<string, WebAssembly.Global>>;

  /** @param queueStart where in the queues that of this thread begins */
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
