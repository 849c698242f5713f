import { fail, quote } from '../base/problem.ts';
import { descriptionPlace } from './described-at.ts';
import type { Platform } from './platform.ts';

/** How ranks are placed on hosts without a list: host after host, or round and round. */
export const PLACEMENTS = ['block', 'cyclic'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/**
 * The host of each rank. `block` fills the cores of each host in turn; `cyclic` gives every host one rank, then every
 * host that has cores left another. Where there are more ranks than cores, both begin anew.
 *
 * @complexity linear in the ranks and hosts
 */
export function placeRanks(platform: Platform, ranks: number, placement: Placement): Int32Array {
  const { hosts } = platform;
  const placed = new Int32Array(ranks);
  let rank = 0;
  while (rank < ranks) {
    if (placement === 'block') {
      for (let h = 0; h < hosts.length && rank < ranks; h++) {
        const end = Math.min(ranks, rank + hosts[h]!.cores);
        placed.fill(h, rank, end);
        rank = end;
      }
      continue;
    }
    let left = [...hosts.keys()];
    for (let turn = 1; left.length > 0 && rank < ranks; turn++) {
      for (const h of left) if (rank < ranks) placed[rank++] = h;
      left = left.filter((h) => hosts[h]!.cores > turn);
    }
  }
  return placed;
}

/** Hosts that are named where ranks have no room. */
const LISTED = 4;

/**
 * Refuses ranks that would share cores.
 *
 * @throws InputError MACH021 with the numbers
 */
export function checkCores(platform: Platform, placement: Int32Array): void {
  const { hosts, name } = platform;
  const ranksOn = new Int32Array(hosts.length);
  for (const host of placement) ranksOn[host]!++;
  const full = hosts.flatMap(({ name, cores }, h) =>
    ranksOn[h]! > cores ? [{ name, cores, ranks: ranksOn[h]! }] : [],
  );
  if (full.length === 0) return;
  const cores = hosts.reduce((sum, host) => sum + host.cores, 0);
  const place = descriptionPlace(platform);
  const help = 'Let ranks share cores with --oversubscribe.';
  if (placement.length > cores)
    fail('MACH021', `${placement.length} ranks, and machine ${quote(name)} has ${cores} cores. ${help}`, place);
  const shown = full.slice(0, LISTED).map((h) => `${h.name}: ${h.ranks} ranks on ${h.cores} cores`);
  const more = full.length > LISTED ? `, and ${full.length - LISTED} more` : '';
  fail('MACH021', `more ranks than cores (${shown.join(', ')}${more}). ${help}`, place);
}
