import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { predictionJson } from '../../../src/commands/predict/prediction-json.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-bytes-'));
afterAll(() => rmSync(dir, { recursive: true }));

const TRACE = 'examples/stencil/stencil-8.ti';
const MACHINE = 'examples/stencil/cluster.xml';

test('the same inputs give the same bytes of document and trace, in one process and in fresh ones', () => {
  const here = ['a.json', 'b.json'].map((name) => {
    const trace = join(dir, name);
    return [predictionJson(predict(TRACE, { machine: MACHINE, trace, secondRuns: true })), readFileSync(trace, 'utf8')];
  });
  const fresh = ['c.json', 'd.json'].map((name) => {
    const trace = join(dir, name);
    const args = ['dist/cli/main.js', 'predict', TRACE, '--machine', MACHINE, '--json', '--trace', trace];
    return [execFileSync(process.execPath, args, { encoding: 'utf8' }), readFileSync(trace, 'utf8')];
  });
  const all = [...here, ...fresh].map(([document, trace]) => [document!.trim(), trace]);
  expect(all[0]![0]!.length).toBeGreaterThan(1000);
  for (const other of all.slice(1)) expect(other).toEqual(all[0]);
});

test('the trace has at least one slice per rank and an arrow per message', () => {
  const trace = join(dir, 'e.json');
  const document = predict(TRACE, { machine: MACHINE, trace });
  const { traceEvents } = JSON.parse(readFileSync(trace, 'utf8')) as { traceEvents: { ph: string; tid?: number }[] };
  const count = (ph: string): number => traceEvents.filter((e) => e.ph === ph).length;
  expect(new Set(traceEvents.filter((e) => e.ph === 'X').map((e) => e.tid)).size).toBe(8);
  expect(count('s')).toBe(document.firings['deliver']);
  expect(count('f')).toBe(document.firings['deliver']);
});
