import { InputError, type Problem } from '../base/problem.ts';
import { checkMachine } from './cluster.ts';
import type { Machine } from './machine.ts';
import type { WrittenMachine } from './machine-shape.ts';

/** A machine as one would write it down, in groups and with nothing left out: `checkMachine` makes the same of it. */
export function writtenMachine(machine: Machine): WrittenMachine & Required<Pick<WrittenMachine, 'groups'>> {
  const { nodes, ...rest } = machine;
  const groups = nodes.map(({ count, sockets, cores, ...group }) => ({
    ...group,
    nodes: count,
    socketsPerNode: sockets,
    coresPerNode: cores,
  }));
  return { ...rest, groups };
}

/**
 * The machine that was written, checked as `cluster` does.
 *
 * @param part what is said to be wrong with it where something is; each thing is said once, not of each group
 * @throws InputError as `cluster`
 */
export function checkWritten(written: object, name: string, part: string): Machine {
  try {
    return checkMachine(written, name, () => ({ part }));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError([...new Map<string, Problem>(error.problems.map((p) => [p.message, p])).values()]);
  }
}
