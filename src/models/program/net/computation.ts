import { fail } from '../../../base/problem.ts';
import type { Noise } from '../../../base/random/noise.ts';
import type { TransitionBuilder } from '../../../net/builder/builder.ts';
import { exponential, lognormal, normal, uniform } from '../../../net/builder/distributions.ts';
import type { Distribution } from '../../../net/distribution.ts';
import { constant, div, eq, floor, gt, mul, sub, type Term } from '../../../net/terms.ts';
import type { Statement } from '../record/statement.ts';
import type { Argument, StateTerms } from '../resolve/argument.ts';
import type { Arguments } from '../resolve/arguments.ts';
import type { Shaped } from '../resolve/shape.ts';
import { RANK } from '../resolve/state.ts';
import type { ControlNet, Point } from './control-net.ts';

type Compute = Extract<Statement, { kind: 'compute' }>;
type Sleep = Extract<Statement, { kind: 'sleep' }>;

/**
 * Net of a computation: `T = W/S + D/B` (the method, step 3), or the longer of both times if the machine overlaps them.
 * W/S is a delay on the rank's core, or a share of the node's cores; D/B is served at the memory bandwidth available at
 * the time.
 */
export function emitComputation(
  control: ControlNet,
  shaped: Shaped,
  label: string,
  own: Arguments,
  at: Point,
  next: Point,
): void {
  const s = shaped.statement as Compute | Sleep;
  const args = Object.values(own);
  control.fault(shaped, at, args);
  if (s.kind === 'sleep') {
    timed(control, { shaped, label, from: at, to: next, doing: 'idle', noise: s.noise, args, own });
    return;
  }
  const { machine, ports } = control.parts;
  const noise = s.noise ?? machine.noise;
  const bytes = machine.memory === undefined && machine.separate !== true ? undefined : own['bytes'];
  const works = own['flops'] !== undefined || own['seconds'] !== undefined;
  /** Adds the memory transfer, and returns the place that waits for it. */
  const loading = (): Point => {
    const waits = control.activePoint(`${label} loads`);
    control.step(`${label} loaded`, waits, next, (t, state) => {
      t.take(ports.memory().served, { rank: state[RANK]!, k: 0 });
      return undefined;
    });
    control.describe(`${label} loaded`, { statement: shaped, before: 'memory', ends: true });
    return waits;
  };
  const load = (t: TransitionBuilder, state: StateTerms): void =>
    t.put(ports.memory().asked, { rank: state[RANK]!, k: constant(0), w: floor(bytes!.term(t, state)) });

  if (bytes === undefined) {
    if (works) core(control, { shaped, label, from: at, to: next, noise, args, own, begins: true, ends: true });
    else
      control.step(label, at, next, (t, state) => {
        control.guardValid(t, args, state);
        return undefined;
      });
    return;
  }
  if (machine.separate === true) assertWhole(shaped, 'bytes', bytes);
  const waits = loading();
  if (!works) {
    control.step(label, at, waits, (t, state) => {
      control.guardValid(t, args, state);
      load(t, state);
      return undefined;
    });
    control.describe(label, { statement: shaped, begins: true });
  } else if (machine.overlapped === true) {
    const forked = control.activePoint(`${label} works`);
    control.step(`${label} begins`, at, forked, (t, state) => {
      control.guardValid(t, args, state);
      load(t, state);
      return undefined;
    });
    control.describe(`${label} begins`, { statement: shaped, begins: true });
    core(control, { shaped, label, from: forked, to: waits, noise, args: [], own, begins: false, ends: false });
  } else {
    const loads = control.activePoint(`${label} worked`);
    core(control, { shaped, label, from: at, to: loads, noise, args, own, begins: true, ends: false });
    control.step(`${label} fetches`, loads, waits, (t, state) => {
      load(t, state);
      return undefined;
    });
  }
}

/** The core's part of a computation. */
function core(
  control: ControlNet,
  c: {
    readonly shaped: Shaped;
    readonly label: string;
    readonly from: Point;
    readonly to: Point;
    readonly noise: Noise | undefined;
    readonly args: readonly Argument[];
    readonly own: Arguments;
    readonly begins: boolean;
    readonly ends: boolean;
  },
): void {
  const { machine, ports } = control.parts;
  const { shaped, label, from, to, noise, args, own } = c;
  const flops = own['flops'];
  const amount = flops ?? own['seconds']!;
  if (machine.separate === true && noise !== undefined && flops !== undefined)
    fail(
      'MODEL042',
      'a computation with noise: expected none, or a prediction without `map`, as a module of the machine computes for a fixed time',
      shaped.statement.site.place,
    );
  // A drawn time is a delay, which cannot be shared.
  if (machine.cores !== undefined && machine.separate !== true && noise !== undefined)
    fail(
      'MODEL035',
      machine.cores.bySpeed
        ? 'a computation with noise on cores whose speed depends on the number of busy ones: expected no noise, or a machine without turbo'
        : 'a computation with noise on shared cores: expected at most one thread per core, or no noise',
      shaped.statement.site.place,
    );
  // A module of the machine computes operations only: a given time does not depend on the machine.
  if (machine.separate === true ? flops !== undefined : machine.cores !== undefined) {
    if (machine.separate === true) assertWhole(shaped, 'flops', amount);
    const works = control.activePoint(`${label} runs`);
    control.step(label, from, works, (t, state) => {
      control.guardValid(t, args, state);
      const given = amount.term(t, state);
      const w = flops === undefined ? mul(given, ports.speed().at(state[RANK]!)) : given;
      t.kind('compute');
      t.put(ports.processor().asked, { rank: state[RANK]!, k: constant(0), w: floor(w) });
      return undefined;
    });
    control.describe(label, { statement: shaped, begins: c.begins });
    control.step(`${label} ends`, works, to, (t, state) => {
      t.take(ports.processor().served, { rank: state[RANK]!, k: 0 });
      return undefined;
    });
    control.describe(`${label} ends`, { statement: shaped, before: 'computing', ends: c.ends });
    return;
  }
  timed(control, { shaped, label, from, to, noise, args, own, doing: 'computing', begins: c.begins, ends: c.ends });
}

/**
 * Tokens carry whole numbers.
 *
 * @throws InputError MODEL042 for an amount that is not whole, or is known only at run time
 */
export function assertWhole({ statement }: Shaped, what: string, { numbers }: Argument): void {
  const wrong = numbers === undefined ? 'one known only at run time' : [...numbers].find((x) => !Number.isInteger(x));
  if (wrong === undefined) return;
  fail(
    'MODEL042',
    `${what}: expected a whole number, got ${wrong}: tokens that a module of the machine takes carry whole numbers. Round it, or predict the model without \`map\``,
    statement.site.place,
  );
}

interface Timed {
  readonly shaped: Shaped;
  readonly label: string;
  readonly from: Point;
  readonly to: Point;
  readonly doing: 'computing' | 'idle';
  readonly noise: Noise | undefined;
  readonly args: readonly Argument[];
  readonly own: Arguments;
  readonly begins?: boolean;
  readonly ends?: boolean;
}

/** A timed step, with a random factor if there is noise. A separate step without a draw covers a time of 0. */
function timed(control: ControlNet, given: Timed): void {
  const { ports } = control.parts;
  const { shaped, label, from, to, doing, noise, args, own, begins = false, ends = false } = given;
  const flops = own['flops'];
  const seconds = (t: TransitionBuilder, state: StateTerms): Term<number> =>
    flops === undefined ? own['seconds']!.term(t, state) : div(flops.term(t, state), ports.speed().at(state[RANK]!));
  const logarithm = (t: TransitionBuilder, state: StateTerms): Term<number> => {
    const ln = own['logarithm']!.term(t, state);
    return flops === undefined ? ln : sub(ln, ports.lnSpeed().at(state[RANK]!));
  };
  control.step(label, from, to, (t, state) => {
    control.guardValid(t, args, state);
    const time = seconds(t, state);
    if (doing === 'computing') t.kind('compute');
    if (noise !== undefined) t.guard(gt(time, 0));
    t.delay(noise === undefined ? time : noisy(noise, time, () => logarithm(t, state)));
    return undefined;
  });
  control.describe(label, { statement: shaped, during: doing, begins, ends });
  if (noise === undefined) return;
  control.step(`${label} nothing`, from, to, (t, state) => {
    control.guardValid(t, args, state);
    t.guard(eq(seconds(t, state), 0));
    return undefined;
  });
  if (begins !== ends) control.describe(`${label} nothing`, { statement: shaped, begins, ends });
}

/** A time with a random factor of mean 1. */
function noisy(noise: Noise, time: Term<number>, logarithm: () => Term<number>): Distribution {
  switch (noise.kind) {
    case 'exponential':
      return exponential(div(1, time));
    case 'normal':
      return normal(time, mul(time, noise.cv));
    case 'uniform':
      return uniform(mul(time, 1 - noise.spread), mul(time, 1 + noise.spread));
    case 'lognormal': {
      const variance = Math.log1p(noise.cv ** 2);
      return lognormal(sub(logarithm(), variance / 2), Math.sqrt(variance));
    }
  }
}
