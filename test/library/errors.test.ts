import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AREAS, codesOf, errorsPage } from '../../scripts/errors.ts';
import { EventLog } from '../../src/analysis/event-log.ts';
import { type ReplicateOptions, replicate } from '../../src/analysis/replicate.ts';
import { type SimulateOptions, simulate } from '../../src/analysis/simulate.ts';
import { summary } from '../../src/analysis/statistics/summary.ts';
import { compile, type StartOptions } from '../../src/engine/compile.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import type { Net } from '../../src/net/net.ts';

const CODE = /['"`]([A-Z]{2,5}\d{3})['"`]/g;

const listed = AREAS.flatMap((area) => area.codes.map((c) => c.code));
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts'));
/** Codes that are raised. */
const raised = new Set(
  sources.flatMap((file) => {
    if (file === join('base', 'codes.ts')) return [];
    return [...readFileSync(join('src', file), 'utf8').matchAll(CODE)].map((m) => m[1]!);
  }),
);

test('there are codes to look at', () => {
  expect(raised.size).toBeGreaterThan(150);
});

test('every code that is raised is listed', () => {
  expect([...raised].filter((code) => !listed.includes(code)).sort()).toEqual([]);
});

test('every code that is listed is raised', () => {
  expect(listed.filter((code) => !raised.has(code))).toEqual([]);
});

test('every code is listed once', () => {
  expect(listed.filter((code, k) => listed.indexOf(code) !== k)).toEqual([]);
});

test('docs/errors.md shows the text of most messages', () => {
  // The row of a code has its text, or an example that begins with the code. Texts from several parts are left out.
  const rows = [...errorsPage().matchAll(/^\| ([A-Z]+\d+) \| .*$/gm)];
  const without = rows.filter(([row, code]) => row.endsWith('|  |') && !row.slice(5).includes(`\`${code} `));
  expect(rows.length).toBe(listed.length);
  expect(without.length).toBeLessThanOrEqual(27);
  for (const code of ['TI030', 'TI031', 'TI044', 'MODEL060', 'APP040', 'PLAT051'])
    expect(without.map(([, name]) => name)).not.toContain(code);
});

describe('every code of simulations has a case that provokes it', () => {
  const n = new NetBuilder('two');
  const queue = n.place('queue', { k: n.integer('Int') }, { initial: [{ k: 2 }] });
  n.transition('immediate', (t) => {
    const { k } = t.take(queue);
    t.guard(t.fn({ k }, (s) => Math.sqrt(s.k) > 2));
  });
  const net = n.build();
  const simulating = (options: SimulateOptions) => () => simulate(net, options);
  const from = simulate(net).save();
  const cases: Readonly<Record<string, readonly (() => unknown)[]>> = {
    SIM001: [
      simulating({ monitors: { q: { tokens: 'quue' } } }),
      simulating({ monitors: { q: { firings: 'imediate' } } }),
      () => simulate(timed(), { stopWhen: (run) => run.firings('imediate') > 3 }),
    ],
    SIM002: [simulating({ monitors: { m: { busy: 'immediate' } } })],
    SIM003: [simulating({ until: -1 }), simulating({ until: Number.NaN }), simulating({ maxSteps: -1 })],
    SIM004: [
      () => simulate(compile(net), { record: 'all' }),
      () => simulate(compile(net), { monitors: { q: { tokens: 'queue' } } }),
    ],
    SIM010: [
      simulating({ maxstep: 5 } as SimulateOptions),
      simulating(5 as unknown as SimulateOptions),
      simulating({ record: 5 as unknown as 'all' }),
      simulating({ stopWhen: true as unknown as () => boolean }),
      () => compile(net, { observers: { immediate: { start: 5 as unknown as () => void } } }),
      () => compile(net, { timed: 'queue' as unknown as string[] }),
      () => compile(net).start({ maxStep: 5 } as StartOptions),
      () => replicate(net, { replications: 2, maxstep: 5 } as ReplicateOptions),
    ],
    SIM011: [
      () => {
        const log = new EventLog(undefined, 2);
        const { start } = log.observer('t', false, []);
        for (let k = 0; k < 3; k++) start!(k);
      },
    ],
    SIM005: [simulating({ from, monitors: { other: { tokens: 'queue' } } })],
    SIM009: [() => summary([]), () => summary([1, Number.NaN]), () => summary([1, 2], 95)],
    SIM006: [() => replicate(net, { replications: 100, workers: 2 })],
    SIM007: [
      () => replicate({ module: new URL('./absent.mjs', import.meta.url), export: 'net' }, { replications: 2 }),
      () => replicate({ module: new URL('./two-faced.mjs', import.meta.url), export: 'ner' }, { replications: 2 }),
    ],
    SIM008: [
      () =>
        replicate(
          { module: new URL('./two-faced.mjs', import.meta.url), export: 'net' },
          { replications: 4, workers: 2 },
        ),
    ],
  };

  test.each(codesOf('simulation'))('$code is raised by its cases', async ({ code }) => {
    for (const provoke of cases[code]!)
      await expect(new Promise((resolve) => resolve(provoke()))).rejects.toMatchObject({ problems: [{ code }] });
  });

  test.each([{ replications: 0 }, { replications: 2.5 }, { replications: 2, workers: 0 }])(
    'SIM003 %j',
    async (options) => {
      await expect(replicate(net, options)).rejects.toMatchObject({ problems: [{ code: 'SIM003' }] });
    },
  );
});

/** A net with a timed firing. */
function timed(): Net {
  const n = new NetBuilder('timed');
  const p = n.place('p', {}, { initial: 1 });
  n.transition('t', (t) => {
    t.take(p);
    t.delay(1);
  });
  return n.build();
}
