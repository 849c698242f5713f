import { refuseInFunction } from './evaluation.ts';

/** Where randomness and time come from: globals, and for those who import it the module `node:crypto`. */
const AMBIENT: readonly (readonly [holder: () => unknown, name: string, keys: readonly string[]])[] = [
  [() => Math, 'Math', ['random']],
  [() => Date, 'Date', ['now']],
  [() => globalThis.performance, 'performance', ['now']],
  [() => globalThis.process, 'process', ['hrtime', 'uptime']],
  [() => globalThis.crypto, 'crypto', ['getRandomValues', 'randomUUID']],
  [
    () => globalThis.process?.getBuiltinModule?.('node:crypto'),
    'crypto',
    ['randomBytes', 'randomFill', 'randomFillSync', 'randomInt', 'randomUUID', 'getRandomValues'],
  ],
];

interface Source {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly refusing: unknown;
}

let sources: readonly Source[] | undefined;

/** The objects that hold the ambient sources, found once: looking them up loads modules. */
function findSources(): Source[] {
  return AMBIENT.flatMap(([holderOf, name, keys]) =>
    keys.flatMap((key) => {
      let holder = holderOf() as object | null | undefined;
      while (holder !== null && holder !== undefined && !Object.hasOwn(holder, key))
        holder = Object.getPrototypeOf(holder);
      if (holder === null || holder === undefined) return [];
      if (Reflect.getOwnPropertyDescriptor(holder, key)?.writable !== true) return [];
      return [{ holder: holder as Record<string, unknown>, key, refusing: refusing(`${name}.${key}`) }];
    }),
  );
}

/** Makes the ambient sources throw, and returns what undoes it. */
export function forbidAmbient(): () => void {
  sources ??= findSources();
  const before = sources.map(({ holder, key, refusing }) => {
    const value = holder[key];
    holder[key] = refusing;
    return value;
  });
  const date = globalThis.Date;
  globalThis.Date = withoutNow(date);
  return () => {
    globalThis.Date = date;
    sources!.forEach(({ holder, key }, k) => {
      holder[key] = before[k];
    });
  };
}

const DATES = new WeakMap<DateConstructor, DateConstructor>();

/** A date that is given is data; the date of now is not. */
function withoutNow(date: DateConstructor): DateConstructor {
  let guarded = DATES.get(date);
  if (guarded === undefined) {
    const now = refusing('the date of now');
    guarded = new Proxy(date, {
      apply: now,
      get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
      construct: (target, args, self) => (args.length === 0 ? now() : Reflect.construct(target, args, self)),
    });
    DATES.set(date, guarded);
  }
  return guarded;
}

function refusing(name: string): () => never {
  const refuse = (): never => {
    refuseInFunction('NET051', `reads ${name}: its answer must depend on nothing but what it is given`);
    throw new Error(`${name} outside a function`);
  };
  // As process.hrtime has it.
  return Object.assign(refuse, { bigint: refuse });
}
