import { InputError, quote } from '../../base/problem.ts';
import { netToJson } from '../json/json.ts';
import { assertGiven } from '../members.ts';
import { sameData } from '../merge/same-data.ts';
import type { Net } from '../net.ts';
import { UNFOLD_OPTIONS, type UnfoldOptions, unfold } from '../unfold/unfold.ts';
import { assertNet } from '../validation/validate-shape.ts';
import { readPlain } from './pnml-net.ts';
import { type PlainDocument, plainPnml } from './pnml-plain.ts';
import { unsaidBy } from './pnml-unsaid.ts';
import { NotSymmetric } from './pnml-write-terms.ts';

/** A document in PNML, and what is to be known of it. */
export interface WrittenPnml {
  readonly text: string;
  /** The net that reading the text gives: the one that was given, or its unfolding. */
  readonly net: Net;
  /** What other tools will not find in the document, or not as it was: each in one sentence. */
  readonly notes: readonly string[];
}

/**
 * Writes a net in PNML (ISO/IEC 15909-2): without colours as a place/transition net; with colours as a symmetric net,
 * where all its terms are such; otherwise unfolded into a place/transition net, which a note says.
 *
 * Names that are no ids of XML get ids that are made up, and stand in `<name>`. What PNML cannot say — delays, priorities,
 * weights, services, orders, capacities, what belongs to whom — is kept in a `toolspecific` element, the whole net in the
 * product's JSON, and notes name it: other tools read the net without. Arcs that inhibit, read or reset are
 * written in the form `<type value="inhibitor"/>`, which the standard does not have. `readPnml` gives back `net`.
 *
 * O(size of the net), or of its unfolding.
 *
 * @throws InputError with what keeps the net from being unfolded (UNF001 … UNF010), where it must be; NET037
 * for what is no net; NET040, NET058 for options that are none
 */
export function writePnml(net: Net, options: UnfoldOptions = {}): WrittenPnml {
  assertNet(net);
  assertGiven('writePnml', 'options', options, UNFOLD_OPTIONS);
  const notes: string[] = [];
  const { written, document, said } = writtenOrUnfolded(net, options, notes);
  const { text, extensions, namedByTitle } = document;
  for (const kind of extensions)
    notes.push(`arcs of kind "${kind}" are written as <type value="${kind}"/>, which the standard does not have`);
  if (namedByTitle)
    notes.push('names that are no ids of XML stand in <name>, and their nodes have ids that are made up');
  if (sameData(said, written)) return { text, net: written, notes };
  const missing = unsaidBy(written);
  const what = missing.length === 0 ? 'details of how it is declared' : missing.join(', ');
  const kept = jsonOf(written);
  if (kept === undefined) {
    notes.push(`PNML cannot say all of the net (${what}), and that is left out: its expressions are too deep for JSON`);
    return { text, net: said, notes };
  }
  notes.push(
    `PNML cannot say all of the net (${what}): that is kept for foretoken in <toolspecific>, other tools read the net without`,
  );
  return { text: plainPnml(written, kept).text, net: written, notes };
}

interface Written {
  readonly written: Net;
  readonly document: PlainDocument;
  /** What reading the document gives. */
  readonly said: Net;
}

function writtenOrUnfolded(net: Net, options: UnfoldOptions, notes: string[]): Written {
  try {
    if (net.functions !== undefined && net.functions.length > 0)
      throw new NotSymmetric(`function ${quote(net.functions[0]!.name)} is no operator of symmetric nets`);
    return readAgain(net);
  } catch (e) {
    // An expression may also be too deep to be read again.
    if (!(e instanceof NotSymmetric || e instanceof InputError)) throw e;
    const flat = unfold(net, options);
    const size = `${flat.places.length} places, ${flat.transitions.length} transitions`;
    notes.push(`the net is written unfolded (${size}), since ${e.message}`);
    return readAgain(flat);
  }
}

function readAgain(written: Net): Written {
  const document = plainPnml(written);
  const limits = { bytes: Number.POSITIVE_INFINITY };
  return { written, document, said: readPlain(document.text, 'net.pnml', limits).net };
}

function jsonOf(net: Net): string | undefined {
  try {
    return netToJson(net);
  } catch (e) {
    if (e instanceof InputError) return undefined;
    throw e;
  }
}
