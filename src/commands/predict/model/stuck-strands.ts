import type { ProgramNet } from '../../../models/program/net/program-net.ts';
import { objectName, operationName, strandName } from '../../../models/threads/program/row-names.ts';
import {
  ACQUIRE,
  blocksOfTry,
  hasTwoBlocks,
  poolOfStrands,
  RELEASE,
  ROW,
  type ThreadProgram,
} from '../../../models/threads/program/rows.ts';
import type { BlockedStrand } from '../../inputs/document-parts.ts';
import { fromHere } from './model-figures.ts';

interface Marking {
  tokens(place: string): readonly { readonly values: readonly number[] }[];
}

/** A strand at a row, on a carrier or in a queue. */
interface AtRow {
  readonly place: string;
  readonly s: number;
  readonly at: number;
}

/**
 * The threads and tasks of a rank's regions that wait forever, with the object that each waits for and the strand that holds it.
 * Strands that wait for their children are left out. O(places + tokens × rows of a strand).
 */
export function stuckStrands({ net, world }: ProgramNet, marking: Marking): Map<number, BlockedStrand[]> {
  const found = new Map<number, BlockedStrand[]>();
  for (const { prefix, first, about } of world.threadParts) {
    const { program } = about;
    const pool = poolOfStrands(program);
    const all = net.places
      .filter(({ name }) => name.startsWith(prefix))
      .flatMap((place): AtRow[] => {
        const [s, at] = ['s', 'at'].map((name) => place.fields.findIndex((field) => field.name === name)) as [
          number,
          number,
        ];
        if (s < 0 || at < 0) return [];
        const name = place.name.slice(prefix.length);
        return marking.tokens(place.name).map(({ values }) => ({ place: name, s: values[s]!, at: values[at]! }));
      });
    all.sort((a, b) => a.s - b.s);
    // Places in queues of strands that have given up waiting.
    const left = `${prefix}left behind in the queue`;
    const gone = new Set(
      net.places.some(({ name }) => name === left)
        ? marking.tokens(left).map(({ values: [, strand, row] }) => `${strand} ${row}`)
        : [],
    );
    const seen = new Set<number>();
    for (const one of all) {
      const blocked = seen.has(one.s) || gone.has(`${one.s} ${one.at}`) ? undefined : blockedStrand(program, one, all);
      if (blocked === undefined) continue;
      seen.add(one.s);
      const rank = first + pool[one.s]!;
      found.set(rank, [...(found.get(rank) ?? []), blocked]);
    }
  }
  return found;
}

function blockedStrand(
  program: ThreadProgram,
  { place, s, at }: AtRow,
  all: readonly AtRow[],
): BlockedStrand | undefined {
  const { rows, sites, objects } = program;
  const op = rows.op[at]!;
  const { file = '', line = 0 } = sites[rows.site[at]!]!.place;
  const own = { strand: strandName(program, s), file: fromHere(file), line };
  if (place === 'queued') return { ...own, operation: 'ready, but no worker is free' };
  if (op !== ROW.acquire && op !== ROW.wait) return undefined;
  const o = rows.a[at]!;
  if (objects[o]!.isJoin === true) return undefined;
  const holder = all.find((other) => isHolder(program, other, o));
  return {
    ...own,
    operation: operationName(program, at),
    object: objectName(program, o),
    ...(holder === undefined ? {} : { heldBy: strandName(program, holder.s) }),
  };
}

/** True if a strand has acquired a lock more often than released before its row. */
function isHolder({ rows, strands, objects }: ThreadProgram, { s, at }: AtRow, o: number): boolean {
  if (objects[o]!.kind !== 'mutex' && objects[o]!.kind !== 'rwlock') return false;
  let held = 0;
  for (let r = strands.start[s]!; r < at; r++) {
    if (rows.op[r] === ROW.wait && rows.b[r] === o) held--;
    if (hasTwoBlocks(rows, r)) {
      // The block in which the strand is; blocks behind it are taken to leave the locks as they were.
      const { failureEnd, success, end } = blocksOfTry(rows, r);
      if (at >= end) r = end - 1;
      else if (at >= success) {
        if (rows.op[r] === ROW.try && rows.a[r] === o) held++;
        r = success - 1;
      } else if (at < failureEnd) r++;
      continue;
    }
    if (rows.a[r] !== o) continue;
    if (rows.op[r] === ROW.acquire && ACQUIRE[rows.b[r]!]!.change !== 0) held++;
    else if (rows.op[r] === ROW.release && RELEASE[rows.b[r]!]!.name.toLowerCase().endsWith('unlock')) held--;
  }
  return held > 0;
}
