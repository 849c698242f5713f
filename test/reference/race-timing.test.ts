import { expect, test } from 'vitest';
import type { Transition } from '../../src/net/net.ts';
import { INT, inhibit, netOf, num, put, read, take, x } from './nets.ts';
import { type ReferenceRun, referenceRun } from './token-game.ts';

const when = (run: ReferenceRun, transition: string): number[] =>
  run.trace.filter((e) => e.transition === transition).map((e) => e.time);

const race = { delay: num(3), timing: 'race' } as const;
const count = (name: string, place: string, pattern = {}) => ({ name, place, pattern });

test('k servers are k clocks; a firing frees its server for the candidate enabled longest (S9a)', () => {
  const fields = [{ name: 'k', colour: INT }];
  const run = referenceRun(
    netOf({
      places: { p: { fields, tokens: [[1], [1], [1], [2], [2]] } },
      transitions: { t: { inputs: [take('p', { k: x('k') })], ...race, servers: 2 } },
    }),
  );
  // Colour 1 has both servers first; when it has fired, colour 2 has been enabled longer.
  expect(run.trace.map((e) => [e.time, e.binding['k']])).toEqual([
    [3, 1],
    [3, 1],
    [6, 2],
    [6, 2],
    [9, 1],
  ]);
  expect(run.happened['race: waits for a server']).toBeGreaterThan(0);
});

test('one server is the same as "single"', () => {
  const of = (servers: Transition['servers']) =>
    referenceRun(
      netOf({
        places: { p: { tokens: 3 } },
        transitions: { t: { inputs: [take('p')], ...race, servers: servers! } },
      }),
    ).trace;
  expect(of(1)).toEqual(of('single'));
});

/** A clock of 3 s; its token is away from 2 s to 2.5 s. */
function interrupted(memory: Transition['memory'], servers: Transition['servers'] = 'infinite'): ReferenceRun {
  return referenceRun(
    netOf({
      places: { on: { tokens: 1 }, thief: { tokens: 1 }, ready: {} },
      transitions: {
        come: { inputs: [take('thief')], outputs: [put('ready')], delay: num(2) },
        steal: { inputs: [take('ready'), take('on')], outputs: [put('on')], delay: num(0.5) },
        t: { inputs: [take('on')], ...race, memory: memory!, servers: servers! },
      },
    }),
  );
}

test('with age memory a clock keeps the work left while its candidate is disabled (S9c)', () => {
  const run = interrupted('age');
  expect(when(run, 't')).toEqual([3.5]);
  expect(run.happened['race: clock resumed']).toBe(1);
  expect(when(interrupted('age', 'single'), 't')).toEqual([3.5]);
  expect(when(interrupted('enabling'), 't')).toEqual([5.5]);
});

test('stopped clocks resume in the order in which they were started', () => {
  // Clocks of 3 s start at 0 s and 1 s; an inhibitor stops them at 2 s with 1 s and 2 s left, until 4 s.
  const run = referenceRun(
    netOf({
      places: { p: { tokens: 1 }, a: { tokens: 1 }, b: { tokens: 1 }, stop: {}, out: {} },
      transitions: {
        come: { inputs: [take('a')], outputs: [put('p')], delay: num(1) },
        block: { inputs: [take('b')], outputs: [put('stop')], delay: num(2) },
        clear: { inputs: [take('stop')], delay: num(2), timing: 'race' },
        t: { inputs: [take('p'), inhibit('stop')], outputs: [put('out')], ...race, memory: 'age' },
      },
    }),
  );
  expect(when(run, 't')).toEqual([5, 6]);
});

test('only a firing uses up a clock with age memory: a lower degree stops the youngest', () => {
  // Two clocks; at 1 s one token is taken, at 2 s another comes: the younger clock resumes with 2 s left.
  const run = referenceRun(
    netOf({
      places: { p: { tokens: 2 }, a: { tokens: 1 }, b: { tokens: 1 }, ready: {} },
      transitions: {
        wait: { inputs: [take('a')], outputs: [put('ready')], delay: num(1) },
        go: { inputs: [take('ready'), take('p')] },
        come: { inputs: [take('b')], outputs: [put('p')], delay: num(2) },
        t: { inputs: [take('p')], ...race, memory: 'age' },
      },
    }),
  );
  expect(when(run, 't')).toEqual([3, 4]);
  expect(run.happened['race: clock dropped']).toBe(1);
});

test('resampling restarts the clocks of a race at every step of the net (S9c)', () => {
  const run = referenceRun(
    netOf({
      places: { p: { tokens: 1 }, tick: { tokens: 1 }, out: {} },
      transitions: {
        t: { inputs: [take('p')], ...race, memory: 'resampling' },
        other: { inputs: [take('tick')], outputs: [put('out')], delay: num(2) },
      },
    }),
  );
  // The end of `other` at 2 s restarts the clock of `t`.
  expect(when(run, 't')).toEqual([5]);
});

/** Work of 6 s at a speed of the number of tokens in `workers`, which changes from 1 to 2 at 2 s and to 0 from 3 s to 5 s. */
function accelerated(memory: Transition['memory']): ReferenceRun {
  return referenceRun(
    netOf({
      places: { p: { tokens: 1 }, workers: { tokens: 1 }, a: { tokens: 1 }, b: { tokens: 1 }, hall: {}, gone: {} },
      transitions: {
        hire: { inputs: [take('a')], outputs: [put('workers')], delay: num(2) },
        leave: { inputs: [take('b')], outputs: [put('gone')], delay: num(3) },
        out: { inputs: [take('gone'), take('workers', {}, 2)], outputs: [put('workers')], delay: num(2) },
        t: {
          inputs: [take('p')],
          delay: num(6),
          timing: 'race',
          memory: memory!,
          speed: x('n'),
          counts: [count('n', 'workers')],
        },
      },
    }),
  );
}

test('a clock does the work of its delay at the speed of the marking (S9b)', () => {
  // 2 s at speed 1 and 1 s at speed 2 leave 2 of 6; from 5 s on the speed is 1.
  const run = accelerated('age');
  expect(when(run, 't')).toEqual([7]);
  expect(run.happened['race: speed changed']).toBe(1);
  // At speed 0 the candidate is not enabled: with enabling memory, its clock is lost.
  expect(when(accelerated('enabling'), 't')).toEqual([11]);
});

test('a candidate with speed 0 needs no server', () => {
  const fields = [{ name: 'k', colour: INT }];
  const run = referenceRun(
    netOf({
      places: { p: { fields, tokens: [[0], [2]] } },
      transitions: { t: { inputs: [take('p', { k: x('k') })], ...race, servers: 'single', speed: x('k') } },
    }),
  );
  expect(run.trace.map((e) => [e.time, e.binding['k']])).toEqual([[1.5, 2]]);
});

test('a count sees the tokens that match its pattern, those in service excepted', () => {
  const fields = [{ name: 'k', colour: INT }];
  const of = (pattern: Record<string, ReturnType<typeof x>>): number[] =>
    when(
      referenceRun(
        netOf({
          places: {
            p: { fields, tokens: [[1]] },
            // Its visible token hides the others of its queue: a count sees them, too.
            q: { fields, order: 'fifo', key: ['k'], tokens: [[1], [1], [2]] },
            s: { fields, service: { kind: 'is', time: num(100) }, tokens: [[1]] },
          },
          transitions: {
            t: {
              inputs: [take('p', { k: x('k') })],
              delay: num(6),
              timing: 'race',
              speed: { op: 'add', a: x('n'), b: x('m') },
              counts: [count('n', 'q', pattern), count('m', 's')],
            },
          },
        }),
      ),
      't',
    );
  expect(of({})).toEqual([2]);
  expect(of({ k: x('k') })).toEqual([3]);
  expect(of({ k: num(2) })).toEqual([6]);
});

test('a weight takes its counts when the choice is made (S9b)', () => {
  // Pólya's urn: the more balls of a colour, the likelier it is drawn.
  const draw = (ball: string): Partial<Transition> => ({
    inputs: [take('go'), read(ball)],
    outputs: [put(ball, {}, 2), put('go')],
    weight: x('n'),
    counts: [count('n', ball)],
  });
  const urn = netOf({
    places: { go: { tokens: 1 }, red: { tokens: 1 }, blue: { tokens: 1 } },
    transitions: { red: draw('red'), blue: draw('blue') },
  });
  // Seeds give uniform shares (1 … 9 of 8 draws); the mean over all is one half.
  const shares = Array.from({ length: 300 }, (_, k) => {
    const run = referenceRun(urn, { seed: String(k), maxSteps: 8 });
    return run.firings['red']!;
  });
  const histogram = Array.from({ length: 9 }, (_, k) => shares.filter((s) => s === k).length);
  for (const times of histogram) expect(times).toBeGreaterThan(300 / 9 - 3.9 * Math.sqrt(300 / 9));
});

test.each([
  ['negative', { op: 'sub', a: x('n'), b: num(1) }],
  ['not a number', { op: 'div', a: x('n'), b: x('n') }],
  ['infinite', { op: 'div', a: num(1), b: x('n') }],
] as const)('a speed that is %s ends the run (RUN017)', (_, speed) => {
  const net = netOf({
    places: { p: { tokens: 1 }, none: {} },
    transitions: { t: { inputs: [take('p')], ...race, speed, counts: [count('n', 'none')] } },
  });
  expect(() => referenceRun(net)).toThrow('RUN017');
});

test('a clock that would end at infinity ends the run (RUN004)', () => {
  const net = netOf({
    places: { p: { tokens: 1 } },
    transitions: { t: { inputs: [take('p')], ...race, speed: num(1e-320) } },
  });
  expect(() => referenceRun(net)).toThrow('RUN004');
});
