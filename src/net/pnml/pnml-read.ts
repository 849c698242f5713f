import { InputError } from '../../base/problem.ts';
import type { NodePositions } from '../drawing/kept-layout.ts';
import { netFromJson } from '../json/json.ts';
import { sameData } from '../merge/merge-data.ts';
import type { Net } from '../net.ts';
import type { PnmlInput } from './pnml-decode.ts';
import type { Drawn, PlaceRecord, PnmlDocument, TransitionRecord } from './pnml-document.ts';
import { nameOf, readPlain } from './pnml-net.ts';
import { plainPnml } from './pnml-plain.ts';
import { limitsOf, type PnmlLimits } from './pnml-xml.ts';

/** Texts of nodes by id. */
export interface NodeTexts {
  /** Texts of places, by id. */
  readonly places: ReadonlyMap<string, string>;
  /** Texts of transitions, by id. */
  readonly transitions: ReadonlyMap<string, string>;
}

/** A net read from PNML, with data of its document. */
export interface PnmlNet {
  readonly net: Net;
  /** True if the document is a coloured net. */
  readonly coloured: boolean;
  /**
   * The net's name for each node id. It is the id itself (formulas of the Model Checking Contest refer to ids), unless
   * foretoken wrote the document and names were not valid ids.
   */
  readonly names: NodeTexts;
  /** The display names, by id, where given. */
  readonly titles: NodeTexts;
  /** Where the document draws the nodes, by their names in the net, in its units; y goes down. */
  readonly positions: NodePositions;
  /** Number of arcs in the document. */
  readonly arcs: number;
  /** Warnings about content that was ignored or interpreted. */
  readonly warnings: readonly string[];
}

/**
 * Reads a net in PNML (ISO/IEC 15909-2): place/transition nets and symmetric nets with any number of pages; also
 * inhibitor, read and reset arcs in the usual notations. Of graphics, positions of nodes are read; tool-specific parts are ignored.
 *
 * A place of a product sort gets one field for each part (`c1`, `c2`, …), a `dot` place none. Enumerations keep their
 * order; `successor` and `predecessor` become tables. A multiset difference becomes a condition, because it is defined
 * only if the subtracted tokens are present. If a transition takes no token, all transitions get a delay of 1 s.
 *
 * Content that `writePnml` embedded for foretoken is used if the standard elements still match it.
 *
 * All problems are reported, not only the first; the codes are listed in docs/errors.md. The document is read piece by
 * piece. O(size of the document and the net), both limited.
 *
 * @throws InputError with file, line and column of every problem; NET040, NET058 for invalid limits
 */
export function readPnml(input: PnmlInput, file = 'net.pnml', limits: Partial<PnmlLimits> = {}): PnmlNet {
  const { net, document, warnings } = readPlain(input, file, limitsOf('readPnml', limits));
  const texts = (text: (node: { readonly id: string; readonly title?: string }) => string | undefined): NodeTexts => {
    const of = (nodes: readonly { readonly id: string; readonly title?: string }[]): Map<string, string> =>
      new Map(nodes.flatMap((n) => (text(n) === undefined ? [] : [[n.id, text(n)!] as const])));
    return { places: of(document.places), transitions: of(document.transitions) };
  };
  const drawn = (nodes: readonly (PlaceRecord | TransitionRecord)[]): Map<string, Drawn> =>
    new Map(nodes.flatMap((n) => (n.position === undefined ? [] : [[nameOf(n, document), n.position] as const])));
  const kept = keptNet(net, document, file, warnings);
  return {
    net: kept ?? net,
    coloured: document.coloured,
    names: texts((n) => nameOf(n, document)),
    titles: texts((n) => n.title),
    positions: { places: drawn(document.places), transitions: drawn(document.transitions) },
    arcs: document.arcs.length,
    // Warnings about the standard elements do not apply to an embedded net.
    warnings: kept === undefined ? warnings : [],
  };
}

/** The embedded net, if its standard elements would still be those of the document. */
function keptNet(standard: Net, document: PnmlDocument, file: string, warnings: string[]): Net | undefined {
  if (document.own === undefined) return undefined;
  try {
    const kept = netFromJson(document.own.text, file);
    if (sameData(readPlain(plainPnml(kept).text, file).net, standard)) return kept;
    warnings.push('the net was changed since foretoken wrote it: its <toolspecific> data is ignored');
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    warnings.push('the <toolspecific> data of foretoken is not a valid net and is ignored');
  }
  return undefined;
}
