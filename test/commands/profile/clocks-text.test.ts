import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { profileRun } from '../../../src/commands/profile/profile.ts';
import { profileJson } from '../../../src/commands/profile/profile-view.ts';
import { summaryOf } from '../../../src/commands/view/summary/summary.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-clocks-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A run of two processes, with one message that is received at a time. */
function record(received: number): string {
  const file = join(folder, 'run.jsonl');
  const states = [0, 1].map((process) => ({ table: 'states', process, start: 0, end: 4, state: 'computing' }));
  const message = {
    table: 'messages',
    source: 0,
    destination: 1,
    sent: 2,
    received,
    bytes: 8,
    tag: 0,
    communicator: 0,
  };
  const head = {
    format: 'foretoken-run',
    version: 1,
    program: 'clocks',
    origin: 'recorded',
    product: 'hand',
    processes: 2,
  };
  const nodes = { nodes: [{ name: 'a', sockets: 1 }], nodeOf: [0, 0], socketOf: [0, 0] };
  const rows = [
    { ...head, ...nodes },
    { ...message, call: 'MPI_Send', instant: 'transfer' },
    ...states,
    { end: { complete: true, time: 4, notes: [] } },
  ];
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return file;
}

const notes = (align: boolean, received: number): readonly string[] =>
  summaryOf([JSON.parse(profileJson(profileRun(record(received), { align })))], []).notes;

test('pages say by how much clocks were shifted, and for how many messages', () => {
  expect(notes(true, 1.5)).toContain(
    'Clocks are aligned. Shifts from 0 s (process 0) to 500.0 ms (process 1); residual 0 s. 1 message received before sent, 0 after alignment.',
  );
  expect(notes(false, 2.5).join()).not.toContain('Clocks');
});
