import { createRequire } from 'node:module';
import { freemem } from 'node:os';
import { extname } from 'node:path';
import {
  CUT_UNSURE,
  ENOUGH_STATES,
  type Endless,
  UNSURE_BYTES,
  whyEndless,
} from '../../analysis/coverability/boundedness.ts';
import { groupIndices, parseGroups } from '../../analysis/space/bounds.ts';
import { Budget } from '../../analysis/space/budget.ts';
import { checkLimits } from '../../analysis/space/check-limits.ts';
import { checkCompact } from '../../analysis/space/compact/check-compact.ts';
import type { FinalMarkings } from '../../analysis/space/degrees.ts';
import { checkStates, graphContent } from '../../analysis/space/drawing/graph-content.ts';
import { graphDot } from '../../analysis/space/drawing/graph-dot.ts';
import { graphHtml } from '../../analysis/space/drawing/graph-html.ts';
import { graphSvg } from '../../analysis/space/drawing/graph-svg.ts';
import { exploration } from '../../analysis/space/explore.ts';
import { type Findings, findings } from '../../analysis/space/findings.ts';
import type { ExploreOptions, StateSpace } from '../../analysis/space/state-space.ts';
import { given } from '../../base/given.ts';
import { didYouMean, fail, quote } from '../../base/problem.ts';
import type { ProgramModel } from '../../models/program/model-object.ts';
import type { ThreadModel } from '../../models/threads/program/threads.ts';
import type { LayoutEngine } from '../../net/drawing/svg-layout.ts';
import type { Net } from '../../net/net.ts';
import { runTimeDistribution } from '../exact/exact-figures.ts';
import type { SpaceRunTime } from '../exact/exact-parts.ts';
import { spaceParallelism } from '../exact/space-parallelism.ts';
import { hasRandomRunTime, hasRunTimes, spaceRunTime } from '../exact/space-run-time.ts';
import { checkOptions } from '../inputs/check-options.ts';
import { givenInput, type InputOf } from '../inputs/input.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import { filesOfInput } from '../inputs/local-modules.ts';
import { aboutFile } from '../inputs/net-file.ts';
import { hasPool, type InputKind, type KindsOf, type PooledModel, type RankedModel } from '../inputs/option-rows.ts';
import { pathFacts } from '../inputs/path-kinds.ts';
import { machineFileOf, machineFiles } from '../inputs/target.ts';
import { checkOutputs, writeWhole } from '../output.ts';
import { type Explorer, exploredCompactly, notCompact } from './explore-compact.ts';
import { EXPLORE_ROWS, type SpaceOptions, type SpaceOptionsOf, spaceDocument } from './explore-document.ts';
import { type SpaceInput, spaceInput } from './explore-input.ts';
import type { SpaceDocument } from './space.ts';
import { spaceLiveness } from './space-liveness.ts';

/** Number of states explored between two checks for cancellation and progress. */
const SLICE = 1 << 16;
/** The first slice without a time limit: after it, a reason is searched why the net may have infinitely many markings. */
const FIRST_SLICE = 1 << 12;
/** With a time limit, the first slice, and the milliseconds after which the next one is shorter. */
const FIRST_TIMED = 16;
const LONG_SLICE = 50;
/** Milliseconds left for the analysis after an exploration was interrupted. */
const PATIENCE = 3000;
/** Share of the time limit for exploring; the rest is for analysing the space. */
const EXPLORING = 0.8;
/** Share of the memory for the states; the rest is for the figures of all states. */
const EXPLORING_MEMORY = 0.7;
/** Maximum memory of a graph in bytes if no limit is given: half of the free memory, but at most this. */
const MAX_GRAPH = 8e9;

/**
 * Explores the reachable markings of a net, given directly, as a file, or as a model. Determines figures, verdicts,
 * maximum token sums and statistics, and writes the graph of a small space if requested.
 *
 * If a limit is reached or `cancelled` returns true, the result covers the markings found so far and `complete` is false.
 *
 * @throws InputError for all problems of input and options: EXPL001 … EXPL008 for options, and everything the explorer
 * rejects, infinite colours for instance. Nothing is written then
 */
export function explore<I extends string | Net | RankedModel | PooledModel>(
  input: I,
  options?: SpaceOptionsOf<I>,
  explorer?: Explorer,
): SpaceDocument;
export function explore(
  input: string | Net | ProgramModel | ThreadModel,
  options: SpaceOptions = {},
  explorer: Explorer = exploration,
): SpaceDocument {
  return exploreInput(givenInput('explore', input), options, explorer);
}

/** As {@link explore}, for a file: a net, or a module that exports a model or a net. */
export async function exploreFile(path: string, options: SpaceOptions, load?: Import): Promise<SpaceDocument> {
  // Before code of users runs.
  if (pathFacts(path).isCode) checkGraph(options.graph, [path, machineFileOf(options)]);
  return exploreInput(await openInput('explore', path, load), options, exploration);
}

/** @throws InputError also EXPL005, APP004, APP060 */
function exploreInput(input: InputOf<KindsOf<'explore'>>, options: SpaceOptions, explorer: Explorer): SpaceDocument {
  checkOptions('explore', EXPLORE_ROWS, input, options);
  checkLimits(options);
  checkCompact(withoutPool(input.kind, options), notCompact(options));
  const begun = options.begun ?? performance.now();
  const subject = spaceInput(input, options, undefined, { withoutTimes: options.runTime !== true });
  checkGraph(options.graph, [input.path]);
  // Workers of a thread model are those of its pool.
  const { workers, ...others } = options;
  const own = { ...others, ...(workers === undefined || subject.threads !== undefined ? {} : { workers }), begun };
  const how = options.hashCompact === true ? exploredCompactly : explored;
  const document = aboutFile(subject.file, () => how(subject, own, explorer));
  return { ...document, inputs: filesOfInput(input.path, machineFiles(options)) };
}

/** Workers of a thread model are those of its pool, and do not share the exploration. */
function withoutPool(kind: InputKind, { workers, ...others }: SpaceOptions): SpaceOptions {
  return workers === undefined || hasPool(kind) ? others : { ...others, workers };
}

function explored(subject: SpaceInput, options: SpaceOptions, explorer: Explorer): SpaceDocument {
  const { net, final, activity } = subject;
  const { bounds, graph } = options;
  const budget = Budget.of(options);
  const exploring = budget.before(EXPLORING, EXPLORING_MEMORY);
  const groups = typeof bounds === 'string' ? parseGroups(bounds, net) : groupIndices(net, bounds ?? []);
  const report = ({ states, expanded, seconds }: StateSpace): void =>
    options.progress?.({ states, expanded, seconds, used: exploring.used(states, options.maxStates) });
  const wanted = { ...given(options, ['order', 'maxStates', 'memory', 'workers', 'cancelled']), budget: exploring };
  const limited = [options.maxStates, options.memory, options.seconds].some((limit) => limit !== undefined);
  let running = explorer(net, { ...wanted, progress: report });
  // Reports progress from the beginning.
  report(running.space);
  let endless: Endless | undefined;
  const isTimed = options.seconds !== undefined;
  let slice = isTimed ? FIRST_TIMED : FIRST_SLICE;
  let isCut = false;
  for (let more = true, first = true; more; first = false) {
    const from = performance.now();
    more = running.advance(slice);
    report(running.space);
    checkRoom(graph, running.space);
    // Computes the maxima of the states found so far: at the end there may be no time to compute all.
    if (isTimed) void running.space.maxTokensInPlace;
    slice =
      performance.now() - from > LONG_SLICE && (isTimed || endless !== undefined)
        ? Math.max(1, slice >> 1)
        : Math.min(SLICE, 2 * slice);
    // The markings of a program end with its runs, although they may contain any integers.
    if (endless?.sure === false && !limited && final === undefined && running.space.bytes >= UNSURE_BYTES) {
      isCut = more;
      break;
    }
    if (!more || !first) continue;
    endless = whyEndless(net, exploring.stop);
    // A net known to be unbounded is explored only up to a limit that suffices for a report.
    if (endless?.sure === true && !limited)
      running = explorer(net, { ...wanted, maxStates: ENOUGH_STATES, progress: report });
  }
  const { space } = running;
  if (!space.complete) endless ??= whyEndless(net, budget.stop);
  const end = performance.now() + PATIENCE;
  const isInterrupted = space.truncation === 'interrupted';
  const stop = isInterrupted ? () => performance.now() > end || budget.secondsLeft === 0 : budget.stop;
  const stopped = (): string => (budget.late === 'time' ? 'the time limit was reached' : 'it was interrupted');
  const memory = options.memory === undefined ? Math.min(MAX_GRAPH, freemem() / 2) : budget.bytesLeft;
  const named = (options.workers ?? 1) > 1 ? exploredAlone(net, { ...wanted, budget }, explorer) : undefined;
  const found = findings(space, {
    groups,
    stop,
    stopped,
    ...(named === undefined ? {} : { named }),
    memory,
    ...(final === undefined ? {} : { final }),
  });
  if (graph !== undefined) writeGraph(graph, space, found, final);
  const warnings =
    endless === undefined || space.complete
      ? subject.warnings
      : [...subject.warnings, isCut ? `${endless.because} ${CUT_UNSURE}` : endless.because];
  const isLoopFree = space.complete && found.components?.count === space.states;
  const runTime =
    options.runTime === true || hasRunTimes(net, isLoopFree)
      ? spaceRunTime(net, options.runTime === true, {
          ...given({ final }, ['final']),
          ...given(options, ['maxStates']),
          exceeded: () => (stop() ? (budget.late ?? 'interrupted') : budget.exceeded),
        }).runTime
      : undefined;
  const random =
    hasRandomRunTime(net) && (options.runTime === true || (isLoopFree && space.states <= UNASKED_STATES))
      ? runTimeDistribution(subject, named?.() ?? space, budget)
      : {};
  const about = { space, named, graph: found.graph, memory, stop };
  const active = activity && spaceParallelism(activity, about);
  const liveness = options.liveness === true ? { liveness: spaceLiveness(about, found, stopped) } : {};
  const ended = stop() ? (budget.late ?? 'interrupted') : isCut ? 'memory' : undefined;
  const more = { ...liveness, ...active, ...runTimeParts(runTime, random) };
  return spaceDocument({ ...subject, warnings }, options, space, found, ended, more);
}

/** Maximum number of states of a chain that is solved without request: less than a second. */
const UNASKED_STATES = 2000;

/** Both forms of the run time: constant delays have a range over all orders, random ones a distribution. */
function runTimeParts(
  runTime: SpaceRunTime | undefined,
  { found, because }: ReturnType<typeof runTimeDistribution>,
): Pick<SpaceDocument, 'runTime' | 'distribution'> {
  const why = because === undefined ? {} : { because: `${runTime?.because}; its distribution: ${because}` };
  return {
    ...(runTime === undefined ? {} : { runTime: { ...runTime, ...why } }),
    ...(found === undefined ? {} : { distribution: found }),
  };
}

/** The space with its states numbered as by a single thread; explored when first called. */
function exploredAlone(net: Net, options: ExploreOptions, explorer: Explorer): () => StateSpace {
  let space: StateSpace | undefined;
  return () => {
    if (space !== undefined) return space;
    const running = explorer(net, { ...options, workers: 1 });
    while (running.advance(SLICE));
    space = running.space;
    return space;
  };
}

/** Maximum number of states of a drawing: larger ones take seconds to lay out. Graphviz is faster. */
const LIMITS: Readonly<Record<string, number>> = { '.svg': 300, '.html': 300, '.dot': 20_000 };

/**
 * Rejects unsuitable graph files before the space is explored.
 *
 * @throws InputError EXPL004 unknown ending, APP007 would overwrite an input
 */
export function checkGraph(path: string | undefined, inputs: readonly (string | undefined)[]): void {
  if (path === undefined) return;
  const ending = extname(path);
  if (!Object.hasOwn(LIMITS, ending))
    fail('EXPL004', `unknown graph extension ${quote(ending)}.${didYouMean(ending, Object.keys(LIMITS))}`, {
      file: path,
    });
  checkOutputs([path], inputs);
}

/**
 * Rejects a space that already has too many states to be drawn.
 *
 * @throws InputError EXPL003
 */
function checkRoom(path: string | undefined, space: StateSpace): void {
  if (path !== undefined) checkStates(space, LIMITS[extname(path)]!);
}

/**
 * Writes the graph of a space in the format given by the ending.
 *
 * @throws InputError EXPL003 (too large), APP006
 */
function writeGraph(path: string, space: StateSpace, found: Findings, final: FinalMarkings | undefined): void {
  const ending = extname(path);
  const content = graphContent(space, found.components, final, LIMITS[ending]!);
  if (ending === '.dot') {
    writeWhole(path, graphDot(content));
    return;
  }
  const engine = createRequire(import.meta.url)('@dagrejs/dagre') as LayoutEngine;
  const facts = Object.entries(found.verdicts).map(
    ([name, { value }]) => [name, value === null ? 'unknown' : value ? 'yes' : 'no'] as const,
  );
  writeWhole(path, ending === '.svg' ? graphSvg(content, engine) : graphHtml(content, facts, engine));
}
