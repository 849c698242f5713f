import { refuse } from './rank-rows.ts';
import { type PeerColumn, type Shape, type Shapes, sends } from './shapes.ts';

/** Maximum number of partners that are kept one by one. */
const MAX_LISTED = 2 ** 27;

/** The partner of one operation of all ranks of a shape: its row at the peer, one number or a list by member. */
export type PartnerColumn = number | Int32Array;

/**
 * The partner of each message of each rank, by shape and row. The n-th send from one rank to another with a tag meets the n-th such
 * receive, whatever the times (M2).
 *
 * @throws NotLumped if a message has no partner
 * @complexity linear in the messages, if the partners of a shape's ranks have equal rows
 */
export function partnersOf(shapes: Shapes): readonly (readonly (PartnerColumn | undefined)[])[] {
  const left = { listed: MAX_LISTED };
  return shapes.all.map((shape) => {
    const found = new Finder(shapes, shape, left);
    return shape.peers.map((column, row) => (column === undefined ? undefined : found.column(column, row)));
  });
}

/** Rows of the same tag and direction before a row: the messages that could be earlier ones of its channel. */
function rivalsOf({ count, op, tag, peers }: Shape): Int32Array[] {
  const rows = new Map<number, number[]>();
  return Array.from({ length: count }, (_, row) => {
    if (peers[row] === undefined) return new Int32Array();
    const key = 2 * tag[row]! + (sends(op[row]!) ? 1 : 0);
    const before = rows.get(key) ?? [];
    rows.set(key, before);
    const own = peers[row]!;
    // Two formulas of one kind are equal for all ranks or for none.
    const rivals = before.filter((other) => !areApart(own, peers[other]!));
    before.push(row);
    return Int32Array.from(rivals);
  });
}

function areApart(a: PeerColumn, b: PeerColumn): boolean {
  if (a.list !== undefined || b.list !== undefined) return false;
  if (a.mask >= 0 && b.mask >= 0) return a.mask !== b.mask;
  return a.distance >= 0 && b.distance >= 0 && a.distance !== b.distance;
}

const rivals = new WeakMap<Shape, Int32Array[]>();

function knownRivals(shape: Shape): Int32Array[] {
  const known = rivals.get(shape) ?? rivalsOf(shape);
  rivals.set(shape, known);
  return known;
}

/** Number of the message of a row in its channel, from 0. */
function occurrence(shape: Shape, row: number, rank: number, index: number, ranks: number, peer: number): number {
  let n = 0;
  for (const other of knownRivals(shape)[row]!) if (shape.peers[other]!.at(rank, index, ranks) === peer) n++;
  return n;
}

class Finder {
  readonly #shapes: Shapes;
  readonly #shape: Shape;
  readonly #left: { listed: number };

  constructor(shapes: Shapes, shape: Shape, left: { listed: number }) {
    this.#shapes = shapes;
    this.#shape = shape;
    this.#left = left;
  }

  column(column: PeerColumn, row: number): PartnerColumn {
    const shape = this.#shape;
    const { members, ranks: count } = shape;
    const { ranks, of } = this.#shapes;
    const first = this.#find(column, row, 0, -1);
    const found = this.#byFormula(column, row, first);
    if (found) return first;
    let list: Int32Array | undefined;
    let last = first;
    let shapeOfLast = of[column.at(members[0]!, 0, ranks)]!;
    for (let k = 1; k < count; k++) {
      const peer = column.at(members[k]!, k, ranks);
      const guess = of[peer] === shapeOfLast ? last : -1;
      last = this.#find(column, row, k, guess);
      shapeOfLast = of[peer]!;
      if (list === undefined && last !== first) {
        this.#left.listed -= count;
        if (this.#left.listed < 0) refuse('the partners of messages differ by rank and are too many to list');
        list = new Int32Array(count).fill(first, 0, k);
      }
      if (list !== undefined) list[k] = last;
    }
    return list ?? first;
  }

  /** True if the partner of all members is this row of one shape, by the formulas of both: the one is the inverse of the other. */
  #byFormula(column: PeerColumn, row: number, partner: number): boolean {
    const { ranks, of, all } = this.#shapes;
    const { members, ranks: count } = this.#shape;
    if (column.list !== undefined || knownRivals(this.#shape)[row]!.length > 0) return false;
    const number = of[column.at(members[0]!, 0, ranks)]!;
    const shape = all[number]!;
    const inverse = shape.peers[partner]!;
    if (inverse.list !== undefined || knownRivals(shape)[partner]!.length > 0) return false;
    const isXor = column.mask >= 0 && inverse.mask === column.mask;
    const isShift = column.distance >= 0 && inverse.distance >= 0 && (column.distance + inverse.distance) % ranks === 0;
    if (!isXor && !isShift) return false;
    if (all.length === 1) return true;
    for (let k = 0; k < count; k++) if (of[column.at(members[k]!, k, ranks)] !== number) return false;
    return true;
  }

  /** The partner's row for one member; `guess` is tried first. */
  #find(column: PeerColumn, row: number, index: number, guess: number): number {
    const shape = this.#shape;
    const { ranks, of, all, index: indexOf } = this.#shapes;
    const rank = shape.members[index]!;
    const peer = column.at(rank, index, ranks);
    if (peer >= ranks) refuse(`rank ${rank} has a partner beyond the last rank`);
    const other = all[of[peer]!]!;
    const direction = sends(shape.op[row]!);
    const n = occurrence(shape, row, rank, index, ranks, peer);
    const fits = (at: number): boolean => {
      const back = other.peers[at];
      if (back === undefined || other.tag[at] !== shape.tag[row] || sends(other.op[at]!) === direction) return false;
      const member = indexOf[peer]!;
      return back.at(peer, member, ranks) === rank && occurrence(other, at, peer, member, ranks, rank) === n;
    };
    if (guess >= 0 && fits(guess)) return guess;
    for (let at = 0; at < other.count; at++) if (fits(at)) return at;
    return refuse(
      direction
        ? `no receive of rank ${peer} takes a message of rank ${rank}`
        : `rank ${peer} sends no message for a receive of rank ${rank}`,
    );
  }
}
