import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SeenMarking } from '../../../src/analysis/game/seen-marking.ts';
import { shownBy } from '../../../src/analysis/game/shown-by.ts';
import { WitnessRun } from '../../../src/analysis/game/witness-run.ts';
import { type NamedStep, namedStep, openColumns } from '../../../src/analysis/properties/steps.ts';
import { exploration } from '../../../src/analysis/space/explore.ts';
import type { Firing, StateSpace } from '../../../src/analysis/space/state-space.ts';
import { InputError } from '../../../src/base/problem.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { witnessesIn } from '../../../src/commands/verify/net/witnesses-in.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { arbitraryNet } from '../../engine/random-net.ts';
import { finiteNet } from '../../net/random-finite-net.ts';
import { netOf, num, put, take } from '../../reference/nets.ts';

const STATES = 150;

/** Explores part of the space; undefined for nets that break a rule. */
function partOf(net: Net): StateSpace | undefined {
  try {
    const running = exploration(net, { maxStates: STATES });
    while (running.advance(STATES));
    return running.space;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** A step of the explorer as the page lists it, with its variables in the order of their names. */
function labelled(net: Net, firing: Firing): string {
  const { kind, node, binding } = namedStep(net, firing);
  const open = kind === 'serve' ? [] : openColumns(net, net.transitions[firing.node]!).map(({ name }) => name);
  const words = Object.entries(binding)
    .filter(([name]) => !open.includes(name))
    .map(([name, value]) => `${name}=${value}`);
  const own = words.length === 0 ? node : `${node}(${words.sort().join(', ')})`;
  return kind === 'fire' || kind === 'start' ? own : `${kind} ${own}`;
}

const sorted = (label: string): string =>
  label.replace(/\((.*)\)$/, (_, words: string) => `(${words.split(', ').sort().join(', ')})`);

const codeAndText = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'no problem';
};

describe('a run along a firing sequence', () => {
  it.each([
    ['of the whole formalism', arbitraryNet],
    ['with finite colours', finiteNet],
  ])('has the markings and the steps of the explorer, on random nets %s', (_, nets) => {
    let positions = 0;
    const kinds = new Set<string>();
    fc.assert(
      fc.property(nets, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), (net, choices) => {
        const space = partOf(net);
        if (space === undefined) return;
        const states = [0];
        const steps: NamedStep[] = [];
        for (const choice of choices) {
          const firings = space.firings(states.at(-1)!).filter(({ target }) => target >= 0);
          if (firings.length === 0) break;
          const step = firings[choice % firings.length]!;
          steps.push(namedStep(net, step));
          kinds.add(step.kind);
          states.push(step.target);
        }
        const run = new WitnessRun(net, { steps });
        states.forEach((state, position) => {
          const { places } = space.marking(state);
          const counts = new Map(
            places.map(({ place, tokens }) => [
              net.places[place]!.name,
              tokens.reduce((sum, { count }) => sum + count, 0),
            ]),
          );
          expect(run.marking(position).map(({ place, count }) => [place, count])).toEqual(
            net.places.map(({ name }) => [name, counts.get(name) ?? 0]),
          );
          positions++;
        });
        // The explorer knows all steps of the states that it has expanded; where it reached its limit, it does not.
        if (!space.complete) return;
        states.forEach((state, position) => {
          const wanted = new Set(space.firings(state).map((firing) => labelled(net, firing)));
          expect(new Set(run.enabled(position).map(sorted))).toEqual(wanted);
        });
      }),
      { numRuns: effort(400) },
    );
    expect(positions).toBeGreaterThan(atFullEffort(1000));
    expect(kinds.size).toBeGreaterThan(atFullEffort(3));
  });

  const ring = netOf({
    places: { start: { tokens: 1 }, a: {}, b: {}, heap: {} },
    transitions: {
      enter: { inputs: [take('start')], outputs: [put('a')] },
      there: { inputs: [take('a')], outputs: [put('b')], delay: num(1) },
      back: { inputs: [take('b')], outputs: [put('a'), put('heap')] },
    },
  });
  const step = (kind: NamedStep['kind'], node: string): NamedStep => ({ kind, node, binding: {} });
  const steps = [step('fire', 'enter'), step('start', 'there'), step('end', 'there'), step('fire', 'back')];

  it('goes on through a loop, whose passes may add tokens', () => {
    const run = new WitnessRun(ring, { steps, loop: 1 });
    const heap = (position: number): number => run.marking(position).find(({ place }) => place === 'heap')!.count;
    expect([0, 1, 4, 5, 6, 7, 10].map((position) => run.stepAt(position))).toEqual([undefined, 0, 3, 1, 2, 3, 3]);
    expect([4, 7, 10].map(heap)).toEqual([1, 2, 3]);
    expect(run.inProgress(2)).toEqual(['there']);
    expect(run.enabled(2)).toEqual(['end there']);
    expect(run.enabled(7)).toEqual(['there']);
    expect(new WitnessRun(ring, { steps }).last).toBe(4);
  });

  it.each([
    ['an impossible step', [steps[0]!, step('fire', 'back')], /step 2: fire back: is not possible.*Enabled: there$/],
    ['a firing that ends before it starts', [steps[0]!, step('end', 'there')], /step 2: end there: .*Enabled: there$/],
    ['an unknown transition', [step('fire', 'entr')], /step 1: fire entr: .*Did you mean "enter"\?.*Enabled: enter$/],
    [
      'a delay that is overlooked',
      [steps[0]!, step('fire', 'there')],
      /step 2: fire there: .*use start and end.*Enabled: there$/,
    ],
  ])('refuses %s, with what is enabled instead', (_, wrong, message) => {
    expect(codeAndText(() => new WitnessRun(ring, { steps: wrong }))).toMatch(/^GAME004 /);
    expect(codeAndText(() => new WitnessRun(ring, { steps: wrong }))).toMatch(message);
  });

  it('refuses a loop that begins after the last step', () => {
    expect(codeAndText(() => new WitnessRun(ring, { steps, loop: 4 }))).toMatch(
      /^GAME004 witness: its loop begins at step 4: expected an index from 0 to 3/,
    );
  });

  it('follows every witness that verify finds, and the formula rests on its end', () => {
    const document = verify(ring, ['AG(tokens(heap) <= 2)', 'AG(tokens(a) + tokens(b) <= 1 & tokens(start) >= 1)'], {
      maxStates: 1000,
    });
    const [first, second] = witnessesIn(document, 'result.json').map((witness) => {
      const run = new WitnessRun(ring, witness);
      const { places } = shownBy(ring, witness.property, run.seen(run.length));
      return [witness.steps.length, [...places]];
    });
    expect(first).toEqual([10, ['heap']]);
    expect(second).toEqual([1, ['start']]);
  });
});

describe('the places and transitions that show a verdict', () => {
  const net = netOf({
    places: { a: { tokens: 2 }, b: {}, c: { tokens: 1 } },
    transitions: { t: { inputs: [take('a'), take('b')] }, u: { inputs: [take('b')] } },
  });
  const counts: Readonly<Record<string, number>> = { a: 2, b: 0, c: 0 };
  const end: SeenMarking = {
    count: (place) => counts[place]!,
    largest: (place) => counts[place]!,
    enabled: new Set(),
    initially: (place) => ({ a: 2, b: 0, c: 1 })[place]!,
  };
  it.each([
    ['deadlock-free', ['a'], []],
    ['safe', ['a'], []],
    ['one-safe', ['a'], []],
    ['reversible', ['c'], []],
    ['AG(tokens(a) <= 1 | tokens(b) >= 1)', ['a', 'b'], []],
    ['EF(tokens(a) >= 2 & tokens(c) = 0)', ['a', 'c'], []],
    ['AG(tokens(b) = 0 & tokens(c) = 1)', ['c'], []],
    ['AF enabled(u)', [], ['u']],
    ['AG(tokens(a) = 2 -> enabled(t))', ['a'], ['t']],
    ['AG(tokens(d) = 1)', [], []],
    ['not a property (', [], []],
  ])('of %s', (property, places, transitions) => {
    const shown = shownBy(net, property, end);
    expect([...shown.places].sort()).toEqual(places);
    expect([...shown.transitions].sort()).toEqual(transitions);
  });
});

describe('documents with witnesses', () => {
  const sequence = { id: 'p', property: 'p', verdict: false, shows: 's', shortest: true, steps: [] };
  it.each([
    ['another document', { kind: 'space' }, /^result\.json: GAME005 has no firing sequence: expected .* got "space"/],
    ['no object', null, /GAME005 has no firing sequence/],
    [
      'a result without witnesses',
      { kind: 'verification', properties: [{ id: 'p' }, { id: 'q' }] },
      /none of its 2 properties has one/,
    ],
    ['a program', { kind: 'program-verification' }, /verify the net of a model with -p/],
    [
      'steps that are no list',
      { kind: 'witnesses', sequences: [{ ...sequence, steps: 7 }] },
      /"p" has no list of steps/,
    ],
    [
      'a step of another shape',
      { kind: 'witnesses', sequences: [{ ...sequence, steps: [{ kind: 'jump', node: 't', binding: {} }] }] },
      /"p", step 1: expected kind, node and binding/,
    ],
  ])('refuse %s', (_, document, message) => {
    expect(codeAndText(() => witnessesIn(document, 'result.json'))).toMatch(message);
  });
});
