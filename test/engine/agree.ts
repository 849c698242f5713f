import { expect } from 'vitest';
import { InputError } from '../../src/base/problem.ts';
import { compile, type TransitionObserver } from '../../src/engine/compile.ts';
import type { Net } from '../../src/net/net.ts';
import { RunError } from '../reference/evaluate.ts';
import { type Event, play, type Run } from '../reference/token-game.ts';

/** Plays a net on the engine and returns what the reference returns. */
export function playCompiled(
  net: Net,
  options: { maxSteps?: number; maxInstantSteps?: number; trace?: boolean } = {},
): Run {
  const trace: Event[] = [];
  const observers: Record<string, TransitionObserver> = {};
  const variables = new Map<string, readonly string[]>();
  const record =
    (what: Event['what'], transition: string) =>
    (time: number, ...values: number[]): void => {
      const names = variables.get(transition)!;
      trace.push({ time, what, transition, binding: Object.fromEntries(names.map((n, k) => [n, values[k]!])) });
    };
  if (options.trace ?? true)
    for (const t of net.transitions)
      observers[t.name] =
        t.delay === undefined
          ? { start: record('fire', t.name) }
          : { start: record('start', t.name), end: record('end', t.name) };
  const compiled = compile(net, { observers, timed: net.places.map((p) => p.name) });
  for (const t of net.transitions) variables.set(t.name, compiled.variables(t.name));
  const game = compiled.start({ maxInstantSteps: options.maxInstantSteps ?? 1e6 });
  game.run(options.maxSteps ?? Number.POSITIVE_INFINITY);
  const tokens = net.places.map((p) => [p.name, game.tokens(p.name)] as const);
  return {
    time: game.now,
    steps: game.steps,
    firings: Object.fromEntries(compiled.transitions.map((t, k) => [t, game.firings[k]!])),
    marking: Object.fromEntries(tokens.map(([p, ts]) => [p, ts.map((t) => [...t.values])])),
    arrivals: Object.fromEntries(
      tokens.map(([p, ts]) => [p, ts.filter((t) => t.age !== Number.POSITIVE_INFINITY).map((t) => t.time)]),
    ),
    trace,
  };
}

const close = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));

/** Fails unless engine and reference agree: bit for bit, times to 1e-12 where something is shared (SEMANTICS 22). */
export function compare(net: Net, options: { maxSteps?: number; maxInstantSteps?: number } = {}): void {
  const expected = outcome(() => play(net, options));
  const got = outcome(() => playCompiled(net, options));
  if (typeof expected === 'string' || typeof got === 'string') {
    expect(got).toBe(expected);
    return;
  }
  const shares = net.places.some((p) => p.service !== undefined);
  const untimed = (r: Run): unknown => ({
    steps: r.steps,
    firings: r.firings,
    marking: sorted(net, r.marking),
    trace: r.trace.map(({ what, transition, binding }) => ({ what, transition, binding })),
  });
  expect(untimed(got)).toEqual(untimed(expected));
  const times = (r: Run): number[] => [r.time, ...r.trace.map((e) => e.time), ...Object.values(r.arrivals).flat()];
  if (!shares) expect(times(got)).toEqual(times(expected));
  else for (const [k, t] of times(got).entries()) expect([t, close(t, times(expected)[k]!)]).toEqual([t, true]);
}

/** Tokens in service have no order among themselves. */
function sorted(net: Net, marking: Run['marking']): Run['marking'] {
  return Object.fromEntries(
    net.places.map((p) => [p.name, p.service === undefined ? marking[p.name]! : [...marking[p.name]!].sort()]),
  );
}

function outcome(run: () => Run): Run | string {
  try {
    return run();
  } catch (e) {
    if (e instanceof InputError) return e.problems[0]!.code;
    if (e instanceof RunError) return e.code;
    throw e;
  }
}
