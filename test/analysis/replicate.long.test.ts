import { describe, expect, test } from 'vitest';
import { type NetModule, type ReplicateOptions, replicate } from '../../src/analysis/replicate.ts';
import { InputError } from '../../src/base/problem.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import type { Net } from '../../src/net/net.ts';
import { fragile, net, plain } from './models/queue.ts';

const model = (name: string, exported?: string): NetModule => ({
  module: new URL(`./models/${name}`, import.meta.url),
  ...(exported === undefined ? {} : { export: exported }),
});

const OPTIONS = { replications: 12, until: 30, monitors: { waiting: { tokens: 'waiting' } } } as const;

/** A net whose runs never end. */
const endless = ((): Net => {
  const n = new NetBuilder('endless');
  const p = n.place('p', {}, { initial: 1 });
  n.transition('t', (t) => {
    t.take(p);
    t.delay(1);
    t.put(p, {});
  });
  return n.build();
})();

/** Codes and messages of the problems with which it rejects; the message of other errors. */
async function refused(given: Net | NetModule, options: ReplicateOptions): Promise<string> {
  return replicate(given, options).then(
    () => 'resolved',
    (error: Error) => (error instanceof InputError ? error.message : `${error.name}: ${error.message}`),
  );
}

/** Number of worker threads of this process. */
const threads = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

describe('a module', () => {
  test('is imported by every thread, also for nets with functions', async () => {
    const expected = await replicate(net, { ...OPTIONS, workers: 1 });
    expect(new Set(expected.map((r) => r.steps)).size).toBeGreaterThan(5);
    for (const workers of [1, 2, 3])
      expect(JSON.stringify(await replicate(model('queue.ts', 'net'), { ...OPTIONS, workers }))).toBe(
        JSON.stringify(expected),
      );
  });

  test('exports `default` unless specified otherwise', async () => {
    const expected = await replicate(plain, { ...OPTIONS, workers: 1 });
    expect(await replicate(model('queue.ts'), { ...OPTIONS, workers: 2 })).toEqual(expected);
  });

  test.each(['named', 'marked', 'tabled'])('that builds a different net in a worker is rejected: %s', async (name) => {
    expect((await replicate(model('two-faced.ts', name), { ...OPTIONS, workers: 1 })).length).toBe(12);
    expect(await refused(model('two-faced.ts', name), { ...OPTIONS, workers: 2 })).toMatch(
      new RegExp(`^SIM008 module file:.*two-faced.ts: "${name}" is a different net in a worker thread`),
    );
  });

  test.each<[string, NetModule, RegExp]>([
    ['that is not there', model('nowhere.ts'), /^SIM007 module file:.*: cannot be imported/],
    ['that fails', model('breaking.ts'), /^SIM007 .*cannot be imported: out of luck/],
    [
      'without this export',
      model('queue.ts', 'ent'),
      /^SIM007 .*"ent" is not exported. Did you mean "net"\? It exports .*net/,
    ],
    [
      'that exports something else',
      model('queue.ts', 'number'),
      /^SIM007 .*"number" is 5: expected a net, as returned by build\(\)\. It exports .*number/,
    ],
    [
      'that exports what makes a net',
      model('queue.ts', 'shop'),
      /^SIM007 .*"shop" is a function: expected a net, as returned by build\(\)\. It exports .*shop/,
    ],
    [
      'of which something else is said',
      { ...model('queue.ts'), exprot: 'net' } as NetModule,
      /^SIM010 replicate: unknown option "exprot"\. Did you mean "export"\? Known: module, export\./,
    ],
    ['that is no file', { module: new URL('data:text/javascript,export default 1') }, /^SIM007 .*the URL of a file/],
    ['that is elsewhere', { module: new URL('https://127.0.0.1/net.js') }, /^SIM007 .*the URL of a file/],
    ['of another kind', { module: new URL('./net.json', import.meta.url) }, /^SIM007 .*the URL of a file/],
    ['with an invalid net', model('queue.ts', 'invalid'), /^NET012/m],
  ])('%s is rejected', async (_, module, message) => {
    for (const workers of [1, 2]) expect(await refused(module, { ...OPTIONS, workers })).toMatch(message);
  });
});

describe('errors', () => {
  test('the first failed replication is reported, for any number of workers', async () => {
    const failure = await refused(fragile, { ...OPTIONS, replications: 40, workers: 1 });
    expect(failure).toMatch(/^RUN002 transition break: .*\(replication \d+\)$/);
    const [, which] = /replication (\d+)/.exec(failure)!;
    expect(Number(which)).toBeGreaterThan(1);
    for (const workers of [2, 3])
      expect(await refused(model('queue.ts', 'fragile'), { ...OPTIONS, replications: 40, workers })).toBe(failure);
    const before = await replicate(fragile, { ...OPTIONS, replications: Number(which), workers: 1 });
    expect(before.length).toBe(Number(which));
  });

  test('in options and nets are thrown at once', async () => {
    const cases: [Net, Partial<ReplicateOptions>, RegExp][] = [
      [plain, { replications: 0 }, /^SIM003/],
      [plain, { replications: 1e9 }, /^SIM003/],
      [plain, { workers: 0 }, /^SIM003/],
      [plain, { workers: 1.5 }, /^SIM003/],
      [plain, { until: Number.NaN }, /^SIM003/],
      [plain, { maxSteps: -1 }, /^SIM003/],
      [plain, { monitors: { q: { tokens: 'wating' } } }, /^SIM001.*"waiting"/],
      [{ ...plain, places: [] }, {}, /^NET012/m],
    ];
    for (const [given, options, message] of cases)
      for (const workers of [1, 2]) expect(await refused(given, { ...OPTIONS, workers, ...options })).toMatch(message);
  });

  test('nets that cannot be sent', async () => {
    expect(await refused(net, { ...OPTIONS, workers: 2 })).toMatch(/^SIM006 net queue: function "work.fn1"/);
    const values = { length: 1, shift: 7, pages: [Float64Array.of(1)], load: () => Float64Array.of(1) };
    const paged: Net = { ...plain, tables: [{ kind: 'real', name: 'times', values }] };
    expect(await refused(paged, { ...OPTIONS, workers: 2 })).toMatch(
      /^SIM006 net queue: table "times", which is paged/,
    );
    expect(await refused(paged, { ...OPTIONS, workers: 1 })).toBe('resolved');
  });

  test('a thread that ends does not hang', async () => {
    expect(await refused(model('exiting.ts'), { ...OPTIONS, workers: 2 })).toMatch(/ended with exit code 3/);
  });

  test('a thread that crashes does not hang', async () => {
    const long = { ...OPTIONS, replications: 1000, workers: 2 };
    expect(await refused(model('crashing.ts'), long)).toBe('Error: some time later');
  });

  test('in the caller’s progress function', async () => {
    const progress = (): void => {
      throw new Error('no more');
    };
    for (const workers of [1, 2])
      expect(await refused(plain, { ...OPTIONS, workers, progress })).toBe('Error: no more');
  });
});

test('progress grows up to the total', async () => {
  for (const workers of [1, 2, 3]) {
    const told: [number, number][] = [];
    const progress = (done: number, of: number): void => {
      told.push([done, of]);
    };
    await replicate(plain, { ...OPTIONS, replications: 50, workers, progress });
    expect(told.at(-1)).toEqual([50, 50]);
    expect(told.every(([done, of], k) => of === 50 && done > (told[k - 1]?.[0] ?? 0))).toBe(true);
  }
});

describe('a signal ends it', () => {
  const forever = { replications: 10, maxSteps: Number.POSITIVE_INFINITY };

  test('before it has begun', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    for (const workers of [1, 2]) expect(await refused(endless, { ...forever, workers, signal })).toBe('Error: enough');
  });

  test('during endless computations of threads', async () => {
    const controller = new AbortController();
    const outcome = refused(endless, { ...forever, workers: 2, signal: controller.signal });
    setTimeout(() => controller.abort(), 300);
    expect(await outcome).toMatch(/^AbortError/);
  });

  test('between replications in the calling thread', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const most = { replications: 1e6, maxSteps: 2000, workers: 1 };
    expect(await refused(endless, { ...most, signal: controller.signal })).toMatch(/^AbortError/);
  });
});

test('threads are always terminated', async () => {
  const before = threads();
  let most = 0;
  const progress = (): void => {
    most = Math.max(most, threads());
  };
  await replicate(plain, { ...OPTIONS, workers: 2, progress });
  expect(most).toBeGreaterThan(before);
  await refused(model('queue.ts', 'fragile'), { ...OPTIONS, replications: 40, workers: 3 });
  const controller = new AbortController();
  const aborted = refused(endless, { replications: 2, workers: 2, signal: controller.signal });
  setTimeout(() => controller.abort(), 300);
  await aborted;
  expect(threads()).toBe(before);
});

test('one replication or one worker starts no thread', async () => {
  const before = threads();
  const one = replicate(net, { ...OPTIONS, replications: 1, workers: 8 });
  expect(threads()).toBe(before);
  expect((await one).length).toBe(1);
});
