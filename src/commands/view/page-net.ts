import { WitnessRun } from '../../analysis/game/witness-run.ts';
import { formatProblem, InputError } from '../../base/problem.ts';
import type { NodePositions } from '../../net/drawing/kept-layout.ts';
import type { NetDrawing } from '../../net/drawing/svg.ts';
import { netToJson } from '../../net/json/json.ts';
import type { Net } from '../../net/net.ts';
import { netDrawing } from '../drawing/net-drawing.ts';
import { spaceInput } from '../explore/explore-input.ts';
import { readText } from '../inputs/inputs.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import { verificationRerunOf } from '../verify/net/verify-rerun.ts';
import { type GivenWitness, witnessesIn } from '../verify/net/witnesses-in.ts';

/** A net in JSON with its drawing, and firing sequences of it. */
export interface PageNet {
  readonly json: string;
  readonly drawing?: NetDrawing;
  readonly witnesses?: readonly GivenWitness[];
  /** Changes of the marking along the run that the page shows. */
  readonly marking?: readonly Uint8Array[];
}

/** The net of a page; `notes` name the omitted parts. */
export interface NetPart {
  readonly net?: PageNet;
  readonly notes: readonly string[];
}

/** Size above which a page leaves a net out, in characters of its JSON. */
const MAX_NET = 4_000_000;
/** Maximum size of a document with witnesses, in bytes. */
const MAX_BYTES = 256 * 2 ** 20;

/**
 * The part of a net; a note where it cannot be written or drawn, or is too large.
 *
 * @param positions where a file draws the nodes; the drawing keeps them
 */
export function pageNet(made: () => Net, positions?: NodePositions): NetPart {
  try {
    const net = made();
    const json = netToJson(net);
    if (json.length > MAX_NET)
      return { notes: [`The net is not shown: its file has ${json.length} characters, more than ${MAX_NET}.`] };
    // A page draws the tokens itself.
    const unmarked: Net = { ...net, places: net.places.map((place) => ({ ...place, initial: [] })) };
    const { drawing, notes } = drawn(unmarked, positions);
    return { net: { json, ...(drawing === undefined ? {} : { drawing }) }, notes };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { notes: [`The net is not shown: ${error.problems[0]!.message}`] };
  }
}

/** The drawing of a net; a note where it is too large. */
function drawn(
  net: Net,
  positions: NodePositions | undefined,
): { readonly drawing?: NetDrawing; readonly notes: readonly string[] } {
  try {
    return netDrawing(net, positions);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { notes: [`The net is listed, not drawn: ${error.problems[0]!.message}`] };
  }
}

/**
 * A net with the witnesses of a document of `verify`.
 *
 * @throws InputError GAME004 a step that the net does not permit, GAME005 a document without a witness
 */
export function withWitnesses(part: NetPart, net: Net, witnesses: readonly GivenWitness[], file: string): NetPart {
  for (const witness of witnesses) {
    try {
      void new WitnessRun(net, witness);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(error.problems.map((problem) => ({ ...problem, place: { ...problem.place, file } })));
    }
  }
  return part.net === undefined ? part : { ...part, net: { ...part.net, witnesses } };
}

/** The witnesses in a file. @throws InputError APP001, APP010, GAME005 */
export function readWitnesses(file: string): GivenWitness[] {
  const text = readText(file, MAX_BYTES);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new InputError([
      { code: 'APP010', message: `is not a result: ${(error as Error).message}`, place: { file } },
    ]);
  }
  return witnessesIn(document, file);
}

/**
 * The verified net of a document of `verify`, with its witnesses; nothing if the document has none. A net that cannot be read again
 * is a note.
 *
 * @param file path of the document, to find its inputs
 * @throws InputError GAME004 a step that the net does not permit
 */
export async function verifiedNet(document: unknown, file: string, load?: Import): Promise<NetPart> {
  let witnesses: GivenWitness[];
  let net: Net;
  let positions: NodePositions | undefined;
  try {
    witnesses = witnessesIn(document, file);
  } catch {
    return { notes: [] };
  }
  try {
    const { input, options } = verificationRerunOf(asVerification(document), file);
    const { machine, ranks, set } = options;
    const own = {
      ...(machine === undefined ? {} : { machine }),
      ...(ranks === undefined ? {} : { ranks }),
      ...(set === undefined ? {} : { set }),
    };
    const opened = await openInput('explore', input, load);
    net = spaceInput(opened, own, undefined, { withoutTimes: true }).net;
    if ('readValid' in opened) positions = opened.readValid().positions;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { notes: [`Witnesses are listed, not played: ${formatProblem(error.problems[0]!)}`] };
  }
  return withWitnesses(
    pageNet(() => net, positions),
    net,
    witnesses,
    file,
  );
}

/** A file of witnesses names its inputs as a verification does, without options. */
const asVerification = (document: unknown): Parameters<typeof verificationRerunOf>[0] =>
  ({ options: {}, properties: [], complete: true, ...(document as object), kind: 'verification' }) as never;
