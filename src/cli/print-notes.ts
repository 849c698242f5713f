import type { Problem } from '../base/problem.ts';

/** Prints the notes of a document on stderr, one per line. */
export async function printNotes({ notes }: { readonly notes?: readonly Problem[] }): Promise<void> {
  if (notes === undefined || notes.length === 0) return;
  const { problemText } = await import('./failure.ts');
  process.stderr.write(problemText(notes, 'note: '));
}
