import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { axesOf, parseAxes, valuesOf } from '../../../src/commands/whatif/axes/axes.ts';
import { grid, gridSize } from '../../../src/commands/whatif/axes/grid.ts';

const values = (text: string): unknown => valuesOf(parseAxes([text])[0]!);
const problems = (run: () => unknown): string[] => {
  try {
    run();
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n');
    throw error;
  }
  return [];
};

describe('an axis as a string', () => {
  it.each([
    ['placement=block,cyclic', ['block', 'cyclic']],
    ['ranks=4', [4]],
    ['ranks=1..64*2', [1, 2, 4, 8, 16, 32, 64]],
    ['ranks=1..100*3', [1, 3, 9, 27, 81]],
    ['ranks=8..64+8', [8, 16, 24, 32, 40, 48, 56, 64]],
    ['ranks=8..12', [8, 9, 10, 11, 12]],
    ['ranks=12..8-2', [12, 10, 8]],
    ['ranks=64..8*0.5', [64, 32, 16, 8]],
    ['ranks=1,2,8..32*2', [1, 2, 8, 16, 32]],
    ['a=0.1..0.5+0.1', [0.1, 0.2, 0.3, 0.4, 0.5]],
    ['a=1e3..1e6*10', [1000, 10000, 100000, 1e6]],
    ['machine.link.latency=x0.5,x1,x2', ['x0.5', 'x1', 'x2']],
    ['machine.link.latency=x1..x8*2', ['x1', 'x2', 'x4', 'x8']],
    ['machine.link.latency=1us..8us*2', ['1us', '2us', '4us', '8us']],
    ['machine.link.latency=1us..3us+1us', ['1us', '2us', '3us']],
    ['machine.speed=+10%, -5%', ['+10%', '-5%']],
    ['machine=../a.yaml,b..c.yaml', ['../a.yaml', 'b..c.yaml']],
    ["machine=\"a,b.yaml\",'it''s.yaml'", ['a,b.yaml', "it's.yaml"]],
    ['name="12",12', ['12', 12]],
    ['model.flag=true,false', [true, false]],
    ['a=-1,-2.5e-3', [-1, -0.0025]],
  ])('the axis %s is parsed', (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it.each([
    ['ranks', '--vary: expected NAME=VALUE,VALUE… such as ranks=1..64*2, got "ranks"'],
    ['=1', 'got "=1"'],
    ['ra nks=1', 'expected NAME=VALUE'],
    ['ranks=', 'WHAT002 axis ranks: no values'],
    ['ranks=1,,2', 'WHAT002 axis ranks: a value is empty'],
    ['ranks=1,', 'WHAT002 axis ranks: a value is empty'],
    ['m="a', 'WHAT002 axis m: the quotes of "\\"a" do not match'],
    ['ranks=1..64/2', 'WHAT003 axis ranks: "1..64/2" is not a range'],
    ['ranks=1..', 'WHAT003'],
    ['ranks=1..x', 'WHAT003'],
    ['l=1us..8ms*2', 'its ends differ in their units'],
    ['l=1us..8us*2us', 'the unit of its factor does not fit'],
    ['l=0..8*2', 'with a factor, all its numbers must be greater than 0'],
    ['ranks=1..64*1', 'WHAT004 axis ranks: "1..64*1" never ends: its factor is 1'],
    ['ranks=1..64+0', 'WHAT004 axis ranks: "1..64+0" never ends: its step is 0'],
    ['ranks=64..1', 'WHAT004 axis ranks: "64..1" has no value'],
    ['ranks=1..64*0.5', 'WHAT004'],
    ['ranks=1..1e999', 'one of its numbers is too large'],
  ])('%s is rejected', (text, message) => {
    const found = problems(() => parseAxes([text]));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
  });

  it('reports all problems at once, and a repeated axis', () => {
    expect(problems(() => parseAxes(['a=1', 'b', 'a=2', 'c='])).map((p) => p.slice(0, 7))).toEqual([
      'WHAT001',
      'WHAT005',
      'WHAT002',
    ]);
  });

  test('a list has the values it was made from', () => {
    const item = fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0),
    );
    const written = (value: unknown): string =>
      typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value);
    fc.assert(
      fc.property(fc.array(item, { minLength: 1 }), (list) => {
        expect(values(`a=${list.map(written).join(', ')}`)).toEqual(list);
      }),
    );
  });

  test('a geometric range contains its ends', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 2, max: 9 }), fc.nat(9), (from, factor, n) => {
        const found = values(`a=${from}..${from * factor ** n}*${factor}`) as number[];
        expect(found).toEqual(Array.from({ length: n + 1 }, (_, k) => from * factor ** k));
      }),
    );
  });
});

describe('axes of a record', () => {
  it('keep their order and values', () => {
    const axes = axesOf({ ranks: [2, 1], placement: ['block'] });
    expect(axes.map((a) => [a.name, valuesOf(a)])).toEqual([
      ['ranks', [2, 1]],
      ['placement', ['block']],
    ]);
  });

  it('are checked', () => {
    const wrong = { 'a b': [1], b: [], c: [Number.NaN], d: 5, e: [{}] } as unknown as Record<string, number[]>;
    expect(problems(() => axesOf(wrong)).map((p) => p.slice(0, 7))).toEqual([
      'WHAT001',
      'WHAT002',
      'WHAT009',
      'WHAT009',
      'WHAT009',
    ]);
  });
});

describe('a grid', () => {
  it('varies the last axis fastest, idealised variants right after', () => {
    const scenarios = grid(parseAxes(['a=1,2', 'b=x,y']), { ideals: ['network'] });
    expect(scenarios.map((s) => `${s.index}:${Object.values(s.values).join('')}${s.ideal ?? ''}`)).toEqual([
      '0:1x',
      '1:1xnetwork',
      '2:1y',
      '3:1ynetwork',
      '4:2x',
      '5:2xnetwork',
      '6:2y',
      '7:2ynetwork',
    ]);
  });

  it('without axes is one scenario', () => {
    expect(grid([])).toEqual([{ index: 0, values: {} }]);
  });

  it('that is too large is rejected with its exact size, without being built', () => {
    const axes = parseAxes(['a=1..1000', 'b=1..1000', 'c=1..1000']);
    expect(problems(() => grid(axes))).toEqual([
      'WHAT006 the grid has 1000000000 scenarios (a 1000 × b 1000 × c 1000), more than the limit of 100000',
    ]);
    expect(gridSize(parseAxes(['a=1..123456789', 'b=1..1000000000', 'c=1..10']))).toBe(1234567890000000000n);
  });

  it('has no repeated value', () => {
    expect(problems(() => grid(parseAxes(['ranks=4,1..8*2'])))).toEqual(['WHAT008 axis ranks: 4 is given twice']);
  });
});
