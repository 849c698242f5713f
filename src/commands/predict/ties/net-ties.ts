import { simulate } from '../../../analysis/simulate.ts';
import { InputError, type Problem, quote } from '../../../base/problem.ts';
import { compile } from '../../../engine/compile.ts';
import { isDistribution } from '../../../net/distribution.ts';
import type { Net, Transition } from '../../../net/net.ts';

/** How choices are made that a net or a program leaves open. */
export const TIES = ['fixed', 'random'] as const;
export type Ties = (typeof TIES)[number];

/** Constant weight of a transition in a draw among equals. */
export const EQUAL: NonNullable<Transition['weight']> = { op: 'const', value: 1 };

/** Maximum number of steps of the two runs that are compared. */
const MAX_STEPS = 200_000;
/** Maximum number of transitions: larger nets take longer to compile than to run. */
const MAX_TRANSITIONS = 1000;
/** Difference of firings, as a share of all, that the cut at the maximum number of steps may cause. */
const CUT = 0.01;

/** Steps between two looks at the clock of a cancelled run. */
const AT_ONCE = 10_000;
/** Maximum number of conflicts that are reported; the last note gives the number of the others. */
const MAX_NOTES = 10;

interface RunOptions {
  readonly seed: string;
  readonly until?: number | undefined;
  readonly maxSteps?: number | undefined;
  readonly cancelled?: (() => boolean) | undefined;
}

/**
 * A warning if names decide which of several simultaneous firings happens, and the figures depend on that (S10). The net
 * runs twice for at most 200,000 steps: with transitions that compete preferred in the order of their names, and in the
 * reverse order. Both are orders that the net allows. Nets without competing transitions, and those of more than 1000
 * transitions, are not run.
 */
export function tieWarning(net: Net, file: string, options: RunOptions): Problem[] {
  const rivals = net.transitions.length > MAX_TRANSITIONS ? undefined : rivalsOf(net);
  if (rivals === undefined) return [];
  const runs = [1, -1].map((direction) => runOf(preferring(net, direction), options));
  const [one, other] = runs;
  if (one === undefined || other === undefined) return [];
  const total = Object.values(one.firings).reduce((sum, n) => sum + n, 0);
  const cut = one.ended === 'steps' || other.ended === 'steps';
  const least = cut ? Math.max(2 * net.transitions.length, CUT * total) : 0;
  const changed = net.transitions.find(({ name }) => Math.abs(one.firings[name]! - other.firings[name]!) > least);
  const later = !cut && Math.abs(one.time - other.time) > 1e-9 * Math.max(one.time, other.time);
  if (changed === undefined && !later) return [];
  const figures =
    changed === undefined
      ? `the run ends after ${one.time} s or ${other.time} s`
      : `${quote(changed.name)} has ${one.firings[changed.name]} or ${other.firings[changed.name]} firings`;
  return [
    {
      code: 'APP050',
      message: `names decide ties, and the figures are one of several possible results: ${figures}. ${competing(net, rivals, options)} have neither weights nor different priorities (S10). Option --ties random with --replications draws them`,
      place: { file },
    },
  ];
}

/** `Transitions that compete, such as …`: two that did so in a run; without any, the order of simultaneous firings alone matters. */
function competing(net: Net, rivals: Rivals, options: RunOptions): string {
  const found = conflictsOf(net, options);
  const isFound = found.some(([one, other]) => rivals.includes(one) && rivals.includes(other));
  const [a, b] = isFound ? rivals : (found[0] ?? []);
  if (a === undefined || b === undefined)
    return 'Firings of one instant whose order matters, although they do not compete,';
  const [one, other] = [a, b].map((name) => new Set(takenBy(net.transitions.find((t) => t.name === name)!)));
  const place = [...one!].find((name) => other!.has(name));
  return `Transitions that compete, such as ${quote(a)} and ${quote(b)}${place === undefined ? '' : ` for the tokens of ${quote(place)}`},`;
}

const takenBy = ({ inputs }: Transition): string[] => inputs.flatMap((a) => (a.kind === 'take' ? [a.place] : []));

function runOf(
  net: Net,
  { seed, until, maxSteps, cancelled }: RunOptions,
): Pick<ReturnType<typeof simulate>, 'ended' | 'firings' | 'time'> | undefined {
  try {
    const run = simulate(net, {
      seed,
      maxSteps: Math.min(MAX_STEPS, maxSteps ?? MAX_STEPS),
      ...(until === undefined ? {} : { until }),
      ...(cancelled === undefined ? {} : { cancelled }),
    });
    return run.ended === 'cancelled' ? undefined : run;
  } catch (e) {
    // The order may lead to an error of the net; the run that the user asked for reports its own.
    if (e instanceof InputError) return undefined;
    throw e;
  }
}

/** Transitions of one class and priority: S10 orders them by weights, ages and names only. */
const classOf = (t: Transition): string => `${t.timing === 'race' ? 'race' : 'prompt'} ${t.priority ?? 0}`;

type Rivals = readonly [a: string, b: string];

/** Two transitions without weights in one class that take from one place. O(arcs). */
function rivalsOf(net: Net): Rivals | undefined {
  const weighted = new Set(net.transitions.filter((t) => t.weight !== undefined).map(classOf));
  const first = new Map<string, string>();
  for (const t of net.transitions) {
    if (weighted.has(classOf(t))) continue;
    for (const place of new Set(takenBy(t))) {
      const key = `${classOf(t)} ${place}`;
      const other = first.get(key);
      if (other !== undefined) return [other, t.name];
      first.set(key, t.name);
    }
  }
  return undefined;
}

/** The net with a separate priority for each transition of a class without weights, in the order of names or its reverse. */
function preferring(net: Net, direction: number): Net {
  const weighted = new Set(net.transitions.filter((t) => t.weight !== undefined).map(classOf));
  const names = net.transitions.map((t) => t.name).sort();
  const rank = new Map(names.map((name, k) => [name, direction > 0 ? names.length - 1 - k : k]));
  return {
    ...net,
    transitions: net.transitions.map((t) => ({
      ...t,
      priority: (t.priority ?? 0) * names.length + (weighted.has(classOf(t)) ? 0 : rank.get(t.name)!),
    })),
  };
}

/**
 * The net with weight 1 for every transition without a weight: each choice among candidates of the highest priority is drawn
 * (S10 rule 2), and neither ages nor names decide it. The order of tokens in queues is kept. O(transitions).
 */
export function drawnChoices(net: Net): Net {
  return { ...net, transitions: net.transitions.map((t) => ({ ...t, weight: t.weight ?? EQUAL })) };
}

/**
 * A note for every two transitions without weights that competed for tokens in a run: the one enabled longest starts, and among equals
 * the ages of tokens decide (S10). Only of nets with random delays, whose runs would otherwise be a Markov process. The net runs again
 * for at most 200,000 steps; nets of more than 1000 transitions are not run.
 */
export function conflictNotes(net: Net, file: string, options: RunOptions): Problem[] {
  if (net.transitions.length > MAX_TRANSITIONS || !isRandom(net)) return [];
  const found = conflictsOf(net, options);
  const notes = found.slice(0, MAX_NOTES).map(([one, other], k): Problem => {
    const more =
      k === MAX_NOTES - 1 && found.length > MAX_NOTES ? ` (${found.length - MAX_NOTES} more such pairs)` : '';
    return {
      code: 'APP052',
      message: `${quote(one)} and ${quote(other)} competed for tokens and have neither weights nor different priorities: the one enabled longest starts, by the ages of tokens. A Markov chain has no ages: for a random choice give them weights${more}`,
      place: { file },
    };
  });
  return notes;
}

const isRandom = ({ transitions, places }: Net): boolean =>
  transitions.some((t) => t.delay !== undefined && isDistribution(t.delay)) ||
  places.some(({ service }) => service !== undefined && 'time' in service && isDistribution(service.time));

/** Pairs of names, sorted. */
function conflictsOf(net: Net, { seed, until, maxSteps, cancelled }: RunOptions): [string, string][] {
  const found = new Map<string, [string, string]>();
  const conflicts = (one: string, other: string): void => {
    const pair: [string, string] = one < other ? [one, other] : [other, one];
    found.set(JSON.stringify(pair), pair);
  };
  try {
    const run = compile(net, { conflicts }).start({ seed });
    let left = Math.min(MAX_STEPS, maxSteps ?? MAX_STEPS);
    while (left > 0 && cancelled?.() !== true && run.run(Math.min(AT_ONCE, left), until)) left -= AT_ONCE;
  } catch (e) {
    // The run that the user asked for reports its own error.
    if (!(e instanceof InputError)) throw e;
  }
  return [...found.keys()].sort().map((key) => found.get(key)!);
}
