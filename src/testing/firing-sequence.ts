import * as fc from 'fast-check';
import { type NamedStep, namedStep } from '../analysis/properties/steps.ts';
import { GeneralSpace } from '../analysis/space/general/general-space.ts';
import { MarkingTokens } from '../analysis/space/marking-tokens.ts';
import type { MarkingView } from '../analysis/space/state-space.ts';
import type { Net } from '../net/net.ts';
import { checkMembers, integerOption, shownAs } from './arbitrary-net.ts';
import { netOf } from './subject.ts';

/** Options of {@link firingSequence}. */
export interface FiringSequenceOptions {
  /** Maximum number of steps, default 20. */
  readonly maxLength?: number;
}

/** A firing sequence from the initial marking. */
export interface FiringSequence {
  /** Index of each step among the steps enabled, modulo their number; `fireSequence(net, choices)` replays them. */
  readonly choices: readonly number[];
  /** The steps with the names of the net, as `replay` accepts them. */
  readonly steps: readonly NamedStep[];
  /** The markings before, between and after the steps: one more than steps. */
  readonly markings: readonly SequenceMarking[];
  /** True if the last marking is dead. */
  readonly dead: boolean;
}

/** A marking of a sequence. */
export interface SequenceMarking {
  /** The marking by place number; values of enumerations as indices. */
  readonly view: MarkingView;
  /** The number of tokens of all colours in a place, tokens in service included; 0 for an unknown place. */
  tokens(place: string): number;
}

/** Maximum choice. Choices count modulo the number of enabled steps, so small numbers always select the same step. */
const MAX_CHOICE = 2 ** 16 - 1;

/**
 * Firing sequences of a net. A sequence is generated as a list of choices among the enabled steps. Every sublist is a valid
 * sequence, too, so shrinking removes choices and decreases them.
 *
 * @throws InputError TEST001 if `net` is not a net, TEST002 for invalid options; during generation RUN… if an expression
 * cannot be evaluated
 */
export function firingSequence(net: Net, options: FiringSequenceOptions = {}): fc.Arbitrary<FiringSequence> {
  const part = 'firingSequence';
  netOf(part, net);
  checkMembers(part, options, ['maxLength']);
  const maxLength = integerOption(part, 'maxLength', options.maxLength ?? 20, 0, 100_000);
  return fc.array(fc.nat({ max: MAX_CHOICE }), { maxLength, size: 'max' }).map((choices) => fireSequence(net, choices));
}

/**
 * Executes a list of choices from the initial marking (docs/semantics.md, E1 to E9): choice c among n enabled steps selects
 * step c mod n. Ends early in a dead marking. O(choices × enabled steps).
 *
 * @throws InputError RUN… if an expression cannot be evaluated
 */
export function fireSequence(net: Net, choices: readonly number[]): FiringSequence {
  const space = new GeneralSpace(net, 'breadth');
  const numbers = new Map(net.places.map((p, k) => [p.name, k]));
  const steps: NamedStep[] = [];
  const states = [0];
  let state = 0;
  let dead = false;
  const following = (choice: number): number | undefined => {
    const firings = space.firings(state);
    if (firings.length === 0) return undefined;
    const at = choice % firings.length;
    steps.push(namedStep(net, firings[at]!));
    return successor(space, state, at);
  };
  for (const choice of choices) {
    const next = following(choice);
    if (next === undefined) break;
    states.push(next);
    state = next;
  }
  dead = space.outDegree(state, state + 1)[0] === 0;
  const markings = states.map((s): SequenceMarking => {
    const view = space.marking(s);
    return {
      view,
      tokens: (place) => {
        const number = numbers.get(place);
        const held = view.places.find((p) => p.place === number);
        return held === undefined ? 0 : held.tokens.reduce((sum, t) => sum + t.count, 0);
      },
    };
  });
  const words = new MarkingTokens(net);
  const sequence = { choices: choices.slice(0, steps.length), steps, markings, dead };
  return shownAs(sequence, () =>
    [
      `choices [${sequence.choices.join(', ')}]`,
      ...steps.map(
        (s, k) => `${s.kind} ${s.node} ${JSON.stringify(s.binding)} → ${words.lines(markings[k + 1]!.view).join('; ')}`,
      ),
    ].join('\n'),
  );
}

/**
 * Former name of {@link fireSequence}.
 *
 * @deprecated Use {@link fireSequence}.
 */
export const playSequence: typeof fireSequence = fireSequence;

/** The number of the state that enabled step `at` leads to; the state is added to the store. */
function successor(space: GeneralSpace, state: number, at: number): number {
  let k = 0;
  let found = -1;
  space.open(state);
  space.steps.each((step) => {
    if (k++ < at) return false;
    space.steps.apply(step, true);
    space.encoder.write(space.current, space.steps.edits);
    found = space.store.add(space.encoder.bytes, space.encoder.length, 2 ** 31 - 1);
    return true;
  });
  return found;
}
