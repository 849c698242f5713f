import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { netToMarkovFiles } from '../../../src/analysis/model-checkers/explicit.ts';
import { InputError } from '../../../src/base/problem.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { cox, erlang, exponential, hyperExponential } from '../../../src/net/builder/distributions.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';
import { problemsOf } from '../../net/problems.ts';
import { exactFigures } from '../markov/exact-chain.ts';
import { plainNet } from '../markov/random-plain-net.ts';
import { queue, stochasticNet } from '../markov/stochastic-nets.ts';
import { readExplicit } from './explicit-reader.ts';
import { longRunFigures } from './long-run.ts';

const MAX_STATES = 40;

function expectNear(net: Net, expected: Readonly<Record<string, number>>): void {
  const found = longRunFigures(readExplicit(netToMarkovFiles(net)), 1000)!;
  for (const [name, value] of Object.entries(expected))
    expect([name, Math.abs(found[name]! - value) < 1e-9 * Math.max(1, value)]).toEqual([name, true]);
}

describe('explicit files of Markov chains', () => {
  test('random nets have exact figures, by dense elimination of what is read back', () => {
    let [solved, refused] = [0, 0];
    const runs = effort(300);
    fc.assert(
      fc.property(plainNet, (plain) => {
        const exact = exactFigures(plain, MAX_STATES);
        if (exact === undefined || exact === 'endless' || exact.open) return;
        try {
          expectNear(stochasticNet('random', plain.initial, plain.transitions), {
            ...Object.fromEntries(Object.entries(exact.mean).map(([p, v]) => [`mean_${p}`, v])),
            ...Object.fromEntries(Object.entries(exact.throughput).map(([t, v]) => [`throughput_${t}`, v])),
          });
          solved++;
        } catch (e) {
          if (!(e instanceof InputError)) throw e;
          expect(e.problems[0]!.code).toMatch(/LANG006|NET020/);
          refused++;
        }
      }),
      { numRuns: runs },
    );
    expect(solved).toBeGreaterThan(runs / 4);
    expect(refused).toBeLessThan(solved);
  });

  test('a state that only steps back to itself is no deadlock', () => {
    const off = { take: 'a', put: 'b', race: 1 };
    const stay = { take: 'c', put: 'c', race: 1 };
    const net = stochasticNet('n', { a: 1, b: 0, c: 0 }, { off, other: { ...off, put: 'c' }, stay });
    const { lab, sta } = netToMarkovFiles(net);
    expect(sta.trim().split('\n')).toEqual(['(p_a,p_b,p_c)', '0:(1,0,0)', '1:(0,1,0)', '2:(0,0,1)']);
    expect(lab.trim().split('\n')).toEqual(['0="init" 1="deadlock"', '0: 0', '1: 1']);
  });

  test('phases of delays are states, told apart by a variant', () => {
    const delays = [
      erlang(3, 2),
      hyperExponential([
        { probability: 0.3, rate: 1 },
        { probability: 0.7, rate: 5 },
      ]),
      cox([{ rate: 2, onward: 0.4 }, { rate: 3 }]),
    ];
    for (const delay of delays) {
      const net = stochasticNet(
        'phases',
        { free: 3, waiting: 0 },
        {
          arrive: { take: 'free', put: 'waiting', race: 2, single: true },
          serve: { take: 'waiting', put: 'free', raceDelay: delay, single: true },
        },
      );
      expect(netToMarkovFiles(net).sta.split('\n')[0]).toBe('(p_free,p_waiting,variant)');
      const { places, transitions } = steady(net, { method: 'ctmc' });
      expectNear(net, {
        ...Object.fromEntries(places.map(({ name, mean }) => [`mean_${name}`, mean!])),
        ...Object.fromEntries(transitions.map(({ name, throughput }) => [`throughput_${name}`, throughput!])),
      });
    }
  });

  test('a queue, as text', () => {
    const { tra, sta, lab, srew } = netToMarkovFiles(queue(1, 2, 2));
    expect({ tra, sta, lab, srew }).toMatchInlineSnapshot(`
      {
        "lab": "0="init" 1="deadlock"
      0: 0
      ",
        "srew": {
          "mean_free": "3 2
      0 2
      1 1
      ",
          "mean_waiting": "3 2
      1 1
      2 2
      ",
          "throughput_arrive": "3 2
      0 1
      1 1
      ",
          "throughput_serve": "3 2
      1 2
      2 2
      ",
        },
        "sta": "(p_free,p_waiting)
      0:(2,0)
      1:(1,1)
      2:(0,2)
      ",
        "tra": "3 4
      0 1 1
      1 0 2
      1 2 1
      2 1 2
      ",
      }
    `);
  });

  test('what cannot be written is refused', () => {
    const branch = stochasticNet(
      'branch',
      { p: 1, a: 0, b: 0 },
      { left: { take: 'p', put: 'a', weight: 1 }, right: { take: 'p', put: 'b', weight: 2 } },
    );
    expect(problemsOf(() => netToMarkovFiles(branch))[0]).toMatch(/^LANG006 net branch: begins in 2 states/);
    expect(problemsOf(() => netToMarkovFiles(queue(1, 2, 9), { maxStates: 5 }))[0]).toMatch(
      /LANG007 .*more than 5 states/,
    );
    const n = new NetBuilder('late');
    const p = n.place('p', {}, { initial: 1 });
    n.transition('t', (t) => {
      t.take(p);
      t.put(p, {});
      t.delay(2);
    });
    n.transition('u', (t) => {
      t.take(p);
      t.delay(exponential(2));
    });
    expect(problemsOf(() => netToMarkovFiles(n.build()))[0]).toMatch(/CTMC001 .*deterministic/);
  });
});
