import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { OPERATION_FIGURES } from '../../../src/analysis/efficiency/efficiency.ts';
import { profileRun } from '../../../src/commands/profile/profile.ts';
import type { ProfileDocument } from '../../../src/commands/profile/profile-document.ts';
import { profile } from '../../../src/commands/profile/profile-program.ts';
import { renderProfile } from '../../../src/commands/profile/profile-view.ts';
import { counter, spmd } from '../../../src/models.ts';
import { byProcessor } from './jacobi.ts';

const folder = mkdtempSync(join(tmpdir(), 'operation-spread-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function profiled(
  rows: readonly string[],
  head = 'process,start,end,state,interval,kind,collective,phase',
): ProfileDocument {
  const file = join(folder, 'states.csv');
  writeFileSync(file, `${[head, ...rows].join('\n')}\n`);
  return profileRun(file);
}

type Triple = readonly [min: number, minOn: number, max: number, maxOn: number, mean: number];

/** The second comparative table of Jacobi in C-DVM: minimum, maximum (each with its processor, from 1) and mean in seconds. */
const TABLE: Readonly<Record<string, Readonly<Record<string, Triple>>>> = {
  'reduction start': {
    communication: [0.01984, 2, 2.453824, 16, 0.267516],
    synchronization: [0.001344, 3, 2.44544, 16, 0.268928],
    timeVariation: [0.000128, 3, 0.056768, 9, 0.024132],
    overlap: [0.010944, 16, 0.016, 8, 0.012664],
  },
  'reduction wait': {
    communication: [0.092416, 2, 0.149056, 10, 0.110428],
    synchronization: [0.00032, 3, 0.055808, 9, 0.022668],
    timeVariation: [0.000576, 9, 0.021504, 1, 0.006064],
  },
  'shadow start': {
    communication: [0.500608, 16, 0.899776, 2, 0.753996],
    synchronization: [0, 10, 0.024448, 2, 0.008704],
    timeVariation: [0, 2, 0.396608, 1, 0.130036],
    overlap: [0.012352, 2, 0.0144, 7, 0.013196],
  },
  'shadow wait': {
    communication: [0.628032, 1, 0.862464, 3, 0.739972],
    synchronization: [0, 2, 0.395328, 1, 0.129192],
    timeVariation: [0, 3, 0.51776, 1, 0.139684],
  },
  'io ': {
    synchronization: [0, 3, 1.379712, 16, 0.21568],
    timeVariation: [0, 3, 1.379712, 16, 0.2087],
  },
};

const spread = ([min, minOn, max, maxOn, mean]: Triple): number[] => byProcessor(mean, { [minOn]: min, [maxOn]: max });
const NONE: readonly number[] = new Array<number>(16).fill(0);

/**
 * Rows of two executions of an operation whose delays, times and overlaps per processor are given. The first two processors
 * take all of their delay in one execution, so that in each of them one processor is last.
 */
function rowsOf(name: string, phase: string, of: Readonly<Record<string, Triple>>): string[] {
  const values = (figure: string): readonly number[] => (of[figure] === undefined ? NONE : spread(of[figure]));
  const [blocked, late, early, overlap] = OPERATION_FIGURES.map(values) as [number[], number[], number[], number[]];
  const least = (delays: readonly number[]): number => delays.indexOf(Math.min(...delays));
  const part = (delays: readonly number[], p: number, execution: number): number => {
    const first = least(delays);
    const second = first === 0 ? 1 : 0;
    if (p === first) return execution === 1 ? 0 : delays[p]!;
    if (p === second) return execution === 2 ? 0 : delays[p]!;
    return delays[p]! / 2;
  };
  return Array.from({ length: 16 }, (_, p) => {
    const rows: string[] = [];
    let time = 0;
    const until = (end: number, state: string, cells: string): void => {
      rows.push(`${p},${time},${end},${state},,parallel,${cells}`);
      time = end;
    };
    for (const execution of [1, 2]) {
      const cells = `${name}#${execution},${phase}`;
      until(execution * 20 - 10 - part(late, p, execution), 'computing', ',');
      until(time + blocked[p]! / 2, 'communicating', cells);
      until(execution * 20 - part(early, p, execution), 'computing', ',');
      rows.push(`${p},${time},${time},communicating,,parallel,${cells}`);
      if (phase !== 'start') continue;
      until(time + overlap[p]! / 2, 'computing', ',');
      rows.push(`${p},${time},${time},communicating,,parallel,${name}#${execution},wait`);
    }
    return rows;
  }).flat();
}

describe('the second comparative table of Jacobi in C-DVM', () => {
  test.each(Object.entries(TABLE))('every triple of operation %s to the digit', (operation, printed) => {
    const [name, phase] = operation.split(' ') as [string, string];
    const { operations } = profiled(rowsOf(name, phase, printed));
    const found = operations.find(({ kind, phase: own = '' }) => kind === name && own === phase)!;
    expect(found).toMatchObject({ processors: 16, count: 2 });
    for (const [figure, [min, minOn, max, maxOn, mean]] of Object.entries(printed)) {
      const its = found.spread[figure as 'communication'];
      expect([its.min.toFixed(6), its.max.toFixed(6), its.mean.toFixed(6)]).toEqual(
        [min, max, mean].map((x) => x.toFixed(6)),
      );
      expect(its).toMatchObject({ minProcess: minOn - 1, maxProcess: maxOn - 1 });
      expect(16 * its.mean).toBeCloseTo(found[figure as 'communication'], 9);
      expect(found.processes!.map((p) => p[figure as 'communication'])[maxOn - 1]).toBe(its.max);
    }
  });

  test('the text has a row for each characteristic that is not 0', () => {
    const document = profiled(rowsOf('reduction', 'start', TABLE['reduction start']!));
    const text = renderProfile(document, { width: 120, unicode: true, colour: false });
    const rows = text.slice(text.indexOf('Collective operations by process')).split('\n').slice(2, 6);
    const cells = rows.map((row) => row.replace('reduction, start', '').trim().split(/ {2,}/));
    expect(cells.map(([name, , minOn, , maxOn]) => [name, minOn, maxOn])).toEqual([
      ['commun or wait', '1', '15'],
      ['synchronization', '2', '15'],
      ['variation', '2', '8'],
      ['overlap', '15', '7'],
    ]);
    expect(cells[0]![1]).toBe('19.840 ms');
    const cut = renderProfile(document, { width: 120, unicode: true, colour: false }, ['synchronization']);
    expect(cut.slice(cut.indexOf('Characteristics'))).not.toMatch(/variation|overlap|lost time/);
    expect(cut).toMatch(/synchronization/);
  });
});

describe('processors of an interval are those that execute it', () => {
  // Two of three processes compute the same for 3 s; then one alone computes for 1 s.
  const document = profiled([
    '0,0,3,computing,setup#1,sequential,,',
    '1,0,2,computing,setup#1,sequential,,',
    '2,0,4,computing,work#1,parallel,,',
    '0,3,4,computing,report#1,sequential,,',
    '1,2,4,waiting,,,all#1,',
    '0,4,4,waiting,,,all#1,',
  ]);
  const [setup, work, report] = ['setup', 'work', 'report'].map(
    (name) => document.intervals.find((interval) => interval.name === name)!,
  );

  test('insufficient parallelism, total time, idle time and means are over them', () => {
    expect(setup!.figures).toMatchObject({
      processors: { value: 2 },
      totalTime: { value: 6 },
      insufficientParallelism: { value: 2.5 },
      idle: { value: 1 },
      productiveTime: { value: 2.5 },
    });
    expect(setup!.spread.executionTime).toMatchObject({ min: 2, minProcess: 1, max: 3, maxProcess: 0, mean: 2.5 });
    expect(report!.figures).toMatchObject({
      processors: { value: 1 },
      lostTime: { value: 0 },
      efficiency: { value: 1 },
    });
    expect(work!.spread.executionTime).toMatchObject({ minProcess: 2, maxProcess: 2 });
    expect(work!.processes!.map(({ process }) => process)).toEqual([2]);
  });

  test('an operation of some processes has their minimum, not 0 of the others', () => {
    expect(document.operations).toMatchObject([
      {
        kind: 'all',
        processors: 2,
        spread: { communication: { min: 0, minProcess: 0, max: 2, maxProcess: 1, mean: 1 } },
      },
    ]);
  });

  test('the program adds up what its intervals lose', () => {
    const { figures } = document;
    expect(figures.insufficientParallelism.value).toBe(2.5);
    expect(figures.productiveTime.value + figures.lostTime.value).toBeCloseTo(figures.totalTime.value, 12);
  });

  test('outermost intervals are ranked by lost time', () => {
    expect(document.ranking.map(({ interval, lostTime }) => [interval, lostTime])).toEqual([
      ['setup', 3.5],
      ['work', 0],
      ['report', 0],
    ]);
    expect(document.ranking[0]!.share).toBeCloseTo(3.5 / document.figures.lostTime.value, 12);
  });
});

describe('a process that sleeps within an operation', () => {
  test('takes part in it: its figures add up to those of the program', () => {
    const { operations, figures } = profile(
      spmd({
        name: 'calls',
        build(m) {
          m.compute({ seconds: (s) => 1 + s.rank });
          m.interval('call', { operation: 'call' }, () => m.sleep((s) => 0.5 * (1 + s.rank)));
          m.compute({ seconds: 1 });
        },
      }),
      { ranks: 2 },
    );
    expect(operations).toMatchObject([
      { kind: 'call', count: 1, communication: 1.5, synchronization: 1, timeVariation: 1.5 },
    ]);
    expect(figures.communication.value).toBe(1.5);
  });

  test('unless it does nothing afterwards: then it has ended before', () => {
    const document = profiled([
      '0,0,1,computing,,parallel,,',
      '0,1,2,idle,,parallel,call#1,',
      '1,0,1,computing,,parallel,,',
      '1,1,2,idle,,parallel,call#1,',
      '1,2,3,computing,,parallel,,',
    ]);
    expect(document.operations).toMatchObject([{ kind: 'call', processors: 1, communication: 1 }]);
    expect(document.figures.idle.value).toBe(2);
  });
});

describe('intervals of models', () => {
  const model = spmd({
    name: 'loops',
    vars: { i: counter(), j: counter() },
    build(m) {
      m.loop('i', 2, () => {
        m.interval('body', {}, () => m.compute({ flops: 1e8 }));
        m.loop('j', 3, () => m.compute({ flops: 1e8 }));
      });
      m.barrier();
    },
  });

  test('loops are intervals on request, with place, level and executions; figures stay', () => {
    const [plain, loops] = [profile(model, { ranks: 2 }), profile(model, { ranks: 2, loopIntervals: true })];
    expect(plain.intervals.map(({ name }) => name)).toEqual(['body']);
    const [outer, ...others] = loops.intervals;
    expect(others).toEqual([]);
    expect(outer).toMatchObject({ level: 1, executions: 1, file: 'operation-spread.test.ts' });
    expect(outer!.name).toBe(`loop i, line ${outer!.line}`);
    const [body, inner] = outer!.children;
    expect(body).toMatchObject({ name: 'body', level: 2, executions: 2, line: outer!.line! + 1 });
    expect(inner).toMatchObject({ name: `loop j, line ${outer!.line! + 2}`, level: 2, executions: 2 });
    expect(body!.figures.cpuTimeParallel.value * 3).toBeCloseTo(inner!.figures.cpuTimeParallel.value, 9);
    expect(loops.figures).toEqual(plain.figures);
  });
});
