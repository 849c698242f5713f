import { closeSync, readSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { openInput } from '../../base/input-file.ts';
import { fail, InputError, type Problem } from '../../base/problem.ts';
import { type BlockedOf, blockedInSchedule } from '../../models/schedule/blocked-in-schedule.ts';
import { inPostingOrder, whyAllEnd } from '../../models/schedule/one-order.ts';
import { scheduleNet } from '../../models/schedule/schedule-net.ts';
import type { NodePositions } from '../../net/drawing/kept-layout.ts';
import { netFromJson } from '../../net/json/json.ts';
import type { Net } from '../../net/net.ts';
import { readPnml } from '../../net/pnml/pnml-read.ts';
import { readPnpro } from '../../net/pnpro/pnpro-read.ts';
import { assumedDelays } from '../../net/untimed.ts';
import { parseLogGops } from '../../trace/goal/loggops.ts';
import { readGoal } from '../../trace/goal/read-goal.ts';
import { LOGGOPS, type LogGops, type ScheduledOperation } from '../../trace/goal/schedule.ts';
import { readText } from './inputs.ts';
import { declarationPlace } from './net-place.ts';
import { type PathFacts, pathFacts } from './path-kinds.ts';

/** A net from a file, with its format, display names and warnings. */
export interface NetFile {
  readonly net: Net;
  readonly format: 'json' | 'pnml' | 'pnpro' | 'goal';
  /** Display names by node name; only PNML distinguishes the two. */
  readonly titles: { readonly places: ReadonlyMap<string, string>; readonly transitions: ReadonlyMap<string, string> };
  /** Where the file draws the nodes, by name; only PNML says so. */
  readonly positions?: NodePositions;
  /** Remarks on how the file was read. */
  readonly warnings: readonly string[];
  /** Ranks that cannot go on in the last marking of a run; only schedules know their operations. */
  readonly blocked?: BlockedOf;
  readonly schedule?: ReadSchedule;
}

/** A schedule: its net is made for parameters of LogGOPS. */
export interface ReadSchedule {
  readonly parameters: LogGops;
  /** O(operations + dependencies). */
  readonly netOf: (parameters: LogGops) => Net;
  /** The net for orders without times, in which receives that require nothing are posted in the order of the file. */
  readonly netOfOrders: () => Net;
  readonly ranks: number;
  readonly operations: readonly ScheduledOperation[];
  /** Why all operations end in every order of the steps; undefined if some do not, or if it is not known. */
  readonly whyAllEnd: () => string | undefined;
}

/**
 * Reads a net in PNML, JSON or a project of GreatSPN, or the net of a GOAL schedule, depending on the ending. XML is read in pieces.
 *
 * @param loggops schedules only: parameters, as in `L=2500,o=1500`
 * @throws InputError APP001 if it cannot be read; all problems of the net, with file, line and column; GOAL006 for parameters
 */
export function readNetFile(path: string, loggops?: string): NetFile {
  const ending = extname(path).toLowerCase();
  if (loggops !== undefined && ending !== '.goal')
    fail('GOAL006', 'loggops: only a schedule (.goal) has parameters of LogGOPS', { file: path });
  const titles = { places: new Map<string, string>(), transitions: new Map<string, string>() };
  if (ending === '.json') {
    const net = netFromJson(readText(path), path);
    const assumed = assumedDelays(net);
    return { net, format: 'json', titles, warnings: assumed === undefined ? [] : [assumed] };
  }
  if (ending === '.goal') {
    const schedule = readGoal(readText(path), path);
    const parameters = { ...LOGGOPS, ...schedule.parameters, ...givenLogGops(loggops) };
    const name = basename(path, extname(path));
    const netOf = (values: LogGops): Net => scheduleNet(schedule, values, name);
    const ordered = inPostingOrder(schedule);
    return {
      net: netOf(parameters),
      format: 'goal',
      titles,
      warnings: [],
      blocked: blockedInSchedule(schedule, path),
      schedule: {
        parameters,
        netOf,
        netOfOrders: () => scheduleNet(ordered, parameters, name),
        ranks: schedule.ranks,
        operations: schedule.operations,
        whyAllEnd: () => whyAllEnd(ordered, parameters.S),
      },
    };
  }
  if (ending === '.pnpro') return { ...readPnpro(piecesOf(path), path), format: 'pnpro', titles };
  if (ending === '.xml') refusePlatform(path);
  const { net, titles: given, positions, warnings } = readPnml(piecesOf(path), path);
  return { net, format: 'pnml', titles: given, positions, warnings };
}

const PIECE = 1 << 16;

/**
 * Rejects SimGrid platforms, which share the ending `.xml` with nets of PIPE.
 *
 * @throws InputError APP009, and APP001 if the file cannot be read
 */
function refusePlatform(path: string): void {
  const [start] = piecesOf(path);
  if (start !== undefined && /<platform\b/.test(Buffer.from(start).toString('latin1')))
    fail('APP009', 'is a SimGrid platform: expected a net; give a platform with --machine', { file: path });
}

/** The bytes of a regular file in pieces. */
function* piecesOf(path: string): Generator<Uint8Array> {
  const { fd } = openInput(path, { code: 'APP001' });
  try {
    for (;;) {
      // The reader may keep pieces, so each gets a new buffer.
      const piece = Buffer.allocUnsafe(PIECE);
      const length = readSync(fd, piece);
      if (length === 0) return;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(fd);
  }
}

/** Runs a function on the net of a file. Problems without a place get the file, and the line that declares their part. */
export function aboutFile<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    throw new InputError(e.problems.map((problem) => placed(problem, file)));
  }
}

/** Where the file of an input declares a part of its net. */
const DECLARED: Readonly<Record<PathFacts['role'], typeof declarationPlace>> = {
  net: declarationPlace,
  model: () => ({}),
  trace: () => ({}),
};

function placed(problem: Problem, file: string): Problem {
  const { place = {} } = problem;
  if (place.file !== undefined) return problem;
  const { line: known, part } = place;
  const line = known === undefined && part !== undefined ? DECLARED[pathFacts(file).role](file, part) : {};
  return { ...problem, place: { file, ...line, ...place } };
}

/** The parameters of LogGOPS in the option of this name; none without it. @throws InputError GOAL006 */
export function givenLogGops(loggops = ''): Partial<LogGops> {
  return parseLogGops(loggops, (message) => fail('GOAL006', message, { part: 'loggops' }));
}
