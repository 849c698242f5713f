import type { PlainSpace } from './plain-space.ts';

/**
 * Returns true if the initial states of two labelled graphs are bisimilar. Partition refinement: splits sets of states by label, then
 * by the sets of their successors, until nothing changes.
 */
export function bisimilar(
  a: PlainSpace,
  b: PlainSpace,
  label: (marking: readonly number[], of: 'a' | 'b') => string,
): boolean {
  const labels = [...a.markings.map((m) => label(m, 'a')), ...b.markings.map((m) => label(m, 'b'))];
  const offset = a.markings.length;
  const targets = [
    ...a.firings.map((row) => row.map(([, s]) => s)),
    ...b.firings.map((row) => row.map(([, s]) => s + offset)),
  ];
  let block = numbered(labels);
  for (let count = new Set(block).size; ; ) {
    block = numbered(targets.map((row, s) => `${block[s]}:${[...new Set(row.map((t) => block[t]!))].sort()}`));
    const now = new Set(block).size;
    if (now === count) return block[0] === block[offset];
    count = now;
  }
}

function numbered(keys: readonly string[]): number[] {
  const number = new Map<string, number>();
  return keys.map((key) => {
    if (!number.has(key)) number.set(key, number.size);
    return number.get(key)!;
  });
}
