import type { ThreadMachine } from './net/ports.ts';
import { ROW, type ThreadProgram } from './program/rows.ts';

/**
 * Seconds that each row takes on one core without contention: computing, memory at a core's rate, and sleep. Other rows
 * take 0. O(rows).
 */
export function secondsOfRows(program: ThreadProgram, { speed, memory }: ThreadMachine): Float64Array {
  const { rows, pools, poolRows } = program;
  const rate = memory?.perCore ?? Number.POSITIVE_INFINITY;
  const times = new Float64Array(rows.count);
  for (let pool = 0; pool < pools; pool++) {
    const own = typeof speed === 'number' ? speed : speed[pool]!;
    for (let k = poolRows[pool]!; k < poolRows[pool + 1]!; k++)
      if (rows.op[k] === ROW.work) times[k] = rows.flops[k]! / own + rows.seconds[k]!;
      else if (rows.op[k] === ROW.memory) times[k] = rows.bytes[k]! / rate;
      else if (rows.op[k] === ROW.sleep) times[k] = rows.seconds[k]!;
  }
  return times;
}
