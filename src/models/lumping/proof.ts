import type { Partition } from './partition.ts';
import type { PartnerColumn } from './partners.ts';
import { refuse } from './rank-rows.ts';
import { type LumpedNetwork, type RouteKind, Routes } from './routes.ts';
import { type Shape, type Shapes, sends } from './shapes.ts';

/** Sums of coefficients are compared as multiples of 2^-30, which do not depend on the order of addition. */
const SCALE = 2 ** 30;

/** A message of the first rank of a class. Members are equal for all ranks of the class. */
export interface ClassMessage {
  readonly row: number;
  /** Class of the peer, and the peer's row. */
  readonly peerClass: number;
  readonly peerRow: number;
  /** Sends only: cost of the route, and the classes of its links with their use. */
  readonly cost?: RouteKind;
  readonly uses?: ReadonlyMap<number, LinkUse>;
}

/** Use of one link by the messages of a row of a class. */
export interface LinkUse {
  /** Sum of their coefficients. */
  readonly total: number;
  /** The sum, or on a fatpipe, which messages do not share, the largest. */
  readonly coefficient: number;
}

/** A class of ranks. */
export interface RankClass {
  readonly shape: Shape;
  /** The first rank of the class, and its number among the members of the shape. */
  readonly first: number;
  readonly ranks: number;
  readonly messages: readonly ClassMessage[];
}

/** Classes whose ranks provably have the same times. */
export interface ProvenClasses {
  readonly classes: readonly RankClass[];
  readonly ofRank: Int32Array;
  readonly ofLink: Int32Array;
  /** By class of links: its first link, and the number of its links. */
  readonly links: readonly { readonly first: number; readonly count: number }[];
}

/**
 * Compares all ranks and links of each class with the first of the class, without hashes: the conditions of the README.
 *
 * @throws NotLumped if they differ
 * @complexity linear in the messages times the links of their routes
 */
export function prove(
  shapes: Shapes,
  partners: readonly (readonly (PartnerColumn | undefined)[])[],
  network: LumpedNetwork,
  { classes, ofRank, ofLink }: Partition,
): ProvenClasses {
  const { ranks, of, index } = shapes;
  const { hostOf } = network;
  const routes = new Routes(network);
  const crossed = routes.links;
  const links = linkClasses(network, ofLink);
  const members = grouped(ofRank, classes);
  /** Sums of coefficients of one row of one class, by link, as integers and as they are; the links with a sum. */
  const sums = new Float64Array(ofLink.length);
  const real = new Float64Array(ofLink.length);
  const touched = new Int32Array(ofLink.length);
  const proven = Array.from({ length: classes }, (_, c): RankClass => {
    const [begin, end] = [members.start[c]!, members.start[c + 1]!];
    const first = members.list[begin]!;
    const shape = shapes.all[of[first]!]!;
    for (let m = begin; m < end; m++)
      if (of[members.list[m]!] !== of[first]) refuse('a class has ranks with different operations');
    const messages: ClassMessage[] = [];
    for (let row = 0; row < shape.count; row++) {
      const column = shape.peers[row];
      if (column === undefined) continue;
      const partner = partners[of[first]!]![row]!;
      const at = (rank: number): number => (typeof partner === 'number' ? partner : partner[index[rank]!]!);
      const peerClass = ofRank[column.at(first, index[first]!, ranks)]!;
      const peerRow = at(first);
      if (classes > 1 || typeof partner !== 'number')
        for (let m = begin; m < end; m++) {
          const rank = members.list[m]!;
          if (ofRank[column.at(rank, index[rank]!, ranks)] !== peerClass || at(rank) !== peerRow)
            refuse('a class has ranks with different partners');
        }
      if (!sends(shape.op[row]!)) {
        messages.push({ row, peerClass, peerRow });
        continue;
      }
      const firstCost = routes.find(hostOf[first]!, hostOf[column.at(first, index[first]!, ranks)]!);
      const { coefficients } = firstCost;
      const firstLinks = crossed.slice(0, coefficients.length);
      let count = 0;
      for (let m = begin; m < end; m++) {
        const rank = members.list[m]!;
        const peer = column.at(rank, index[rank]!, ranks);
        if (routes.find(hostOf[rank]!, hostOf[peer]!) !== firstCost) refuse('a class has ranks with different routes');
        for (let i = 0; i < coefficients.length; i++) {
          const l = crossed[i]!;
          if (ofLink[l] !== ofLink[firstLinks[i]!]) refuse('a class has ranks with different routes');
          if (sums[l] === 0) {
            touched[count++] = l;
            real[l] = 0;
          }
          sums[l]! += Math.round(coefficients[i]! * SCALE);
          real[l]! += coefficients[i]!;
        }
      }
      const route = { links: firstLinks, coefficients };
      const uses = usesOf(route, network, { sums, real, touched, count }, ofLink, links);
      for (let i = 0; i < count; i++) sums[touched[i]!] = 0;
      messages.push({ row, peerClass, peerRow, cost: firstCost, uses });
    }
    return { shape, first, ranks: end - begin, messages };
  });
  return { classes: proven, ofRank, ofLink, links };
}

/** Ranks by class, in ascending order. */
function grouped(ofRank: Int32Array, classes: number): { readonly start: Int32Array; readonly list: Int32Array } {
  const start = new Int32Array(classes + 1);
  for (const c of ofRank) start[c + 1]!++;
  for (let c = 0; c < classes; c++) start[c + 1]! += start[c]!;
  const next = start.slice();
  const list = new Int32Array(ofRank.length);
  for (let rank = 0; rank < ofRank.length; rank++) list[next[ofRank[rank]!]!++] = rank;
  return { start, list };
}

function linkClasses({ links }: LumpedNetwork, ofLink: Int32Array): { first: number; count: number }[] {
  const classes: { first: number; count: number }[] = [];
  for (let l = 0; l < ofLink.length; l++) {
    const known = classes[ofLink[l]!];
    if (known === undefined) {
      classes[ofLink[l]!] = { first: l, count: 1 };
      continue;
    }
    known.count++;
    const [a, b] = [links[l]!, links[known.first]!];
    if (a.bandwidth !== b.bandwidth || a.fatpipe !== b.fatpipe) refuse('a class has different links');
  }
  return classes;
}

/**
 * The use of one link of each class of links by the messages of a class of ranks.
 *
 * @throws NotLumped if links of a class have different sums
 */
function usesOf(
  route: { readonly links: Int32Array; readonly coefficients: ArrayLike<number> },
  { links: all }: LumpedNetwork,
  { sums, real, touched, count }: Record<'sums' | 'real', Float64Array> & { touched: Int32Array; count: number },
  ofLink: Int32Array,
  classes: readonly { readonly count: number }[],
): ReadonlyMap<number, LinkUse> {
  const seen = new Map<number, { readonly sum: number; readonly real: number; links: number }>();
  for (let i = 0; i < count; i++) {
    const l = touched[i]!;
    const known = seen.get(ofLink[l]!);
    if (known === undefined) seen.set(ofLink[l]!, { sum: sums[l]!, real: real[l]!, links: 1 });
    else if (known.sum !== sums[l]) refuse('a class has links that different messages cross');
    else known.links++;
  }
  const uses = new Map<number, LinkUse>();
  for (let i = 0; i < route.links.length; i++) {
    const l = route.links[i]!;
    const own = ofLink[l]!;
    const { real: total, links } = seen.get(own)!;
    if (links !== classes[own]!.count) refuse('a class has links that no message of a class of ranks crosses');
    const largest = Math.max(uses.get(own)?.coefficient ?? 0, route.coefficients[i]!);
    uses.set(own, { total, coefficient: all[l]!.fatpipe ? largest : total });
  }
  return uses;
}
