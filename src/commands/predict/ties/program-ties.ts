import { InputError, type Place } from '../../../base/problem.ts';
import type { InputArc, Net } from '../../../net/net.ts';
import { formatSeconds } from '../../../report/units.ts';
import type { PredictionDocument } from '../prediction.ts';
import { EQUAL } from './net-ties.ts';

/** Places of the nets of traces and of models where sends and receives wait for their partner. */
const POSTED: ReadonlySet<string> = new Set([
  ...['sends', 'receives'],
  ...['wildcardSends', 'wildcardReceives'],
  ...['wildSends', 'wildReceives'],
]);

/**
 * The net of a program whose sends and receives of one instant are posted in a random order. Each post of an instant is
 * drawn among the ranks whose next step it is, after all else that can happen at once; so a rank's own posts keep their
 * order, and messages that were posted earlier are matched first, as MPI demands (MPI 4.1, §3.5). O(arcs).
 */
export function drawnPosts(net: Net): Net {
  return {
    ...net,
    transitions: net.transitions.map((t) => {
      const posts = t.outputs.some(isPosted) && !t.inputs.some(isPosted);
      const priority = 2 * (t.priority ?? 0) + (posts ? 0 : 1);
      return { ...t, priority, ...(posts ? { weight: t.weight ?? EQUAL } : {}) };
    }),
  };
}

const isPosted = ({ place }: Pick<InputArc, 'place'>): boolean => POSTED.has(place);

/** Firings of matches with messages of ranks that receive with wildcards, in the nets of traces and of models. */
function wildMatches(firings: Readonly<Record<string, number>>): number {
  return (firings['matchLoose'] ?? 0) + (firings['matchWild'] ?? 0);
}

/** Maximum number of firings of a run that is repeated, and of all repetitions together. */
const MAX_FIRINGS = 200_000;
/** Maximum number of runs with drawn ties. If half of them equal the first run, one in 256 decisive ties is missed. */
const RUNS = 8;
/** Times that differ by less than this share of the run time count as equal. */
const NOTABLE = 1e-3;

/**
 * The document with a warning if simultaneous messages decide which one a wildcard receive takes, and the figures depend on
 * that. The program is repeated with drawn ties until a figure changes, at most eight times and for 200,000 firings. A program
 * with random parts is repeated once, because other seeds would also change its times.
 *
 * @param random whether the program has random parts
 * @param runs makes the program ready to run with drawn ties; the function returned runs a replication
 */
export function withWildcardTies(
  document: PredictionDocument,
  { place, random, runs }: { place: Place; random: boolean; runs: () => (replication: number) => PredictionDocument },
): PredictionDocument {
  const firings = Object.values(document.firings).reduce((sum, n) => sum + n, 0);
  if (!document.complete || firings > MAX_FIRINGS || wildMatches(document.firings) === 0) return document;
  const most = random ? 1 : Math.min(RUNS, Math.max(1, Math.floor(MAX_FIRINGS / firings)));
  const run = runs();
  for (let k = 0; k < most; k++) {
    const changed = changeIn(document, () => run(k));
    if (changed === undefined) continue;
    const message = `simultaneous messages decide which one a wildcard receive takes, and the figures are one of several possible results: ${changed}. Option --ties random with --replications shows the spread (S10)`;
    return { ...document, warnings: [...document.warnings, { code: 'APP050', message, place }] };
  }
  return document;
}

/** The first difference of another run, in words. An error of that run is a difference: the run that the user asked for has none. */
function changeIn(document: PredictionDocument, run: () => PredictionDocument): string | undefined {
  try {
    return change(document, run());
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    const { code, message } = e.problems[0]!;
    return `in another order the run ends with ${code}, ${message}`;
  }
}

/** The first figure in which two runs differ: the outcome, the run time, or the end of a rank. */
function change(one: PredictionDocument, other: PredictionDocument): string | undefined {
  if (!other.complete) return undefined;
  if (one.deadlock.length > 0 !== other.deadlock.length > 0)
    return 'the ranks end in one order, and block each other in another';
  const [a, b] = [one.figures.runTime.value, other.figures.runTime.value];
  const pair = (x: number, y: number): string | undefined =>
    Math.abs(x - y) < NOTABLE * Math.max(a, b) || x === y ? undefined : `${formatSeconds(x)} or ${formatSeconds(y)}`;
  const times = pair(a, b);
  if (times !== undefined) return `the run takes ${times}`;
  for (const [k, { rank, endTime, computing }] of one.ranks.entries()) {
    const its = other.ranks[k]!;
    const computes = pair(computing, its.computing);
    if (computes !== undefined) return `rank ${rank} computes for ${computes}`;
    const ends = pair(endTime ?? a, its.endTime ?? b);
    if (ends !== undefined) return `rank ${rank} ends after ${ends}`;
  }
  return undefined;
}
