/** The part of the WebAssembly JavaScript interface (W3C, 2022) that kernels use; Node's types omit it. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }
  class CompileError extends Error {}
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Global {
    value: number;
  }
  type ImportValue = Memory | ((...args: never[]) => unknown);
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, ImportValue>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
