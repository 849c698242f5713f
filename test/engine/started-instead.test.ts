import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../src/base/problem.ts';
import { type CompiledNet, compile, type NetRun } from '../../src/engine/compile.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { atFullEffort, effort } from '../effort.ts';
import { arbitraryNet } from './random-net.ts';

const STEPS = 60;

/** A run after some steps; undefined if it failed. */
function started(compiled: CompiledNet, seed: string, instead?: NetRun): NetRun | undefined {
  try {
    const run = compiled.start({ seed, ...(instead === undefined ? {} : { instead }) });
    run.run(STEPS);
    return run;
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return undefined;
  }
}

/** A run of the engine, as it can be compared. */
const seen = (run: NetRun | undefined): unknown =>
  run === undefined ? 'failed' : [run.now, run.steps, [...run.firings], Buffer.from(run.save()).toString('base64')];

test('a run that is started instead of another one is as any other', { timeout: 300_000 }, () => {
  let compared = 0;
  fc.assert(
    fc.property(arbitraryNet, arbitraryNet, fc.nat({ max: 9 }), (net, other, seed) => {
      const compiled = compile(net);
      const fresh = seen(started(compiled, `${seed}`));
      for (const one of [compiled, compile(other)]) {
        const before = started(one, 'before');
        if (before === undefined) continue;
        expect(seen(started(compiled, `${seed}`, before))).toEqual(fresh);
        compared++;
        for (const use of [
          () => before.run(1),
          () => before.save(),
          () => before.tokens(one.net.places[0]!.name),
          () => compiled.start({ instead: before }),
        ])
          expect(use).toThrow('another run was started instead of this one');
      }
    }),
    { numRuns: effort(600) },
  );
  expect(compared).toBeGreaterThan(atFullEffort(400));
});

test('what is not a run, or is under way, is refused', () => {
  const n = new NetBuilder('one');
  const idle = n.place('idle', {}, { initial: 1 });
  n.transition('go', (t) => t.take(idle));
  let run: NetRun | undefined;
  const compiled: CompiledNet = compile(n.build(), {
    observers: { go: { start: () => compiled.start({ instead: run! }) } },
  });
  run = compiled.start();
  expect(() => run!.run(1)).toThrow('an observer must not run or save the run that it observes');
  expect(() => compiled.start({ instead: {} as never })).toThrow('instead: expected a run of a compiled net');
});
