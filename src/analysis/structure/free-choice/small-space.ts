import type { PlainNet } from './well-formed.ts';

/** Limits: larger parts rarely have few markings. */
const MAX_NODES = 200;
const MAX_MARKINGS = 2000;

/**
 * True if no marking of a small net is dead, false if one is; undefined if neither is known after some thousand markings.
 *
 * @param initial tokens by place
 */
export function deadlockFreeByStates(net: PlainNet, initial: readonly number[]): boolean | undefined {
  const { places, before, after } = net;
  if (before.length > MAX_NODES) return undefined;
  const open: (readonly number[])[] = [initial];
  const seen = new Set([initial.join()]);
  for (const marking of open) {
    let isDead = true;
    for (let t = places; t < before.length; t++) {
      if (before[t]!.some((p) => marking[p]! === 0)) continue;
      isDead = false;
      const next = [...marking];
      for (const p of before[t]!) next[p]!--;
      for (const p of after[t]!) next[p]!++;
      const key = next.join();
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(next);
    }
    if (isDead) return false;
    if (seen.size > MAX_MARKINGS) return undefined;
  }
  return true;
}
