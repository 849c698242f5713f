import { OP } from '../operations.ts';
import { type RankRows, refuse } from './rank-rows.ts';

/** Maximum number of peers that are kept one by one: those of a column follow a formula otherwise. */
const MAX_LISTED_PEERS = 2 ** 27;
/** Maximum number of operations of all shapes. */
const MAX_SHAPE_ROWS = 2 ** 23;

export const sends = (op: number): boolean => op === OP.send || op === OP.isend;
export const receives = (op: number): boolean => op === OP.recv || op === OP.irecv;

/** Mixes a number into a hash of 32 bits. */
export function mix(hash: number, value: number): number {
  let h = Math.imul(hash ^ value, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return h ^ (h >>> 13);
}

/**
 * The peers of one operation of all ranks of a shape. Peers are `rank xor mask` or `rank + distance` modulo the number of
 * ranks as long as all ranks allow it, and a list otherwise.
 */
export class PeerColumn {
  mask: number;
  distance: number;
  list: Int32Array | undefined;

  constructor(rank: number, peer: number, ranks: number) {
    this.mask = rank ^ peer;
    this.distance = (peer - rank + ranks) % ranks;
  }

  /** Peer of a rank that is member number `index` of the shape. */
  at(rank: number, index: number, ranks: number): number {
    if (this.list !== undefined) return this.list[index]!;
    if (this.mask >= 0) return rank ^ this.mask;
    const peer = rank + this.distance;
    return peer >= ranks ? peer - ranks : peer;
  }
}

/** Ranks with the same operations: all is equal except the peers. */
export interface Shape {
  readonly count: number;
  readonly op: Int8Array;
  readonly tag: Int32Array;
  readonly request: Int32Array;
  readonly size: Float64Array;
  /** By row; undefined for rows without a message. */
  readonly peers: readonly (PeerColumn | undefined)[];
  /** The ranks in ascending order; the first `ranks` entries. */
  members: Int32Array;
  ranks: number;
}

/** The shapes of all ranks. */
export class Shapes {
  readonly ranks: number;
  readonly all: Shape[] = [];
  /** By rank: its shape, and its number among the members. */
  readonly of: Int32Array;
  readonly index: Int32Array;
  readonly #byHash = new Map<number, number[]>();
  #rows = 0;
  #listed = 0;
  #last = -1;

  constructor(ranks: number) {
    this.ranks = ranks;
    this.of = new Int32Array(ranks);
    this.index = new Int32Array(ranks);
  }

  /** Adds the next rank. @throws NotLumped if the shapes or the lists of peers become too large */
  add(rank: number, rows: RankRows): void {
    const number = this.#find(rank, rows);
    this.#last = number;
    const shape = this.all[number]!;
    this.of[rank] = number;
    this.index[rank] = shape.ranks;
    if (shape.ranks === shape.members.length) {
      const longer = new Int32Array(Math.min(this.ranks, 2 * shape.members.length));
      longer.set(shape.members);
      shape.members = longer;
    }
    shape.members[shape.ranks] = rank;
    const { peer } = rows;
    for (let k = 0; k < shape.count; k++) {
      const column = shape.peers[k];
      if (column !== undefined) this.#peer(column, shape, rank, peer[k]!);
    }
    shape.ranks++;
  }

  #peer(column: PeerColumn, shape: Shape, rank: number, peer: number): void {
    const index = shape.ranks;
    if (column.list === undefined) {
      const isXor = column.mask >= 0 && (rank ^ peer) === column.mask;
      const isShift = column.distance >= 0 && (peer - rank + this.ranks) % this.ranks === column.distance;
      if (isXor || isShift) {
        if (!isXor) column.mask = -1;
        if (!isShift) column.distance = -1;
        return;
      }
      const list = new Int32Array(Math.max(16, index));
      for (let k = 0; k < index; k++) list[k] = column.at(shape.members[k]!, k, this.ranks);
      column.list = list;
    }
    if (index >= column.list.length) {
      this.#listed += column.list.length;
      if (this.#listed > MAX_LISTED_PEERS) refuse('the peers of the ranks follow no formula and are too many to list');
      const longer = new Int32Array(2 * column.list.length);
      longer.set(column.list);
      column.list = longer;
    }
    column.list[index] = peer;
  }

  #find(rank: number, rows: RankRows): number {
    if (this.#last >= 0 && isEqual(this.all[this.#last]!, rows)) return this.#last;
    const hash = hashOf(rows);
    const known = this.#byHash.get(hash) ?? [];
    for (const number of known) if (isEqual(this.all[number]!, rows)) return number;
    const { count, op, tag, request, size, peer } = rows;
    this.#rows += count;
    if (this.#rows > MAX_SHAPE_ROWS) refuse('too many ranks have operations that no other rank has');
    known.push(this.all.length);
    this.#byHash.set(hash, known);
    return (
      this.all.push({
        count,
        op: op.slice(0, count),
        tag: tag.slice(0, count),
        request: request.slice(0, count),
        size: size.slice(0, count),
        peers: Array.from({ length: count }, (_, k) =>
          peer[k]! < 0 ? undefined : new PeerColumn(rank, peer[k]!, this.ranks),
        ),
        members: new Int32Array(1),
        ranks: 0,
      }) - 1
    );
  }
}

function isEqual(shape: Shape, rows: RankRows): boolean {
  const { count, op, tag, request, size } = shape;
  if (count !== rows.count) return false;
  const [ownOp, ownTag, ownRequest, ownSize] = [rows.op, rows.tag, rows.request, rows.size];
  for (let k = 0; k < count; k++)
    if (op[k] !== ownOp[k] || tag[k] !== ownTag[k] || request[k] !== ownRequest[k] || size[k] !== ownSize[k])
      return false;
  return true;
}

const bits = new Float64Array(1);
const words = new Int32Array(bits.buffer);

/** The two halves of a number, mixed into a hash. */
export function mixReal(hash: number, value: number): number {
  bits[0] = value;
  return mix(mix(hash, words[0]!), words[1]!);
}

function hashOf({ count, op, tag, request, size }: RankRows): number {
  let h = count;
  for (let k = 0; k < count; k++) {
    h = mix(mix(mix(h, op[k]!), tag[k]!), request[k]!);
    h = mixReal(h, size[k]!);
  }
  return h;
}
