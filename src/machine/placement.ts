import { listing } from '../base/listing.ts';
import { fail, InputError, type Problem, quote, shown } from '../base/problem.ts';
import { descriptionPlace } from './described-at.ts';
import { type Platform, unknownHost } from './platform.ts';

/** Placements of ranks that need no list: host by host, or round-robin. */
export const PLACEMENTS = ['block', 'cyclic'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/**
 * The host of each rank. `block` fills the cores of one host after the other; `cyclic` goes round the hosts and gives
 * each host with a free core one rank per round. If there are more ranks than cores, both start again from the first
 * host.
 *
 * @param coresPerRank cores that a rank uses, for its threads
 * @complexity linear in the ranks and hosts
 */
export function placeRanks(
  platform: { readonly hosts: readonly { readonly cores: number }[] },
  ranks: number,
  placement: Placement,
  coresPerRank = 1,
): Int32Array {
  const hosts = platform.hosts.map(({ cores }) => ({ cores: Math.floor(cores / coresPerRank) }));
  // Without room anywhere, ranks go round the hosts; `checkCores` reports it.
  if (hosts.every(({ cores }) => cores === 0)) for (const host of hosts) host.cores = 1;
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
    for (let pass = 1; left.length > 0 && rank < ranks; pass++) {
      for (const h of left) if (rank < ranks) placed[rank++] = h;
      left = left.filter((h) => hosts[h]!.cores > pass);
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
export function checkCores(platform: Platform, placement: Int32Array, coresPerRank = 1): void {
  const { hosts, name } = platform;
  const ranksOn = new Int32Array(hosts.length);
  for (const host of placement) ranksOn[host]!++;
  const full = hosts.flatMap(({ name, cores }, h) =>
    ranksOn[h]! * coresPerRank > cores ? [{ name, cores, ranks: ranksOn[h]! }] : [],
  );
  if (full.length === 0) return;
  const cores = hosts.reduce((sum, host) => sum + host.cores, 0);
  const place = descriptionPlace(platform);
  const each = coresPerRank === 1 ? '' : ` of ${coresPerRank} threads`;
  const help =
    coresPerRank === 1
      ? 'Let ranks share cores with --oversubscribe.'
      : 'Use fewer ranks or fewer workers of m.threads, or let their threads share cores with --oversubscribe.';
  if (placement.length * coresPerRank > cores)
    fail('MACH021', `${placement.length} ranks${each}, and machine ${quote(name)} has ${cores} cores. ${help}`, place);
  const shown = full.map((h) => `${h.name}: ${h.ranks} ranks${each} on ${h.cores} cores`);
  fail('MACH021', `more ranks than cores (${listing(shown, { max: LISTED })}). ${help}`, place);
}

/** A node: its name, or its number from 0 in the order of the machine's nodes. */
export type NodeOf = string | number;

/** Placement of ranks: the node of each rank, or a function from rank and number of ranks to the node. */
export type PlacementList = readonly NodeOf[] | ((rank: number, ranks: number) => NodeOf);

/** Maximum number of problems reported. */
const MAX_PROBLEMS = 100;

/**
 * The host of each rank, from a list or a function. A function is called once per rank, in ascending order.
 *
 * @throws InputError with all problems, each with its rank: MACH024 (length of the list differs from the number of
 * ranks), MACH025 (neither the name of a node, with the nearest known one, nor the number of one)
 * @complexity linear in the ranks
 */
export function placeByList(platform: Platform, ranks: number, list: PlacementList): Int32Array {
  const problems: Problem[] = [];
  if (typeof list !== 'function' && list.length !== ranks)
    problems.push({ code: 'MACH024', message: `the placement has ${list.length} entries for ${ranks} ranks` });
  const placed = new Int32Array(ranks);
  for (let rank = 0; rank < ranks && problems.length < MAX_PROBLEMS; rank++) {
    if (typeof list !== 'function' && rank >= list.length) break;
    const found = nodeOf(platform, typeof list === 'function' ? list(rank, ranks) : list[rank]);
    if (typeof found === 'number') placed[rank] = found;
    else problems.push({ code: 'MACH025', message: found, place: { part: `placement of rank ${rank}` } });
  }
  if (problems.length > 0) throw new InputError(problems);
  return placed;
}

/** The number of a node, or an error message. */
function nodeOf(platform: Platform, node: unknown): number | string {
  const { hosts } = platform;
  if (typeof node === 'string') return platform.hostIndex(node) ?? unknownHost(platform, node);
  if (typeof node === 'number' && Number.isInteger(node) && node >= 0 && node < hosts.length) return node;
  return `expected the name of a node or its number from 0 to ${hosts.length - 1}, got ${shown(node)}`;
}
