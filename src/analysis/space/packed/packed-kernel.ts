// biome-ignore lint/suspicious/noExplicitAny: functions take what their text says
type Exported = Readonly<Record<string, (...args: any[]) => number>>;

/** A memory, and the addresses of its parts. */
export interface MemoryLayout {
  readonly memory: WebAssembly.Memory;
  readonly tableAt: number;
  readonly arenaAt: number;
  readonly outAt: number;
  readonly queueAt: number;
}

/** A kernel that has been started over the memory of an exploration. */
export class PackedKernel {
  readonly call: Exported;
  readonly #globals: Readonly<Record<string, WebAssembly.Global>>;

  constructor(module: WebAssembly.Module, { memory, tableAt, arenaAt, outAt, queueAt }: MemoryLayout) {
    const instance = new WebAssembly.Instance(module, {
      host: { memory, fmod: (a: number, b: number) => a % b, $grow: () => 0 },
    });
    this.call = instance.exports as Exported;
    this.#globals = instance.exports as unknown as Record<string, WebAssembly.Global>;
    this.call['$init']!();
    for (const [name, at] of Object.entries({ table: tableAt, arena: arenaAt, out: outAt, queue: queueAt }))
      this.set(name, at | 0);
  }

  get(name: string): number {
    return this.#globals[`.${name}`]!.value;
  }

  set(name: string, value: number): void {
    this.#globals[`.${name}`]!.value = value;
  }
}
