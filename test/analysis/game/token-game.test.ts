import { describe, expect, it } from 'vitest';
import { TokenGame } from '../../../src/analysis/game/token-game.ts';
import { InputError } from '../../../src/base/problem.ts';
import { netOf, num, put, take } from '../../reference/nets.ts';

const stateOf = (game: TokenGame): unknown => [game.time, game.steps, game.enabled(), game.marking()];

describe('the token game', () => {
  const buffer = netOf({
    colours: [{ kind: 'range', name: 'Size', low: 1, high: 3 }],
    places: { full: { fields: [{ name: 'size', colour: 'Size' }], tokens: [[1], [2]] }, done: { capacity: 2 } },
    transitions: {
      use: { inputs: [take('full', { size: { op: 'var', name: 's' } })], outputs: [put('done')], delay: num(1.5) },
    },
  });

  it('names bindings, fires them by name, and lets time pass where nothing can start', () => {
    const game = new TokenGame(buffer);
    expect(game.enabled().map(({ label }) => label)).toEqual(['use(s=1)', 'use(s=2)']);
    game.fire('use(s=2)');
    expect(game.last).toBe('use(s=2)');
    expect(game.time).toBe(0);
    game.fire('use(s=1)');
    expect(game.time).toBe(1.5);
    expect(game.enabled()).toEqual([]);
    expect(game.marking()).toMatchObject([
      { place: 'full', count: 0 },
      { place: 'done', count: 2 },
    ]);
    expect(game.fireRandom()).toBe(false);
  });

  it('sets tokens by hand, keeps markings under names, and takes both back', () => {
    const game = new TokenGame(buffer);
    game.keep('start');
    game.fire('use(s=1)');
    game.return('start');
    expect(game.last).toBeUndefined();
    game.back();
    expect(game.last).toBe('use(s=1)');
    game.back();
    game.setTokens('full', [[3], [3], [1]]);
    expect(game.enabled().map(({ label }) => label)).toEqual(['use(s=1)', 'use(s=3)']);
    game.return('start');
    expect(game.enabled().map(({ label }) => label)).toEqual(['use(s=1)', 'use(s=2)']);
    game.back();
    expect(game.marking()[0]).toMatchObject({ count: 3 });
    game.back();
    expect(game.depth).toBe(0);
    expect(buffer.places[0]!.initial).toEqual([
      { values: [1], count: 1 },
      { values: [2], count: 1 },
    ]);
  });

  it('runs for a number of steps, up to a time, and until a condition', () => {
    const loop = netOf({
      places: { p: { tokens: 1 } },
      transitions: { t: { inputs: [take('p')], outputs: [put('p')], delay: num(1) } },
    });
    const game = new TokenGame(loop);
    expect(game.run({ steps: 3 })).toBe(3);
    expect(game.time).toBe(3);
    game.run({ until: 7.5 });
    expect(game.time).toBe(7);
    game.run({ stop: ({ time }) => time >= 9 });
    expect(game.time).toBe(9);
  });

  it('lists firings in progress and running clocks until their ends', () => {
    const net = netOf({
      places: { free: { tokens: 2 }, idle: { tokens: 1 }, done: {} },
      transitions: {
        hold: { inputs: [take('free')], outputs: [put('done')], delay: num(2) },
        // Its clock starts at 0 and stops when the place is emptied.
        expire: { inputs: [take('idle')], delay: num(3), timing: 'race' },
      },
    });
    const game = new TokenGame(net);
    const listed = (): unknown => game.underWay().map(({ label, end, isClock }) => [label, end, isClock]);
    expect(listed()).toEqual([['expire', 3, true]]);
    game.fire('hold');
    expect(listed()).toEqual([
      ['hold', 2, false],
      ['expire', 3, true],
    ]);
    game.setTokens('idle', []);
    expect(listed()).toEqual([['hold', 2, false]]);
    game.fire('hold');
    expect(game.time).toBe(2);
    expect(listed()).toEqual([]);
  });

  it('counts its changes beyond those that can be taken back', () => {
    const game = new TokenGame(
      netOf({ places: { p: { tokens: 1 } }, transitions: { t: { inputs: [take('p')], outputs: [put('p')] } } }),
    );
    game.run({ steps: 10_005 });
    expect([game.changes, game.depth]).toEqual([10_005, 10_000]);
    game.back();
    expect([game.changes, game.depth]).toEqual([10_004, 9999]);
    game.setTokens('p', [[], []]);
    game.keep('two');
    game.return('two');
    expect(game.changes).toBe(10_006);
  });

  it('runs until a formula on its marking holds, with colours, tokens in service and enabled transitions', () => {
    const counter = netOf({
      colours: [{ kind: 'enum', name: 'Light', values: ['red', 'green', '2'] }],
      places: { on: { fields: [{ name: 'c', colour: 'Light' }], tokens: [[0], [2]] }, free: { tokens: 5 }, used: {} },
      transitions: { use: { inputs: [take('free')], outputs: [put('used')] } },
    });
    const game = new TokenGame(counter);
    const until = (text: string): number => game.run({ stop: game.condition(text) });
    expect(until('#used >= 2 & enabled(use)')).toBe(2);
    expect(until('#used > #free')).toBe(1);
    game.setTokens('on', [['green'], ['2'], ['2'], [1]]);
    expect(game.marking()[0]!.tokens.map(({ values }) => values)).toEqual([[1], [1], [2], [2]]);
    expect(until('tokens(on[green]) = 2 & tokens(on[red]) = 0')).toBe(1);
    expect(until('dead')).toBe(1);
    expect(until('true')).toBe(0);
    for (const text of ['#nowhere > 0', 'EF dead', '#used >', 'live'])
      expect(() => game.condition(text), text).toThrow(InputError);
    expect(() => game.setTokens('on', [['blue']])).toThrow(/"blue" is not a value of c in "on"/);
  });

  it.each([
    [
      'a binding that is not enabled',
      (game: TokenGame) => game.fire('use(s=3)'),
      'GAME001',
      /"use\(s=3\)" is not enabled: 2 bindings are. Did you mean "use\(s=[12]\)"\?/,
    ],
    [
      'a position that does not exist',
      (game: TokenGame) => game.fire(2),
      'GAME001',
      /binding 2 is not enabled: 2 bindings are/,
    ],
    [
      'a marking that was not kept',
      (game: TokenGame) => game.return('begin'),
      'GAME002',
      /no marking is kept as "begin". Kept: none/,
    ],
    [
      'a place that does not exist',
      (game: TokenGame) => game.setTokens('ful', []),
      'GAME003',
      /no place "ful"\. Did you mean "full"\?/,
    ],
    [
      'a value outside its colour set',
      (game: TokenGame) => game.setTokens('full', [[4]]),
      'GAME003',
      /"4" is not a value of size in "full"\. Expected 1 … 3\./,
    ],
    [
      'values of another number of columns',
      (game: TokenGame) => game.setTokens('full', [[]]),
      'GAME003',
      /expected 1 values for a token, got 0/,
    ],
  ] as const)('refuses %s, and changes nothing', (_, act, code, message) => {
    const game = new TokenGame(buffer);
    const before = stateOf(game);
    expect(() => act(game)).toThrow(InputError);
    try {
      act(game);
    } catch (error) {
      expect((error as InputError).problems[0]).toMatchObject({ code, message: expect.stringMatching(message) });
    }
    expect(stateOf(game)).toEqual(before);
    expect(game.depth).toBe(0);
  });
});
