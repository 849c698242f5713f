import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { steady } from '../../src/commands/steady/steady.ts';
import type { Distribution } from '../../src/net/distributions/laws.ts';
import type { Net } from '../../src/net/net.ts';
import { readPnml } from '../../src/net/pnml/pnml-read.ts';
import { effort } from '../effort.ts';

const document = (body: string): string =>
  `<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/pnmlcoremodel"><page id="n0">${body}</page></net></pnml>`;
const part = (properties: Readonly<Record<string, string | number | undefined>>): string =>
  `<toolspecific tool="StochasticPetriNet" version="0.2">${Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `<property key="${key}">${value}</property>`)
    .join('')}</toolspecific>`;
const place = (id: string, tokens = 0): string =>
  `<place id="${id}"><initialMarking><text>${tokens}</text></initialMarking></place>`;
const arc = (source: string, target: string): string =>
  `<arc id="${source}${target}" source="${source}" target="${target}"/>`;
/** A transition from p0 to p1. */
const step = (id: string, inner: string): string =>
  `<transition id="${id}">${inner}</transition>${arc('p0', id)}${arc(id, 'p1')}`;
const constant = (value: number): { op: 'const'; value: number } => ({ op: 'const', value });
const problems = (body: string): string => {
  try {
    readPnml(document(body), 'n.pnml');
  } catch (e) {
    return (e as Error).message;
  }
  throw new Error('no problem');
};

interface Timed {
  readonly type: string;
  readonly parameters: string;
  readonly delay: Distribution | { readonly op: 'const'; readonly value: number };
}

const value = fc.double({ min: 0.01, max: 50, noNaN: true });
/** Distributions as pm4py writes them, with what they mean: SciPy's location and scale, and rates. */
const pm4py: fc.Arbitrary<Timed> = fc.tuple(value, value).chain(([a, b]) =>
  fc.constantFrom<Timed>(
    { type: 'EXPONENTIAL', parameters: `${a}`, delay: { dist: 'exponential', rate: constant(a) } },
    { type: 'NORMAL', parameters: `${a};${b}`, delay: { dist: 'normal', mean: constant(a), deviation: constant(b) } },
    { type: 'UNIFORM', parameters: `${a};${b}`, delay: { dist: 'uniform', low: constant(a), high: constant(a + b) } },
    {
      type: 'LOGNORMAL',
      parameters: `${a};0;${b}`,
      delay: { dist: 'lognormal', mean: constant(Math.log(b)), deviation: constant(a) },
    },
    { type: 'GAMMA', parameters: `${a};0.0;${b}`, delay: { dist: 'gamma', shape: constant(a), scale: constant(b) } },
    { type: 'DETERMINISTIC', parameters: `${a}`, delay: constant(a) },
  ),
);

describe('stochastic nets of pm4py and ProM', () => {
  test('random nets are read back as they were written', () => {
    const immediate = fc.record({ priority: fc.integer({ min: 1, max: 4 }), weight: value });
    fc.assert(
      fc.property(
        fc.array(pm4py, { minLength: 1, maxLength: 4 }),
        fc.array(immediate, { maxLength: 4 }),
        (timed, instant) => {
          const { net, warnings } = readPnml(
            document(
              [
                place('p0', 1),
                place('p1'),
                ...timed.map(({ type, parameters }, k) =>
                  step(
                    `t${k}`,
                    part({ distributionType: type, distributionParameters: parameters, priority: 0, weight: 'None' }),
                  ),
                ),
                ...instant.map(({ priority, weight }, k) =>
                  step(
                    `i${k}`,
                    part({ distributionType: 'IMMEDIATE', distributionParameters: 'UNDEFINED', priority, weight }),
                  ),
                ),
              ].join(''),
            ),
          );
          const lowest = Math.min(...instant.map((i) => i.priority));
          const expected: Partial<Net['transitions'][number]>[] = [
            ...timed.map(({ delay }) => ({ delay, timing: 'race', servers: 'single' }) as const),
            ...instant.map(({ priority, weight }) => ({ priority: 1 + priority - lowest, weight: constant(weight) })),
          ];
          expect(net.transitions.map(({ name, inputs, outputs, ...rest }) => rest)).toEqual(expected);
          expect(warnings).toEqual([]);
        },
      ),
      { numRuns: effort(300) },
    );
  });

  test('ProM gives means, bounds, a unit and a policy', () => {
    const read = (policy: string, unit: string, type: string, parameters: string): unknown => {
      const { delay, memory } = readPnml(
        document(
          `${place('p0', 1)}${place('p1')}${step('t', part({ distributionType: type, distributionParameters: parameters }))}`,
        ).replace('<page', `${part({ executionPolicy: policy, timeUnit: unit })}<page`),
      ).net.transitions[0]!;
      return { delay, memory };
    };
    expect(read('RACE_ENABLING_MEMORY', 'MINUTES', 'EXPONENTIAL', '2')).toEqual({
      delay: { dist: 'exponential', rate: constant(1 / 120) },
      memory: undefined,
    });
    expect(read('race (age memory)', 'SECONDS', 'UNIFORM', '2;5')).toEqual({
      delay: { dist: 'uniform', low: constant(2), high: constant(5) },
      memory: 'age',
    });
    expect(read('RACE_RESAMPLING', 'HOURS', 'LOGNORMAL', '0;0.5')).toEqual({
      delay: { dist: 'lognormal', mean: constant(Math.log(3600)), deviation: constant(0.5) },
      memory: 'resampling',
    });
    expect(() => read('GLOBAL_PRESELECTION', 'SECONDS', 'EXPONENTIAL', '2')).toThrow(
      /PNML021 the property "executionPolicy" of the net, "GLOBAL_PRESELECTION", is not supported: expected race_enabling_memory/,
    );
  });

  test('attributes hold the properties, too', () => {
    const tool =
      '<toolspecific tool="StochasticPetriNet" version="0.2" invisible="True" priority="1" weight="2.0" distributionType="IMMEDIATE"/>';
    const { net } = readPnml(document(place('p0', 1) + place('p1') + step('t', tool)));
    expect(net.transitions[0]).toMatchObject({ priority: 1, weight: constant(2) });
  });

  test.each([
    [
      { distributionType: 'HISTOGRAM' },
      'PNML021 the distribution "HISTOGRAM" of transition "t" is not supported: expected IMMEDIATE, EXPONENTIAL',
    ],
    [{}, 'PNML021 the distribution "" of transition "t"'],
    [
      { distributionType: 'EXPONENTIAL', distributionParameters: '0' },
      'PNML007 the parameters of the exponential distribution of transition "t": expected RATE, got "0"',
    ],
    [{ distributionType: 'NORMAL', distributionParameters: '1' }, 'expected MEAN;DEVIATION, both >= 0, got "1"'],
    [{ distributionType: 'GAMMA', distributionParameters: '1;2;3' }, 'expected SHAPE;0;SCALE, got "1;2;3"'],
    [
      { distributionType: 'IMMEDIATE', weight: '-1' },
      'PNML007 the weight of transition "t": expected a number > 0, got "-1"',
    ],
    [{ distributionType: 'IMMEDIATE', priority: 'high' }, 'PNML007 the priority of transition "t"'],
    [
      { distributionType: 'IMMEDIATE', wieght: '1' },
      'PNML021 the property "wieght" of a stochastic transition is unknown. Did you mean "weight"?',
    ],
  ])('refuses %j', (properties, message) => {
    expect(problems(`\n${place('p0', 1)}${place('p1')}\n${step('t', part(properties))}`)).toContain(message);
  });

  test('refuses priorities of timed transitions, and two tools', () => {
    const timed = (priority: number): string =>
      part({ distributionType: 'EXPONENTIAL', distributionParameters: '1', priority });
    const ends = place('p0', 1) + place('p1');
    expect(problems(ends + step('t', timed(0)) + step('u', timed(2)))).toMatch(
      /PNML021 the priority 2 of transition "u"/,
    );
    const late = part({ distributionType: 'IMMEDIATE', priority: 1 });
    expect(problems(ends + step('t', timed(2)) + step('u', late))).toMatch(/PNML021 the priority 1 of transition "u"/);
    const pipe = '<rate><value>2</value></rate><timed><value>true</value></timed>';
    expect(problems(ends + step('t', timed(0)) + step('u', pipe))).toMatch(
      /PNML008 the net has the timing of two tools/,
    );
  });
});

describe('rates of PIPE 5 that are expressions', () => {
  const timed = (rate: string, infinite: boolean): string =>
    `<rate><value>${rate}</value></rate><timed><value>true</value></timed><infiniteServer><value>${infinite}</value></infiniteServer>`;
  const cycle = (tokens: number, forth: string, back: string): string =>
    `${place('p0', tokens)}<place id="p1"><capacity><value>5</value></capacity></place>${step('go', forth)}` +
    `<transition id="back">${back}</transition>${arc('p1', 'back')}${arc('back', 'p0')}`;

  test('give the birth-death process of their values', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.boolean(), fc.boolean(), (tokens, many, alsoMany) => {
        const { net } = readPnml(
          document(
            cycle(
              tokens,
              timed('1 + #(p0) * 2 / cap(p1)', many),
              timed('ceil(#(p1)/2) + floor(3*#(p0)/2) - 0.5', alsoMany),
            ),
          ),
        );
        const shares = [1];
        for (let there = 0; there < tokens; there++) {
          const forth = (1 + ((tokens - there) * 2) / 5) * (many ? tokens - there : 1);
          const left = tokens - there - 1;
          const back = Math.ceil((there + 1) / 2) + Math.floor((3 * left) / 2) - 0.5;
          shares.push((shares.at(-1)! * forth) / (back * (alsoMany ? there + 1 : 1)));
        }
        const total = shares.reduce((a, b) => a + b);
        const mean = shares.reduce((sum, share, there) => sum + (share / total) * there, 0);
        const found = steady(net, { method: 'ctmc' }).places.find((p) => p.name === 'p1')!;
        expect(Math.abs(found.mean! - mean)).toBeLessThan(1e-12);
      }),
      { numRuns: effort(100) },
    );
  });

  test('may be parameters, constants and weights', () => {
    const definition = '<definition name="mu" id="mu" expression="2 * #(p1)" defType="real" type="text"/>';
    const tool = '<toolspecific tool="PIPE" version="2.5" rateDefinition="mu"/>';
    const { net } = readPnml(document(definition + cycle(2, timed('(1 + 3) / 8', true), timed('1', false) + tool)));
    expect(net.transitions[0]!.delay).toEqual({ dist: 'exponential', rate: constant(0.5) });
    expect(net.transitions[1]).toMatchObject({
      delay: { rate: constant(1) },
      speed: { op: 'mul', a: constant(2), b: { op: 'var', name: 'p1' } },
      counts: [{ name: 'p1', place: 'p1', pattern: {} }],
    });
    const weight = readPnml(document(cycle(2, '<rate><value>#(p0)</value></rate>', timed('1', false)))).net
      .transitions[0];
    expect(weight).toMatchObject({ weight: { op: 'var', name: 'p0' }, counts: [{ place: 'p0' }] });
  });

  test.each([
    ['2 *', 'has its end where a number, #(PLACE)'],
    ['2 2', 'has "2" where a number'],
    ['#(q)', 'names the unknown place "q"'],
    ['cap(p0)', 'uses the capacity of place "p0", which has none'],
    ['#(p0, red)', 'counts tokens of the class "red"'],
    ['1 - 1', 'PNML007 <rate> of transition "go"'],
    ['('.repeat(300), 'has more than 200 parentheses in each other'],
  ])('refuses %s', (rate, message) => {
    expect(problems(cycle(1, timed(rate, false), timed('1', false)))).toContain(message);
  });
});
