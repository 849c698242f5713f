import { expect, test } from 'vitest';
import { explore } from '../../../src/commands/explore/explore.ts';
import { stochasticNet } from '../../analysis/markov/stochastic-nets.ts';

// Works and rests until it breaks; what is broken beeps.
const net = stochasticNet(
  'machine',
  { ready: 1, working: 0, broken: 0, drawer: 0 },
  {
    work: { take: 'ready', put: 'working', race: 1 },
    rest: { take: 'working', put: 'ready', race: 2 },
    break: { take: 'working', put: 'broken', race: 3 },
    beep: { take: 'broken', put: 'broken', race: 4 },
    refit: { take: 'drawer', put: 'ready', race: 5 },
  },
);
const levels = (options: Parameters<typeof explore>[1]) =>
  explore(net, options).liveness?.map(({ transition, level, witness }) => [transition, level, witness?.steps]);

test('levels come with shortest paths to a state without the transition', () => {
  const lost = ['work', 'break'];
  const expected = [
    ['work', 3, lost],
    ['rest', 3, lost],
    ['break', 1, lost],
    ['beep', 4, undefined],
    ['refit', 0, undefined],
  ];
  expect(levels({ liveness: true })).toEqual(expected);
  expect(levels({ liveness: true, workers: 2 })).toEqual(expected);
  expect(levels({ liveness: true, order: 'depth' })![0]).toEqual(['work', 3, null]);
  expect(explore(net).figures.homeStates).toEqual({ value: 1, unit: '1' });
});

test('they are unknown in a part of the space, and absent without the option', () => {
  const found = explore(net, { liveness: true, maxStates: 1 });
  expect(found.liveness!.map(({ level }) => level)).toEqual([null, null, null, null, null]);
  expect(found.figures.homeStates.value).toBeNull();
  expect(levels({})).toBeUndefined();
});
