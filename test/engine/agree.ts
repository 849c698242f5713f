import { expect } from 'vitest';
import { InputError } from '../../src/base/problem.ts';
import { compile } from '../../src/engine/compile.ts';
import type { TransitionObserver } from '../../src/engine/observers.ts';
import type { Net } from '../../src/net/net.ts';
import { RunError } from '../reference/evaluate.ts';
import { type Event, type Run, referenceRun } from '../reference/token-game.ts';

export interface AgreeOptions {
  readonly seed?: string;
  readonly maxSteps?: number;
  readonly maxInstantSteps?: number;
}

/**
 * Runs a net on the engine and returns the result in the format of the reference. With `timed: false`, arrival times are
 * omitted, so that pass-through tokens are not stored.
 */
export function runCompiled(
  net: Net,
  options: AgreeOptions & { readonly trace?: boolean; readonly timed?: boolean } = {},
): Run {
  const trace: Event[] = [];
  const observers: Record<string, TransitionObserver> = Object.create(null);
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
        t.delay === undefined || t.timing === 'race'
          ? { start: record('fire', t.name) }
          : { start: record('start', t.name), end: record('end', t.name) };
  const timed = options.timed === false ? [] : net.places.map((p) => p.name);
  const compiled = compile(net, { observers, timed });
  for (const t of net.transitions) variables.set(t.name, compiled.variables(t.name));
  const game = compiled.start({
    seed: options.seed ?? 'foretoken',
    maxInstantSteps: options.maxInstantSteps ?? 1e6,
  });
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

/**
 * Fails unless engine and reference agree: bit for bit, or times to 1e-12 if rates are shared (S14). Returns counts of
 * notable events, or the code with which both failed.
 */
export function compare(net: Net, options: AgreeOptions = {}): Record<string, number> {
  const expected = outcome(() => referenceRun(net, options));
  const got = outcome(() => runCompiled(net, options));
  const passThrough = outcome(() => runCompiled(net, { ...options, timed: false }));
  if (typeof expected === 'string' || typeof got === 'string') {
    expect(got).toBe(expected);
    expect(passThrough).toBe(expected);
    return { [`failure: ${got}`]: 1 };
  }
  expect(untimed(got)).toEqual(untimed(expected));
  expect(withoutArrivals(passThrough as Run)).toEqual(withoutArrivals(got));
  const [times, expectedTimes] = [timesOf(got), timesOf(expected)];
  if (!net.places.some((p) => p.service?.kind === 'max-min' || p.service?.kind === 'ps'))
    expect(times).toEqual(expectedTimes);
  else for (const [k, t] of times.entries()) expect([t, close(t, expectedTimes[k]!)]).toEqual([t, true]);
  return expected.happened;
}

/** The part of a result that is compared bit for bit between two runs of the engine. */
function withoutArrivals({ arrivals: _, ...rest }: Run): unknown {
  return rest;
}

function untimed(r: Run): unknown {
  return {
    steps: r.steps,
    firings: r.firings,
    marking: comparable(r),
    visible: Object.entries(r.arrivals).map(([place, times]) => [place, times.length]),
    trace: r.trace.map(({ what, transition, binding }) => ({ what, transition, binding })),
  };
}

function timesOf(r: Run): number[] {
  return [r.time, ...r.trace.map((e) => e.time), ...Object.values(r.arrivals).flat()];
}

/** Normalises a marking: tokens in service, listed after the served ones, have no defined order. */
function comparable(r: Run): Run['marking'] {
  return Object.fromEntries(
    Object.entries(r.marking).map(([place, tokens]) => {
      const visible = r.arrivals[place]!.length;
      return [place, [...tokens.slice(0, visible), ...tokens.slice(visible).sort()]];
    }),
  );
}

function outcome<R>(run: () => R): R | string {
  try {
    return run();
  } catch (e) {
    if (e instanceof InputError) return e.problems[0]!.code;
    if (e instanceof RunError) return e.code;
    throw e;
  }
}
