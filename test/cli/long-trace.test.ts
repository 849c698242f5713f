import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { LogRing } from '../../src/cli/log-ring.ts';
import { predict } from '../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../src/commands/predict/prediction.ts';
import { cluster, foretoken } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-long-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RANKS = 8;
/** Above the limit from which work is offloaded to a second thread. */
const BYTES = 17 << 20;

/**
 * A trace in which ranks compute, sleep, exchange messages under all protocols with all operations, and wait; `last` gives
 * the final lines of each rank.
 */
function trace(name: string, last: (rank: number) => string = () => ''): string {
  const parts = Array.from({ length: RANKS }, (_, r) => [`${r} init`]);
  let bytes = 0;
  for (let turn = 0; bytes < BYTES; turn++)
    for (let r = 0; r < RANKS; r++) {
      const [left, right] = [(r + RANKS - 1) % RANKS, (r + 1) % RANKS];
      const size = [10, 5_000, 70_000, 1_000_000][turn % 4];
      const text = [
        `${r} compute ${1e5 + ((r * 7919 + turn * 104729) % 1000) * 1e3}`,
        ...(turn % 7 === 0 ? [`${r} sleep 0.00001`] : []),
        `${r} irecv ${left} 1 ${size} 6`,
        `${r} isend ${right} 1 ${size} 6`,
        ...(turn % 2 === 0 ? [`${r} waitall 2`] : [`${r} wait ${left} ${r} 1`, `${r} wait ${r} ${right} 1`]),
        ...(turn % 5 === 0
          ? r % 2 === 0
            ? [`${r} send ${right} 2 ${size} 6`, `${r} recv ${left} 2 ${size} 6`]
            : [`${r} recv ${left} 2 ${size} 6`, `${r} send ${right} 2 ${size} 6`]
          : []),
        ...(turn % 50 === 49 ? [`${r} allreduce 100 0 0`] : []),
      ].join('\n');
      bytes += text.length + 1;
      parts[r]!.push(text);
    }
  const path = join(folder, name);
  writeFileSync(path, parts.map((p, r) => `${p.join('\n')}\n${last(r)}${r} finalize\n`).join(''));
  return path;
}

describe('a long trace, whose ranks and digest the main thread follows', () => {
  it('gives the same document as one thread', { timeout: 120_000 }, async () => {
    const path = trace('long.ti');
    const { code, stdout, stderr } = await foretoken(['predict', path, '--machine', cluster, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const document = JSON.parse(stdout) as PredictionDocument;
    const alone = JSON.parse(JSON.stringify(predict(path, { machine: cluster }))) as PredictionDocument;
    for (const part of ['figures', 'ranks', 'resources', 'firings', 'profile', 'deadlock', 'complete'] as const)
      expect(document[part]).toEqual(alone[part]);
    expect(document.inputs['trace']!.sha256).toBe(alone.inputs['trace']!.sha256);
    const { communicating, waiting, idle } = document.ranks[3]!;
    for (const time of [communicating, waiting, idle]) expect(time).toBeGreaterThan(0);
  });

  it('names the ranks of a deadlock at its end', { timeout: 120_000 }, async () => {
    const path = trace('stuck.ti', (r) => `${r} recv ${(r + 1) % RANKS} 9 10 6\n`);
    const { code, stdout } = await foretoken(['predict', path, '--machine', cluster, '--json']);
    const alone = predict(path, { machine: cluster });
    expect(code).not.toBe(0);
    expect((JSON.parse(stdout) as PredictionDocument).deadlock).toEqual(JSON.parse(JSON.stringify(alone.deadlock)));
    expect(alone.deadlock).toHaveLength(RANKS);
  });

  it('gives a partial result after Ctrl-C, and the error after an error', { timeout: 120_000 }, async () => {
    const path = trace('cut.ti', (r) => (r === 5 ? '5 nonsense\n' : ''));
    const wrong = await foretoken(['predict', path, '--machine', cluster]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('nonsense');
    const { code, stdout } = await foretoken(['predict', join(folder, 'long.ti'), '--machine', cluster, '--json'], {
      during: async (child) => {
        await sleep(700);
        child.kill('SIGINT');
      },
    });
    // The run may have finished, or not yet started.
    if (stdout !== '') expect(JSON.parse(stdout)).toHaveProperty('complete');
    expect([0, 130]).toContain(code ?? 130);
  });
});

describe('pieces of a log sent to another thread', () => {
  const entry = fileURLToPath(new URL('../../src/cli/log-ring.ts', import.meta.url));
  const [built] = buildSync({ entryPoints: [entry], bundle: true, format: 'cjs', write: false }).outputFiles;
  const code = built!.text;
  const writer = (pieces: number): Worker =>
    new Worker(
      `${code}
const { parentPort, workerData } = require('node:worker_threads');
const ring = new module.exports.LogRing(workerData);
const log = new Float64Array(2048);
try {
  for (let k = 0; k < ${pieces}; k++) {
    log[0] = k;
    log[k % 100] = k;
    ring.add(log, 1 + (k % 100));
    parentPort.postMessage('more');
  }
  ring.awaitEnd();
  parentPort.postMessage('ended');
} catch (e) {
  parentPort.postMessage(e.message);
}`,
      { eval: true, workerData: shared.buffer },
    );
  let shared = new LogRing();

  it('arrive complete and in order, for any delay of the reader', async () => {
    shared = new LogRing();
    const lengths: number[] = [];
    const worker = writer(500);
    const ended = await new Promise<string>((resolve) => {
      worker.on('message', (m: string) => {
        if (m !== 'more') resolve(m);
        else
          shared.take(({ numbers: log }, length) => {
            expect([log[length - 1], log[0] === lengths.length || length === 1]).toEqual([lengths.length, true]);
            lengths.push(length);
            if (lengths.length === 500) shared.end(false);
          });
      });
    });
    expect(ended).toBe('ended');
    expect(lengths).toEqual(Array.from({ length: 500 }, (_, k) => 1 + (k % 100)));
    await worker.terminate();
  });

  it('end if the reader fails', async () => {
    shared = new LogRing();
    const worker = writer(500);
    const ended = await new Promise<string>((resolve) => {
      worker.on('message', (m: string) => {
        if (m !== 'more') resolve(m);
        else shared.end(true);
      });
    });
    expect(ended).toContain('failed');
    await worker.terminate();
  });
});
