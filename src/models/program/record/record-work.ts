import { fail, shown } from '../../../base/problem.ts';
import { noiseOf } from '../../noise.ts';
import { Site } from '../../site.ts';
import { isPool, SCHEDULERS } from '../../threads/net/thread-net.ts';
import { POOL_KINDS } from '../../threads/net/worker-stacks.ts';
import { ThreadRecorder } from '../../threads/program/record/recorder.ts';
import type { Parameters } from './builder-types.ts';
import type { Methods, Options, Recording } from './recording.ts';

/** Builder methods for computing, sleeping and file access. */
export function workMethods(recording: Recording): Methods {
  const methods = {
    compute(work: Options): void {
      const o = recording.options('compute', work, ['flops', 'bytes', 'seconds', 'noise'], methods.compute);
      const site = new Site(methods.compute);
      if (o['flops'] !== undefined && o['seconds'] !== undefined)
        fail('MODEL014', 'compute: expected flops or seconds, got both', site.place);
      if (o['flops'] === undefined && o['seconds'] === undefined && o['bytes'] === undefined)
        fail('MODEL014', 'compute: expected flops, bytes or seconds, got none', site.place);
      const { flops, bytes, seconds, noise } = o;
      recording.add({ kind: 'compute', flops, bytes, seconds, noise: noiseOf(noise, site), site });
    },
    sleep(seconds: unknown, noise?: unknown): void {
      const site = new Site(methods.sleep);
      recording.add({ kind: 'sleep', seconds, noise: noiseOf(noise, site), site });
    },
    readFile(options: Options): void {
      const { bytes } = recording.options('readFile', options, ['bytes'], methods.readFile);
      recording.add({ kind: 'file', call: 'readFile', bytes, site: new Site(methods.readFile) });
    },
    writeFile(options: Options): void {
      const { bytes } = recording.options('writeFile', options, ['bytes'], methods.writeFile);
      recording.add({ kind: 'file', call: 'writeFile', bytes, site: new Site(methods.writeFile) });
    },
  };
  return methods;
}

/** Maximum number of threads of a rank. */
const MAX_WORKERS = 1_000_000;

/** Builder method for regions of threads inside ranks. */
export function threadMethods(recording: Recording, name: string, params: Parameters): Methods {
  const methods = {
    threads(options: Options, body: (t: ThreadRecorder) => unknown): void {
      const o = recording.options('threads', options, ['workers', 'scheduler', 'pool'], methods.threads);
      const site = new Site(methods.threads);
      const workers = o['workers'];
      if (!(Number.isSafeInteger(workers) && (workers as number) >= 1 && (workers as number) <= MAX_WORKERS))
        fail(
          'MODEL012',
          `threads: workers: expected an integer from 1 to ${MAX_WORKERS}, got ${shown(workers)}`,
          site.place,
        );
      const scheduler = SCHEDULERS.find((name) => name === (o['scheduler'] ?? 'stealing'));
      if (scheduler === undefined)
        fail(
          'MODEL012',
          `threads: scheduler: expected one of ${SCHEDULERS.join(', ')}, got ${shown(o['scheduler'])}`,
          site.place,
        );
      const pool = POOL_KINDS.find((name) => name === o['pool']);
      if (o['pool'] !== undefined && (pool === undefined || !isPool(scheduler)))
        fail(
          'MODEL012',
          pool === undefined
            ? `threads: pool: expected one of ${POOL_KINDS.join(', ')}, got ${shown(o['pool'])}`
            : `threads: pool: scheduler ${scheduler} is no pool; kinds of pools belong to ${SCHEDULERS.filter(isPool).join(', ')}`,
          site.place,
        );
      if (typeof body !== 'function')
        fail('MODEL012', `threads: expected a function that records the region, got ${shown(body)}`, site.place);
      const recorder = new ThreadRecorder(name, params, workers as number);
      const result: unknown = recording.inner('m.threads', () => body(recorder));
      if (typeof (result as { then?: unknown } | undefined)?.then === 'function')
        fail('MODEL011', 'threads: the block returns a promise', site.place);
      const region = {
        recorded: recorder.finish(),
        workers: workers as number,
        scheduler,
        ...(pool === undefined ? {} : { pool }),
      };
      recording.add({ kind: 'threads', region, site });
    },
  };
  return methods;
}
