import type { Code } from '../../base/codes.ts';
import { InputError, type Problem } from '../../base/problem.ts';
import { userPlaceOf } from '../../base/thrown.ts';

/** Sources of randomness and time: globals, and the functions of the module `node:crypto`. */
const AMBIENT: readonly (readonly [holder: () => unknown, name: string, keys: readonly string[]])[] = [
  [() => Math, 'Math', ['random']],
  [() => globalThis.performance, 'performance', ['now']],
  [() => globalThis.process, 'process', ['hrtime', 'uptime']],
  [() => globalThis.process?.hrtime, 'process.hrtime', ['bigint']],
  [() => globalThis.crypto, 'crypto', ['getRandomValues', 'randomUUID']],
  [
    () => globalThis.process?.getBuiltinModule?.('node:crypto'),
    'crypto',
    ['randomBytes', 'randomFill', 'randomFillSync', 'randomInt', 'randomUUID', 'getRandomValues'],
  ],
];

type Callable = (...args: never[]) => unknown;

/** Wraps a function in its guard. */
type GuardOf = (behind: Callable) => Callable;

/** One guarded property: its holder and key, the original function, and the guard installed for it. */
interface Source {
  readonly holder: object;
  readonly key: string;
  readonly guardOf: GuardOf;
  behind: Callable | undefined;
  guard: Callable | undefined;
}

/** The original Date, even if the global is replaced later. */
const DATE = Date;

let sources: readonly Source[] | undefined;
let guarding = false;

/**
 * Runs `body`. Meanwhile the ambient sources throw when read by a function under evaluation, and otherwise behave as
 * usual. A replacement installed during `body` stays and is not guarded. O(sources); O(1) when nested, so a run that
 * calls net functions repeatedly needs only one outer call.
 */
export function guardingAmbient<T>(body: () => T): T {
  if (guarding) return body();
  // Looked up once, because the lookup loads modules.
  sources ??= ambientGuards();
  const all = globalThis.Date === DATE ? sources : [...datesOf(globalThis.Date), ...sources];
  try {
    for (const s of all) install(s);
    exportGuards();
    guarding = true;
    return body();
  } finally {
    guarding = false;
    for (let k = all.length - 1; k >= 0; k--) remove(all[k]!);
  }
}

const ambientGuards = (): Source[] => [
  ...ambientSources(),
  ...datesOf(DATE),
  sourceOf(globalThis, 'Date', guardOfDate),
];

function install(s: Source): void {
  const found: unknown = Reflect.get(s.holder, s.key);
  // The guard itself was read and stored back.
  if (typeof found !== 'function' || found === s.guard) return;
  if (found !== s.behind) {
    s.behind = found as Callable;
    s.guard = s.guardOf(s.behind);
  }
  Reflect.set(s.holder, s.key, s.guard);
}

function remove(s: Source): void {
  if (s.guard !== undefined && Reflect.get(s.holder, s.key) === s.guard) Reflect.set(s.holder, s.key, s.behind);
}

const sourceOf = (holder: object, key: string, guardOf: GuardOf): Source => ({
  holder,
  key,
  guardOf,
  behind: undefined,
  guard: undefined,
});

function ambientSources(): Source[] {
  return AMBIENT.flatMap(([holderOf, name, keys]) =>
    keys.flatMap((key) => {
      let holder = holderOf() as object | null | undefined;
      while (holder !== null && holder !== undefined && !Object.hasOwn(holder, key))
        holder = Object.getPrototypeOf(holder);
      return holder === null || holder === undefined ? [] : [sourceOf(holder, key, refusing(`${name}.${key}`))];
    }),
  );
}

const DATES = new WeakMap<DateConstructor, readonly Source[]>();

/**
 * Properties of one Date constructor to guard: `now`, and `prototype.constructor`, which leads back to the constructor.
 */
function datesOf(date: DateConstructor): readonly Source[] {
  let own = DATES.get(date);
  if (own === undefined) {
    own = [sourceOf(date, 'now', refusing('Date.now')), sourceOf(date.prototype, 'constructor', guardOfDate)];
    DATES.set(date, own);
  }
  return own;
}

const GUARDS = new WeakMap<Callable, Callable>();

/**
 * `new Date(x)` is deterministic, `new Date()` is not. One guard for each constructor, so that a date's constructor is
 * still `Date`.
 */
function guardOfDate(date: Callable): Callable {
  let guard = GUARDS.get(date);
  if (guard === undefined) {
    guard = new Proxy(date, {
      apply: (target, self, args) => {
        refuseNow('the current date');
        return Reflect.apply(target, self, args);
      },
      construct: (target, args, self) => {
        if (args.length === 0) refuseNow('the current date');
        return Reflect.construct(target, args, self) as object;
      },
    });
    GUARDS.set(date, guard);
  }
  return guard;
}

/** A guard for the source of that name. */
function refusing(name: string): GuardOf {
  const apply = (target: Callable, self: unknown, args: unknown[]): unknown => {
    refuseNow(name);
    return Reflect.apply(target, self, args);
  };
  return (behind) => new Proxy(behind, { apply });
}

function refuseNow(name: string): void {
  refuseInFunction('NET051', `reads ${name}: its result must depend only on its inputs`);
  if (build === undefined) return;
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, refuseNow);
  const message = `build reads ${name}: a model must be the same each time it is built. ${INSTEAD}`;
  build.offence ??= { code: 'MODEL060', message, place: userPlaceOf(trace.stack ?? '') ?? {} };
  throw new InputError([build.offence]);
}

const INSTEAD = 'Give numbers as parameters, or draw in the run: noise of compute, m.chance';

/**
 * Gives `import { randomInt } from 'node:crypto'` the guards, too; they stay there, and act only during evaluations and
 * builds. Each time, since others may export the functions again; takes 10 µs, the first time half a millisecond.
 */
function exportGuards(): void {
  globalThis.process?.getBuiltinModule?.('node:module').syncBuiltinESMExports();
}

/** The build of a model in progress, and the first source that it reads. */
let build: { offence: Problem | undefined } | undefined;

/**
 * Runs the build of a model, in which all ambient sources are refused, with the line of the model.
 *
 * @throws InputError MODEL060, also if the build catches the error
 */
export function guardingBuild<T>(body: () => T): T {
  return guardingAmbient(() => {
    const outer = build;
    const own = { offence: undefined as Problem | undefined };
    build = own;
    try {
      const result = body();
      if (own.offence !== undefined) throw new InputError([own.offence]);
      return result;
    } finally {
      build = outer;
    }
  });
}

/**
 * Runs `load`, which imports a module. Sources that the module keeps (`const { random } = Math`) are then guarded in its
 * builds, too.
 */
export async function guardingImport<T>(load: () => Promise<T>): Promise<T> {
  if (guarding) return load();
  sources ??= ambientGuards();
  for (const s of sources) install(s);
  try {
    return await load();
  } finally {
    if (!guarding) for (let k = sources.length - 1; k >= 0; k--) remove(sources[k]!);
  }
}

/** The function under evaluation, and its first violation of purity. */
interface Evaluation {
  readonly part: string;
  offence: Problem | undefined;
}

let current: Evaluation | undefined;

/** Throws if a host-language function is being evaluated; otherwise does nothing. Guards side effects. */
export function refuseInFunction(code: Code, message: string): void {
  if (current === undefined) return;
  // Stored, so that a function that catches the error is rejected too.
  current.offence ??= { code, message, place: { part: current.part } };
  throw new InputError([current.offence]);
}

/** Marks the start of an evaluation. */
export function beginEvaluation(part: string): void {
  current = { part, offence: undefined };
}

export function endEvaluation(): void {
  current = undefined;
}

/** The violation recorded in this evaluation. */
export function offence(): Problem | undefined {
  return current?.offence;
}
