import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { assertOptions as assertMembers } from '../base/options.ts';
import { fail, shown } from '../base/problem.ts';
import type { Net } from '../net/net.ts';
import { netHash } from '../net/net-hash.ts';
import { assertValid } from '../net/validation/validate.ts';
import type { MonitorSpecs } from './monitor.ts';
import { importNet, type NetModule } from './net-module.ts';
import { type Replication, type ReplicationOptions, Replicator } from './replication.ts';
import { overWorkers } from './shares.ts';
import { assertOptions } from './simulate.ts';
import { Watcher } from './watch.ts';

export type { NetModule } from './net-module.ts';
export type { Replication } from './replication.ts';

/** Options of {@link replicate}. */
export interface ReplicateOptions<M extends MonitorSpecs = MonitorSpecs> extends ReplicationOptions<M> {
  /** Number of replications, from 1 to 10⁷. */
  readonly replications: number;
  /** Number of worker threads, default one per core; 1 computes in the calling thread. It does not affect results. */
  readonly workers?: number;
  /** Called from time to time with the number of replications done. */
  readonly progress?: (done: number, replications: number) => void;
  /** Cancels the work: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Expected types of the options. */
const OPTIONS = {
  replications: 'any',
  workers: 'any',
  seed: 'any',
  until: 'any',
  maxSteps: 'any',
  maxInstantSteps: 'any',
  monitors: 'an object',
  progress: 'a function',
  signal: 'an object',
} as const;
/** Expected types of the members of a module. */
const MODULE = { module: 'any', export: 'a string' } as const;
/** Maximum number of replications per call; all results are kept in memory. */
const MAX_REPLICATIONS = 1e7;
const MAX_WORKERS = 1024;
/** In the calling thread the event loop is served at this interval, in milliseconds. */
const MAX_BLOCKED = 50;

/**
 * Runs a net many times with independent random numbers, using all cores, and returns the results in the order of the
 * replications. Replication k equals `simulate(net, { replication: k })`, for any number of workers. O(replications) memory.
 * All threads have ended when the promise settles.
 *
 * A net is sent to the threads as data. A net with functions that were not tabulated, or with paged tables, cannot be sent:
 * pass the module that exports it instead. Every thread imports that module, and the structure and tables of the net must be
 * the same in all threads.
 *
 * @throws InputError for an invalid net or option (NET…, SIM…); RUN… of the first replication that fails; SIM006 if the net
 * cannot be sent, SIM007 if the module cannot be imported, SIM008 if it exports a different net in a worker.
 */
export async function replicate<const M extends MonitorSpecs = MonitorSpecs>(
  net: Net | NetModule,
  options: ReplicateOptions<M>,
): Promise<readonly Replication<M>[]> {
  return (await replications(net, options)) as unknown as readonly Replication<M>[];
}

async function replications(net: Net | NetModule, options: ReplicateOptions): Promise<readonly Replication[]> {
  assertMembers('replicate', options, OPTIONS);
  const { replications: count, workers: wanted = availableParallelism(), progress, signal, ...rest } = options;
  assertCount('replications', count, MAX_REPLICATIONS);
  assertCount('workers', wanted, MAX_WORKERS);
  assertOptions(rest);
  if (typeof net === 'object' && net !== null && 'module' in net) assertMembers('replicate', net, MODULE);
  const module =
    typeof net === 'object' && net !== null && 'module' in net
      ? { href: String(net.module), export: net.export ?? 'default' }
      : undefined;
  const own = module === undefined ? (net as Net) : await importNet(module.href, module.export);
  signal?.throwIfAborted();
  assertValid(own);
  new Watcher(own, rest.monitors === undefined ? {} : { monitors: rest.monitors });
  const report = (done: number): void => progress?.(done, count);
  const workers = Math.min(wanted, count);
  if (workers === 1) return inThisThread(new Replicator(own, rest), count, report, signal);
  if (module === undefined) assertPlain(own);
  const sent = module === undefined ? own : { ...module, hash: netHash(own) };
  return overWorkers({ net: sent, options: rest }, count, workers, report, signal);
}

async function inThisThread(
  replicator: Replicator,
  count: number,
  progress: (done: number) => void,
  signal: AbortSignal | undefined,
): Promise<Replication[]> {
  const results: Replication[] = [];
  let since = performance.now();
  while (results.length < count) {
    results.push(replicator.run(results.length));
    if (performance.now() - since >= MAX_BLOCKED || results.length === count) {
      progress(results.length);
      await setImmediate();
      since = performance.now();
    }
    signal?.throwIfAborted();
  }
  return results;
}

function assertCount(what: string, value: number, max: number): void {
  if (!(Number.isInteger(value) && value >= 1 && value <= max))
    fail('SIM003', `${what}: expected an integer from 1 to ${max}, got ${shown(value)}`, { part: 'replicate' });
}

/** Rejects nets that cannot be sent to a thread: functions and paged columns cannot be copied. */
function assertPlain(net: Net): void {
  const refuse = (what: string): never =>
    fail('SIM006', `${what} cannot be sent to a worker: give the module that exports the net, or use workers: 1`, {
      part: `net ${net.name}`,
    });
  const [first] = net.functions ?? [];
  if (first !== undefined) refuse(`function "${first.name}", which could not be tabulated,`);
  for (const t of net.tables)
    if ((t.kind === 'int' || t.kind === 'real') && 'pages' in t.values) refuse(`table "${t.name}", which is paged,`);
}
