import type { LoggedFirings } from '../base/logged-firings.ts';

/**
 * Logged transitions and the reader of the log. `start` and `end` are the codes logged when a firing starts and ends;
 * `variables` are the names of the logged variables, or the number of leading variables.
 */
export interface RankLog {
  readonly transitions: Readonly<
    Record<string, { readonly start?: number; readonly end?: number; readonly variables?: number | readonly string[] }>
  >;
  read(log: LoggedFirings, length: number): void;
}

/** Codes in the log. */
const LOG = {
  computes: 1,
  computed: 2,
  sleeps: 3,
  tests: 4,
  ends: 5,
  matches: 6,
  delivers: 7,
  handsOver: 8,
  waits: 9,
  waitallEnds: 10,
  requestTaken: 11,
  posts: 12,
  visits: 13,
  testTakes: 14,
  waitallPart: 15,
  called: 16,
} as const;

/** Logged variables of each transition: always; with named requests; with a sink. */
const VARIABLES = {
  compute: [['r'], [], ['o', 'i']],
  computed: [['r'], [], ['o', 'i']],
  sleep: [['r'], [], ['o', 'i']],
  test: [['r'], [], ['o', 'i']],
  end: [['r'], [], []],
  match: [['o', 'b', 'o2'], ['i', 'i2'], []],
  matchLoose: [['o', 'b', 'o2'], ['i', 'i2'], []],
  deliver: [['o', 'b', 'p'], [], ['i', 'j']],
  'hand over': [['p'], [], ['j', 'o', 'i', 'b']],
  wait: [['r', 'q', 'i2'], [], ['o', 'i']],
  waitany: [['r', 'q', 'i2'], [], ['o', 'i']],
  waitall: [['r'], [], ['o', 'i']],
  'waitall takes': [['q', 'i2'], [], []],
  drain: [['r'], [], ['o', 'i']],
  flush: [['r'], [], ['o', 'i']],
  'drain takes': [['q', 'i2'], [], []],
  'flush takes': [['q', 'i2'], [], []],
  'drain finishes': [['r', 'q', 'i2'], [], ['o', 'i']],
  'flush finishes': [['r', 'q', 'i2'], [], ['o', 'i']],
  expose: [['r'], [], ['o', 'i']],
  pass: [['r'], [], ['o', 'i']],
  lock: [['r'], [], ['o', 'i']],
  'waitall finishes': [['r', 'q', 'i2'], [], ['o', 'i']],
  prepare: [['r'], [], ['o', 'i']],
  finish: [['r'], [], ['o', 'i']],
  'finish in waitall': [['r'], [], ['o', 'i']],
  'test done': [['q', 'i2'], [], []],
  send: [[], [], ['i', 'o']],
  isend: [[], [], ['i', 'o']],
  recv: [['r'], [], ['o', 'i']],
  irecv: [['r'], [], ['o', 'i']],
  'wait for nothing': [['r'], [], ['o', 'i']],
  'test nothing': [['r'], [], ['o', 'i']],
  'test not done': [['r'], [], ['o', 'i']],
} satisfies Readonly<Record<string, readonly [readonly string[], readonly string[], readonly string[]]>>;

/** Steps reported only to a sink of steps. */
const VISITED: RankLog['transitions'] = {
  recv: { start: LOG.visits },
  irecv: { start: LOG.visits },
  'wait for nothing': { start: LOG.visits },
  'test nothing': { start: LOG.visits },
  'test not done': { start: LOG.visits },
};

/** Which logged data are wanted besides those of the times of ranks. */
export interface WantedInLog {
  /** For slices of time: operations and their positions. */
  readonly slices: boolean;
  /** Also steps that take no time. */
  readonly steps: boolean;
  /** Requests by the position at which they were posted. */
  readonly positions: boolean;
}

/**
 * The log entries for those of the given transitions by which ranks are followed.
 *
 * @param sharedCores whether the cores of hosts are shared, so that the end of a computation is a separate transition
 */
export function loggedTransitions(
  transitions: readonly string[],
  sharedCores: boolean,
  wanted: WantedInLog,
): RankLog['transitions'] {
  const all: RankLog['transitions'] = {
    compute: sharedCores ? { start: LOG.computes } : { start: LOG.computes, end: LOG.computed },
    computed: { start: LOG.computed },
    sleep: { end: LOG.sleeps },
    test: { end: LOG.tests },
    end: { start: LOG.ends },
    match: { start: LOG.matches },
    matchLoose: { start: LOG.matches },
    deliver: { start: LOG.delivers },
    'hand over': { start: LOG.handsOver },
    wait: { start: LOG.waits },
    waitany: { start: LOG.waits },
    'waitall takes': { start: LOG.requestTaken },
    'waitall finishes': { start: LOG.waitallPart },
    prepare: { end: LOG.called },
    finish: { end: LOG.called },
    'finish in waitall': { end: LOG.called },
    'test done': { start: wanted.steps ? LOG.testTakes : LOG.requestTaken },
    waitall: { start: LOG.waitallEnds },
    drain: { start: LOG.waitallEnds },
    flush: { start: LOG.waitallEnds },
    expose: { start: LOG.waitallEnds },
    pass: { start: LOG.waitallEnds },
    lock: { start: LOG.waitallEnds },
    'drain takes': { start: LOG.requestTaken },
    'flush takes': { start: LOG.requestTaken },
    'drain finishes': { start: LOG.waitallPart },
    'flush finishes': { start: LOG.waitallPart },
    ...(wanted.slices ? { send: { start: LOG.posts }, isend: { start: LOG.posts } } : {}),
    ...(wanted.steps ? VISITED : {}),
  };
  const entries = Object.entries(all)
    .filter(([name]) => transitions.includes(name))
    .map(([name, numbers]) => {
      const [always, ofRequests, ofSlices] = VARIABLES[name as keyof typeof VARIABLES];
      const requests = wanted.positions ? ofRequests : [];
      const steps = name === 'test done' && wanted.steps ? ['r', 'o', 'i'] : [];
      const variables = [...always, ...requests, ...(wanted.slices ? ofSlices : []), ...steps];
      return [name, { ...numbers, variables }] as const;
    });
  return Object.fromEntries(entries);
}
