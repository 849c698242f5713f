import { freemem } from 'node:os';
import type { ExploreOptions } from './state-space.ts';

const MOST_MEMORY = 8e9;

/** Most bytes that this process may take: as given, or half of what the machine has free, at most 8 GB. */
export function memoryLimit({ memory }: ExploreOptions): number {
  return memory ?? Math.min(freemem() / 2, MOST_MEMORY);
}
