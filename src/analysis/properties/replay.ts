import { assertIs } from '../../base/options.ts';
import { fail } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { assertValid } from '../../net/validation/validate.ts';
import { coloursOf, valueText } from './colours.ts';
import { type NamedStep, stepOf } from './steps.ts';
import { type RunMarking, TokenSteps, totals } from './token-steps.ts';

/** A change of the number of tokens of one colour in a place. */
export interface Change {
  /** Name of the place. */
  readonly place: string;
  /** One value per column, values of enumerations by name. Empty for plain tokens. */
  readonly colour: readonly (number | string)[];
  /** Tokens added (positive) or removed (negative). */
  readonly by: number;
}

/** The result of replaying a sequence of steps. */
export interface Replayed {
  /** The changes made by each step; places in the order of the net. */
  readonly changes: readonly (readonly Change[])[];
  /** The tokens of the final marking, as changes from the empty marking. */
  readonly marking: readonly Change[];
}

/** Limit of the markings followed at once. A step that does not name the values an arc leaves open can lead to several. */
const MAX_WAYS = 256;

/**
 * Replays a sequence of steps from the initial marking by rules S3 to S9, independently of the engine and the explorer that
 * found it: each step is checked with its binding, and tokens move as its arcs say. Ignores time and priorities.
 * O(steps × tokens and arcs involved).
 *
 * @throws InputError PROP030 for the first impossible step, with its number and the reason
 */
export function replay(net: Net, steps: readonly NamedStep[]): Replayed {
  assertValid(net);
  assertIs('replay', 'steps', steps, 'a list of objects', 'APP061');
  const simulator = new TokenSteps(net);
  let ways: Prefix[] = [{ marking: simulator.initial(), before: undefined }];
  steps.forEach((named, k) => {
    const part = `step ${k + 1}: ${named.kind} ${named.node}`;
    const step = stepOf(net, named, part);
    let why = '';
    const next: Prefix[] = [];
    for (const before of ways) {
      const after = simulator.after(before.marking, step);
      if (typeof after === 'string') why = after;
      else next.push(...after.map((marking) => ({ marking, before })));
    }
    if (next.length === 0) fail('PROP030', `is not possible: ${why}`, { part });
    ways = next.slice(0, MAX_WAYS);
  });
  const markings: RunMarking[] = [];
  for (let prefix: Prefix | undefined = ways[0]; prefix !== undefined; prefix = prefix.before)
    markings.push(prefix.marking);
  markings.reverse();
  return {
    changes: markings.slice(1).map((marking, k) => differences(net, markings[k], marking)),
    marking: differences(net, undefined, markings.at(-1)!),
  };
}

interface Prefix {
  readonly marking: RunMarking;
  readonly before: Prefix | undefined;
}

function differences(net: Net, before: RunMarking | undefined, after: RunMarking): Change[] {
  const colours = coloursOf(net);
  return net.places.flatMap(({ name }, place) => {
    const old = before?.places[place];
    const now = after.places[place]!;
    if (old === now) return [];
    const counts = totals(now);
    const was = old === undefined ? new Map<string, never>() : totals(old);
    const columns = colours.columns(name);
    return [...new Set([...was.keys(), ...counts.keys()])].flatMap((key): Change[] => {
      const by = (counts.get(key)?.count ?? 0) - (was.get(key)?.count ?? 0);
      if (by === 0) return [];
      const { values } = (counts.get(key) ?? was.get(key))!;
      const words = values.map((v, k) => {
        const text = valueText(columns[k], v);
        return text === String(v) ? v : text;
      });
      return [{ place: name, colour: words, by }];
    });
  });
}
