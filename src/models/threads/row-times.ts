import type { ThreadMachine } from './net/ports.ts';
import { ROW, type ThreadProgram } from './program/rows.ts';

/**
 * Seconds that each row takes on one core without contention: computing, memory at a core's rate, and sleep. Other rows
 * take 0. O(rows).
 */
export function secondsOfRows({ rows }: ThreadProgram, { speed, memory }: ThreadMachine): Float64Array {
  const rate = memory?.perCore ?? Number.POSITIVE_INFINITY;
  return rows.seconds.map((seconds, k) => {
    switch (rows.op[k]) {
      case ROW.work:
        return rows.flops[k]! / speed + seconds;
      case ROW.memory:
        return rows.bytes[k]! / rate;
      case ROW.sleep:
        return seconds;
      default:
        return 0;
    }
  });
}
