import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import * as property from '../../../../src/analysis/properties/build.ts';
import { Decider } from '../../../../src/analysis/properties/decide.ts';
import { questionOf } from '../../../../src/analysis/properties/formula-of.ts';
import { parseProperty } from '../../../../src/analysis/properties/parse-property.ts';
import { replay } from '../../../../src/analysis/properties/replay.ts';
import { exploration } from '../../../../src/analysis/space/explore.ts';
import { InputError } from '../../../../src/base/problem.ts';
import type { PropertyResult, VerificationDocument } from '../../../../src/commands/verify/net/verification.ts';
import { verify } from '../../../../src/commands/verify/net/verify.ts';
import type { AskedProperty } from '../../../../src/commands/verify/net/verify-questions.ts';
import { writeWitnesses, writeWitnessTrace } from '../../../../src/commands/verify/net/verify-witness-files.ts';
import type { VerifyOptions } from '../../../../src/commands/verify/verify-options.ts';
import { NetBuilder } from '../../../../src/net/builder/builder.ts';
import type { Net } from '../../../../src/net/net.ts';
import { philosophers } from '../../../net/contest-nets.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-verify-'));
afterAll(() => rmSync(dir, { recursive: true }));

const five = philosophers(5);
const one = (asked: AskedProperty, options: VerifyOptions = {}, net: Net = five): PropertyResult =>
  verify(net, [asked], options).properties[0]!;
/** The document without times and memory. */
const comparable = ({ seconds: _, space: { bytes: __, ...space }, ...rest }: VerificationDocument): unknown => ({
  ...rest,
  space,
});

test('the default is deadlocks, safety and bounds', () => {
  const { properties, space, complete } = verify(five);
  expect(properties.map((p) => [p.id, p.verdict])).toEqual([
    ['deadlock-free', false],
    ['safe', true],
    ['bounds', 1],
  ]);
  expect(space).toMatchObject({ states: 243, expanded: 243, edges: 945, complete: true, truncation: null });
  expect(complete).toBe(true);
  expect(properties[2]!.bounds).toEqual({ Think: 5, Fork: 5, Catch1: 5, Catch2: 5, Eat: 2 });
  expect(properties[1]!.certificate).toEqual({ kind: 'complete space', states: 243, edges: 945 });
});

test('the same question gives the same document', () => {
  const ask = (): unknown => comparable(verify(five, ['deadlock-free', 'AF(tokens(Eat) > 0)', 'live']));
  expect(ask()).toEqual(ask());
});

test('exploration ends when all properties are decided', () => {
  const { space, complete } = verify(philosophers(8), ['EF(tokens(Eat) = 1)', 'tokens(Think) = 8']);
  expect(complete).toBe(true);
  expect(space.complete).toBe(false);
  expect(space.states).toBeLessThan(6561);
});

describe('a space that is cut short', () => {
  test('keeps proved properties and gives a reason for the others', () => {
    const { properties, complete, space } = verify(
      philosophers(8),
      [
        'EF(tokens(Eat) = 1)',
        'AG(tokens(Eat) <= 4)',
        'deadlock-free',
        'upper-bound(Eat)',
        'AX(tokens(Think) = 7)',
        'live',
      ],
      { maxStates: 500 },
    );
    expect(properties.map((p) => p.verdict)).toEqual([true, null, null, null, true, null]);
    expect(properties[1]).toMatchObject({ reason: 'the state limit was reached', states: 500 });
    expect(properties[3]!.atLeast).toBeGreaterThan(0);
    expect(properties[1]!.certificate).toBe(undefined);
    expect([complete, space.truncation]).toEqual([false, 'states']);
  });

  test('by the user', () => {
    const document = verify(philosophers(8), ['deadlock-free', 'EF(tokens(Think) = 8)'], { cancelled: () => true });
    expect(document.properties.map((p) => p.verdict)).toEqual([null, true]);
    expect(document.properties[0]!.reason).toBe('ended by request');
    expect(document.space.truncation).toBe('interrupted');
  });

  test('a limit on edges leaves only fixpoints open', () => {
    const net = philosophers(3);
    const questions = ['AF(tokens(Eat) > 0)', 'tokens(Eat) = 0'].map((p) => questionOf(net, parseProperty(p, net)));
    const decider = new Decider(exploration(net), questions, { bytes: 1 });
    decider.run();
    expect(decider.decisions.map((d) => [d.value, d.reason])).toEqual([
      [undefined, 'the edges do not fit into the memory limit'],
      [true, undefined],
    ]);
  });
});

describe('final markings', () => {
  const n = new NetBuilder('job');
  const [a, b, c] = [n.place('a', {}, { initial: 1 }), n.place('b', {}), n.place('c', {})];
  n.transition('right', (t) => {
    t.take(a);
    t.put(b, {});
  });
  n.transition('wrong', (t) => {
    t.take(a);
    t.put(c, {});
  });
  const net = n.build();

  test('are no deadlocks', () => {
    expect(one('deadlock-free', { final: 'tokens(b, c) = 1' }, net).verdict).toBe(true);
    expect(one('AG !dead', { final: 'tokens(b, c) = 1' }, net).verdict).toBe(false);
    const { verdict, witness } = one('deadlock-free', { final: 'tokens(b) = 1' }, net);
    expect(verdict).toBe(false);
    expect(witness!.steps.map((s) => s.node)).toEqual(['wrong']);
    expect(one('deadlock-free', { final: property.gt(property.tokens('b', 'c'), 0) }, net).verdict).toBe(true);
  });

  test.each([
    ['EF dead', 'PROP008'],
    ['deadlock', 'PROP008'],
    ['safe', 'PROP008'],
    ['tokens(d) = 1', 'PROP002'],
    ['tokens(b', 'PROP001'],
  ])('%s is rejected', (final, code) => {
    expect(() => one('safe', { final }, net)).toThrow(new RegExp(`${code} final`));
  });
});

describe('the report of a violation', () => {
  test('places with too many tokens', () => {
    const n = new NetBuilder('heap');
    const Sort = n.enumeration('Sort', 'red', 'blue');
    const source = n.place('source', {}, { initial: 3 });
    const heap = n.place('heap', { sort: Sort });
    n.transition('put', (t) => {
      t.take(source);
      t.put(heap, { sort: 'red' });
    });
    const { verdict, failing, witness } = one('AG within(2)', {}, n.build());
    expect([verdict, failing, witness!.steps.length]).toEqual([false, ['tokens(source) = 3'], 0]);
    const net = n.build();
    const bound = one('EF(tokens(heap[red]) = 2)', {}, net);
    expect(bound.witness!.steps.map((s) => s.changes[1])).toEqual([
      { place: 'heap', colour: ['red'], by: 1 },
      { place: 'heap', colour: ['red'], by: 1 },
    ]);
    expect(replay(net, bound.witness!.steps).marking).toContainEqual({ place: 'heap', colour: ['red'], by: 2 });
  });

  test('the failing parts of a conjunction', () => {
    expect(one('one-safe').failing).toEqual(['tokens(Think) <= 1', 'tokens(Fork) <= 1']);
    expect(one('live').failing).toContain('AG EF enabled(FF1a)');
  });

  test('the number of states in which a path formula holds', () => {
    expect(one('EX EX(tokens(Eat) = 1)').holdsIn).toEqual([{ formula: 'EX EX(tokens(Eat) = 1)', states: 216 }]);
  });
});

describe('a property that is given twice', () => {
  test('is decided once and answered in both positions', () => {
    const { properties } = verify(five, ['safe', 'deadlock-free', 'safe', ' deadlock-free']);
    expect(properties.map((p) => p.id)).toEqual(['safe', 'deadlock-free', 'safe', 'deadlock-free']);
    expect(properties[2]).toBe(properties[0]);
    expect(properties[3]).toBe(properties[1]);
  });

  test('may use one name twice', () => {
    const asked = { id: 'a', property: 'safe' };
    expect(verify(five, [asked, asked]).properties.map((p) => p.verdict)).toEqual([true, true]);
  });
});

describe('errors', () => {
  const problem = (asked: unknown, options: VerifyOptions = {}): string => {
    try {
      verify(five, asked as AskedProperty[], options);
    } catch (e) {
      if (e instanceof InputError) return e.message;
      throw e;
    }
    return 'no problem';
  };
  test.each([
    [[], 'PROP007'],
    ['safe', 'PROP009'],
    [[''], 'PROP007'],
    [[null], 'PROP009'],
    [
      [
        { id: 'a', property: 'safe' },
        { id: 'a', property: 'live' },
      ],
      'PROP010 verify: two properties have the name "a": "safe" and "live"',
    ],
    [[{ op: 'AG' }], 'PROP009'],
    [[{ kind: 'saef' }], 'PROP009'],
    [[{ id: 'mine', property: property.EF(property.enabled('FF1')) }], 'PROP003 property "mine"'],
  ])('the properties %j are refused', (asked, code) => {
    expect(problem(asked)).toContain(code);
  });

  test('of all properties at once, and of the final markings', () => {
    const asked = ['deadlok', 'safe', 'AG(tokens(nope) <= 1)', 'mutex(', { id: 'mine', property: 'EF enabled(nope)' }];
    const lines = problem(asked, { final: 'tokens(gone) = 1' }).split('\n');
    expect(lines.map((line) => /^\S+ (\S+ (?:property )?[^:]*)/.exec(line)?.[1])).toEqual([
      'PROP001 property "deadlok"',
      'PROP002 property "AG(tokens(nope) <= 1)"',
      'PROP001 property "mutex("',
      'PROP003 property "mine"',
      'PROP002 final',
    ]);
  });

  test.each([
    ['maxStates', 0],
    ['maxStates', -1],
    ['memory', 0],
    ['seconds', Number.NaN],
    ['workers', 0],
  ])('the option %s = %d is refused', (option, value) => {
    expect(problem(['safe'], { [option]: value })).toContain(`PROP031 verify: ${option}`);
  });

  test('a machine for a net', () => {
    // @ts-expect-error the option does not apply to this kind of input
    expect(() => verify('net.pnml', ['safe'], { machine: 'm.yaml' })).toThrow('APP004');
    expect(() => verify('net.txt', ['safe'])).toThrow('APP030');
    expect(() => verify('missing.pnml', ['safe'])).toThrow('APP001');
  });
});

test('sequences are written as replayable JSON and as a trace', () => {
  const document = verify(five, ['deadlock-free', 'EG(tokens(Eat) = 0)', 'safe']);
  const [json, trace] = [join(dir, 'way.json'), join(dir, 'way.trace.json')];
  writeWitnesses(json, document);
  const { sequences } = JSON.parse(readFileSync(json, 'utf8')) as { sequences: { id: string; steps: never[] }[] };
  expect(sequences.map((s) => [s.id, s.steps.length])).toEqual([
    ['deadlock-free', 5],
    ['EG(tokens(Eat) = 0)', 5],
  ]);
  expect(replay(five, sequences[0]!.steps).changes).toHaveLength(5);
  writeWitnessTrace(trace, document);
  const { traceEvents } = JSON.parse(readFileSync(trace, 'utf8')) as { traceEvents: { ph: string; ts: number }[] };
  expect(traceEvents.filter((e) => e.ph === 'X').map((e) => e.ts)).toEqual([0, 1e6, 2e6, 3e6, 4e6]);
});
