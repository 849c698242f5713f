import { InputError } from '../../base/problem.ts';
import { netFromJson } from '../json/json.ts';
import { assertGiven } from '../members.ts';
import { sameData } from '../merge/same-data.ts';
import type { Net } from '../net.ts';
import type { PnmlInput } from './pnml-decode.ts';
import type { PnmlDocument } from './pnml-document.ts';
import { nameOf, readPlain } from './pnml-net.ts';
import { plainPnml } from './pnml-plain.ts';
import type { PnmlLimits } from './pnml-xml.ts';

/** Names by ids. */
export interface NodeTexts {
  readonly places: ReadonlyMap<string, string>;
  readonly transitions: ReadonlyMap<string, string>;
}

/** A net, and what its document says besides. */
export interface PnmlNet {
  readonly net: Net;
  /** Whether the document is a coloured net. */
  readonly coloured: boolean;
  /**
   * What the net calls each node, by its id. That is the id itself (formulas of the contest refer to ids), except in
   * documents that this product has written of a net whose names are no ids.
   */
  readonly names: NodeTexts;
  /** The names for people, by id, where there are any. */
  readonly titles: NodeTexts;
  /** Number of arcs in the document. */
  readonly arcs: number;
  /** What was read in a way that one may want to know of. */
  readonly warnings: readonly string[];
}

/**
 * Reads a net in PNML (ISO/IEC 15909-2): place/transition nets and symmetric nets, on any number of pages, with inhibitor,
 * read and reset arcs in the forms that are in use. What belongs to graphics and to tools is passed over.
 *
 * A place of a product sort has a field for each part (`c1`, `c2`, …); a `dot` has none. Enumerations keep their order;
 * `successor` and `predecessor` are tables. Tokens that an arc takes away from a multiset become conditions: such an
 * inscription has a value only where what is taken away is there. In a net with a
 * transition that takes no token, all wait for a second.
 *
 * What `writePnml` has kept beside the standard's elements is read back, as long as those still say the same.
 *
 * All problems are found, not only the first: the codes are listed in `PNML_CODES`. The document is read piece by piece;
 * O(its size and that of the net), with limits on both.
 *
 * @throws InputError with file, line and column of every problem; NET040, NET058 for limits that are none
 */
export function readPnml(input: PnmlInput, file = 'net.pnml', limits: Partial<PnmlLimits> = {}): PnmlNet {
  assertGiven('readPnml', 'limits', limits, {
    bytes: 'a number from 0 on',
    depth: 'a number from 0 on',
    problems: 'a number from 0 on',
  });
  const { net, document, warnings } = readPlain(input, file, limits);
  const texts = (text: (node: { readonly id: string; readonly title?: string }) => string | undefined): NodeTexts => {
    const of = (nodes: readonly { readonly id: string; readonly title?: string }[]): Map<string, string> =>
      new Map(nodes.flatMap((n) => (text(n) === undefined ? [] : [[n.id, text(n)!] as const])));
    return { places: of(document.places), transitions: of(document.transitions) };
  };
  const kept = keptNet(net, document, file, warnings);
  return {
    net: kept ?? net,
    coloured: document.coloured,
    names: texts((n) => nameOf(n, document)),
    titles: texts((n) => n.title),
    arcs: document.arcs.length,
    // What is said of the standard's elements alone is not true of a net that was kept whole.
    warnings: kept === undefined ? warnings : [],
  };
}

/** The net that was kept whole, if what the standard's elements say is still what they would say of it. */
function keptNet(said: Net, document: PnmlDocument, file: string, warnings: string[]): Net | undefined {
  if (document.own === undefined) return undefined;
  try {
    const kept = netFromJson(document.own.text, file);
    if (sameData(readPlain(plainPnml(kept).text, file, {}).net, said)) return kept;
    warnings.push('the net was changed since foretoken wrote it: what it kept beside PNML is passed over');
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    warnings.push('what foretoken kept beside PNML is no net any more, and is passed over');
  }
  return undefined;
}
