import { freemem } from 'node:os';

const MAX_MEMORY = 8e9;

/** Memory limit of this process in bytes: the given limit, or half of the machine's free memory, at most 8 GB. */
export function memoryLimit({ memory }: { readonly memory?: number }): number {
  return memory ?? Math.min(freemem() / 2, MAX_MEMORY);
}
