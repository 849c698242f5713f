import { fail, formatProblem } from '../../base/problem.ts';
import { checkOptions } from '../inputs/check-options.ts';
import type { InputOf } from '../inputs/input.ts';
import { assertTraceExists } from '../inputs/input-kinds.ts';
import { hostfileOf, machineFileOf } from '../inputs/target.ts';
import { checkOutputs, writeWhole } from '../output.ts';
import { assertReplayable } from '../predict/trace/blocked.ts';
import { traceNet } from '../subjects/read-trace.ts';
import { traceSchedule } from '../subjects/trace-schedule.ts';
import { CONVERT_ROWS, type ConvertOptions, type Written } from './convert-options.ts';

/**
 * Writes a trace as a GOAL schedule: messages, with collectives expanded, and the times of its computations on the hosts of a
 * machine, rounded to nanoseconds. Latencies and bandwidths are the parameters of LogGOPS, which a schedule does not have.
 *
 * @throws InputError GOAL008 for a trace whose order depends on times, and all problems of the trace and the machine
 */
export function writeGoal({ kind, path }: InputOf<'trace'>, output: string, options: ConvertOptions): Written {
  checkOptions('convertCommand', CONVERT_ROWS, { kind, file: path }, options);
  for (const name of ['unfold', 'safe', 'limit'] as const)
    if (options[name] !== undefined) fail('GOAL008', `a schedule is no net: omit ${name}`, { file: output });
  checkOutputs([output], [path, machineFileOf(options), hostfileOf(options)]);
  assertTraceExists(path);
  const built = traceNet(path, options);
  try {
    assertReplayable(built);
    const { text, positions } = traceSchedule(built, path);
    writeWhole(output, text);
    const { target, placed, trace } = built;
    return {
      contents: `${trace.ranks} ranks, ${positions.size} operations`,
      bytes: Buffer.byteLength(text),
      notes: [...target.warnings, ...(target.platform.notes ?? []), ...placed.notes, ...trace.notes].map(formatProblem),
    };
  } finally {
    built.trace.close();
  }
}
