import { formatProblem, type Problem } from '../../base/problem.ts';

/** The member `notes` of a document: distinct notes in order; no member if there are none. */
export function notesOf(notes: readonly Problem[]): { readonly notes?: readonly Problem[] } {
  const distinct = [...new Map(notes.map((note) => [formatProblem(note), note])).values()];
  return distinct.length === 0 ? {} : { notes: distinct };
}
