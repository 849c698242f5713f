import { describe, expect, test } from 'vitest';
import { reducedExploration } from '../../../src/analysis/reduction/reduced-exploration.ts';
import { flatten } from '../../../src/analysis/space/flatten.ts';
import { readNetFile } from '../../../src/app/net-file.ts';
import { type ContestNet, contestFile, contestNets, skipped } from '../../references.ts';
import { isEnabled, played } from './plain-space.ts';

/** All of them take minutes: FORETOKEN_MCC=all. With FORETOKEN_TABLE, what was left of each. */
const most = process.env['FORETOKEN_MCC'] === 'all' ? Number.POSITIVE_INFINITY : 9000;
const nets = contestNets().filter((net) => net.states <= most);
const rows: string[] = [];

test.skipIf(nets.length > 0)(skipped, () => {});

describe.skipIf(nets.length === 0)('deadlocks of nets of the Model Checking Contest', () => {
  test.each(nets.map((net) => [net.file, net] as const))('%s', { timeout: 900_000 }, (file, net: ContestNet) => {
    const petri = flatten(readNetFile(contestFile(file)).net);
    const found = reducedExploration(petri, { kind: 'deadlock' });
    expect(found.reached).toBe(net.deadlock);
    if (found.way !== undefined) {
      const marking = played(petri, found.way);
      expect(petri.transitions.some((t) => isEnabled(t, marking))).toBe(false);
    }
    // Where every dead marking may be an end, the search goes on to the last.
    const all = reducedExploration(petri, { kind: 'deadlock', unless: { op: 'true' } });
    expect(all.states).toBeLessThanOrEqual(net.states);
    rows.push(
      `${file.padEnd(40)} ${String(net.states).padStart(8)} ${String(all.states).padStart(8)} ${(net.states / all.states).toFixed(1).padStart(8)} ${all.seconds.toFixed(1).padStart(6)} s ${String(found.states).padStart(8)} ${net.deadlock}`,
    );
  });

  test('the table', () => {
    expect(rows.length).toBe(nets.length);
    if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(rows.join('\n'));
  });
});
