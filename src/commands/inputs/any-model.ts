import { fail, quote } from '../../base/problem.ts';
import { isModel, type ProgramModel } from '../../models/program/model.ts';
import { isThreadModel, type ThreadModel } from '../../models/threads/program/threads.ts';
import type { Net } from '../../net/net.ts';

/** A model of a program with message passing or with threads. */
export type AnyModel = ProgramModel | ThreadModel;

/** What a module can export for a command. */
export type AnyInput = AnyModel | Net;

/** Whether a value is a model of any kind. */
export const isAnyModel = (value: unknown): value is AnyModel => isModel(value) || isThreadModel(value);

/** Whether a value looks like a net; an invalid one is rejected where it is used. */
export const isNet = (value: unknown): value is Net =>
  typeof value === 'object' && value !== null && 'places' in value && 'transitions' in value;

/** The file that defines an input, if known; undefined also for values that are no input. */
export function fileOf(input: unknown): string | undefined {
  if (typeof input === 'string') return input;
  const file: unknown = typeof input === 'object' && input !== null && 'file' in input ? input.file : undefined;
  return typeof file === 'string' ? file : undefined;
}

/**
 * Rejects a thread model where it cannot be used.
 *
 * @param part the command or function
 * @throws InputError THR011
 */
export function refuseThreads(part: string, model: ThreadModel, file: string | undefined = model.file): never {
  return fail(
    'THR011',
    `model ${quote(model.name)} has threads: ${part} takes models of message passing only. predict, verify, whatif, compare and convert take thread models`,
    file === undefined ? undefined : { file },
  );
}
