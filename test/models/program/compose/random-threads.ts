import * as fc from 'fast-check';
import { compose, type Objects, type ThreadBuilder, type ThreadModel, threads } from '../../../../src/models.ts';

/** A step of a module. Times are in units of 0.5 s, so that sums are exact. */
export type ThreadStep =
  | { readonly kind: 'compute'; readonly time: number }
  | { readonly kind: 'critical'; readonly lock: 'x' | 'y' | 'own'; readonly time: number }
  | { readonly kind: 'nested'; readonly outer: 'x' | 'y'; readonly time: number }
  | { readonly kind: 'acquire' }
  | { readonly kind: 'release' }
  | { readonly kind: 'set' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'signalled' }
  | { readonly kind: 'add' }
  /** A parallel loop of tasks. */
  | { readonly kind: 'loop'; readonly n: number; readonly time: number }
  /** A loop of a team. */
  | { readonly kind: 'team'; readonly n: number; readonly time: number }
  | { readonly kind: 'spawn'; readonly time: number };

export interface ThreadSpec {
  readonly permits: number;
  readonly modules: readonly (readonly ThreadStep[])[];
}

const time = fc.integer({ min: 1, max: 4 }).map((k) => k / 2);
const step: fc.Arbitrary<ThreadStep> = fc.oneof(
  fc.record({ kind: fc.constant('compute' as const), time }),
  fc.record({ kind: fc.constant('critical' as const), lock: fc.constantFrom('x', 'y', 'own'), time }),
  fc.record({ kind: fc.constant('nested' as const), outer: fc.constantFrom('x', 'y'), time }),
  fc.record({ kind: fc.constantFrom('acquire', 'release', 'set', 'wait', 'signalled', 'add') }),
  fc.record({ kind: fc.constantFrom('loop', 'team'), n: fc.integer({ min: 1, max: 3 }), time }),
  fc.record({ kind: fc.constant('spawn' as const), time }),
);

export const threadSpecs: fc.Arbitrary<ThreadSpec> = fc.record({
  permits: fc.nat(2),
  modules: fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 }),
});

type Any = ThreadBuilder<never, string>;

/** Makes the objects that all modules may share. */
const MAKERS = {
  x: (t: Any, name: string) => t.mutex(name),
  y: (t: Any, name: string) => t.mutex(name),
  tokens: (t: Any, name: string, { permits }: ThreadSpec) => t.semaphore(name, permits),
  ready: (t: Any, name: string) => t.event(name),
  changed: (t: Any, name: string) => t.condition(name),
  count: (t: Any, name: string) => t.counter(name, 1),
} as const;
type Label = keyof typeof MAKERS;
const KINDS = {
  x: 'mutex',
  y: 'mutex',
  tokens: 'semaphore',
  ready: 'event',
  changed: 'condition',
  count: 'counter',
} as const;

function labelsOf(s: ThreadStep): readonly Label[] {
  if (s.kind === 'critical') return s.lock === 'own' ? [] : [s.lock];
  if (s.kind === 'nested') return ['x', 'y'];
  if (s.kind === 'acquire' || s.kind === 'release') return ['tokens'];
  if (s.kind === 'set' || s.kind === 'wait') return ['ready'];
  return s.kind === 'signalled' || s.kind === 'add' ? ['x', 'changed', 'count'] : [];
}

/** The labels that the steps of a module use, in the order of their first use. */
const labelsIn = (steps: readonly ThreadStep[]): Label[] => [...new Set(steps.flatMap(labelsOf))];

/** What differs between a module and its part of the whole program. */
interface Place {
  readonly t: Any;
  readonly objects: Readonly<Partial<Record<Label, Objects>>>;
  /** Begins own names. */
  readonly prefix: string;
  /** A time in seconds: through the module's parameter, or a number. */
  readonly seconds: (time: number) => unknown;
}

function record(steps: readonly ThreadStep[], { t, objects, prefix, seconds }: Place): void {
  const [x, y] = [objects.x as never, objects.y as never];
  const own = steps.some((s) => s.kind === 'critical' && s.lock === 'own') ? t.mutex(`${prefix}own`) : undefined;
  const work = (amount: number): void => t.compute({ seconds: seconds(amount) as never });
  for (const [k, s] of steps.entries()) {
    if (s.kind === 'compute') work(s.time);
    else if (s.kind === 'critical') t.critical(s.lock === 'x' ? x : s.lock === 'y' ? y : own!, () => work(s.time));
    else if (s.kind === 'nested')
      t.critical(s.outer === 'x' ? x : y, () => t.critical(s.outer === 'x' ? y : x, () => work(s.time)));
    else if (s.kind === 'acquire') t.acquire(objects.tokens as never);
    else if (s.kind === 'release') t.release(objects.tokens as never);
    else if (s.kind === 'set') t.set(objects.ready as never);
    else if (s.kind === 'wait') t.wait(objects.ready as never);
    else if (s.kind === 'signalled')
      t.critical(x, () => t.waitUntil(objects.changed as never, x, objects.count as never, 2));
    else if (s.kind === 'add')
      t.critical(x, () => {
        t.add(objects.count as never, 1);
        t.broadcast(objects.changed as never);
      });
    else if (s.kind === 'spawn') {
      t.task(`${prefix}task${k}`, { a: s.time }, (b) => b.compute({ seconds: ((v: { a: number }) => v.a) as never }));
      t.spawn(`${prefix}task${k}`);
    } else
      t.parallelFor({
        n: s.n,
        name: `${prefix}loop${k}`,
        schedule: s.kind === 'team' ? 'static' : 'tasks',
        body: () => work(s.time),
      });
  }
}

/** Seconds of one unit in each module: modules read the same name of a parameter with other values. */
const unitOf = (module: number): number => 1 + module;

/** A module alone, with the labels that it uses. */
export function threadModule(spec: ThreadSpec, module: number): ThreadModel {
  const steps = spec.modules[module]!;
  const labels = labelsIn(steps);
  return threads({
    name: `m${module}`,
    params: { unit: unitOf(module) },
    interface: Object.fromEntries(labels.map((label) => [label, KINDS[label]])),
    build(t) {
      const own = t as unknown as Any;
      const objects = Object.fromEntries(labels.map((label) => [label, MAKERS[label](own, label, spec)]));
      record(steps, {
        t: own,
        objects,
        prefix: '',
        seconds: (amount) => (s: { p: { unit: number } }) => s.p.unit * amount,
      });
    },
  }) as unknown as ThreadModel;
}

/** The labels of some modules, connected if several have them, and offered otherwise or if others need them. */
export function connections(
  spec: ThreadSpec,
  modules: readonly number[],
  paths: (label: Label) => readonly string[],
): { readonly synchronise: string[][]; readonly expose: Record<string, string> } {
  const synchronise: string[][] = [];
  const expose: Record<string, string> = {};
  for (const label of new Set(modules.flatMap((k) => labelsIn(spec.modules[k]!)))) {
    const ends = paths(label);
    if (ends.length > 1) synchronise.push([...ends]);
    else expose[label] = ends[0]!;
  }
  return { synchronise, expose };
}

/** All modules, composed at once. */
export function composedThreads(spec: ThreadSpec, order: readonly number[] = [...spec.modules.keys()]): ThreadModel {
  const has = (k: number, label: Label): boolean => labelsIn(spec.modules[k]!).includes(label);
  return compose(
    order.map((k) => threadModule(spec, k)),
    connections(spec, order, (label) => order.filter((k) => has(k, label)).map((k) => `m${k}.${label}`)),
  );
}

/**
 * All modules, of which some are composed before, and offer their labels to the outer composition. Undefined if two of them share a label
 * with a module outside: a label that is connected cannot be offered.
 */
export function nestedThreads(spec: ThreadSpec, inside: readonly number[]): ThreadModel {
  const has = (k: number, label: Label): boolean => labelsIn(spec.modules[k]!).includes(label);
  const labels = (some: readonly number[]): Label[] => [...new Set(some.flatMap((k) => labelsIn(spec.modules[k]!)))];
  const outside = [...spec.modules.keys()].filter((k) => !inside.includes(k));
  const ends = (label: Label): number => inside.filter((k) => has(k, label)).length;
  const first = (label: Label): number => inside.find((k) => has(k, label))!;
  const isOffered = (label: Label): boolean => ends(label) === 1 || outside.some((k) => has(k, label));
  const inner = compose(
    inside.map((k) => threadModule(spec, k)),
    {
      name: 'inner',
      synchronise: labels(inside).flatMap((label) => {
        const paths = inside.filter((k) => has(k, label)).map((k) => `m${k}.${label}`);
        return paths.length > 1 ? [paths] : [];
      }),
      expose: Object.fromEntries(
        labels(inside)
          .filter(isOffered)
          .map((label) => [label, `m${first(label)}.${label}`]),
      ),
    } as never,
  ) as unknown as ThreadModel;
  const paths = (label: Label): string[] => [
    ...(labels(inside).includes(label) && isOffered(label) ? [`inner.${label}`] : []),
    ...outside.filter((k) => has(k, label)).map((k) => `m${k}.${label}`),
  ];
  return compose([inner, ...outside.map((k) => threadModule(spec, k))], nestedConnections(spec, paths));
}

/** As {@link connections}, without labels that the inner composition has connected. */
function nestedConnections(
  spec: ThreadSpec,
  paths: (label: Label) => readonly string[],
): ReturnType<typeof connections> {
  const all = [...new Set(spec.modules.flatMap(labelsIn))].map((label) => [label, paths(label)] as const);
  return {
    synchronise: all.flatMap(([, ends]) => (ends.length > 1 ? [[...ends]] : [])),
    expose: Object.fromEntries(all.flatMap(([label, ends]) => (ends.length === 1 ? [[label, ends[0]!]] : []))),
  };
}

/** The same program as one model. `how`: modules are tasks, or parts of the main strand. */
export function wholeThreads(spec: ThreadSpec, how: 'tasks' | 'parts'): ThreadModel {
  return threads({
    name: 'whole',
    build(given) {
      const t = given as unknown as Any;
      const objects: Partial<Record<Label, Objects>> = {};
      for (const [k, steps] of spec.modules.entries()) {
        for (const label of labelsIn(steps)) objects[label] ??= MAKERS[label](t, `m${k}.${label}`, spec);
        const place = { t, objects, prefix: `m${k}.`, seconds: (amount: number): number => unitOf(k) * amount };
        if (how === 'tasks') {
          t.task(`m${k}`, {}, () => record(steps, place));
          t.spawn(`m${k}`);
        } else {
          record(steps, place);
          t.sync();
        }
      }
    },
  }) as unknown as ThreadModel;
}
