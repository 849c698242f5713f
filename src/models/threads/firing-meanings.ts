import { OTHER, OTHER_QUEUES, OWN, OWN_QUEUE, type WorkerState } from '../../trace/workers/worker-states.ts';
import { atLevel } from './net/processors.ts';
import { RETURN, WITHDRAWALS } from './net/resource-manager.ts';
import { isCooperative, type ThreadNet } from './net/thread-net.ts';
import type { ThreadProgram } from './program/rows.ts';

/**
 * States of a carrier: it computes; loads and stores; executes operations of the scheduler, of locks and of other objects;
 * is blocked or sleeps within a strand, until it runs again; has no work, until it has woken up; does not exist (a thread
 * before its creation or after its end). Predictions, records, profiles and diagnoses take them from here.
 */
export const CARRIER_STATES = ['computing', 'memory', 'overhead', 'waiting', 'idle', 'absent'] as const;
export type CarrierState = (typeof CARRIER_STATES)[number];
export const COMPUTING = 0;
const MEMORY = 1;
export const OVERHEAD = 2;
export const WAITING = 3;
export const IDLE = 4;
const ABSENT = 5;
export const CARRIER_STATE_COUNT: number = CARRIER_STATES.length;

type Part = 'start' | 'end';
/** Effects of an entry besides changes of state. */
export type Effect =
  | 'acquired'
  | 'failed'
  | 'times out'
  | 'released'
  | 'blocked'
  | 'waits'
  | 'granted'
  | 'woken'
  | 'spins'
  | 'stops spinning'
  | 'spins in vain'
  | 'parks'
  | 'queues'
  | 'dispatched'
  | 'region'
  | 'operation begins'
  | 'call ends'
  | 'program ends'
  | { readonly begins: string };

/** Meaning of the start or the end of a firing. */
export interface Meaning {
  readonly transition: string;
  readonly part: Part;
  readonly variables: readonly string[];
  readonly state?: number;
  readonly pool?: WorkerState;
  readonly effects?: readonly Effect[];
}

/** The transitions around a row that computes under a service, and around one that moves bytes. Without a service, `ends` takes the time. */
export const COMPUTING_ROWS = { begins: 'begins to compute', ends: 'computes' } as const;
export const MOVING_ROWS = { begins: 'moves', ends: 'moved' } as const;

/** Transitions after which a thread waits for a processor, and those by which it has one; the first of each is preempted in a computation. */
const QUEUES = [
  ...['is preempted', 'queues for a processor', 'is preempted between rows', 'is preempted spinning'],
] as const;
/** These transitions for each level of priority. `computing`: the thread is preempted in a computation. */
export function queuesOf({ strands: { priority } }: Pick<ThreadProgram, 'strands'>): readonly QueuingTransition[] {
  const levels = Math.max(1, new Set(priority).size);
  return QUEUES.flatMap((name, k) =>
    Array.from({ length: levels }, (_, level) => ({ transition: atLevel(name, level), computing: k === 0 })),
  );
}

interface QueuingTransition {
  readonly transition: string;
  readonly computing: boolean;
}

export const DISPATCHES = [
  'goes on computing',
  'gets a processor',
  'gets a processor for a lock',
  'goes on after preemption',
  'goes on spinning',
] as const;

/** A carrier waits within its strand, from the start or the end of a firing on. */
function carrierWaits(transition: string, part: Part, effect: Effect): Meaning {
  return { transition, part, variables: ['w', 's', 'at'], state: WAITING, pool: 'WAIT', effects: [effect] };
}

/** States that carriers of any scheduler enter. */
const OF_ALL: readonly Meaning[] = [
  { transition: 'moves', part: 'start', variables: ['w'], state: MEMORY },
  { transition: 'moved', part: 'start', variables: ['w'], state: OVERHEAD },
  { transition: 'fetches its data', part: 'start', variables: ['w'], state: COMPUTING },
  { transition: 'fetches its data', part: 'end', variables: ['w'], state: OVERHEAD },
  { transition: 'sleeps', part: 'start', variables: ['w'], state: WAITING, pool: 'WAIT' },
  { transition: 'sleeps', part: 'end', variables: ['w'], state: OVERHEAD, pool: 'EXEC' },
  { transition: 'acquires', part: 'end', variables: ['w', 's', 'at'], effects: ['acquired'] },
  { transition: 'tries in vain', part: 'end', variables: ['w', 's', 'at'], effects: ['failed'] },
  { transition: 'tries too late', part: 'end', variables: ['w', 's', 'at'], effects: ['failed'] },
  carrierWaits('waits within a time', 'end', 'blocked'),
  carrierWaits('waits in the second queue within a time', 'end', 'blocked'),
  {
    transition: 'grants to the second queue within the time',
    part: 'start',
    variables: ['w', 's', 'at'],
    effects: ['granted'],
  },
  { transition: 'grants within the time', part: 'start', variables: ['w', 's', 'at'], effects: ['granted'] },
  { transition: 'gives up waiting', part: 'start', variables: ['w', 's', 'at'], effects: ['times out'] },
  carrierWaits('blocks', 'end', 'blocked'),
  carrierWaits('blocks in the second queue', 'end', 'blocked'),
  carrierWaits('waits for a signal', 'end', 'waits'),
  { transition: 'grants', part: 'start', variables: ['w', 's', 'at'], effects: ['granted'] },
  { transition: 'grants to the second queue', part: 'start', variables: ['w', 's', 'at'], effects: ['granted'] },
  { transition: 'signals', part: 'start', variables: ['w', 's', 'at'], effects: ['granted'] },
  { transition: 'releases', part: 'end', variables: ['w', 's', 'at'], effects: ['released'] },
  { transition: 'releases to all', part: 'end', variables: ['w', 's', 'at'], effects: ['released'] },
  carrierWaits('waits for a signal, wakes', 'end', 'waits'),
  { transition: 'spins', part: 'end', variables: ['w', 's', 'at'], effects: ['spins'] },
  { transition: 'stops spinning', part: 'end', variables: ['w', 's', 'at'], effects: ['stops spinning'] },
  { transition: 'spins within a time', part: 'end', variables: ['w', 's', 'at'], effects: ['spins'] },
  {
    transition: 'gives up spinning within the time',
    part: 'start',
    variables: ['w', 's', 'at'],
    effects: ['spins in vain'],
  },
  ...['spins before parking', 'spins before parking within a time'].map(
    (transition): Meaning => ({ transition, part: 'end', variables: ['w', 's', 'at'], effects: ['spins'] }),
  ),
  ...['gives up spinning before parking', 'gives up before parking'].map(
    (transition): Meaning => ({ transition, part: 'start', variables: ['w', 's', 'at'], effects: ['spins in vain'] }),
  ),
  carrierWaits('parks within a time', 'start', 'parks'),
  ...['stops spinning before parking', 'takes the lock before parking'].map(
    (transition): Meaning => ({ transition, part: 'end', variables: ['w', 's', 'at'], effects: ['stops spinning'] }),
  ),
  carrierWaits('parks', 'start', 'parks'),
  { transition: 'atomic operation', part: 'end', variables: ['w', 's', 'at'], effects: ['acquired'] },
  ...['wakes', 'tries again'].map(
    (transition): Meaning => ({ transition, part: 'end', variables: ['w'], state: OVERHEAD, pool: 'EXEC' }),
  ),
  { transition: 'region', part: 'start', variables: ['w', 's', 'at'], effects: ['region'] },
  { transition: 'program ends', part: 'start', variables: ['w'], effects: ['program ends'] },
  // Until the fetch begins, the worker may wait for others that use the loop's counter.
  { transition: 'ends chunk', part: 'start', variables: ['w'], pool: 'LOCAL' },
  { transition: 'fetches', part: 'start', variables: ['w'], pool: 'LOCAL' },
  { transition: 'fetches', part: 'end', variables: ['w'], pool: 'EXEC' },
  { transition: 'fetches nothing', part: 'start', variables: ['w'], pool: 'LOCAL' },
  { transition: 'fetches nothing', part: 'end', variables: ['w'], pool: 'EXEC' },
  { transition: 'last fetches nothing', part: 'start', variables: ['w'], pool: 'LOCAL' },
  { transition: 'last fetches nothing', part: 'end', variables: ['w'], pool: 'EXEC' },
];

/** States of the workers of a pool. */
const OF_POOLS: readonly Meaning[] = [
  { transition: 'finds own', part: 'start', variables: ['w'], pool: 'EXEC' },
  { transition: 'has stolen', part: 'start', variables: ['w'], pool: 'EXEC' },
  { transition: 'takes mail', part: 'end', variables: ['w'], pool: 'EXEC' },
  { transition: 'executes the spawned task', part: 'start', variables: ['w'], pool: 'EXEC' },
  { transition: 'takes task', part: 'start', variables: ['w'], pool: 'EXEC' },
  { transition: 'takes assigned', part: 'start', variables: ['w'], pool: 'EXEC' },
  { transition: 'ends', part: 'start', variables: ['w'], pool: 'LOCAL' },
  { transition: 'program ends', part: 'start', variables: ['w'], pool: 'LOCAL' },
  { transition: 'waits for strands', part: 'start', variables: ['w'], pool: 'LOCAL' },
  { transition: 'finds none', part: 'start', variables: ['w'], pool: 'GLOBAL' },
  { transition: 'has no queue', part: 'start', variables: ['w'], pool: 'GLOBAL' },
  { transition: 'misses', part: 'end', variables: ['w'], pool: 'GLOBAL' },
  { transition: 'passes over mail', part: 'end', variables: ['w'], pool: 'GLOBAL' },
  { transition: 'is woken by mail', part: 'end', variables: ['w'], state: OVERHEAD, pool: 'GLOBAL' },
  { transition: 'sleeps idle', part: 'start', variables: ['w'], state: IDLE, pool: 'WAIT' },
  ...WITHDRAWALS.map(
    (transition): Meaning => ({ transition, part: 'start', variables: ['w'], state: ABSENT, pool: 'WAIT' }),
  ),
  { transition: RETURN, part: 'end', variables: ['w'], state: OVERHEAD, pool: 'GLOBAL' },
];

/** Returns to the strands on the stacks of workers; a worker that waits in isolation has no work. */
const OF_STACKS: readonly Meaning[] = [
  ...['a join', 'a task'].flatMap((what): Meaning[] => [
    ...['', ' from a search', ', isolated'].map(
      (suffix): Meaning => ({
        transition: `returns to ${what}${suffix}`,
        part: 'start',
        variables: ['w'],
        state: OVERHEAD,
        pool: 'EXEC',
      }),
    ),
  ]),
  { transition: 'waits for own tasks', part: 'start', variables: ['w'], state: IDLE, pool: 'WAIT' },
  { transition: 'finds an awaited task', part: 'start', variables: ['w'], state: OVERHEAD, pool: 'GLOBAL' },
  { transition: 'takes an awaited task', part: 'end', variables: ['w'], pool: 'EXEC' },
];

/** States of threads of the operating system, which are strands. */
const OF_THREADS: readonly Meaning[] = [
  { transition: 'begins', part: 'start', variables: ['w'], state: OVERHEAD },
  { transition: 'ends', part: 'start', variables: ['w'], state: ABSENT },
  { transition: 'program ends', part: 'start', variables: ['w'], state: ABSENT },
  { transition: 'waits for strands', part: 'start', variables: ['w'], state: WAITING },
  { transition: 'ends last', part: 'start', variables: ['w'], state: ABSENT },
  // The time of the switch belongs to this time.
  ...DISPATCHES.map(
    (transition, k): Meaning => ({
      transition,
      part: 'end',
      variables: ['w'],
      state: k === 0 ? COMPUTING : OVERHEAD,
      effects: ['dispatched'],
    }),
  ),
];

/** Transitions of cooperative schedulers after which a user thread waits, and their effect. */
const BLOCKS: readonly (readonly [transition: string, effect: Effect])[] = [
  ['blocks', 'blocked'],
  ['begins to join', 'blocked'],
  ['registers', 'blocked'],
  ['is registered', 'blocked'],
  ['waits for a signal', 'waits'],
  ['begins to join a condition', 'waits'],
  ['registers for a signal', 'waits'],
];
const RELEASES: readonly string[] = ['releases', 'sets', 'sets for no waiter', 'begins to set', 'begins to notify'];

/** States of the scheduler threads of cooperative schedulers. A blocked user thread leaves its scheduler thread. */
const OF_COOPERATIVE: readonly Meaning[] = [
  ...BLOCKS.map(
    ([transition, effect]): Meaning => ({
      transition,
      part: 'end',
      variables: ['w', 's', 'at'],
      state: OVERHEAD,
      pool: 'LOCAL',
      effects: [effect],
    }),
  ),
  ...RELEASES.map(
    (transition): Meaning => ({ transition, part: 'end', variables: ['w', 's', 'at'], effects: ['released'] }),
  ),
  ...['grants', 'signals', 'finds', 'finds the signalled one'].map(
    (transition): Meaning => ({ transition, part: 'start', variables: ['w', 's', 'at'], effects: ['granted'] }),
  ),
  // The waiter is the second token with such fields.
  { transition: 'takes a waiter', part: 'start', variables: ['w2', 's2', 'at2'], effects: ['granted'] },
  ...['enters a system call', 'enters a memory wait'].map(
    (transition): Meaning => ({ transition, part: 'start', variables: ['w'], state: OVERHEAD, pool: 'LOCAL' }),
  ),
  { transition: 'idles', part: 'start', variables: ['w'], state: IDLE, pool: 'WAIT' },
  ...['notices a ready thread', 'notices the completion list', 'notices the notifications', 'notifies an idle one'].map(
    (transition): Meaning => ({ transition, part: 'end', variables: ['w'], state: OVERHEAD, pool: 'GLOBAL' }),
  ),
  { transition: 'dequeues', part: 'end', variables: ['w'], state: OVERHEAD, pool: 'EXEC' },
  ...['ends', 'ends last', 'program ends', 'waits for strands'].map(
    (transition): Meaning => ({ transition, part: 'start', variables: ['w'], pool: 'LOCAL' }),
  ),
];

/** A worker has begun to look for tasks. */
const WOKEN = { part: 'end', variables: ['w'], state: OVERHEAD, pool: 'GLOBAL' } as const;

/** Ranges that a loop divided by demand gives away. */
const OFFERS = ['offers a range of its pool', 'offers a range for a worker'];

/** Calls of carriers, for records: an operation, until its effect; a search for tasks, until one is found. */
const CALLS: readonly (readonly [transition: string, part: Part, effect: Effect])[] = [
  ['acquires', 'start', 'operation begins'],
  ['acquires', 'end', 'call ends'],
  ['tries in vain', 'start', 'operation begins'],
  ['tries in vain', 'end', 'call ends'],
  ['tries too late', 'start', 'operation begins'],
  ['tries too late', 'end', 'call ends'],
  ['waits within a time', 'start', 'operation begins'],
  ['waits in the second queue within a time', 'start', 'operation begins'],
  ['blocks', 'start', 'operation begins'],
  ['waits for a signal', 'start', 'operation begins'],
  ['waits for a signal, wakes', 'start', 'operation begins'],
  ['spins', 'start', 'operation begins'],
  ['stops spinning', 'end', 'call ends'],
  ['spins within a time', 'start', 'operation begins'],
  ['gives up spinning within the time', 'start', 'call ends'],
  ['blocks in the second queue', 'start', 'operation begins'],
  ['spins before parking', 'start', 'operation begins'],
  ['spins before parking within a time', 'start', 'operation begins'],
  ['gives up spinning before parking', 'start', 'call ends'],
  ['gives up before parking', 'start', 'call ends'],
  ['stops spinning before parking', 'end', 'call ends'],
  ['takes the lock before parking', 'end', 'call ends'],
  ['wakes', 'end', 'call ends'],
  ['tries again', 'end', 'call ends'],
  ['releases to all', 'start', 'operation begins'],
  // The call that wakes is part of the release.
  ['wakes a waiter', 'end', 'call ends'],
  ['releases', 'start', 'operation begins'],
  ['releases', 'end', 'call ends'],
  ['atomic operation', 'start', 'operation begins'],
  ['atomic operation', 'end', 'call ends'],
  ...['spawns', 'meets last', 'offers a half', ...OFFERS].flatMap((t) => during(t, 'spawn')),
  ...['fetches', 'fetches nothing', 'last fetches nothing'].flatMap((t) => during(t, 'fetch')),
  ['looks', 'start', { begins: OWN_QUEUE }],
  ['finds own', 'start', 'call ends'],
  ['finds none', 'start', { begins: OTHER_QUEUES }],
  ['has no queue', 'start', { begins: OTHER_QUEUES }],
  ['misses', 'end', { begins: OTHER_QUEUES }],
  ['passes over mail', 'end', { begins: OTHER_QUEUES }],
  ['is woken by mail', 'end', { begins: OTHER_QUEUES }],
  ['is woken', 'end', { begins: OTHER_QUEUES }],
  [RETURN, 'end', { begins: OTHER_QUEUES }],
  ['wakes up', 'end', { begins: OTHER_QUEUES }],
  ['has stolen', 'start', 'call ends'],
  ['takes mail', 'end', 'call ends'],
  ['takes task', 'start', 'call ends'],
  ['takes assigned', 'start', 'call ends'],
  ['sleeps idle', 'start', 'call ends'],
  ...WITHDRAWALS.map((transition): [string, Part, Effect] => [transition, 'start', 'call ends']),
];

function during(transition: string, begins: string): [string, Part, Effect][] {
  return [
    [transition, 'start', { begins }],
    [transition, 'end', 'call ends'],
  ];
}

/** The state of each carrier before the first firing: main strands run. */
export function initialCarriers({ carriers, scheduler, program }: ThreadNet): Uint8Array {
  const states = new Uint8Array(carriers).fill(scheduler === 'os' ? ABSENT : IDLE);
  for (let p = 0; p < program.pools; p++) states[scheduler === 'os' ? p : p * program.workers] = OVERHEAD;
  return states;
}

/** Beginnings of strands, and of chunks that are assigned at run time, and the origin of the task. */
export const BEGINNINGS: readonly (readonly [transition: string, part: Part, origin: number])[] = [
  ['finds own', 'start', OWN],
  ['executes the spawned task', 'start', OWN],
  ['takes assigned', 'start', OWN],
  ['dequeues', 'end', OWN],
  ['begins', 'end', OWN],
  ['has stolen', 'start', OTHER],
  ['takes mail', 'end', OTHER],
  ['takes task', 'start', OTHER],
  ['takes an awaited task', 'end', OTHER],
];
export const CHUNK = 'fetches';

/** Transitions of workers that have no index in the states of a pool pass through the states between, in no time. */
export const PASSED: ReadonlyMap<number, readonly number[]> = new Map([
  [4 * 0 + 2, [1]],
  [4 * 0 + 3, [1, 2]],
  [4 * 1 + 3, [2]],
  [4 * 3 + 0, [2]],
]);

/**
 * The meanings of the firings of a net.
 *
 * @param isShown whether calls of carriers are wanted, for records
 */
export function meaningsOf({ scheduler, shared, bypass, pool, program }: ThreadNet, isShown: boolean): Meaning[] {
  const computes: Meaning[] = [
    { transition: shared ? 'begins to compute' : 'computes', part: 'start', variables: ['w'], state: COMPUTING },
    { transition: 'computes', part: 'end', variables: ['w'], state: OVERHEAD },
  ];
  if (isCooperative(scheduler)) {
    const known = new Set(OF_COOPERATIVE.map(({ transition }) => transition));
    const others = OF_ALL.filter(
      ({ transition, effects }) =>
        (!known.has(transition) && transition !== 'sleeps') ||
        effects?.includes('region') ||
        effects?.includes('program ends'),
    );
    const operations = [...BLOCKS.map(([t]) => t), ...RELEASES, 'acquires', 'tries in vain', 'atomic operation'];
    const shown = !isShown
      ? []
      : operations.flatMap((transition): Meaning[] => [
          { transition, part: 'start', variables: ['w', 's', 'at'], effects: ['operation begins'] },
          { transition, part: 'end', variables: ['w'], effects: ['call ends'] },
        ]);
    return [...computes, ...others, ...OF_COOPERATIVE, ...shown];
  }
  const own: Meaning[] =
    scheduler === 'os'
      ? [
          ...OF_THREADS,
          // While a thread waits for a processor.
          ...queuesOf(program).map(
            ({ transition }): Meaning => ({
              ...{ transition, part: 'start', variables: ['w'], state: WAITING },
              effects: ['queues'],
            }),
          ),
        ]
      : [
          ...OF_POOLS,
          ...(pool === undefined || pool === 'migrating' ? [] : OF_STACKS),
          { transition: 'ends last', part: 'start', variables: ['w'], pool: bypass ? 'EXEC' : 'LOCAL' },
          // Static queues are not announced.
          { transition: scheduler === 'static' ? 'wakes up' : 'is woken', ...WOKEN },
        ];
  const calls = !isShown
    ? []
    : CALLS.filter(([transition]) => transition !== (scheduler === 'static' ? 'is woken' : 'wakes up')).map(
        ([transition, part, effect]): Meaning => ({
          transition,
          part,
          variables: effect === 'operation begins' ? ['w', 's', 'at'] : ['w'],
          effects: [effect],
        }),
      );
  const tries = ['wakes', 'tries again'].map(
    (transition): Meaning => ({ transition, part: 'end', variables: ['w', 's', 'at'], effects: ['woken'] }),
  );
  return [...computes, ...OF_ALL, ...tries, ...own, ...calls];
}
