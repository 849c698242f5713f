import { ENOUGH_STATES, type Endless, whyEndless } from '../../analysis/coverability/boundedness.ts';
import { groupIndices, parseGroups } from '../../analysis/space/bounds.ts';
import { Budget } from '../../analysis/space/budget.ts';
import { CompactFindings } from '../../analysis/space/compact/compact-findings.ts';
import type { Exploration, ExploreOptions, StateSpace } from '../../analysis/space/state-space.ts';
import { given } from '../../base/given.ts';
import type { Net } from '../../net/net.ts';
import { type SpaceOptions, spaceDocument } from './explore-document.ts';
import type { SpaceInput } from './explore-input.ts';
import type { SpaceDocument } from './space.ts';

/** Begins the exploration of a net with a suitable engine. */
export type Explorer = (net: Net, options: ExploreOptions) => Exploration;

/** Number of states explored between two looks at those found, without and with a time limit: the first number. */
const SLICE = 1 << 15;
const FIRST_SLICE = 1 << 12;
const FIRST_TIMED = 16;
const LONG_SLICE = 100;
/** Shares of time and memory for exploring: states are examined as they are found, so that little is left to do. */
const EXPLORING = 0.97;
const EXPLORING_MEMORY = 0.95;

/** Options that hash compaction cannot answer, with the reason. */
export function notCompact({ liveness, runTime, graph }: SpaceOptions): Record<string, string> {
  return {
    ...(liveness === true
      ? { liveness: 'hash compaction keeps no edges: omit --liveness; deadlocks and quasi-liveness are decided' }
      : {}),
    ...(runTime === true
      ? { 'run-time': 'the search for run times keeps whole markings: omit --run-time, or --hash-compact' }
      : {}),
    ...(graph === undefined ? {} : { graph: 'hash compaction keeps no edges: omit --graph' }),
  };
}

/** As `explored`, with hash compaction: every question about a state is answered while its marking is held. */
export function exploredCompactly(subject: SpaceInput, options: SpaceOptions, explorer: Explorer): SpaceDocument {
  const { net, final, activity } = subject;
  const { bounds } = options;
  const budget = Budget.of(options);
  const exploring = budget.before(EXPLORING, EXPLORING_MEMORY);
  const groups = typeof bounds === 'string' ? parseGroups(bounds, net) : groupIndices(net, bounds ?? []);
  const report = ({ states, expanded, seconds }: StateSpace): void =>
    options.progress?.({ states, expanded, seconds, used: exploring.used(states, options.maxStates) });
  const wanted = { ...given(options, ['maxStates', 'memory', 'cancelled', 'hashCompact', 'seed']), budget: exploring };
  const limited = [options.maxStates, options.memory, options.seconds].some((limit) => limit !== undefined);
  const about = { groups, stop: budget.stop, ...(final === undefined ? {} : { final }) };
  const begun = (more: ExploreOptions): readonly [Exploration, CompactFindings] => {
    const made = explorer(net, { ...wanted, ...more, progress: report });
    report(made.space);
    return [made, new CompactFindings(made.space, about)];
  };
  let [running, found] = begun({});
  let endless: Endless | undefined;
  const isTimed = options.seconds !== undefined;
  let slice = isTimed ? FIRST_TIMED : FIRST_SLICE;
  for (let more = true, first = true; more; first = false) {
    const from = performance.now();
    more = running.advance(slice);
    more = found.look() && more;
    slice = isTimed && performance.now() - from > LONG_SLICE ? Math.max(1, slice >> 1) : Math.min(SLICE, 2 * slice);
    if (!more || !first) continue;
    endless = whyEndless(net, exploring.stop);
    // A net known to be unbounded is explored only up to a limit that suffices for a report.
    if (endless?.sure === true && !limited) [running, found] = begun({ maxStates: ENOUGH_STATES });
  }
  const { space } = running;
  const isAll = space.truncation === undefined && space.expanded === space.states;
  if (!isAll) endless ??= whyEndless(net, budget.stop);
  const warnings = [
    ...subject.warnings,
    ...(endless === undefined || isAll ? [] : [endless.because]),
    ...(activity === undefined ? [] : ['hash compaction does not determine which processes are active together']),
  ];
  const ended = isAll ? undefined : (budget.late ?? (space.truncation === undefined ? 'interrupted' : undefined));
  return spaceDocument({ ...subject, warnings }, options, space, found.findings(), ended);
}
