import { PRODUCT } from '../../base/version.ts';
import type { Job } from './job.ts';
import { withoutControls } from './visible.ts';

/** Sent to the process that watches this one: there is a result, and this process writes it. */
export const WRITING = 'writing';

let file: string | undefined;

/** From now on, the command's result is written to a file, which appears when it is complete. */
export function sendResultTo(path: string): void {
  file = path;
}

/** The document of a result as `--json` prints it, and the run that a page shows with it. */
export interface Offered {
  readonly json: () => string | Promise<string>;
  readonly run?: Pick<Job<object>, 'input' | 'options'>;
  /** Inputs of two runs that a page shows on one time axis, with the same options; undefined where there is no run. */
  readonly pair?: { readonly inputs: readonly [string | undefined, string | undefined]; readonly options: object };
}

let offered: Offered | undefined;

/** Offers the document of the result for `--report`, whatever is printed of it; undefined before the command has a result. */
export function offerDocument(document: Offered | undefined): void {
  offered = document;
}

/** The last document that the command offered. */
export const offeredDocument = (): Offered | undefined => offered;

/** The file of the result; undefined for standard output. */
export const resultFile = (): string | undefined => file;

/**
 * Writes the result of a command: a document, or its view for terminals. Nothing else is written to standard output.
 *
 * @throws InputError APP006, APP007, APP049
 */
export async function writeResult(text: string): Promise<void> {
  const shown = withoutControls(text);
  // The watching process prints nothing after WRITING, so the signal of a limit must not end this one before it has written.
  const isWatched = process.send !== undefined;
  if (isWatched) process.on('SIGINT', waits);
  try {
    process.send?.(WRITING);
    if (file === undefined) process.stdout.write(shown);
    else (await import('../output.ts')).writeWhole(file, shown);
  } finally {
    if (isWatched) process.off('SIGINT', waits);
  }
}

/** The watching process kills this one if writing takes too long. */
const waits = (): void => {};

/** The `--json` document of a command that reached a limit before it had a result. */
export interface WithoutResult {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'none';
  /** Product and version that wrote the document. */
  readonly product: string;
  /** The command, as in `structure`. */
  readonly command: string;
  readonly complete: false;
  /** The limit that was reached. */
  readonly because: string;
}

export function withoutResult(command: string, limit: string): string {
  const document: WithoutResult = {
    format: 'foretoken',
    version: 1,
    kind: 'none',
    product: PRODUCT,
    command,
    complete: false,
    because: `the ${limit} was reached before a result was available`,
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
