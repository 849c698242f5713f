import { refuseInFunction } from './evaluation.ts';

/** Where randomness and time come from: globals, and for those who import it the module `node:crypto`. */
const AMBIENT: readonly (readonly [holder: () => unknown, name: string, keys: readonly string[]])[] = [
  [() => Math, 'Math', ['random']],
  [() => globalThis.performance, 'performance', ['now']],
  [() => globalThis.process, 'process', ['hrtime', 'uptime']],
  [() => globalThis.crypto, 'crypto', ['getRandomValues', 'randomUUID']],
  [
    () => globalThis.process?.getBuiltinModule?.('node:crypto'),
    'crypto',
    ['randomBytes', 'randomFill', 'randomFillSync', 'randomInt', 'randomUUID', 'getRandomValues'],
  ],
];

/** A source, found once: looking it up loads modules. */
interface Source {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly guard: (...args: unknown[]) => unknown;
  /** What the guard guards. */
  behind: unknown;
}

let sources: readonly Source[] | undefined;
let guarding = false;

/**
 * Runs `body`, during which the ambient sources refuse to be read while a function is evaluated, and are themselves
 * otherwise. O(sources), or O(1) inside another one: what evaluates many functions is run in one.
 */
export function guarded<T>(body: () => T): T {
  if (guarding) return body();
  sources ??= findSources();
  for (const s of sources) {
    s.behind = s.holder[s.key];
    s.holder[s.key] = s.guard;
  }
  const date = globalThis.Date;
  globalThis.Date = guardedDate(date);
  guarding = true;
  try {
    return body();
  } finally {
    guarding = false;
    globalThis.Date = date;
    for (const s of sources) s.holder[s.key] = s.behind;
  }
}

function findSources(): Source[] {
  return AMBIENT.flatMap(([holderOf, name, keys]) =>
    keys.flatMap((key) => {
      let holder = holderOf() as object | null | undefined;
      while (holder !== null && holder !== undefined && !Object.hasOwn(holder, key))
        holder = Object.getPrototypeOf(holder);
      if (holder === null || holder === undefined) return [];
      if (Reflect.getOwnPropertyDescriptor(holder, key)?.writable !== true) return [];
      return [sourceOf(holder as Record<string, unknown>, name, key)];
    }),
  );
}

function sourceOf(holder: Record<string, unknown>, name: string, key: string): Source {
  const guardOf = (behind: () => unknown): Source['guard'] =>
    function (this: unknown, ...args) {
      refuseNow(`${name}.${key}`);
      return Reflect.apply(behind() as Source['guard'], this, args);
    };
  const guard = guardOf(() => source.behind);
  // As process.hrtime has it.
  Object.assign(guard, { bigint: guardOf(() => (source.behind as typeof process.hrtime).bigint) });
  const source: Source = { holder, key, guard, behind: undefined };
  return source;
}

const DATES = new WeakMap<DateConstructor, DateConstructor>();

/** A date that is given is data; the date of now is not. */
function guardedDate(date: DateConstructor): DateConstructor {
  let guard = DATES.get(date);
  if (guard === undefined) {
    const now = (): number => {
      refuseNow('Date.now');
      return date.now();
    };
    guard = new Proxy(date, {
      get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
      apply: (target, self, args) => {
        refuseNow('the date of now');
        return Reflect.apply(target, self, args);
      },
      construct: (target, args, self) => {
        if (args.length === 0) refuseNow('the date of now');
        return Reflect.construct(target, args, self);
      },
    });
    DATES.set(date, guard);
  }
  return guard;
}

function refuseNow(name: string): void {
  refuseInFunction('NET051', `reads ${name}: its answer must depend on nothing but what it is given`);
}
