import { GoalWriter } from '../../../trace/goal/goal-writer.ts';
import type { Recorded } from '../record/recorder.ts';
import type { Statement } from '../record/statement.ts';
import { executeRanks, type OrderSetting } from './fixed-order.ts';

/** Maximum number of executed statements of all ranks: a loop that never ends reaches it. */
const MAX_EXECUTED = 2 ** 22;

/** The setting of a schedule, whose problems name its file. */
export interface ScheduleSetting extends OrderSetting {
  /** Place of problems of the whole schedule. */
  readonly file: string;
}

/** A schedule, and the statement of each of its operations, by its line. */
export interface ModelSchedule {
  readonly text: string;
  readonly origins: ReadonlyMap<number, Statement>;
}

/**
 * The operations of programs whose order of messages does not depend on times or on received values, as a GOAL schedule. Each rank is
 * executed alone. A non-blocking collective proceeds beside its rank, after its first operations, which the call posts.
 *
 * @throws InputError GOAL005 for too many operations or statements, GOAL008 for statements that need times or received values, MODEL020
 * for arguments that a rank cannot have
 * @complexity linear in the executed statements and the messages of their collectives
 */
export function modelSchedule(programs: readonly Recorded[], setting: ScheduleSetting): ModelSchedule {
  const ranks = programs.reduce((sum, { size }) => sum + size, 0);
  const writer = new GoalWriter<Statement>(ranks, setting.file);
  executeRanks(programs, { ...setting, writer, most: MAX_EXECUTED }, (rank, run) => writer.rank(rank, run));
  const { text, origins } = writer.finish();
  return { text, origins };
}
