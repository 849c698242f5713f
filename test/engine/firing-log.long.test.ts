import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LOGGED_AT_ONCE, type LoggedFirings, loggedLength, loggedValue } from '../../src/base/logged-firings.ts';
import { InputError } from '../../src/base/problem.ts';
import { compile } from '../../src/engine/compile.ts';
import type { FiringLog, LogNumbers } from '../../src/engine/observers.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import type { Net } from '../../src/net/net.ts';
import { atFullEffort, effort } from '../effort.ts';
import { runCompiled } from './agree.ts';
import { arbitraryNet } from './random-net.ts';

const codeOf = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (e) {
    if (e instanceof InputError) return e.problems[0]!.code;
    throw e;
  }
};

const nothing = { read: (): void => undefined };

/** Logged variables of each transition: in reverse order from a narrow one on; none if no variable is narrow. */
function told(net: Net): Map<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  const { variables } = compile(net);
  for (const { name } of net.transitions) {
    const all = [...variables(name)].reverse();
    const first = all.find((v) => {
      const transitions = { [name]: { start: 1, end: 2, variables: [v] } };
      return codeOf(() => compile(net, { log: { transitions, ...nothing } })) === undefined;
    });
    if (first !== undefined) names.set(name, all.slice(all.indexOf(first)));
    else if (all.length === 0) names.set(name, all);
  }
  return names;
}

describe('the log of firings', () => {
  test('has the events of observers with the requested variables', () => {
    let firings = 0;
    fc.assert(
      fc.property(arbitraryNet, (net) => {
        let run: ReturnType<typeof runCompiled>;
        try {
          run = runCompiled(net, { maxSteps: 60 });
        } catch (e) {
          if (e instanceof InputError) return;
          throw e;
        }
        const names = told(net);
        const entries: { name: string; what: 'start' | 'end' }[] = [];
        const transitions: Record<string, LogNumbers> = Object.create(null);
        for (const [name, variables] of names) {
          const number = entries.length;
          entries.push({ name, what: 'start' }, { name, what: 'end' });
          transitions[name] = { start: number, end: number + 1, variables };
        }
        const events: unknown[] = [];
        const read = (log: LoggedFirings, length: number): void => {
          for (let k = 0; k < length; ) {
            const { name, what } = entries[log.heads[2 * k]!]!;
            const variables = names.get(name)!;
            const binding = variables.map((v, which) => [v, loggedValue(log, k, which)]);
            events.push([log.numbers[k + 1], name, what === 'end', Object.fromEntries(binding)]);
            k += loggedLength(variables.length);
          }
        };
        const game = compile(net, { log: { transitions, read } }).start({ seed: 'foretoken' });
        game.run(60);
        const expected = run.trace
          .filter((e) => names.has(e.transition))
          .map((e) => {
            const binding = names.get(e.transition)!.map((v) => [v, e.binding[v]! + 0]);
            return [e.time, e.transition, e.what === 'end', Object.fromEntries(binding)];
          });
        expect(events).toEqual(expected);
        firings += events.length;
      }),
      { numRuns: effort(40) },
    );
    expect(firings).toBeGreaterThan(atFullEffort(500));
  });

  const n = new NetBuilder('two');
  const a = n.place('a', { x: n.range('X', 0, 3), y: n.integer('Y') }, { initial: [{ x: 2, y: 5 }] });
  n.transition('go', (t) => {
    t.take(a);
  });
  const net = n.build();
  const wrong = (variables: LogNumbers['variables']): string | undefined => {
    const log: FiringLog = { transitions: { go: { start: 1, variables: variables! } }, ...nothing };
    return codeOf(() => compile(net, { log }));
  };

  test('firings longer than a block of the log are logged', () => {
    const wide = new NetBuilder('wide');
    const X = wide.range('X', 0, 6);
    const places = Array.from({ length: 3 }, (_, p) => {
      const names = Array.from({ length: 800 }, (_, k) => `f${p}_${k}`);
      const token = Object.fromEntries(names.map((f, k) => [f, (k + p) % 7]));
      return wide.place(`b${p}`, Object.fromEntries(names.map((f) => [f, X])), { initial: [token] });
    });
    wide.transition('go', (t) => {
      for (const place of places) t.take(place);
    });
    const c = wide.place('c', {}, { initial: 3 });
    wide.transition('tick', (t) => {
      t.take(c);
    });
    const told: number[][] = [];
    const read = (log: LoggedFirings, length: number): void => {
      for (let k = 0; k < length; ) {
        const count = log.heads[2 * k] === 1 ? 2400 : 0;
        told.push(Array.from({ length: count }, (_, which) => loggedValue(log, k, which)));
        k += loggedLength(count);
      }
    };
    expect(2400).toBeGreaterThan(LOGGED_AT_ONCE);
    const game = compile(wide.build(), {
      log: { transitions: { go: { start: 1 }, tick: { start: 2 } }, read },
    }).start();
    game.run(10);
    expect([game.steps, game.tokens('c').length]).toEqual([4, 0]);
    const values = [0, 1, 2].flatMap((p) => Array.from({ length: 800 }, (_, k) => (k + p) % 7));
    expect(told.sort((p, q) => q.length - p.length)).toEqual([values, [], [], []]);
  });

  test('rejects unknown variables, and a first variable of more than 32 bits', () => {
    expect([wrong(['z']), wrong(['y']), wrong(['y', 'x'])]).toEqual(['SIM001', 'SIM003', 'SIM003']);
    expect([wrong(['x', 'y']), wrong(['x']), wrong([]), wrong(1)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
