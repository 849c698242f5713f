import { readdirSync } from 'node:fs';
import type { Recorded } from '../../../../src/models/program/record/recorder.ts';
import type { Block, Statement } from '../../../../src/models/program/record/statement.ts';

/** Smallest parameters of the examples with which every line is executed. */
export const AT: Readonly<Record<string, { readonly ranks: number; readonly set?: Record<string, number> }>> = {
  'all-to-all': { ranks: 3 },
  'block-lu': { ranks: 4, set: { n: 256 } },
  'conjugate-gradient': { ranks: 4, set: { turns: 1 } },
  coupled: { ranks: 5, set: { 'ocean.days': 1, 'atmosphere.days': 1 } },
  'dvm-jacobi': { ranks: 3, set: { turns: 1 } },
  'heat-1d': { ranks: 3, set: { turns: 1 } },
  imbalance: { ranks: 3, set: { turns: 1 } },
  'jacobi-2d': { ranks: 4, set: { turns: 1 } },
  'master-worker': { ranks: 3, set: { tasks: 3 } },
  'ping-pong': { ranks: 2 },
  pipeline: { ranks: 3, set: { 'sensor.frames': 2 } },
  ring: { ranks: 3, set: { turns: 1 } },
  transpose: { ranks: 3, set: { turns: 1 } },
  wavefront: { ranks: 4, set: { planes: 2, sweeps: 1 } },
};

/** Limit of a verification: changed programs that end have less than 1,000 states; one polls forever, and reaches any limit. */
export const MAX_STATES = 100_000;

/**
 * Changes that no run can show to be faulty. The messages of a stream are counted by its end marker: one frame more or less is
 * another correct stream, and a module that receives nothing loops until the limit of steps.
 */
export const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  pipeline: ['send line 16 removed', 'send line 16 added', 'recv line 33 removed', 'recv line 77 removed'],
};

/** Examples tested without FORETOKEN_TABLE=1. */
const FEW = ['ring', 'pipeline', 'heat-1d', 'ping-pong', 'master-worker'];

/** Examples to test; all of them with FORETOKEN_TABLE=1. */
export function examples(): string[] {
  const full = process.env['FORETOKEN_TABLE'] === '1';
  return readdirSync('examples', { withFileTypes: true })
    .map((d) => d.name)
    .filter((name) => AT[name] !== undefined && (full || FEW.includes(name)));
}

export type Way = 'removed' | 'added';

export const isMessage = (s: Statement): boolean => s.kind === 'send' || s.kind === 'recv';

/** The programs with one send or receive removed or duplicated. */
export function mutated(programs: readonly Recorded[], program: number, number: number, way: Way): Recorded[] {
  let k = 0;
  const inBlock = ({ statements }: Block): Block => ({
    statements: statements.flatMap((s): Statement[] => {
      const hit = isMessage(s) && k++ === number;
      const copy = changed(s);
      if (!hit) return [copy];
      return way === 'removed' ? [] : [copy, { ...copy }];
    }),
  });
  const changed = (s: Statement): Statement => {
    if ('holds' in s) return { ...s, holds: inBlock(s.holds), otherwise: inBlock(s.otherwise) };
    return 'body' in s ? { ...s, body: inBlock(s.body) } : s;
  };
  return programs.map((p, of) => (of === program ? { ...p, body: inBlock(p.body) } : p));
}
