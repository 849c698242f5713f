import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { SAFE_LIMIT, type SafeOptions, safeNet } from '../analysis/safe/safe-net.ts';
import { didYouMean, fail, formatProblem, quote } from '../base/problem.ts';
import type { ProgramModel } from '../models/program/model.ts';
import { drawNet } from '../net/drawing/svg.ts';
import type { LayoutEngine } from '../net/drawing/svg-layout.ts';
import { incidenceToCsv } from '../net/incidence/incidence-csv.ts';
import { netToJson } from '../net/json/json.ts';
import type { Net } from '../net/net.ts';
import { writePnml } from '../net/pnml/pnml-write.ts';
import { netToDot } from '../net/text/dot.ts';
import { netToText } from '../net/text/text.ts';
import { type UnfoldOptions, unfold } from '../net/unfold/unfold.ts';
import { aboutFile } from './about-file.ts';
import { assertTraceExists } from './input-kinds.ts';
import { isNetFile, NET_ENDINGS, readNetFile } from './net-file.ts';
import { checkOutput, writeWhole } from './output.ts';
import { assertReplayable } from './predict/assert-replayable.ts';
import { modelNet } from './predict/predict-model.ts';
import { checkProgram } from './predict/program-fault.ts';
import { hostfileOf, type MachineOptions, machineFileOf } from './target.ts';
import { traceNet } from './trace-net.ts';
import { assertNoDatatype } from './trace-options.ts';

export interface ConvertOptions extends MachineOptions {
  /** Writes the place/transition net of the net: one place for each colour, one transition for each binding. */
  readonly unfold?: boolean;
  /**
   * Writes the equivalent net in which no place ever holds more than one token: a place for each number of tokens of a colour. It
   * keeps the interleaving behaviour, not time.
   */
  readonly safe?: boolean;
  /** Of a model: values of its parameters. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Of a model: writes one of the modules that its net is merged of, by its name. */
  readonly module?: string;
  /** Most places and transitions of the unfolded net, default 10⁶; of the safe net, default 10⁵. */
  readonly limit?: number;
}

/** What was done, and what is to be known of it, in sentences. */
export interface Conversion {
  readonly places: number;
  readonly transitions: number;
  readonly bytes: number;
  readonly notes: readonly string[];
}

const WRITERS: Readonly<Record<string, (net: Net, notes: string[], options: UnfoldOptions) => string>> = {
  '.json': netToJson,
  '.pnml': (net, notes, options) => {
    const { text, notes: written } = writePnml(net, options);
    notes.push(...written);
    return text;
  },
  '.txt': netToText,
  '.dot': netToDot,
  '.svg': (net) => drawNet(net, createRequire(import.meta.url)('@dagrejs/dagre') as LayoutEngine),
  '.csv': incidenceToCsv,
};

/**
 * Writes the net of a model or a trace on a machine, or a net from PNML or the product's JSON, as PNML, JSON, canonical
 * text, a drawing (DOT or SVG) or its incidence matrix (CSV): the ending of `output` says which. The JSON is complete:
 * `predict` reads it back. Nothing is written if anything is wrong.
 *
 * @throws InputError APP005 unknown ending, APP006 cannot be written, APP007 would overwrite an input, APP008 a limit
 * without unfolding, APP034 both, SAFE001 … SAFE003 for nets that are not bounded or too large, APP009 a net in a form that is not read, and all problems of reading, unfolding and drawing
 */
export function convert(input: string | ProgramModel, output: string, options: ConvertOptions): Conversion {
  const ending = extname(output);
  const write = Object.hasOwn(WRITERS, ending) ? WRITERS[ending] : undefined;
  if (write === undefined)
    fail('APP005', `unknown ending "${ending}" of the output.${didYouMean(ending, Object.keys(WRITERS))}`, {
      file: output,
    });
  if (options.limit !== undefined && options.unfold !== true && options.safe !== true)
    fail(
      'APP008',
      `the limit of ${options.limit} is one of unfolding or of safe nets, which were not asked for (--unfold, --safe).`,
    );
  if (options.unfold === true && options.safe === true)
    fail(
      'APP034',
      'both the unfolded and the safe net are asked for: the safe net has no colours either. Leave out --unfold.',
    );
  const file = typeof input === 'string' ? input : (input.file ?? input.name);
  checkOutput(output, [file, machineFileOf(options), hostfileOf(options)]);
  const notes: string[] = [];
  const folded = typeof input === 'string' ? readNet(input, options, notes) : netOf(input, options, notes);
  const { net, text } = aboutFile(file, () => {
    const limits = options.limit === undefined ? {} : { limit: options.limit };
    const net =
      options.safe === true ? safe(folded, limits, notes) : options.unfold === true ? unfold(folded, limits) : folded;
    return { net, text: write(net, notes, limits) };
  });
  writeWhole(output, text);
  return { places: net.places.length, transitions: net.transitions.length, bytes: Buffer.byteLength(text), notes };
}

/** The safe net; the notes say what it keeps, and how large it is. */
function safe(given: Net, limits: SafeOptions, notes: string[]): Net {
  const { net, petri, bounds, notes: kept } = safeNet(given, limits);
  const most = Math.max(0, ...bounds);
  const from = `${petri.places.length} places of at most ${most} token${most === 1 ? '' : 's'}, ${petri.transitions.length} transitions`;
  notes.push(
    `${from}, without colours, become ${net.places.length} and ${net.transitions.length}; the limit is ${limits.limit ?? SAFE_LIMIT} together`,
    ...kept,
  );
  return net;
}

function readNet(input: string, options: MachineOptions, notes: string[]): Net {
  if (isNetFile(input)) {
    assertNoDatatype(options, 'a net', input);
    const { net, warnings } = readNetFile(input);
    notes.push(...warnings);
    return net;
  }
  assertTraceExists(input);
  if (Object.hasOwn(WRITERS, extname(input)) && options.machine === undefined)
    fail('APP009', `a net is read from ${NET_ENDINGS.join(' and ')} only, not from ${extname(input)}`, { file: input });
  const built = traceNet(input, options, true);
  try {
    assertReplayable(built);
  } finally {
    built.trace.close();
  }
  notes.push(...[...built.target.warnings, ...built.placed.notes, ...built.trace.notes].map(formatProblem));
  return built.net;
}

/** The net of a model, or the module of it that is asked for. */
function netOf(model: ProgramModel, options: ConvertOptions, notes: string[]): Net {
  const { program } = modelNet(model, options);
  notes.push(...checkProgram(program));
  const { module: name } = options;
  if (name === undefined) return program.net;
  const known = program.modules.map((net) => net.name);
  return (
    program.modules.find((net) => net.name === name) ??
    fail('APP026', `the net of ${model.name} has no module ${quote(name)}.${didYouMean(name, known)}`)
  );
}
