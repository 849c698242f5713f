import { describe, expect, test } from 'vitest';
import { flatten } from '../../../src/analysis/petri/flatten.ts';
import { reducedExploration } from '../../../src/analysis/reduction/reduced-exploration.ts';
import { reducedSearch } from '../../../src/analysis/reduction/reduced-search.ts';
import { readNetFile } from '../../../src/commands/inputs/net-file.ts';
import { type ContestNet, contestFile, contestNets, skipped } from '../../references.ts';
import { isEnabled, markingAfter } from './plain-space.ts';

/** FORETOKEN_MCC=all runs all nets (minutes). FORETOKEN_TABLE prints the reduced sizes. */
const most = process.env['FORETOKEN_MCC'] === 'all' ? Number.POSITIVE_INFINITY : 9000;
const nets = contestNets().filter((net) => net.states <= most);
const rows: string[] = [];
const HEAD =
  'net, its places and transitions, states; stubborn: states, factor; structural: places, transitions, states; symmetry: the same; all: the same, factor; seconds of stubborn, of all';

const factor = (net: ContestNet, states: number): string => `×${(net.states / states).toFixed(1)}`;

test.skipIf(nets.length > 0)(skipped, () => {});

describe.skipIf(nets.length === 0)('deadlocks of nets of the Model Checking Contest', () => {
  test.each(nets.map((net) => [net.file, net] as const))('deadlocks of %s', { timeout: 900_000 }, (file, net) => {
    const petri = flatten(readNetFile(contestFile(file)).net);
    const found = reducedExploration(petri, { kind: 'deadlock' });
    expect(found.reached).toBe(net.deadlock);
    if (found.path !== undefined) {
      const marking = markingAfter(petri, found.path);
      expect(petri.transitions.some((t) => isEnabled(t, marking))).toBe(false);
    }
    // No dead marking counts as a deadlock here, so the search visits the whole reduced space.
    const all = reducedExploration(petri, { kind: 'deadlock', unless: { op: 'true' } });
    expect(all.states).toBeLessThanOrEqual(net.states);
    const others = (['structural', 'symmetry', 'all'] as const).map((method) => {
      if (method === 'structural' && net.states > 300_000) return undefined;
      expect(reducedSearch(petri, { kind: 'deadlock' }, method).reached).toBe(net.deadlock);
      return reducedSearch(petri, { kind: 'deadlock', unless: { op: 'true' } }, method);
    });
    rows.push(
      [
        file.padEnd(38),
        ...[petri.places.length, petri.transitions.length, net.states, all.states, factor(net, all.states)],
        ...others.flatMap((o) => [o?.places ?? '-', o?.transitions ?? '-', o?.states ?? '-']),
        ...[factor(net, others[2]!.states), all.seconds.toFixed(1), others[2]!.seconds.toFixed(1)],
      ]
        .map((x) => String(x).padStart(8))
        .join(''),
    );
  });

  test('the table', () => {
    expect(rows.length).toBe(nets.length);
    if (process.env['FORETOKEN_TABLE'] !== undefined) console.log([HEAD, ...rows].join('\n'));
  });
});
