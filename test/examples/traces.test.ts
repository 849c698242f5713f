import { describe, expect, test } from 'vitest';
import blockLu from '../../examples/block-lu/model.ts';
import heat1d from '../../examples/heat-1d/model.ts';
import imbalance from '../../examples/imbalance/model.ts';
import jacobi2d from '../../examples/jacobi-2d/model.ts';
import pingPong from '../../examples/ping-pong/model.ts';
import ring from '../../examples/ring/model.ts';
import transpose from '../../examples/transpose/model.ts';
import wavefront from '../../examples/wavefront/model.ts';
import { predict } from '../../src/commands/predict/predict.ts';
import type { ProgramModel } from '../../src/models/program/model-object.ts';
import { hasTraces, type Reference, references, skipped, tiFile } from '../references.ts';

/**
 * FORETOKEN_TRACES=all compares every reference entry; the default is each platform under simgrid-plain, and one of them
 * under simgrid-smpi.
 */
const full = process.env['FORETOKEN_TRACES'] === 'all';
const chosen = (e: Reference): boolean =>
  full ||
  e.networkModel === 'simgrid-plain' ||
  (e.networkModel === 'simgrid-smpi' && e.platform.endsWith('/flat-nic.xml'));

/** Example models that describe the programs of SimGrid's traces with loops and functions of the rank. */
const MODELS = {
  'ring-2': ring,
  'ring-4': ring,
  'ring-8': ring.with({ turns: 3, bytes: 200_000, flops: 50_000 }),
  'pingpong-2': pingPong,
  'jacobi2d-2': jacobi2d.with({ n: 512, turns: 10, check: 1 }),
  'jacobi2d-4': jacobi2d.with({ n: 1024, turns: 10, check: 1 }),
  'jacobi2d-8': jacobi2d.with({ n: 1024, turns: 20, check: 5 }),
  'jacobi2d-16': jacobi2d.with({ n: 2048, turns: 20, check: 1 }),
  'jacobi2d-64': jacobi2d.with({ n: 4096, turns: 20, check: 10 }),
  'lu-4': blockLu.with({ n: 512, b: 64 }),
  'lu-8': blockLu.with({ n: 1024, b: 64 }),
  'lu-16': blockLu.with({ n: 1024, b: 32 }),
  'wavefront-4': wavefront.with({ planes: 8, sweeps: 1, flops: 2e6 }),
  'wavefront-16': wavefront.with({ planes: 16, sweeps: 2, flops: 1e6 }),
  'heat1d-4': heat1d,
  'imbalance-2': imbalance,
  'imbalance-4': imbalance,
  'imbalance-8': imbalance.with({ turns: 12 }),
  'transpose-4': transpose,
  'transpose-8': transpose.with({ flops: 2e6, bytes: 8192 }),
  'transpose-16': transpose.with({ turns: 3, flops: 2e6, bytes: 16384 }),
};

/** Rows of traces.expected.txt: flat-nic under simgrid-plain. */
const rows: string[] = [];
const isShown = (e: Reference): boolean => e.networkModel === 'simgrid-plain' && e.platform.endsWith('/flat-nic.xml');

const nameOf = (e: Reference): string => e.trace.replace(/^.*\/|\.ti$/g, '');
const off = (time: number | null, expected: number): number =>
  time === null ? Number.POSITIVE_INFINITY : Math.abs(time - expected) / expected;

const text = (time: number): string => time.toFixed(10);
function line(trace: string, model: string, times: readonly string[]): string {
  return `${trace.padEnd(14)}${model.padEnd(12)}${times.map((t) => t.padStart(15)).join('')}`;
}

describe.skipIf(!hasTraces)(
  `a model of the structure of a trace takes its time${hasTraces ? '' : ` (${skipped})`}`,
  () => {
    const all = references();
    test.each(Object.entries(MODELS))('the model of %s takes the time of the trace', (name, model) => {
      const entries = all.filter((e) => nameOf(e) === name && chosen(e));
      expect(entries.length).toBeGreaterThan(0);
      const wrong = entries.flatMap((e) => {
        const options = {
          machine: tiFile(e.platform),
          hostfile: tiFile(e.hostfile),
          ranks: e.ranks,
          networkModel: e.networkModel,
        };
        // The example imports the built package, whose types differ from those of the sources.
        const told = predict(model as unknown as ProgramModel, options);
        const replayed = predict(tiFile(e.trace), options);
        const time = told.figures.runTime.value;
        if (isShown(e))
          rows.push(line(name, model.name, [time, replayed.figures.runTime.value, e.expectedTime].map(text)));
        const ends = Math.max(...e.rankEnd.map((end, r) => off(told.ranks[r]!.endTime, end)));
        const gaps = {
          trace: off(time, replayed.figures.runTime.value),
          simgrid: off(time, e.expectedTime),
          rankEnd: ends,
        };
        return Object.entries(gaps)
          .filter(([, gap]) => !(gap <= 1e-6))
          .map(([of, gap]) => `${e.name}: ${of} ${gap.toExponential(2)}`);
      });
      expect(wrong).toEqual([]);
    });

    test('the table next to this file', async () => {
      if (rows.length < Object.keys(MODELS).length) return; // Only some of the tests above were selected.
      const table = [line('trace', 'model', ['model, s', 'replay, s', 'SimGrid, s']), ...rows].join('\n');
      await expect(`${table}\n`).toMatchFileSnapshot('traces.expected.txt');
    });
  },
);
