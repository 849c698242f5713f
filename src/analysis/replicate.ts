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
import { assertOptions } from './simulate.ts';
import { Watcher } from './watch.ts';
import { overWorkers } from './worker-pool.ts';

export type { NetModule } from './net-module.ts';
export type { Replication } from './replication.ts';

export interface ReplicateOptions<M extends MonitorSpecs = MonitorSpecs> extends ReplicationOptions<M> {
  readonly replications: number;
  /** Worker threads, default one per core; 1 computes in the calling thread. Results do not depend on it. */
  readonly workers?: number;
  /** StatementInfo from time to time how many replications are done. */
  readonly progress?: (done: number, replications: number) => void;
  /** Ends it early: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What options are. */
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
/** What is said of a module. */
const MODULE = { module: 'any', export: 'a text' } as const;
/** Most replications of one call: all results are kept. */
const MAX_REPLICATIONS = 1e7;
const MAX_WORKERS = 1024;
/** In the calling thread other work comes in after so many milliseconds. */
const TURN = 50;

/**
 * Runs a net many times with independent random numbers, over the cores of the machine, and returns the results in the
 * order of the replications: replication k is that of `simulate(net, { replication: k })`, whatever the number of workers.
 * O(replications) memory. Threads are ended before it returns.
 *
 * A net is sent to the threads. One with functions that were not tabulated, or with paged tables, cannot be sent: give the
 * module that exports it, which every thread imports anew, and whose net must have the same structure and tables there.
 *
 * @throws InputError for an invalid net or option (NET…, SIM…); RUN… of the first replication that fails; SIM006 where a net
 * cannot be sent, SIM007 where a module cannot be imported, SIM008 where it makes another net in a worker.
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
  const tell = (done: number): void => progress?.(done, count);
  const workers = Math.min(wanted, count);
  if (workers === 1) return inThisThread(new Replicator(own, rest), count, tell, signal);
  if (module === undefined) assertPlain(own);
  const sent = module === undefined ? own : { ...module, hash: netHash(own) };
  return overWorkers({ net: sent, options: rest }, count, workers, tell, signal);
}

async function inThisThread(
  replicator: Replicator,
  count: number,
  progress: (done: number) => void,
  signal: AbortSignal | undefined,
): Promise<Replication[]> {
  const results: Replication[] = [];
  let turn = performance.now();
  while (results.length < count) {
    results.push(replicator.run(results.length));
    if (performance.now() - turn >= TURN || results.length === count) {
      progress(results.length);
      await setImmediate();
      turn = performance.now();
    }
    signal?.throwIfAborted();
  }
  return results;
}

function assertCount(what: string, value: number, most: number): void {
  if (!(Number.isInteger(value) && value >= 1 && value <= most))
    fail('SIM003', `${what} ${shown(value)}: a whole number from 1 to ${most} is expected`, { part: 'replicate' });
}

/** Functions, and columns that load their pages, stay in their thread. */
function assertPlain(net: Net): void {
  const refuse = (what: string): never =>
    fail('SIM006', `${what} cannot go to a worker: give the module that exports the net, or use workers: 1`, {
      part: `net ${net.name}`,
    });
  const [first] = net.functions ?? [];
  if (first !== undefined) refuse(`function "${first.name}", which could not be tabulated,`);
  for (const t of net.tables)
    if ((t.kind === 'int' || t.kind === 'real') && 'pages' in t.values) refuse(`table "${t.name}", which is paged,`);
}
