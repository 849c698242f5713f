import * as fc from 'fast-check';
import { type NamedStep, namedStep } from '../analysis/properties/steps.ts';
import { GeneralSpace } from '../analysis/space/general/general-space.ts';
import { MarkingTokens } from '../analysis/space/marking-tokens.ts';
import type { MarkingView } from '../analysis/space/state-space.ts';
import type { Net } from '../net/net.ts';
import { checkMembers, wholeOption } from './arbitrary-options.ts';
import { shownAs } from './shown-value.ts';
import { netOf } from './subject.ts';

export interface FiringSequenceOptions {
  /** Most steps, default 20. */
  readonly maxLength?: number;
}

/** What happened, step by step, from the initial marking. */
export interface FiringSequence {
  /** Which of the possible steps each was, counted from 0 and around: `playSequence(net, choices)` plays them again. */
  readonly choices: readonly number[];
  /** In the words of the net, as `replay` takes them. There are fewer than choices where it came to a dead marking. */
  readonly steps: readonly NamedStep[];
  /** One more than steps: the first is the initial one. */
  readonly markings: readonly SequenceMarking[];
  /** Whether nothing can happen any more. */
  readonly dead: boolean;
}

/** A marking of a sequence. */
export interface SequenceMarking {
  readonly view: MarkingView;
  /** Tokens of a place, of all colours together, in service included. */
  tokens(place: string): number;
}

/** Choices are counted around: a small number is the same step whatever the number of steps. */
const MAX_CHOICE = 2 ** 16 - 1;

/**
 * Firing sequences of a net. A sequence is a list of choices among the steps that are possible, so that every part of
 * the list is one, too: it shrinks by leaving choices out and lowering them.
 *
 * @throws InputError TEST001 no net, TEST002 options; when a sequence is played, RUN… where an expression has no value
 */
export function firingSequence(net: Net, options: FiringSequenceOptions = {}): fc.Arbitrary<FiringSequence> {
  const part = 'firingSequence';
  netOf(part, net);
  checkMembers(part, options, ['maxLength']);
  const maxLength = wholeOption(part, 'maxLength', options.maxLength ?? 20, 0, 100_000);
  return fc.array(fc.nat({ max: MAX_CHOICE }), { maxLength, size: 'max' }).map((choices) => playSequence(net, choices));
}

/**
 * Plays choices among the possible steps from the initial marking (docs/semantics.md, E1 to E9): number c of n steps is
 * c mod n. Ends where nothing can happen. O(choices × what can happen).
 *
 * @throws InputError RUN… where an expression has no value
 */
export function playSequence(net: Net, choices: readonly number[]): FiringSequence {
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

/** The state to which step `at` leads, which is stored. */
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
