import { assertIs } from '../../base/options.ts';
import { fail } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { assertValid } from '../../net/validation/validate.ts';
import type { Step } from '../space/state-space.ts';
import { coloursOf, valueText } from './colours.ts';
import { type NamedStep, stepOf } from './steps.ts';
import { type RunMarking, TokenSteps, totals } from './token-steps.ts';

/** A change of the number of tokens of one colour in a place. */
export interface Change {
  /** Place of the net. */
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
  const initial = simulator.initial();
  let ways: Way[] = [{ marking: initial, trail: undefined }];
  steps.forEach((named, k) => {
    const part = `step ${k + 1}: ${named.kind} ${named.node}`;
    const step = stepOf(net, named, part);
    const touched = placesOf(net, step);
    let why = '';
    const next: Way[] = [];
    for (const { marking: before, trail } of ways) {
      const after = simulator.after(before, step);
      if (typeof after === 'string') why = after;
      else
        for (const marking of after)
          next.push({ marking, trail: { changes: differences(net, touched, before, marking), before: trail } });
    }
    if (next.length === 0) fail('PROP030', `is not possible: ${why}`, { part });
    ways = next.slice(0, MAX_WAYS);
  });
  const { marking, trail } = ways[0]!;
  const changes: (readonly Change[])[] = [];
  for (let at = trail; at !== undefined; at = at.before) changes.push(at.changes);
  return {
    changes: changes.reverse(),
    marking: differences(net, [...net.places.keys()], undefined, marking),
  };
}

/** A marking reached, and the changes that led to it. */
interface Way {
  readonly marking: RunMarking;
  readonly trail: Trail | undefined;
}

interface Trail {
  readonly changes: readonly Change[];
  readonly before: Trail | undefined;
}

/** The places that a step can change, in the order of the net. */
function placesOf(net: Net, { kind, node }: Step): number[] {
  if (kind === 'serve') return [node];
  const { inputs, outputs } = net.transitions[node]!;
  const places = new Set([...inputs, ...outputs].map((arc) => coloursOf(net).places.get(arc.place)!));
  return [...places].sort((a, b) => a - b);
}

/** The changes of some places; from the empty marking if `before` is undefined. */
function differences(net: Net, places: readonly number[], before: RunMarking | undefined, after: RunMarking): Change[] {
  const colours = coloursOf(net);
  return places.flatMap((place) => {
    const { name } = net.places[place]!;
    const old = before?.places.get(place);
    const now = after.places.get(place);
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
