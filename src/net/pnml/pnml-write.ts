import { InputError, quote } from '../../base/problem.ts';
import { netToJson } from '../json/json.ts';
import { assertGiven } from '../members.ts';
import { sameData } from '../merge/merge-data.ts';
import type { Net, Place, Transition } from '../net.ts';
import { UNFOLD_OPTIONS, type UnfoldOptions, unfold } from '../unfold/unfold.ts';
import { withValidMark } from '../untimed.ts';
import { assertNet } from '../validation/validate-shape.ts';
import { readPlain } from './pnml-net.ts';
import { type PlainDocument, plainPnml } from './pnml-plain.ts';
import { NotSymmetric } from './pnml-write-terms.ts';
import { PNML_LIMITS } from './pnml-xml.ts';

/** A written PNML document. */
export interface WrittenPnml {
  /** The document. */
  readonly text: string;
  /** The net that reading the text returns: the given one or its unfolding. */
  readonly net: Net;
  /** Differences that other tools will see, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Writes a net in PNML (ISO/IEC 15909-2): without colours as a place/transition net; with colours as a symmetric net if
 * all its terms allow it; otherwise unfolded into a place/transition net, with a note.
 *
 * Names that are not valid XML ids are written to `<name>`, and the nodes get generated ids. Properties that PNML
 * cannot represent (delays, priorities, weights, services, orders, capacities, owners, modules) are kept by embedding
 * the net's JSON in a `toolspecific` element; notes list them, because other tools ignore them. Inhibitor, read and
 * reset arcs are written in the non-standard form `<type value="inhibitor"/>`. `readPnml` returns `net`.
 *
 * O(size of the net), or of its unfolding.
 *
 * @throws InputError if the net must be unfolded and cannot be (UNF001 … UNF010); NET037 if the value is not a net;
 * NET040, NET058 for invalid options
 */
export function writePnml(given: Net, options: UnfoldOptions = {}): WrittenPnml {
  assertNet(given);
  const net = withValidMark(given);
  assertGiven('writePnml', 'options', options, UNFOLD_OPTIONS);
  const notes: string[] = [];
  const { written, document, standard } = writtenOrUnfolded(net, options, notes);
  const { text, extensions, namedByTitle } = document;
  for (const kind of extensions)
    notes.push(`arcs of kind "${kind}" are written as <type value="${kind}"/>, which is not part of the standard`);
  if (namedByTitle) notes.push('names that are not valid XML ids are written as <name>, with generated ids');
  if (sameData(standard, written)) return { text, net: written, notes };
  const missing = unsaidBy(written);
  const what = missing.length === 0 ? 'details of its declarations' : missing.join(', ');
  const kept = jsonOf(written);
  if (kept === undefined) {
    notes.push(
      `PNML cannot represent the whole net: ${what} are omitted, because the expressions are too deep for JSON`,
    );
    return { text, net: standard, notes };
  }
  notes.push(`PNML cannot represent the whole net: ${what} are stored in <toolspecific>, which other tools ignore`);
  return { text: plainPnml(written, kept).text, net: written, notes };
}

interface Written {
  readonly written: Net;
  readonly document: PlainDocument;
  /** The net that reading the document returns. */
  readonly standard: Net;
}

function writtenOrUnfolded(net: Net, options: UnfoldOptions, notes: string[]): Written {
  try {
    if (net.functions !== undefined && net.functions.length > 0)
      throw new NotSymmetric(`function ${quote(net.functions[0]!.name)} is not an operator of symmetric nets`);
    return readAgain(net);
  } catch (e) {
    // An InputError also arises if an expression is nested too deep to be read again.
    if (!(e instanceof NotSymmetric || e instanceof InputError)) throw e;
    const flat = unfold(net, options);
    const size = `${flat.places.length} places, ${flat.transitions.length} transitions`;
    // Its position is in the rejected text, which the user never sees.
    const why = e instanceof InputError ? e.problems[0]!.message : e.message;
    notes.push(`the net is written unfolded (${size}), because ${why}`);
    return unplaced(() => readAgain(flat));
  }
}

function readAgain(written: Net): Written {
  const document = plainPnml(written);
  const limits = { ...PNML_LIMITS, bytes: Number.POSITIVE_INFINITY };
  return { written, document, standard: readPlain(document.text, 'net.pnml', limits).net };
}

/** Runs `run`; problems of the generated text are rethrown without line numbers. */
function unplaced<T>(run: () => T): T {
  try {
    return run();
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    throw new InputError(
      e.problems.map(({ code, message, place: { part } = {} }) => {
        const problem = { code, message: `the net cannot be written as PNML: ${message}` };
        return part === undefined ? problem : { ...problem, place: { part } };
      }),
    );
  }
}

function jsonOf(net: Net): string | undefined {
  try {
    return netToJson(net);
  } catch (e) {
    if (e instanceof InputError) return undefined;
    throw e;
  }
}

const OF_PLACES: readonly (readonly [string, (p: Place) => boolean])[] = [
  ['queue orders', (p) => p.order !== 'bag'],
  ['services', (p) => p.service !== undefined],
  ['capacities', (p) => p.capacity !== undefined],
  ['kinds, owners and modules', (p) => p.kind !== undefined || p.owner !== undefined || p.modules !== undefined],
];

const OF_TRANSITIONS: readonly (readonly [string, (t: Transition) => boolean])[] = [
  ['delays', (t) => t.delay !== undefined],
  ['priorities', (t) => t.priority !== undefined && t.priority !== 0],
  ['weights', (t) => t.weight !== undefined],
  ['labels', (t) => t.label !== undefined],
  ['kinds, owners and modules', (t) => t.kind !== undefined || t.process !== undefined || t.modules !== undefined],
];

/** Properties of the net that PNML cannot represent. O(nodes). */
function unsaidBy(net: Net): string[] {
  const found = [
    ...OF_PLACES.flatMap(([what, has]) => (net.places.some(has) ? [what] : [])),
    ...OF_TRANSITIONS.flatMap(([what, has]) => (net.transitions.some(has) ? [what] : [])),
    ...(net.processes === undefined ? [] : ['processes']),
  ];
  return [...new Set(found)];
}
