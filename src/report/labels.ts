/**
 * Last one or two keys of records whose keys are names of the user or of a net, such as the parameters of a model: these names are shown unchanged. A test
 * compares the list with the schemas. `.firings` is a member of the document itself.
 */
const NAMED: ReadonlySet<string> = new Set([
  'binding',
  '.firings',
  'instances.parameters',
  '.marking',
  'params',
  'properties.bounds',
  'scheduler.steps',
  'sums',
  'values',
  'weights',
  'workers.own',
]);

/** True for the path of a record whose keys are names of the user or of a net. */
export const isNamed = (path: readonly string[]): boolean =>
  path.length > 0 &&
  (NAMED.has(path.at(-1)!) || NAMED.has(path.slice(-2).join('.')) || (path.length === 1 && NAMED.has(`.${path[0]}`)));

/** A table of members by the last one to three keys of a path; more keys come first. */
type ByKeys = Readonly<Record<string, string>>;

/** Labels of members whose key does not explain them. */
const LABELS: ByKeys = {
  a: 'A',
  b: 'B',
  activeShare: 'Active overhead',
  alternative: 'Alternative of the target',
  apart: 'Figures that differ',
  at: 'At',
  atLeast: 'At least',
  'axes.values': 'Values',
  because: 'Reason',
  bottom: 'Without outgoing edge',
  bottomSccs: 'Bottom components',
  'branching.least': 'Fewest steps',
  'branching.most': 'Most steps',
  branching: 'Steps possible in a state',
  bytesPerState: 'Memory per state',
  by: 'By',
  'changes.by': 'Tokens added',
  certainty: 'Certainty of the interval',
  'cheaper.runs': 'Changed programs run',
  cheaper: 'Gain of lines and locks that are 10 % cheaper',
  'classes.extended_free_choice': 'Extended free choice',
  complete: 'Complete',
  'components.count': 'Components',
  components: 'Strongly connected components by size',
  cycle: 'Cycle of waiting ranks',
  dead: 'Dead states',
  'depths.deepest': 'Greatest distance',
  'depths.slice': 'Distances per entry',
  'depths.states': 'States by distance',
  depths: 'Distances from the initial state',
  deadlocked: 'Blocked ranks',
  deviation: 'Standard deviation',
  double: 'Stages that were used',
  'erlang.stages': 'Stages that were asked for',
  erlang: 'Stages of Erlang delays',
  factor: 'Reduction factor',
  halfWidth: 'Half-width',
  histogram: 'Histogram',
  inactiveShare: 'Inactive overhead',
  index: 'Scenario',
  knownFalse: 'Known to be false',
  last: 'At the end',
  least: 'Minimum',
  'liveness.level': 'Level (0: never, 1: once, 3: in some endless run, 4: live)',
  live: 'Live',
  low: 'Lower end',
  lower: 'Lower end',
  high: 'Upper end',
  upper: 'Upper end',
  lowerBy: 'Lower end by',
  upperBy: 'Upper end by',
  lumped: 'Lumped chain',
  max: 'Maximum',
  id: 'Property',
  maxTokensInPlace: 'Most equal tokens in a place',
  maxTokensPerMarking: 'Most tokens in a marking',
  min: 'Minimum',
  most: 'Maximum',
  neverDone: 'Operations that no run executes',
  neverExecuted: 'Operations that no run executes',
  of: 'Of all values',
  omission: 'States that may be missing',
  oneSafe: 'One-safe',
  'parallelism.fragments': 'Sets of active processes',
  fragments: 'Sets of processes that are active together',
  placeSemiflows: 'Place semiflows (invariants)',
  precision: 'Relative precision',
  'properties.property': 'Formula',
  'sequences.property': 'Formula',
  'proved.by': 'Proved by',
  'proved.sum': 'Number of the sum that bounds it',
  proved: 'Bounds of places',
  quasiLive: 'Quasi-live',
  relative: 'Relative difference',
  replications: 'Replications',
  rSquared: 'R²',
  sccs: 'Strongly connected components',
  'space.seconds': 'Time for exploring',
  'seconds.exploring': 'For exploring',
  'seconds.total': 'In total',
  'shortest.seconds': 'Time',
  'longest.seconds': 'Time',
  'objects.seconds': 'Waiting time',
  seconds: 'Time',
  secondsLost: 'Lost time',
  shareBySize: 'Share of the run time by number of active processes',
  siphons: 'Siphons',
  stableMarking: 'A place with a constant number of tokens',
  subject: 'Where',
  subjects: 'Objects or lines',
  suggestedPlacement: 'Suggested placement',
  supplied: 'Every receive gets a message',
  totalSeconds: 'Computing time of the command',
  transitionSemiflows: 'Transition semiflows (cycles)',
  vanishing: 'Markings left at once',
  waitsFor: 'Waits for',
  what: 'Finding',
};

/** Units of numbers outside figures, which carry their own. Members without a row are counts, shares, or have the unit of their record. */
const UNITS: ByKeys = {
  bytes: 'B',
  bytesPerState: 'B',
  // Times.
  ...Object.fromEntries(
    [
      'burdenedSpan',
      'communicating',
      'computing',
      'cycleTime',
      'deviation',
      'endTime',
      'executing',
      'gain',
      'idle',
      'memory',
      'overhead',
      'predictedGain',
      'preempted',
      'reach',
      'absorption',
      'response',
      'runTime',
      'seconds',
      'secondsLost',
      'serialTime',
      'since',
      'span',
      'spinning',
      'time',
      'totalSeconds',
      'wait',
      'waiting',
      'work',
      'jobs.end',
      'jobs.start',
      'ranks.change',
      'regions.from',
      'regions.to',
      'window.from',
      'window.to',
      'found.target',
      'seconds.exec',
      'seconds.exploring',
      'seconds.global',
      'seconds.local',
      'seconds.total',
      'states.exec',
      'states.global',
      'states.local',
      'states.wait',
      'replications.mean',
      'replications.halfWidth',
      'distribution.change',
      'distribution.halfWidth',
      'distribution.lower',
      'distribution.mean',
      'distribution.upper',
      'quantiles.lower',
      'quantiles.upper',
      'quantiles.halfWidth',
      'quantiles.change',
    ].map((key) => [key, 's']),
  ),
  rate: '1/s',
  residual: '1/s',
  throughput: '1/s',
  arrivals: '1/s',
  'queues.arrivals': '1',
  'transitions.lower': '1/s',
  'transitions.upper': '1/s',
  'transitions.halfWidth': '1/s',
  'transitions.change': '1/s',
  variance: 's²',
  varianceInterval: 's²',
  bounds: '1',
  'runTime.states': '1',
  'runTime.deadlocks': '1',
  ...Object.fromEntries(['lines', 'locks'].map((list) => [`${list}.waits`, '1'])),
};

/** Ends and widths of a record have the unit of the record. */
const PARTS: ReadonlySet<string> = new Set([
  'a',
  'b',
  'mean',
  'lower',
  'upper',
  'halfWidth',
  'change',
  'value',
  'longest',
  'shortest',
]);

function at(table: ByKeys, path: readonly string[]): string | undefined {
  for (let n = Math.min(3, path.length); n > 0; n--) {
    const key = path.slice(-n).join('.');
    if (Object.hasOwn(table, key)) return table[key];
  }
  return undefined;
}

/** `maxTokensInPlace` becomes `Max tokens in place`, `state_machine` becomes `State machine`. */
function words(key: string): string {
  const text = key
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z0-9])[A-Z](?![A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const lowered = (label: string): string =>
  label.length < 2 || /^.[A-Z²]/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

/**
 * The label of a member of a result document for a reader: `Run time, lower end`.
 *
 * @param path keys from the document or from the row of a list, names of lists included: `['transitions', 'throughput']`
 * @param from number of keys at the beginning that only tell where the member is
 */
export function labelOf(path: readonly string[], from = 0): string {
  const labels: string[] = [];
  for (let k = from; k < path.length; k++) {
    if (path[k] === 'figures') continue;
    const isName = isNamed(path.slice(0, k));
    // The names alone say where they belong.
    if (isName) labels.length = 0;
    labels.push(isName ? path[k]! : (at(LABELS, path.slice(0, k + 1)) ?? words(path[k]!)));
  }
  return labels.map((label, k) => (k === 0 ? label : lowered(label))).join(', ');
}

/** The unit of a number of a document that is not a figure with its own: `1` for counts and shares. */
export function unitOf(path: readonly string[]): string {
  const around = path.slice(0, -1);
  if (isNamed(around)) return '1';
  return at(UNITS, path) ?? (PARTS.has(path.at(-1)!) && around.length > 0 ? at(UNITS, around) : undefined) ?? '1';
}
