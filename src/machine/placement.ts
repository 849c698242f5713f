import { fail, quote } from '../base/problem.ts';
import { descriptionPlace } from './described-at.ts';
import type { Platform } from './platform.ts';

/** Placements of ranks that need no list: host by host, or round-robin. */
export const PLACEMENTS = ['block', 'cyclic'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/**
 * The host of each rank. `block` fills the cores of one host after the other; `cyclic` goes round the hosts and gives
 * each host with a free core one rank per round. If there are more ranks than cores, both start again from the first
 * host.
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

/** Maximum number of overloaded hosts listed in a message. */
const LISTED = 4;

/**
 * Checks that no two ranks share a core.
 *
 * @throws InputError MACH021 with the numbers of ranks and cores
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
