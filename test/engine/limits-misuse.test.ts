import { describe, expect, test } from 'vitest';
import { type ReplicateOptions, replicate } from '../../src/analysis/replicate.ts';
import { prepare, type SimulateOptions, simulate } from '../../src/analysis/simulate.ts';
import { type CompileOptions, compile, type NetRun, type StartOptions } from '../../src/engine/compile.ts';
import type { Net, Place, Transition } from '../../src/net/net.ts';
import { codesOf, problemsOf } from '../net/problems.ts';
import { INT, netOf, num, put, take } from '../reference/nets.ts';
import { compare } from './agree.ts';

/** Invalid arguments that untyped callers may pass. */

const net = netOf({
  places: { p: { tokens: 2 }, q: {} },
  transitions: { t: { inputs: [take('p')], outputs: [put('q')], delay: num(1) } },
});
const t = net.transitions[0]!;

describe('names', () => {
  test.each(['typo', 'constructor', '__proto__', undefined, null, 5])('a run rejects unknown place %s', (name) => {
    const compiled = compile(net);
    const game = compiled.start();
    expect(codesOf(() => game.tokens(name as string))).toEqual(['SIM001']);
    expect(codesOf(() => game.carried(name as string))).toEqual(['SIM001']);
    expect(codesOf(() => compiled.variables(name as string))).toEqual(['SIM001']);
  });

  test.each(['__proto__', 'constructor', 'toString', 'a\nb', '\u0000', 'a'.repeat(1e5)])('accepts %j', (name) => {
    const odd: Net = {
      ...net,
      places: [{ ...net.places[0]!, name }],
      transitions: [{ ...t, name, inputs: [take(name)], outputs: [] }],
    };
    compare(odd);
    const told: string[] = [];
    const observers = Object.fromEntries([[name, { start: () => told.push('start'), end: () => told.push('end') }]]);
    const counts = Object.fromEntries([[name, () => told.push('left')]]);
    compile(odd, { observers, counts }).start().run(100);
    expect(told.sort()).toEqual(['end', 'end', 'left', 'left', 'start', 'start']);
    const monitors = Object.fromEntries([[name, { busy: name }]]);
    const run = simulate(odd, { record: [name], monitors });
    expect(Object.entries(run.firings)).toEqual([[name, 2]]);
    expect(run.events).toHaveLength(4);
    expect(Object.entries(run.monitors)[0]).toMatchObject([name, { count: 2, most: 2 }]);
    // Names of inherited properties are not observers.
    expect(() => compile(odd).start().run(100)).not.toThrow();
  });

  test('rejects the empty name', () => {
    expect(codesOf(() => compile({ ...net, places: [{ ...net.places[0]!, name: '' }] }))).toContain('NET001');
  });
});

describe('nets of a wrong shape', () => {
  const nets: unknown[] = [undefined, null, 5, 'net', [], {}, { start: 1 }];
  test.each(nets.map((n) => [n]))('the net %j is refused', async (given) => {
    expect(codesOf(() => compile(given as Net))).toEqual(['NET037']);
    expect(codesOf(() => simulate(given as Net))).toEqual(['NET037']);
    await expect(replicate(given as Net, { replications: 1 })).rejects.toMatchObject({
      problems: [{ code: 'NET037' }],
    });
  });

  const wrong = [undefined, null, 5, 'x', [5], [null], {}];
  test.each(['name', 'colours', 'tables', 'places', 'transitions', 'functions', 'processes'])(
    'a net with a wrong value of %s is refused',
    (member) => {
      for (const value of wrong) {
        const codes = codesOf(() => compile({ ...net, [member]: value }));
        const fine =
          (member === 'name' && value === 'x') || (value === undefined && /functions|processes/.test(member));
        expect([value, codes]).toEqual([value, fine ? [] : expect.arrayContaining([expect.stringMatching(/^NET/)])]);
      }
    },
  );

  test('parts of places and transitions', () => {
    const place = (more: object): Net => ({
      ...net,
      places: [{ ...net.places[0]!, ...more } as Place, net.places[1]!],
    });
    const transition = (more: object): Net => ({ ...net, transitions: [{ ...t, ...more } as Transition] });
    for (const member of ['fields', 'order', 'key', 'initial', 'capacity', 'service', 'priority', 'owner', 'kind'])
      for (const value of [null, 5.5, [null], {}])
        expect([member, value, codesOf(() => compile(place({ [member]: value })))]).not.toEqual([member, value, []]);
    for (const member of ['inputs', 'outputs', 'delay', 'guard', 'free', 'weight', 'priority', 'label', 'process'])
      for (const value of [null, 5.5, [null], {}, { op: 'neg' }, { op: 'call' }, { dist: 'cox' }])
        expect([member, value, codesOf(() => compile(transition({ [member]: value })))]).not.toEqual([
          member,
          value,
          [],
        ]);
    expect(problemsOf(() => compile(place({ inital: [] })))[0]).toMatch(
      /^NET037 place p: unknown member "inital"\. Did/,
    );
  });

  test('tables of a wrong type are rejected', () => {
    const looked = (values: unknown): Net => ({
      ...net,
      tables: [{ kind: 'int', name: 'T', values: values as Int32Array, low: 0, high: 5 }],
      transitions: [{ ...t, delay: { op: 'at', table: 'T', index: num(0) } }],
    });
    for (const values of [[1.5, 2], Float64Array.of(1.5, 2), undefined, 'x', { length: 2 }])
      expect(codesOf(() => compile(looked(values)))).toEqual(['NET037']);
  });

  test('cyclic expressions', () => {
    const endless: { op: 'not'; a?: unknown } = { op: 'not' };
    endless.a = endless;
    const colours = [...net.colours, { kind: 'enum', name: 'Sort', values: ['a'] } as const];
    const places = [...net.places, { ...net.places[1]!, name: 's', fields: [{ name: 'e', colour: 'Sort' }] }];
    const outputs = [put('s', { e: endless as never })];
    expect(codesOf(() => compile({ ...net, colours, places, transitions: [{ ...t, outputs }] }))).toContain('NET026');
    expect(codesOf(() => compile({ ...net, transitions: [{ ...t, guard: endless as never }] }))).toContain('NET026');
    expect(net.colours[0]!.name).toBe(INT);
  });
});

describe('options', () => {
  const fn = 5 as unknown as () => void;
  test.each<[CompileOptions | unknown, string]>([
    [{ lastage: 4 }, 'SIM010'],
    [null, 'SIM010'],
    [[], 'SIM010'],
    [{ observers: [] }, 'SIM010'],
    [5, 'SIM010'],
    [{ timed: 'p' }, 'SIM010'],
    [{ timed: ['typo'] }, 'SIM001'],
    [{ observers: { typo: {} } }, 'SIM001'],
    [{ observers: { t: 5 } }, 'SIM010'],
    [{ observers: { t: { start: fn } } }, 'SIM010'],
    [{ observers: { t: { strat: () => {} } } }, 'SIM010'],
    [{ counts: { typo: () => {} } }, 'SIM001'],
    [{ counts: { p: fn } }, 'SIM010'],
    [{ lastAge: '5' }, 'SIM003'],
    [{ steps: '5' }, 'SIM003'],
  ])('of compile: %j', (options, code) => {
    expect(codesOf(() => compile(net, options as CompileOptions))).toEqual([code]);
  });

  test.each<[unknown, string]>([
    [{ maxstep: 5 }, 'SIM010'],
    [null, 'SIM010'],
    [[], 'SIM010'],
    [{ seed: 3 }, 'SIM003'],
    [{ replication: -1.5 }, 'SIM003'],
    [{ maxInstantSteps: '5' }, 'SIM003'],
    [{ from: 'x' }, 'RUN010'],
    [{ from: new Uint8Array(4) }, 'RUN010'],
  ])('of start: %j', (options, code) => {
    expect(codesOf(() => compile(net).start(options as StartOptions))).toEqual([code]);
  });

  test.each<[unknown, string]>([
    [{ maxstep: 5 }, 'SIM010'],
    [{ seed: 3 }, 'SIM003'],
    [{ replication: -1.5 }, 'SIM003'],
    [{ maxSteps: '5' }, 'SIM003'],
    [{ until: '1' }, 'SIM003'],
    [{ stopWhen: 5 }, 'SIM010'],
    [{ cancelled: 5 }, 'SIM010'],
    [{ progress: 5 }, 'SIM010'],
    [{ record: 5 }, 'SIM010'],
    [{ record: 'al' }, 'SIM010'],
    [{ record: ['typo'] }, 'SIM001'],
    [{ monitors: 5 }, 'SIM010'],
    [{ monitors: [] }, 'SIM010'],
    [{ monitors: { m: null } }, 'SIM001'],
    [{ monitors: { m: { tokens: 'p', busy: 't' } } }, 'SIM001'],
    [null, 'SIM010'],
    [[], 'SIM010'],
  ])('of simulate, also of a compiled net, and of replicate: %j', async (options, code) => {
    const given = options as SimulateOptions;
    expect(codesOf(() => simulate(net, given))).toEqual([code]);
    if (given !== null && given.record === undefined && given.monitors === undefined)
      expect(codesOf(() => simulate(compile(net), given))).toEqual([code]);
    const replications = { replications: 2, workers: 1, ...given } as unknown as ReplicateOptions;
    if (given !== null && !Array.isArray(given))
      await expect(replicate(net, replications)).rejects.toMatchObject({ problems: [{}] });
  });
});

describe('a prepared net', () => {
  const watched = ' is an option of prepare, not of its runs: use prepare(net, { ';
  test.each<[unknown, string]>([
    [{ monitors: { m: { tokens: 'p' } } }, `SIM010 simulate: monitors${watched}monitors })`],
    [{ record: 'all' }, `SIM010 simulate: record${watched}record })`],
    [{ maxstep: 5 }, 'SIM010 simulate: unknown option "maxstep". Did you mean "maxSteps"?'],
    [undefined, 'SIM010 simulate: options: expected an object, got nothing'],
    [null, 'SIM010 simulate: options: expected an object, got null'],
    [[], 'SIM010 simulate: options: expected an object, got a list'],
  ])('rejects options of a run: %j', (options, problem) => {
    const play = prepare(net);
    expect(problemsOf(() => play(options as SimulateOptions))[0]).toContain(problem);
    expect(play({ until: 5 }).time).toBe(1);
  });

  test.each<[unknown, string]>([
    [{ until: 5 }, 'SIM010 prepare: unknown option "until". Known: record, monitors.'],
    [{ monitor: {} }, 'SIM010 prepare: unknown option "monitor". Did you mean "monitors"?'],
    [[], 'SIM010 prepare: options: expected an object, got a list'],
  ])('rejects monitors: %j', (options, problem) => {
    expect(problemsOf(() => prepare(net, options as object))[0]).toContain(problem);
  });
});

describe('an observer', () => {
  const own = new TypeError('my own');
  test.each(['start', 'end'] as const)('that throws at a %s ends the run with its error', (what) => {
    const observer = {
      [what]: () => {
        throw own;
      },
    };
    const game = compile(net, { observers: { t: observer } }).start();
    for (let again = 0; again < 3; again++) {
      let thrown: unknown;
      try {
        game.run(100);
      } catch (e) {
        thrown = e;
      }
      expect(thrown).toBe(own);
      expect(() => game.save()).toThrow(own);
    }
  });

  test('may throw values that are not errors', () => {
    const count = (): never => {
      throw undefined;
    };
    const game = compile(net, { counts: { p: count } }).start();
    let caught = 0;
    for (let again = 0; again < 2; again++)
      try {
        game.run(100);
      } catch (e) {
        expect(e).toBe(undefined);
        caught++;
      }
    expect(caught).toBe(2);
  });

  test('that runs or saves its own run is rejected, and so are later calls of the run', () => {
    for (const act of [(g: NetRun) => g.run(1), (g: NetRun) => g.save()]) {
      let game: NetRun | undefined;
      game = compile(net, { observers: { t: { start: () => void act(game!) } } }).start();
      const run = game;
      for (let again = 0; again < 2; again++) expect(codesOf(() => run.run(100))).toEqual(['RUN012']);
    }
  });

  test('that reads its own run sees complete tokens', () => {
    let game: NetRun | undefined;
    const seen: number[] = [];
    game = compile(net, { observers: { t: { end: () => seen.push(game!.tokens('q').length) } } }).start();
    game.run(100);
    expect(seen.every((n) => n <= 2)).toBe(true);
  });
});
