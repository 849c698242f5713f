import { withoutControls } from './visible.ts';

let file: string | undefined;

/** From now on, the command's result is written to a file, which appears when it is complete. */
export function sendResultTo(path: string): void {
  file = path;
}

/** The file of the result; undefined for standard output. */
export const resultFile = (): string | undefined => file;

/**
 * Writes the result of a command: a document, or its view for terminals. Nothing else is written to standard output.
 *
 * @throws InputError APP006, APP007, APP049
 */
export async function writeResult(text: string): Promise<void> {
  const shown = withoutControls(text);
  if (file === undefined) process.stdout.write(shown);
  else (await import('../output.ts')).writeWhole(file, shown);
}
