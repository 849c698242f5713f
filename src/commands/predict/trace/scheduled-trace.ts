import { given } from '../../../base/given.ts';
import { quote } from '../../../base/problem.ts';
import { inputFiles, listedFiles, memberFiles } from '../../inputs/inputs.ts';
import { machineFiles } from '../../inputs/target.ts';
import { logGopsIn } from '../../subjects/loggops-network.ts';
import { type TraceOnHosts, traceOnHosts } from '../../subjects/read-trace.ts';
import { traceSchedule } from '../../subjects/trace-schedule.ts';
import { notesOf } from '../document.ts';
import { netSubject } from '../net-subject.ts';
import type { PredictOptions } from '../options.ts';
import type { PredictionDocument } from '../prediction.ts';
import { checkLogGopsOptions, type OnLogGops, onLogGops, programSchedule } from '../scheduled-program.ts';
import type { Subject } from '../subject.ts';
import { assertSchedulable } from './blocked.ts';

/**
 * A TI trace whose messages take the times of LogGOPS: the net of its schedule, as `convert` writes it. Of the machine, only the
 * speeds of the hosts and a loggops network count.
 *
 * @throws InputError GOAL006 for parameters and for options that exclude them, GOAL008 for a trace that is no schedule, and all
 * problems of the trace and the machine
 */
export function scheduledTrace(input: string, options: PredictOptions): Subject {
  const parameters = logGopsIn(options);
  checkLogGopsOptions(options, input);
  const built = traceOnHosts(input, options);
  try {
    const { text, positions } = traceSchedule(built, input);
    const origin = (line: number): { readonly file: string; readonly line: number } =>
      built.trace.locate(positions.get(line)!);
    const read = programSchedule({ text, name: 'trace', file: input, origin }, parameters);
    assertSchedulable(built.trace, read);
    const {
      isOpenEnded: _,
      explorable: __,
      ...subject
    } = netSubject(read, input, options, {
      operations: read.operations,
      hosts: { target: built.target, placement: built.placed.placement },
    });
    const files = [input, ...Object.values(machineFiles(options)), ...built.trace.files];
    return {
      ...subject,
      name: input,
      called: `trace ${quote(input)}`,
      files,
      runs: (writers) => {
        const run = subject.runs(writers);
        return (replication) =>
          describedTrace(run(replication), input, options, built, { parameters, overhead: read.overhead });
      },
      close: () => built.trace.close(),
    };
  } catch (e) {
    built.trace.close();
    throw e;
  }
}

/** The document of the run of a schedule, with the trace and the machine that it comes from. */
function describedTrace(
  document: PredictionDocument,
  input: string,
  options: PredictOptions,
  { trace, target, placed }: TraceOnHosts,
  schedule: Pick<OnLogGops, 'parameters' | 'overhead'>,
): PredictionDocument {
  const machine = { trace: input, ...machineFiles(options), hostfile: placed.hostfile };
  const { marking: _, ...rest } = document;
  const { notes, ...own } = onLogGops(document, options, { target, placed, ...schedule, isModel: false });
  return {
    ...rest,
    ...own,
    inputs: { ...inputFiles(machine, options.digestOf), ...memberFiles(listedFiles(input, trace)) },
    options: { ...own.options, ...given(options, ['scale', 'derivedTypeBytes']) },
    figures: { ...document.figures, actions: { value: trace.actions, unit: '1' } },
    warnings: [...target.warnings, ...trace.warnings, ...document.warnings],
    ...notesOf([...notes, ...trace.notes]),
  };
}
