import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { PredictionDocument } from '../../src/commands/predict/prediction.ts';
import { warmly } from './warm.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-datatype-'));
afterAll(() => rmSync(dir, { recursive: true }));
const path = (name: string): string => join(dir, name);

const lines = ['init', 'bcast 100000 0 -1', 'finalize'];
writeFileSync(path('t.ti'), [0, 1].map((r) => lines.map((line) => `${r} ${line}\n`).join('')).join(''));
writeFileSync(
  path('m.yaml'),
  'nodes: 2\ncoresPerNode: 1\nspeed: 1Gf\nlink: { latency: 50us, bandwidth: 100MB/s }\neagerBelow: 64KiB\n',
);
const machine = ['--machine', path('m.yaml')];

test('--datatype -1=BYTES is recorded, shown and honoured by rerun', async () => {
  const without = await warmly(['predict', path('t.ti'), ...machine]);
  expect(without).toMatchObject({ code: 2, stdout: '' });
  expect(without.stderr).toMatch(/t\.ti:2:18: TI026 type "-1".*--datatype -1=BYTES/);
  const { code, stdout, stderr } = await warmly(['predict', path('t.ti'), ...machine, '--datatype', '-1=8', '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const document = JSON.parse(stdout) as PredictionDocument;
  expect(document.options['derivedTypeBytes']).toBe(8);
  expect(document.notes).toMatchObject([{ code: 'TI043' }]);
  // 100 µs, and 800,000 B at 100 MB/s.
  expect(document.figures.runTime.value).toBeCloseTo(0.0081, 12);
  writeFileSync(path('r.json'), stdout);
  expect(await warmly(['rerun', '--trust', path('r.json')])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^identical/),
    stderr: expect.stringMatching(/^note: .*TI043/),
  });
  const page = await warmly(['predict', path('t.ti'), ...machine, '--datatype', '-1=0']);
  expect(page.stdout).toContain('derived datatypes of 0 B');
  expect(page.stdout).toMatch(/^Note {3}Time-independent traces do not record communicators.*\n.*\(TI043\)$/m);
});

test('verify, its rerun, whatif, compare and convert accept it', async () => {
  const verified = await warmly(['verify', path('t.ti'), '--datatype', '-1=0', '--json']);
  expect(verified).toMatchObject({ code: 0, stderr: '' });
  writeFileSync(path('v.json'), verified.stdout);
  expect(await warmly(['rerun', '--trust', path('v.json')])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ident/),
  });
  const csv = await warmly([
    'whatif',
    path('t.ti'),
    ...machine,
    '--vary',
    'placement=block',
    '--datatype',
    '-1=8',
    '--csv',
  ]);
  expect(csv).toMatchObject({ code: 0, stderr: expect.stringMatching(/^note: .*TI043/) });
  expect(csv.stdout).toContain('0.0081');
  const compared = await warmly(['compare', path('t.ti'), path('t.ti'), ...machine, '--datatype', '-1=8']);
  expect(compared).toMatchObject({ code: 0, stdout: expect.stringContaining('(TI043)') });
  const converted = await warmly(['convert', path('t.ti'), path('n.json'), ...machine, '--datatype', '-1=8']);
  expect(converted).toMatchObject({ code: 0, stderr: expect.stringMatching(/^note: .*TI043/m) });
  const ofNet = await warmly(['predict', path('n.json'), '--datatype', '-1=8']);
  expect(ofNet).toMatchObject({ code: 2, stderr: expect.stringContaining('APP004') });
});

test.each([
  ['-1=', 'Expected -1=BYTES'],
  ['-1=1.5', 'Expected -1=BYTES'],
  ['8', 'Expected -1=BYTES'],
  ['-1=-3', 'Expected -1=BYTES'],
  ['3=8', 'only the size of -1'],
  ['-1=9007199254740993', '2^53'],
])('--datatype %s is rejected', async (value, message) => {
  const { code, stderr } = await warmly(['predict', path('t.ti'), ...machine, '--datatype', value]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});
