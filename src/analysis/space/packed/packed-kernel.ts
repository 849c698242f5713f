import type { CompiledKernel } from '../../../kernel/kernel.ts';
import type { PackedMemory } from './packed-memory.ts';

// biome-ignore lint/suspicious/noExplicitAny: functions take what their text says
type Exported = Readonly<Record<string, (...args: any[]) => number>>;

/** A kernel that has been started over the memory of an exploration. */
export class PackedKernel {
  readonly call: Exported;
  readonly #globals: Readonly<Record<string, WebAssembly.Global>>;

  constructor(compiled: CompiledKernel, { memory, tableAt, arenaAt, outAt, queueAt }: PackedMemory) {
    const instance = new WebAssembly.Instance(compiled.module, {
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
