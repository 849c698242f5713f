import { InputError, type Problem, shown } from '../base/problem.ts';
import { type Platform, unknownHost } from './platform.ts';

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
