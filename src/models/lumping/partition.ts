import type { PartnerColumn } from './partners.ts';
import { refuse } from './rank-rows.ts';
import { type LumpedNetwork, Routes } from './routes.ts';
import { mix, mixReal, type Shapes, sends } from './shapes.ts';

/** Classes of ranks and of links: a colour for each, from 0. */
export interface Partition {
  readonly classes: number;
  readonly ofRank: Int32Array;
  readonly ofLink: Int32Array;
}

/** Maximum number of looks at a message: beyond it, refinement takes longer than a full run may take. */
const MAX_LOOKS = 2 ** 33;

/** A coefficient as an integer: sums of such do not depend on their order. */
const whole = (coefficient: number): number => Math.round(coefficient * 2 ** 20);

/**
 * Colour refinement of ranks and links. Ranks start with their shapes, links with their capacities. A rank's next colour depends on
 * its colour, the colours and rows of its partners, and for its sends on the costs and the colours of the links; a link's on the
 * messages that cross it, by colour of their rank and row. Ends when no colour splits, or with `undefined` when more than `most`
 * ranks are left: lumping then saves little.
 *
 * Colours are compared by hashes of 64 bits. {@link prove} compares the result exactly.
 *
 * @throws NotLumped after 2^33 looks at messages
 */
export function refined(
  shapes: Shapes,
  partners: readonly (readonly (PartnerColumn | undefined)[])[],
  network: LumpedNetwork,
  most: number,
): Partition | undefined {
  const { ranks, of } = shapes;
  const { hostOf, links } = network;
  const routes = new Routes(network);
  const crossed = routes.links;
  const ofRank = of.slice();
  const ofLink = new Int32Array(links.length);
  const [rank1, rank2] = [new Int32Array(ranks), new Int32Array(ranks)];
  const [link1, link2] = [new Int32Array(links.length), new Int32Array(links.length)];
  let looks = 0;
  links.forEach(({ bandwidth, fatpipe }, l) => {
    link1[l] = mixReal(fatpipe ? 1 : 2, bandwidth);
    link2[l] = mixReal(fatpipe ? 3 : 4, bandwidth);
  });
  let linkColours = recolour(ofLink, link1, link2);
  let colours = shapes.all.length;
  for (;;) {
    if (colours > most) return undefined;
    link1.fill(0);
    link2.fill(0);
    for (const [s, shape] of shapes.all.entries())
      for (let row = 0; row < shape.count; row++) {
        const column = shape.peers[row];
        if (column === undefined || !sends(shape.op[row]!)) continue;
        let [colour, h1, h2] = [-1, 0, 0];
        looks += shape.ranks;
        for (let k = 0; k < shape.ranks; k++) {
          const rank = shape.members[k]!;
          const peer = column.at(rank, k, ranks);
          const { coefficients } = routes.find(hostOf[rank]!, hostOf[peer]!);
          if (ofRank[rank] !== colour) {
            colour = ofRank[rank]!;
            h1 = mix(mix(s, row), colour);
            h2 = mix(mix(~s, colour), row);
          }
          for (let i = 0; i < coefficients.length; i++) {
            const l = crossed[i]!;
            const c = whole(coefficients[i]!);
            link1[l] = (link1[l]! + Math.imul(h1, c)) | 0;
            link2[l] = (link2[l]! + Math.imul(h2, c)) | 0;
          }
        }
      }
    const nextLinks = recolour(ofLink, link1, link2);
    rank1.fill(0);
    rank2.fill(0);
    for (const [s, shape] of shapes.all.entries())
      for (let row = 0; row < shape.count; row++) {
        const column = shape.peers[row];
        if (column === undefined) continue;
        const partner = partners[s]![row]!;
        const isSend = sends(shape.op[row]!);
        looks += shape.ranks;
        // With one colour and one row there is nothing to distinguish.
        if (!isSend && colours === 1 && typeof partner === 'number') continue;
        for (let k = 0; k < shape.ranks; k++) {
          const rank = shape.members[k]!;
          const peer = column.at(rank, k, ranks);
          let own = 0;
          if (isSend) {
            const kind = routes.find(hostOf[rank]!, hostOf[peer]!);
            own = kind.number;
            for (let i = 0; i < kind.coefficients.length; i++) own = mix(own, ofLink[crossed[i]!]!);
          }
          const at = typeof partner === 'number' ? partner : partner[k]!;
          const seen = mix(mix(own, ofRank[peer]!), at);
          rank1[rank] = mix(rank1[rank]!, seen);
          rank2[rank] = mix(rank2[rank]! ^ 0x55555555, seen);
        }
      }
    const next = recolour(ofRank, rank1, rank2);
    if (next === colours && nextLinks === linkColours) return { classes: next, ofRank, ofLink };
    colours = next;
    linkColours = nextLinks;
    if (looks > MAX_LOOKS) refuse('the search for classes takes too long');
  }
}

/** Splits colours by two hashes; colours are numbered by their first member. Returns their number. */
function recolour(colours: Int32Array, hash1: Int32Array, hash2: Int32Array): number {
  const numbers = new Map<string | number, number>();
  let [last, last1, last2, number] = [-1, 0, 0, -1];
  for (let k = 0; k < colours.length; k++) {
    const [colour, a, b] = [colours[k]!, hash1[k]!, hash2[k]!];
    if (colour !== last || a !== last1 || b !== last2) {
      [last, last1, last2] = [colour, a, b];
      const key = `${colour} ${a} ${b}`;
      number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
    }
    colours[k] = number;
  }
  return numbers.size;
}
