import type { Translated } from './translate.ts';

/** Keeps translated kernels beyond this process. Neither function throws. */
export interface KernelStore {
  /** The bytes last written with this key, unchanged, or `undefined`. */
  read(key: string): Uint8Array<ArrayBuffer> | undefined;
  write(key: string, bytes: Uint8Array): void;
}

let store: KernelStore | undefined;

/** From now on, kernels translated in this thread are kept in this store. */
export function storeKernels(given: KernelStore | undefined): void {
  store = given;
}

/** Minimum length of stored sources, in characters: translating a shorter one takes about as long as reading a file. */
const LONG = 8_000;

/** Length of the shape, 32 bits, little-endian. */
const LENGTH_BYTES = 4;

/**
 * The stored kernel of a source, or a new one.
 *
 * @param key the source with all options on which its translation depends
 */
export function storedKernel<Compiled>(
  key: string,
  translate: () => Translated,
  compile: (translated: Translated) => Compiled,
): Compiled {
  const from = key.length < LONG ? undefined : store;
  const stored = from?.read(key);
  if (stored !== undefined) return compile(decoded(stored));
  const made = translate();
  // Only a kernel that can be compiled is stored.
  const compiled = compile(made);
  from?.write(key, encoded(made));
  return compiled;
}

/** The length of the shape, the shape as JSON, and the WebAssembly module. */
export function encoded({ bytes, ...shape }: Translated): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(shape));
  const entry = new Uint8Array(LENGTH_BYTES + json.length + bytes.length);
  new DataView(entry.buffer).setUint32(0, json.length, true);
  entry.set(json, LENGTH_BYTES);
  entry.set(bytes, LENGTH_BYTES + json.length);
  return entry;
}

/** Inverse of {@link encoded}. */
export function decoded(entry: Uint8Array<ArrayBuffer>): Translated {
  const start = LENGTH_BYTES + new DataView(entry.buffer, entry.byteOffset).getUint32(0, true);
  const shape = JSON.parse(new TextDecoder().decode(entry.subarray(LENGTH_BYTES, start))) as Omit<Translated, 'bytes'>;
  return { bytes: entry.subarray(start), ...shape };
}
