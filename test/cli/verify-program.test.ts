import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ProgramVerificationDocument } from '../../src/commands/verify/program/program-verification.ts';
import { warmly } from './warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-cli-verify-program-'));
afterAll(() => rmSync(folder, { recursive: true }));

const swap = join(folder, 'swap.ti');
writeFileSync(swap, '0 init\n0 send 1 1 8\n0 recv 1 1 8\n0 finalize\n1 init\n1 send 0 1 8\n1 recv 0 1 8\n1 finalize\n');
const net = join(folder, 'net.json');
writeFileSync(net, '{}');

describe('verify of programs', () => {
  it('exits with 0 if all properties hold and with 1 for a violation', async () => {
    const holds = await warmly(['verify', swap, '--sends', 'eager']);
    expect(holds.stdout).toMatch(/^Holds for 2 ranks, eager sends: no deadlock/);
    expect(holds.code).toBe(0);
    const both = await warmly(['verify', swap]);
    expect(both.stdout).toMatch(/^Violated for 2 ranks, rendezvous sends: deadlock\nHolds for 2 ranks, eager sends/);
    expect(both.stdout).toContain('rank 0: send 1 1 8, swap.ti:2, waits for rank 1');
    expect(both.code).toBe(1);
  });

  it('exits with 3 at a limit', async () => {
    const { code, stdout } = await warmly(['verify', swap, '--sends', 'eager', '--max-steps', '1']);
    expect(stdout).toMatch(/^Unknown for 2 ranks, eager sends: the limit of 1 steps was reached/);
    expect(code).toBe(3);
  });

  it('prints the document', async () => {
    const { stdout } = await warmly(['verify', 'examples/ring/model.ts', '--ranks', '3', '--set', 'turns=1', '--json']);
    const document = JSON.parse(stdout) as ProgramVerificationDocument;
    expect(document).toMatchObject({ kind: 'program-verification', complete: true });
    expect(document.instances.map((i) => [i.ranks, i.sends, i.sound, i.parameters['turns']])).toEqual([
      [3, 'eager', true, 1],
      [3, 'rendezvous', true, 1],
    ]);
    for (const { incidence } of document.instances)
      expect(incidence).toEqual({ places: 27, transitions: 24, open: 0, findings: [] });
  });

  it.each([
    ['a protocol that is none', [swap, '--sends', 'buffered'], 'Expected eager, rendezvous or both'],
    ['a property of a trace', [swap, '-p', 'safe'], 'VER003'],
    ['a protocol for a net', [net, '--sends', 'eager'], 'VER003'],
    ['a protocol with a property', ['examples/ring/model.ts', '-p', 'safe', '--sends', 'eager'], 'VER003'],
    ['depth first', [swap, '--order', 'depth'], 'VER003'],
    ['a trace that is not there', [join(folder, 'none.ti')], 'none.ti'],
    ['a trace that is none', [net.replace('net.json', 'net.txt')], 'net.txt'],
    ['parameters of a trace', [swap, '--set', 'n=1'], 'APP004'],
    ['a negative number of messages', [swap, '--buffer', '-1'], 'Expected an integer >= 0'],
  ])('%s is bad input', async (_, args, message) => {
    const { code, stdout, stderr } = await warmly(['verify', ...args]);
    expect(stderr).toContain(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
