import { fail, formatProblem } from '../../base/problem.ts';
import { logGopsText } from '../../trace/goal/loggops.ts';
import { LOGGOPS } from '../../trace/goal/schedule.ts';
import { checkOptions } from '../inputs/check-options.ts';
import type { InputOf } from '../inputs/input.ts';
import { assertTraceExists } from '../inputs/input-kinds.ts';
import { machineFiles } from '../inputs/target.ts';
import { checkOutputs, writeWhole } from '../output.ts';
import { programSchedule } from '../predict/scheduled-program.ts';
import { assertSchedulable } from '../predict/trace/blocked.ts';
import { networkLogGops } from '../subjects/loggops-network.ts';
import { traceOnHosts } from '../subjects/read-trace.ts';
import { traceSchedule } from '../subjects/trace-schedule.ts';
import { CONVERT_ROWS, type ConvertOptions, type Written } from './convert-options.ts';

/**
 * Writes a trace as a GOAL schedule: messages, with collectives expanded, and the times of its computations on the hosts of a
 * machine, rounded to nanoseconds. The parameters of LogGOPS are those of a loggops network, in a comment; of other networks nothing is used.
 *
 * @throws InputError GOAL008 for a trace whose order depends on times, and all problems of the trace and the machine
 */
export function writeGoal({ kind, path }: InputOf<'trace'>, output: string, options: ConvertOptions): Written {
  checkOptions('convertCommand', CONVERT_ROWS, { kind, file: path }, options);
  for (const name of ['unfold', 'safe', 'limit'] as const)
    if (options[name] !== undefined) fail('GOAL008', `a schedule is no net: omit ${name}`, { file: output });
  checkOutputs([output], [path, ...Object.values(machineFiles(options))]);
  assertTraceExists(path);
  const built = traceOnHosts(path, options);
  try {
    const { text, positions } = traceSchedule(built, path);
    const origin = (line: number): { readonly file: string; readonly line: number } =>
      built.trace.locate(positions.get(line)!);
    const { description } = built.target;
    const parameters = description === undefined ? undefined : networkLogGops(description);
    assertSchedulable(
      built.trace,
      programSchedule({ text, name: 'trace', file: path, origin }, { ...LOGGOPS, ...parameters }),
    );
    // A machine with a loggops network has parameters, which the file then names.
    const named = parameters === undefined ? '' : `// LogGOPS ${logGopsText(parameters).replaceAll(',', ' ')}\n`;
    writeWhole(output, `${named}${text}`);
    const { target, placed, trace } = built;
    return {
      contents: `${trace.ranks} ranks, ${positions.size} operations`,
      bytes: Buffer.byteLength(named) + Buffer.byteLength(text),
      notes: [...target.warnings, ...(target.platform.notes ?? []), ...placed.notes, ...trace.notes].map(formatProblem),
    };
  } finally {
    built.trace.close();
  }
}
