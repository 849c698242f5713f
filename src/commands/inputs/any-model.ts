import { fail, quote } from '../../base/problem.ts';
import { isModel, type ProgramModel } from '../../models/program/model.ts';
import { isThreadModel, type ThreadModel } from '../../models/threads/program/threads.ts';

/** A model of a program with message passing or with threads. */
export type AnyModel = ProgramModel | ThreadModel;

/** Whether a value is a model of any kind. */
export const isAnyModel = (value: unknown): value is AnyModel => isModel(value) || isThreadModel(value);

/** The model, if it passes messages. @throws InputError THR011 for a thread model */
export function messagePassing(model: AnyModel, command: string, file: string | undefined): ProgramModel {
  if (!isThreadModel(model)) return model;
  return fail(
    'THR011',
    `model ${quote(model.name)} has threads: ${command} takes models of message passing only. predict, verify, whatif, compare and convert take thread models`,
    file === undefined ? undefined : { file },
  );
}
