import { extname } from 'node:path';
import { netToMarkovFiles } from '../../analysis/model-checkers/explicit.ts';
import { netToJani } from '../../analysis/model-checkers/jani.ts';
import { netToPrism } from '../../analysis/model-checkers/prism.ts';
import { SAFE_LIMIT, type SafeOptions, safeNet } from '../../analysis/safe/safe-net.ts';
import { given } from '../../base/given.ts';
import { didYouMean, fail, formatProblem, InputError, quote, shown } from '../../base/problem.ts';
import { machineText } from '../../machine/description/write-machine.ts';
import { nodeCount } from '../../machine/machine.ts';
import { platformMachine } from '../../machine/simgrid/platform-machine.ts';
import { linksOf } from '../../machine/topology/machine-platform.ts';
import type { ProgramModel } from '../../models/program/model-object.ts';
import { netToDot } from '../../net/drawing/dot.ts';
import type { NodePositions } from '../../net/drawing/kept-layout.ts';
import { incidenceToCsv } from '../../net/incidence/incidence-csv.ts';
import { netToJson } from '../../net/json/json.ts';
import type { Net } from '../../net/net.ts';
import { writePnml } from '../../net/pnml/pnml-write.ts';
import { netToText } from '../../net/text/text.ts';
import { type UnfoldOptions, unfold } from '../../net/unfold/unfold.ts';
import { netDrawing } from '../drawing/net-drawing.ts';
import { checkOptions } from '../inputs/check-options.ts';
import { assumedMachine } from '../inputs/document-parts.ts';
import { withFiniteAmounts } from '../inputs/finite-amounts.ts';
import { type ByKind, byKind, givenInput, type InputOf } from '../inputs/input.ts';
import { assertTraceExists } from '../inputs/input-kinds.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import { aboutFile } from '../inputs/net-file.ts';
import type { KindsOf, PooledModel, RankedModel } from '../inputs/option-rows.ts';
import { NET_ENDINGS } from '../inputs/path-kinds.ts';
import { type MachineOptions, machineFiles, readTarget, type Target } from '../inputs/target.ts';
import { checkOutputs, writeWhole } from '../output.ts';
import { checkProgram } from '../predict/model/program-fault.ts';
import { mapModel } from '../predict/model/stages.ts';
import { meanTimes, type ThreadModelNet, threadModelNet } from '../predict/threads/thread-model-net.ts';
import { assertReplayable } from '../predict/trace/blocked.ts';
import { traceNet } from '../subjects/read-trace.ts';
import { CONVERT_ROWS, type ConvertOptions, type ConvertOptionsOf, type Written } from './convert-options.ts';
import { writeGoal } from './trace-goal.ts';

/** Size of the written net, and notes for the user as sentences. */
export interface Conversion {
  readonly places: number;
  readonly transitions: number;
  readonly bytes: number;
  readonly notes: readonly string[];
}

/** Options of writers: those of unfolding, and where the file of the net draws its nodes. */
type WriterOptions = UnfoldOptions & { readonly positions?: NodePositions | undefined };

const WRITERS: Readonly<Record<string, (net: Net, notes: string[], options: WriterOptions) => string>> = {
  '.json': netToJson,
  '.pnml': (net, notes, options) => {
    const { positions: _, ...unfolding } = options;
    const { text, notes: written } = writeFinite(net, unfolding);
    notes.push(...written);
    return text;
  },
  '.txt': netToText,
  '.dot': netToDot,
  '.svg': (net, notes, { positions }) => {
    const { drawing, notes: written } = netDrawing(net, positions);
    notes.push(...written);
    return drawing.svg;
  },
  '.csv': incidenceToCsv,
  '.prism': (net, _, { positions: __, ...options }) => netToPrism(net, options),
  '.jani': (net, _, { positions: __, ...options }) => netToJani(net, options),
  '.tra': (net) => netToMarkovFiles(net).tra,
  '.sta': (net) => netToMarkovFiles(net).sta,
  '.lab': (net) => netToMarkovFiles(net).lab,
};

/** PNML of a net; its amounts, which have no bound, are bounded if it must be unfolded. */
function writeFinite(net: Net, options: UnfoldOptions): ReturnType<typeof writePnml> {
  try {
    return writePnml(net, options);
  } catch (error) {
    if (!(error instanceof InputError) || error.problems.every(({ code }) => code !== 'UNF001')) throw error;
    return writePnml(withFiniteAmounts(net), options);
  }
}

/**
 * Converts the net of a model, of a trace on a machine, or of a PNML or JSON file. The ending of `output` selects the
 * format: PNML, JSON, canonical text, a drawing (DOT or SVG), the incidence matrix (CSV), a Markov model (PRISM or JANI), or its
 * states, rates and labels (.sta, .tra, .lab). The JSON is complete: `predict`
 * can read it back. If anything is wrong, nothing is written.
 *
 * @param path the module that exports the input, for messages
 * @throws InputError APP005 unknown ending, APP006 cannot be written, APP007 would overwrite an input, APP008 a limit
 * without unfolding, APP034 both unfolded and safe, SAFE001 … SAFE004 nets that are unbounded or too large, or whose times a safe net cannot keep, APP009 an
 * unsupported input format, and all problems of reading, unfolding and drawing
 */
export function convert<I extends string | RankedModel | PooledModel | Net>(
  input: I,
  output: string,
  options?: ConvertOptionsOf<I>,
  path?: string,
): Conversion;
export function convert(input: unknown, output: string, options: ConvertOptions = {}, path?: string): Conversion {
  const given = givenInput('convert', input);
  return convertInput(path === undefined ? given : { ...given, file: path, label: path }, output, options);
}

/** As {@link convert}, for a file or the module that exports the input. It may also be a machine. */
export async function convertFile(
  path: string,
  output: string,
  options: ConvertOptions,
  load?: Import,
): Promise<Written> {
  return byKind(WRITTEN, await openInput('convertCommand', path, load), output, options);
}

const writeNet = (input: InputOf<KindsOf<'convert'>>, output: string, options: ConvertOptions): Written => {
  const { places, transitions, bytes, notes } = convertInput(input, output, options);
  return { contents: `${places} places, ${transitions} transitions`, bytes, notes };
};
const WRITTEN: ByKind<KindsOf<'convertCommand'>, [output: string, options: ConvertOptions], Written> = {
  model: writeNet,
  'thread model': writeNet,
  trace: (input, output, options) => (extname(output) === '.goal' ? writeGoal : writeNet)(input, output, options),
  net: writeNet,
  'machine description': writeMachine,
};

function writeMachine(
  { kind, path }: InputOf<'machine description'>,
  output: string,
  options: ConvertOptions,
): Written {
  checkOptions('convertCommand', CONVERT_ROWS, { kind, file: path }, options);
  checkOutputs([output], [path]);
  const { description, platform, collectives, warnings } = readTarget({ machine: path, ...given(options, ['cfg']) });
  const { machine: same, notes } =
    description === undefined ? platformMachine(platform) : { machine: description, notes: [] };
  // Algorithms of a platform's settings; those of a machine file are in its description.
  const machine = platform.collectives === undefined ? same : { ...same, collectives: collectives.text };
  const text = machineText(machine, output);
  writeWhole(output, text);
  return {
    contents: `${nodeCount(machine)} nodes, ${linksOf(machine)} links`,
    bytes: Buffer.byteLength(text),
    notes: [...warnings, ...(platform.notes ?? []), ...notes].map(formatProblem),
  };
}

function convertInput(input: InputOf<KindsOf<'convert'>>, output: string, options: ConvertOptions): Conversion {
  const { label } = input;
  checkOptions('convert', CONVERT_ROWS, { kind: input.kind, file: label }, options);
  if (typeof output !== 'string') fail('APP061', `output: expected a path, got ${shown(output)}`, { part: 'convert' });
  const ending = extname(output);
  const write = Object.hasOwn(WRITERS, ending) ? WRITERS[ending] : undefined;
  if (write === undefined)
    fail('APP005', `unknown output extension "${ending}".${didYouMean(ending, Object.keys(WRITERS))}`, {
      file: output,
    });
  if (options.limit !== undefined && options.unfold !== true && options.safe !== true)
    fail(
      'APP008',
      `the limit of ${options.limit} applies only to unfolding and to safe nets: give --unfold or --safe.`,
    );
  if (options.unfold === true && options.safe === true)
    fail(
      'APP034',
      'both the unfolded and the safe net are requested: omit --unfold. A safe net has no colours, except for one that takes time and is safe already; written to .pnml, this one has none, either.',
    );
  checkOutputs([output], [label, ...Object.values(machineFiles(options))]);
  const notes: string[] = [];
  const folded = byKind(NETS, input, options, notes);
  const read = notes.length;
  const { net, text } = aboutFile(label, () => {
    const limits = options.limit === undefined ? {} : { limit: options.limit };
    const net =
      options.safe === true
        ? safe(folded, limits, notes)
        : options.unfold === true
          ? unfold(withFiniteAmounts(folded), limits)
          : folded;
    const positions = ending === '.svg' && 'readValid' in input ? input.readValid().positions : undefined;
    const written = (net: Net): { net: Net; text: string } => ({
      net,
      text: write(net, notes, { ...limits, positions }),
    });
    try {
      return written(net);
    } catch (error) {
      if (options.safe !== true || net !== folded || !losesOrder(error)) throw error;
      notes.length = read;
      return written(safe(folded, { ...limits, withoutColours: true }, notes));
    }
  });
  writeWhole(output, text);
  return { places: net.places.length, transitions: net.transitions.length, bytes: Buffer.byteLength(text), notes };
}

/**
 * True if only the order of queues, or bindings that no run reaches, prevent the conversion to a format without colours. Neither
 * prevents a safe net.
 */
const losesOrder = (error: unknown): boolean =>
  error instanceof InputError && error.problems.every(({ code }) => code === 'UNF004' || code === 'UNF009');

/** Builds the safe net. The notes state its size and the preserved properties. */
function safe(given: Net, limits: SafeOptions, notes: string[]): Net {
  const { net, petri, bounds, unchanged, notes: kept } = safeNet(withFiniteAmounts(given), limits);
  if (unchanged) {
    notes.push(...kept);
    return given;
  }
  const max = Math.max(0, ...bounds);
  const from = `${petri.places.length} places of at most ${max} token${max === 1 ? '' : 's'}, ${petri.transitions.length} transitions`;
  notes.push(
    `${from}, without colours, become ${net.places.length} and ${net.transitions.length}; the limit of their sum is ${limits.limit ?? SAFE_LIMIT}`,
    ...kept,
  );
  return net;
}

/** The net of an input, as it is written before it is unfolded or made safe. */
export const netOfInput = (input: InputOf<KindsOf<'convert'>>, options: ConvertOptions, notes: string[]): Net =>
  byKind(NETS, input, options, notes);

const NETS: ByKind<KindsOf<'convert'>, [ConvertOptions, notes: string[]], Net> = {
  model: ({ model }, options, notes) => netOf(model, options, notes),
  'thread model': ({ model }, options, notes) => {
    const threads = threadModelNet(model, options);
    noteMachine(options, threads.target, notes);
    return netOfThreads(threads, notes);
  },
  trace: ({ path }, options, notes) => netOfTrace(path, options, notes),
  net: ({ read }, _, notes) => {
    const { net, warnings } = read();
    notes.push(...warnings);
    return net;
  },
};

/** Says whose times a net has, if nobody has given a machine. */
function noteMachine(
  { machine }: MachineOptions,
  { platform: { name } }: Pick<Target, 'platform'>,
  notes: string[],
): void {
  if (machine === undefined) notes.push(formatProblem(assumedMachine(name)));
}

/** Times of computing are drawn before the net of a run is made, so that the net of all runs has mean times. */
function netOfThreads({ model, drawsTimes, withMeanTimes }: ThreadModelNet, notes: string[]): Net {
  if (drawsTimes) notes.push(formatProblem(meanTimes(model)));
  return withMeanTimes().net;
}

function netOfTrace(input: string, options: MachineOptions, notes: string[]): Net {
  assertTraceExists(input);
  if (Object.hasOwn(WRITERS, extname(input)) && options.machine === undefined)
    fail('APP009', `expected a net (${NET_ENDINGS.join(' or ')}), got ${extname(input)}`, { file: input });
  const built = traceNet(input, options, true);
  try {
    assertReplayable(built);
  } finally {
    built.trace.close();
  }
  notes.push(
    ...[
      ...built.target.warnings,
      ...(built.target.platform.notes ?? []),
      ...built.placed.notes,
      ...built.trace.notes,
    ].map(formatProblem),
  );
  return built.net;
}

/** The net of a model, or the requested module of it. */
function netOf(model: ProgramModel, options: ConvertOptions, notes: string[]): Net {
  const { program, target } = mapModel(model, options);
  noteMachine(options, target, notes);
  notes.push(...checkProgram(program));
  const { module: name } = options;
  if (name === undefined) return program.net;
  const known = program.modules.map((net) => net.name);
  return (
    program.modules.find((net) => net.name === name) ??
    fail('APP026', `the net of ${model.name} has no module ${quote(name)}.${didYouMean(name, known)}`)
  );
}
