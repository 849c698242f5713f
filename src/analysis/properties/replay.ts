import { fail } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { coloursOf, valueText } from './colours.ts';
import { type NamedStep, stepOf } from './steps.ts';
import { totals } from './token-runs.ts';
import { type RunMarking, TokenSteps } from './token-steps.ts';

/** So many tokens of a colour more, or fewer, in a place. */
export interface Change {
  readonly place: string;
  /** One value for each column, of an enumeration by name. */
  readonly colour: readonly (number | string)[];
  readonly by: number;
}

/** What came of a sequence of steps. */
export interface Replayed {
  /** How each step changed the marking, places in the order of the net. */
  readonly changes: readonly (readonly Change[])[];
  /** The tokens that are there in the end: as a change from the empty marking. */
  readonly marking: readonly Change[];
}

/** Where a step does not say what an arc leaves open, tokens of several colours may be meant: so many ways are followed. */
const MAX_WAYS = 256;

/**
 * Plays a sequence of steps from the initial marking by the rules of S3 to S9, knowing nothing of how it was found: every step
 * is tested with its binding, tokens go and come as its arcs say. Without time; priorities are not looked at.
 * O(steps × tokens and arcs concerned).
 *
 * @throws InputError PROP030 with the number of the first step that is not possible, and why
 */
export function replay(net: Net, steps: readonly NamedStep[]): Replayed {
  const game = new TokenSteps(net);
  let ways: Way[] = [{ marking: game.initial(), before: undefined }];
  steps.forEach((named, k) => {
    const part = `step ${k + 1}: ${named.kind} ${named.node}`;
    const step = stepOf(net, named, part);
    let why = '';
    const next: Way[] = [];
    for (const before of ways) {
      const after = game.after(before.marking, step);
      if (typeof after === 'string') why = after;
      else next.push(...after.map((marking) => ({ marking, before })));
    }
    if (next.length === 0) fail('PROP030', `is not possible: ${why}`, { part });
    ways = next.slice(0, MAX_WAYS);
  });
  const markings: RunMarking[] = [];
  for (let way: Way | undefined = ways[0]; way !== undefined; way = way.before) markings.push(way.marking);
  markings.reverse();
  return {
    changes: markings.slice(1).map((marking, k) => differences(net, markings[k], marking)),
    marking: differences(net, undefined, markings.at(-1)!),
  };
}

interface Way {
  readonly marking: RunMarking;
  readonly before: Way | undefined;
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
