import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGameText } from '../../../src/analysis/game/game-text.ts';
import { TokenGame } from '../../../src/analysis/game/token-game.ts';
import { InputError } from '../../../src/base/problem.ts';
import { exponential, NetBuilder } from '../../../src/index.ts';
import type { Net } from '../../../src/net/net.ts';

/** A queue with random delays and a coloured place; `more` is one more token, by which the net is another one. */
function queue(more = 0): Net {
  const n = new NetBuilder('queue');
  const idle = n.place('idle', {}, { initial: 2 + more });
  const size = n.range('Size', 1, 3);
  const jobs = n.place('jobs', { size }, {});
  for (const k of [1, 2, 3])
    n.transition(`bring${k}`, (t) => {
      t.take(idle);
      t.delay(exponential(k));
      t.put(jobs, { size: k });
    });
  n.transition('serve', (t) => {
    t.take(jobs);
    t.put(idle, {});
  });
  return n.build();
}

/** All that a player sees, and what the random numbers to come are. */
function seen(game: TokenGame): unknown {
  const now = [game.time, game.steps, game.last, game.kept, game.enabled(), game.marking()];
  const to = TokenGame.continued(NET, game.text!);
  return [now, [to.fireRandom(), to.fireRandom(), to.time, to.marking()]];
}

const NET = queue();

const action = fc.oneof(
  { weight: 6, arbitrary: fc.nat(5).map((k) => (game: TokenGame) => void (game.enabled()[k] && game.fire(k))) },
  { weight: 4, arbitrary: fc.constant((game: TokenGame) => void game.fireRandom()) },
  { weight: 4, arbitrary: fc.constant((game: TokenGame) => void game.back()) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'grapheme' }).map((name) => (game: TokenGame) => game.keep(`${name}.~;é`)),
  },
  {
    weight: 1,
    arbitrary: fc.nat(3).map((k) => (game: TokenGame) => void (game.kept[k] && game.return(game.kept[k]!))),
  },
  {
    weight: 1,
    arbitrary: fc.nat(4).map(
      (k) => (game: TokenGame) =>
        game.setTokens(
          'idle',
          Array.from({ length: k }, () => []),
        ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }).map(
      (sizes) => (game: TokenGame) =>
        game.setTokens(
          'jobs',
          sizes.map((size) => [size]),
        ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .double({ min: 0, max: 20, noNaN: true })
      .map((until) => (game: TokenGame) => void game.run({ until, steps: 9 })),
  },
);

describe('the text of a game', () => {
  it('continues it with the same marking, time, choices, kept markings and random numbers', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const game = new TokenGame(NET);
        for (const act of actions) act(game);
        const text = game.text!;
        const again = text === '' ? new TokenGame(NET) : TokenGame.continued(NET, text);
        expect(again.text).toBe(text);
        if (text !== '') expect(seen(again)).toEqual(seen(game));
        // Both go on alike, backwards, too.
        for (const each of [game, again]) each.fireRandom();
        expect([again.time, again.marking()]).toEqual([game.time, game.marking()]);
        while (game.back()) expect(again.back()).toBe(true);
        expect(again.back()).toBe(false);
        expect([again.time, again.marking()]).toEqual([game.time, game.marking()]);
      }),
    );
  });

  it('is refused where anything of it was changed, never continued to another marking', () => {
    fc.assert(
      fc.property(
        fc.array(action, { minLength: 5, maxLength: 20 }),
        fc.nat(),
        fc.string({ maxLength: 3 }),
        (actions, where, put) => {
          const game = new TokenGame(NET);
          for (const act of actions) act(game);
          const text = game.text!;
          if (text === '') return;
          const at = where % text.length;
          const changed = text.slice(0, at) + put + text.slice(at + 1);
          try {
            const again = TokenGame.continued(NET, changed);
            expect(again.marking()).toEqual(game.marking());
          } catch (error) {
            expect(error).toBeInstanceOf(InputError);
            expect((error as InputError).problems[0]!.code).toBe('GAME006');
          }
        },
      ),
    );
  });

  it.each([
    ['another net', (text: string) => TokenGame.continued(queue(1), text), /another net/],
    ['another seed', (text: string) => TokenGame.continued(NET, text, { seed: 'b' }), /another seed/],
    ['another end', (text: string) => TokenGame.continued(NET, `${text.slice(0, -8)}00000000`), /another marking/],
    [
      'a move that is not enabled',
      (text: string) => TokenGame.continued(NET, text.replace('f0', 'f9')),
      /at move 1 of 3/,
    ],
    [
      'many moves',
      (text: string) => TokenGame.continued(NET, text.replace('r2', 'r999999999')),
      /more than 100000 moves/,
    ],
    ['many tokens', () => readGameText('1~a~s0:9999999~b'), /move 1: .*got "s0:9999999"/],
    ['a part that is missing', () => readGameText('1~a~f0'), /is cut/],
    ['a version to come', () => readGameText('2~a~f0~b'), /expected version 1/],
    ['a name that cannot be read', () => readGameText('1~a~k:%E0%A4~b'), /move 1/],
  ])('with %s is refused, and says why', (_, make, message) => {
    const game = new TokenGame(NET);
    game.fire(0);
    game.run({ steps: 2 });
    expect(game.text).toMatch(/^1~[0-9a-f]{8}~f0\.r2~[0-9a-f]{8}$/);
    expect(() => make(game.text!)).toThrow(message);
    expect(() => make(game.text!)).toThrow(InputError);
  });

  it('is left out where the game is too long for an address', () => {
    const n = new NetBuilder('loop');
    const here = n.place('here', {}, { initial: 1 });
    n.transition('go', (t) => {
      t.take(here);
      t.put(here, {});
    });
    const game = new TokenGame(n.build());
    game.run({ steps: 100_000 });
    expect(game.text).toContain('r100000');
    game.fire(0);
    expect(game.text).toBeUndefined();
  });
});
