import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ProgramVerificationDocument } from '../../../../src/commands/verify/program/program-verification.ts';
import { verifyProgram } from '../../../../src/commands/verify/program/verify-program.ts';
import { hasTraces, skipped, tiFile } from '../../../references.ts';

/** FORETOKEN_TABLE=1: all traces, one with a million actions, and a printed table. */
const full = process.env['FORETOKEN_TABLE'] === '1';
const SMALL = [
  'smpi-made/ring-4',
  'smpi-made/heat1d-4',
  'smpi-made/imbalance-2',
  'smpi-made/lu-4',
  'smpi-made/masterworker-4',
];
/** Traces that deadlock under rendezvous, with the reasons. */
const STUCK: Readonly<Record<string, string>> = {
  'smpi-made/masterworker-4':
    'the reply goes to the worker of the recorded run, which may have another message to hand over first',
  'smpi-made/masterworker-8': 'the same',
};

const dir = mkdtempSync(join(tmpdir(), 'foretoken-verify-shared-'));
afterAll(() => rmSync(dir, { recursive: true }));

const rows: string[] = [];
afterAll(() => {
  if (full) console.log(rows.join('\n'));
});

function note(name: string, { instances }: ProgramVerificationDocument): void {
  const cells = instances.map((i) => {
    const word = i.properties.some((p) => p.verdict === false)
      ? 'deadlock'
      : i.properties.every((p) => p.verdict)
        ? 'holds'
        : '?';
    return `${word} ${i.states === undefined ? `${i.steps} steps` : `${i.states} states`} ${i.seconds.toFixed(2)} s`;
  });
  rows.push(`${name.padEnd(44)}${cells.map((c) => c.padEnd(36)).join('')}`);
}

function traces(): string[] {
  if (!hasTraces) return [];
  const made = readdirSync(tiFile('smpi-made')).map((f) => `smpi-made/${f}`);
  const simgrid = readdirSync(tiFile('simgrid')).map((f) => `simgrid/${f}`);
  const real = readdirSync(tiFile('real')).map((f) => `real/${f}`);
  const files = [...made, ...simgrid, ...real].filter((f) => statSync(tiFile(f)).isFile());
  const all = files.filter((f) => /\.(?:ti|txt)$/.test(f) && !/actions[01]\.txt$/.test(f)).sort();
  return full ? all : all.filter((f) => SMALL.includes(f.replace(/\.ti$/, '')));
}

describe.skipIf(!hasTraces)(hasTraces ? 'the shared traces' : skipped, () => {
  it.each(traces())('%s ends, except for known deadlocks', { timeout: 170_000 }, (file) => {
    const document = verifyProgram(tiFile(file), { maxStates: 1e6 });
    note(file, document);
    const [eager, rendezvous] = document.instances;
    expect(eager!.properties.filter((p) => p.verdict !== true)).toEqual([]);
    if (STUCK[file.replace(/\.ti$/, '')] === undefined) {
      expect(rendezvous!.properties.filter((p) => p.verdict !== true)).toEqual([]);
      return;
    }
    const { deadlock } = rendezvous!;
    expect(deadlock!.shortest).toBe(true);
    expect(deadlock!.cycle!.length).toBeGreaterThan(1);
    expect(deadlock!.blocked.length).toBe(rendezvous!.ranks);
    expect(deadlock!.blocked.every((b) => b.line > 0 && b.waitsFor!.length > 0)).toBe(true);
  });
});

/** A ring: ranks exchange with both neighbours, compute and wait; a reduction in every tenth iteration. */
function ringHalo(ranks: number, turns: number): string {
  const file = join(dir, `ring-${ranks}-${turns}.ti`);
  const lines: string[] = [];
  for (let r = 0; r < ranks; r++) {
    const [left, right] = [(r + ranks - 1) % ranks, (r + 1) % ranks];
    lines.push(`${r} init`);
    for (let k = 0; k < turns; k++) {
      lines.push(`${r} irecv ${left} 1 8192 6`, `${r} irecv ${right} 2 8192 6`);
      lines.push(`${r} isend ${right} 1 8192 6`, `${r} isend ${left} 2 8192 6`);
      lines.push(`${r} compute 1000000`, `${r} waitall 4`);
      if (k % 10 === 9) lines.push(`${r} allreduce 1 0 0`);
    }
    lines.push(`${r} finalize`);
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

it('a ring of many actions is decided by one run', { timeout: 170_000 }, () => {
  const turns = full ? 2560 : 20;
  const document = verifyProgram(ringHalo(64, turns));
  note(`ring-halo 64 x ${turns} (${64 * (turns * 6 + turns / 10 + 2)} actions)`, document);
  for (const one of document.instances) {
    expect(one.method).toBe('one run');
    expect(one.properties.map((p) => p.verdict)).toEqual([true, true, true]);
  }
});
