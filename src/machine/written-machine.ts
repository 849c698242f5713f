import { InputError, type Problem } from '../base/problem.ts';
import { checkMachine } from './cluster.ts';
import type { Machine } from './machine.ts';
import type { WrittenMachine } from './machine-shape.ts';

/** The input from which `checkMachine` would create the same machine: with groups, and with all defaults filled in. */
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
 * Creates a machine from its input, checked as by `cluster`.
 *
 * @param part place of all problems; equal problems of several groups are reported once
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
