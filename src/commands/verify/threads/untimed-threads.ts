import type { Permutable } from '../../../analysis/space/general/permutable.ts';
import type { Expression } from '../../../net/expression.ts';
import type { Net, Transition } from '../../../net/net.ts';

/** Table of the rows that can be executed before all others. */
const LOCAL = 'local row';

/**
 * Transitions with bookkeeping of the scheduler, which concern one strand: the order of their bindings is irrelevant. Under
 * pools only those that do not touch a queue.
 */
const ALWAYS_LOCAL: ReadonlySet<string> = new Set([
  'wakes',
  'begins',
  'looks',
  'has no queue',
  'grants',
  'wakes a waiter',
  'wakes one of several',
  'signals',
  'jumps',
  'drops what was left behind',
  'is called within the time',
]);

/** An untimed net, and the transitions of which only the first binding needs to be followed. */
export interface UntimedThreads {
  readonly net: Net;
  readonly one: ReadonlySet<number>;
  /** Workers that the net does not distinguish. */
  readonly permutable?: Permutable;
}

/**
 * The workers of a stealing pool: each is equal to all others, if searches are one step. Positions in their queues matter only
 * relative to the head.
 */
export function equalWorkers(net: Net): Permutable | undefined {
  const columns = new Map<string, number>();
  for (const { name, fields } of net.places) {
    const own = fields.flatMap(({ colour }, k) => (colour === 'worker' ? [k] : []));
    if (own.length > 1) return undefined;
    if (own.length === 1) columns.set(name, own[0]!);
  }
  const indices = net.places.map(({ name, fields }): [string, number[]] => [
    name,
    fields.flatMap(({ colour }, k) => (colour === 'index' ? [k] : [])),
  ]);
  const set = net.colours.find(({ name }) => name === 'worker');
  if (set?.kind !== 'range') return undefined;
  return { count: set.high + 1, columns, positions: new Map(indices), origin: 'queue' };
}

/**
 * Removes times from the net of a thread program. With `local`, transitions that execute a row are split: those of local rows
 * get a priority above all others, and one binding of them represents all orders.
 */
export function untimedThreads(net: Net, local: Uint8Array | undefined): UntimedThreads {
  const splits = net.transitions.flatMap((t): { readonly t: Transition; readonly isFirst: boolean }[] => {
    const { delay: _, weight: _w, timing: _t, ...plain } = t;
    const row = rowOf(plain);
    if (ALWAYS_LOCAL.has(t.name)) return [{ t: plain, isFirst: true }];
    if (local === undefined || row === undefined) return [{ t: plain, isFirst: false }];
    const isLocal: Expression = { op: 'at', table: LOCAL, index: row };
    const guarded = (name: string, condition: Expression): Transition => ({
      ...plain,
      name,
      guard: plain.guard === undefined ? condition : { op: 'and', a: plain.guard, b: condition },
    });
    return [
      { t: guarded(`${t.name}${SUFFIX}`, { op: 'eq', a: isLocal, b: ONE }), isFirst: true },
      { t: guarded(t.name, { op: 'eq', a: isLocal, b: ZERO }), isFirst: false },
    ];
  });
  const highest = Math.max(0, ...splits.map(({ t }) => t.priority ?? 0)) + 2 * splits.length;
  // A wait comes after all steps of other strands that are possible first: the strand then often need not wait, and the sequence is shorter.
  const delayed = (t: Transition): number => (plainName(t.name) === WAITS ? splits.length : 0);
  const transitions = splits.map(({ t, isFirst }, k) => (isFirst ? { ...t, priority: highest - delayed(t) - k } : t));
  const table = { kind: 'int', name: LOCAL, values: Int32Array.from(local ?? []), low: 0, high: 1 } as const;
  return {
    net: {
      ...net,
      tables: local === undefined ? net.tables : [...net.tables, table],
      places: net.places.map(({ service: _, ...place }) => place),
      transitions,
    },
    one: new Set(splits.flatMap(({ isFirst }, k) => (isFirst ? [k] : []))),
  };
}

const ONE: Expression = { op: 'const', value: 1 };
const ZERO: Expression = { op: 'const', value: 0 };
const SUFFIX = ', first';
/** The transition of a strand that waits for an object. */
const WAITS = 'blocks';

/** The name of a transition in the net of the program. */
export function plainName(name: string): string {
  return name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name;
}

/** The row of the strand that a transition executes. */
function rowOf({ inputs }: Transition): Expression | undefined {
  const arc = inputs.find(({ kind, place }) => kind === 'take' && place === 'run');
  const row = arc?.pattern['at'];
  return row?.op === 'var' ? row : undefined;
}
