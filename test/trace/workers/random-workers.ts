import * as fc from 'fast-check';

/** A row of a workers.csv. */
export interface WorkerRow {
  readonly worker: string;
  readonly time: number;
  readonly state: 'EXEC' | 'LOCAL' | 'GLOBAL' | 'WAIT' | 'END';
  readonly region: string;
}

/** The life-cycle of a worker, written down again independently of the product. */
export const NEXT: Readonly<Record<string, readonly WorkerRow['state'][]>> = {
  EXEC: ['EXEC', 'LOCAL'],
  LOCAL: ['EXEC', 'GLOBAL'],
  GLOBAL: ['GLOBAL', 'EXEC', 'WAIT'],
  WAIT: ['GLOBAL'],
};

/** The rows of one worker: its regions follow each other, each with some steps and perhaps an END. Times are multiples of 1/1024. */
const life = (worker: string): fc.Arbitrary<WorkerRow[]> =>
  fc
    .array(
      fc.record({
        first: fc.constantFrom('EXEC', 'LOCAL', 'GLOBAL', 'WAIT') as fc.Arbitrary<WorkerRow['state']>,
        steps: fc.array(fc.record({ choice: fc.nat(5), ticks: fc.nat(50) }), { maxLength: 12 }),
        gap: fc.option(fc.nat(20), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((parts) => {
      const rows: WorkerRow[] = [];
      let ticks = 0;
      parts.forEach(({ first, steps, gap }, k) => {
        const region = `r${k}`;
        const at = (state: WorkerRow['state']): void => {
          rows.push({ worker, time: ticks / 1024, state, region });
        };
        let state = first;
        at(state);
        ticks += 1;
        for (const { choice, ticks: more } of steps) {
          const next = NEXT[state]!;
          state = next[choice % next.length]!;
          ticks += more;
          at(state);
        }
        ticks += 1;
        if (k < parts.length - 1 && gap === undefined) return;
        at('END');
        ticks += gap ?? 0;
      });
      return rows;
    });

/** Runs of a few workers; the rows of different workers are mixed. */
export const workerRuns: fc.Arbitrary<WorkerRow[]> = fc
  .integer({ min: 1, max: 4 })
  .chain((workers) =>
    fc.tuple(fc.boolean(), ...Array.from({ length: workers }, (_, w) => life(w === 0 ? 'main' : String(w)))),
  )
  .map(([byTime, ...lives]) => {
    const rows = (lives as WorkerRow[][]).flat();
    return byTime ? [...rows.keys()].sort((a, b) => rows[a]!.time - rows[b]!.time || a - b).map((k) => rows[k]!) : rows;
  });

export const workerCsv = (rows: readonly WorkerRow[]): string =>
  `worker,time,state,region\n${rows.map((r) => `${r.worker},${r.time},${r.state},${r.region}`).join('\n')}\n`;
