import { InputError, type Problem, shown } from '../base/problem.ts';
import { type Platform, unknownHost } from './platform.ts';

/** A node: its name, or its number from 0 on, in the order of the machine's nodes. */
export type NodeOf = string | number;

/** Where every rank is: a node each, or a function of the rank's number and the number of ranks that says it. */
export type PlacementList = readonly NodeOf[] | ((rank: number, ranks: number) => NodeOf);

/** Problems that are reported at most. */
const MAX_PROBLEMS = 100;

/**
 * The host of each rank, from a list or a function, which is called once for each rank in order.
 *
 * @throws InputError MACH024 (a list of another length than there are ranks), MACH025 (neither the name of a node, with
 * the nearest that there is, nor the number of one), by rank, all at once
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

/** The number of a node, or what is wrong. */
function nodeOf(platform: Platform, node: unknown): number | string {
  const { hosts } = platform;
  if (typeof node === 'string') return platform.hostIndex(node) ?? unknownHost(platform, node);
  if (typeof node === 'number' && Number.isInteger(node) && node >= 0 && node < hosts.length) return node;
  return `${shown(node)}: expected the name of a node, or its number from 0 to ${hosts.length - 1}`;
}
