import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { explore } from '../../src/analysis/space/explore.ts';
import { readPnml } from '../../src/net/pnml/pnml-read.ts';
import { effort } from '../effort.ts';

interface Timing {
  readonly rate: number;
  readonly timed: boolean;
  readonly infinite?: boolean;
  readonly priority?: number;
}

const value = (name: string, text: string | number | boolean): string => `<${name}><value>${text}</value></${name}>`;
const place = (id: string, tokens = 0): string =>
  `<place id="${id}">${value('name', id)}${value('initialMarking', tokens)}${value('capacity', 0)}</place>`;
const transition = (id: string, { rate, timed, infinite = false, priority = 1 }: Timing): string =>
  `<transition id="${id}">${value('name', id)}${value('orientation', 0)}${value('rate', rate)}${value('timed', timed)}${value('infiniteServer', infinite)}${value('priority', priority)}</transition>`;
const arc = (source: string, target: string): string =>
  `<arc id="${source} to ${target}" source="${source}" target="${target}">${value('inscription', 1)}${value('tagged', false)}<type value="normal"/></arc>`;
const pipe = (...parts: readonly string[]): string =>
  `<pnml><net id="Net-One" type="P/T net">${parts.join('\n')}</net></pnml>`;

test('immediate transitions precede timed ones, and a higher priority precedes a lower one', () => {
  const net = (...timings: readonly Timing[]): ReturnType<typeof readPnml>['net'] =>
    readPnml(
      pipe(
        place('p', 1),
        ...timings.flatMap((timing, k) => [
          place(`q${k}`),
          transition(`t${k}`, timing),
          arc('p', `t${k}`),
          arc(`t${k}`, `q${k}`),
        ]),
      ),
    ).net;
  const timed = { rate: 2, timed: true };
  const slow = { rate: 1, timed: false };
  expect(explore(net(timed, slow)).states).toBe(2);
  expect(explore(net(timed, timed)).states).toBe(3);
  expect(explore(net(slow, slow)).states).toBe(3);
  expect(explore(net(slow, { ...slow, priority: 2 })).states).toBe(2);
  // Priorities do not order timed transitions.
  expect(explore(net(timed, { ...timed, priority: 2 })).states).toBe(3);
});

test('machines that fail and are repaired have the averages of the birth-death process', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.double({ min: 0.2, max: 3, noNaN: true }),
      fc.double({ min: 0.2, max: 3, noNaN: true }),
      fc.boolean(),
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      (count, fail, repair, manyFail, manyRepair, weight) => {
        const { net } = readPnml(
          pipe(
            place('up', count),
            place('broken'),
            place('down'),
            transition('fail', { rate: fail, timed: true, infinite: manyFail }),
            transition('small', { rate: 1, timed: false }),
            transition('large', { rate: weight, timed: false }),
            transition('repair', { rate: repair, timed: true, infinite: manyRepair }),
            ...[
              ['up', 'fail'],
              ['fail', 'broken'],
              ['broken', 'small'],
              ['broken', 'large'],
            ].map(([s, t]) => arc(s!, t!)),
            ...[
              ['small', 'down'],
              ['large', 'down'],
              ['down', 'repair'],
              ['repair', 'up'],
            ].map(([s, t]) => arc(s!, t!)),
          ),
        );
        const shares = [1];
        for (let down = 0; down < count; down++)
          shares.push((shares.at(-1)! * fail * (manyFail ? count - down : 1)) / (repair * (manyRepair ? down + 1 : 1)));
        const total = shares.reduce((a, b) => a + b);
        const expected = shares.reduce((sum, share, down) => sum + (share / total) * down, 0);
        const { monitors, firings } = simulate(net, { until: 20_000, monitors: { down: { tokens: 'down' } } });
        expect(Math.abs(monitors.down.mean - expected)).toBeLessThan(0.05 * count);
        const choices = firings['small']! + firings['large']!;
        const share = weight / (weight + 1);
        expect(Math.abs(firings['large']! / choices - share)).toBeLessThan(
          5 * Math.sqrt((share * (1 - share)) / choices),
        );
      },
    ),
    { numRuns: effort(20) },
  );
});

test('parameters replace rates and markings', () => {
  const tool = (name: string): string => `<toolspecific tool="PIPE" version="2.5" ${name}/>`;
  const text = pipe(
    '<definition name="n" id="n" expression="4" defType="int" type="text"/><definition name="mu" id="mu" expression="2.5" defType="real" type="text"/>',
    place('p', 1).replace('</place>', `${tool('markingDefinition="n"')}</place>`),
    transition('t', { rate: 1, timed: true }).replace('</transition>', `${tool('rateDefinition="mu"')}</transition>`),
    arc('p', 't'),
  );
  const { net } = readPnml(text);
  expect(net.places[0]!.initial).toEqual([{ values: [], count: 4 }]);
  expect(net.transitions[0]!.delay).toEqual({ dist: 'exponential', rate: { op: 'const', value: 2.5 } });
  expect(() => readPnml(text.replace('"4"', '"4.5"'))).toThrow(/PNML007 the parameter "n": expected an integer >= 0/);
  expect(() => readPnml(text.replace('"2.5" defType', '"2 * n" defType'))).toThrow(/PNML007 the parameter "mu"/);
});

test('an immediate transition without input in a net with delays is refused', () => {
  const text = (timed: boolean): string =>
    pipe(
      place('p'),
      transition('in', { rate: 1, timed: false }),
      transition('out', { rate: 1, timed }),
      arc('in', 'p'),
      arc('p', 'out'),
    );
  expect(() => readPnml(text(true))).toThrow(/NET020 transition in/);
  expect(readPnml(text(false)).net).toMatchObject({
    untimed: true,
    transitions: [{ timing: 'race' }, { timing: 'race' }],
  });
});
