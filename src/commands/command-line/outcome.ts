import { blamedLimit } from './address-space.ts';
import { exitCode, signalCode } from './exit-code.ts';
import type { JobEnd } from './job.ts';
import { writeResult } from './result-output.ts';

/**
 * Writes the result of a job, then its warnings; returns the exit code.
 *
 * @param view may load while the job runs
 */
export async function written<Document extends { readonly warnings: readonly string[] }>(
  { answer, signal }: JobEnd<Document>,
  view: Promise<(document: Document) => string>,
  codeOf: (document: Document) => number,
): Promise<number> {
  if (answer.kind !== 'done') return finished(answer, signal);
  const document = answer.result;
  await writeResult((await view)(document));
  if (document.warnings.length > 0) {
    const { printWarnings } = await import('./failure.ts');
    printWarnings(document.warnings);
  }
  return signal === undefined ? codeOf(document) : signalCode(signal);
}

/** Prints on stderr why a job has no result; returns the exit code. */
export async function finished(answer: JobEnd['answer'], signal: JobEnd['signal']): Promise<number> {
  switch (answer.kind) {
    case 'problems': {
      const { problemText } = await import('./failure.ts');
      process.stderr.write(problemText(answer.problems));
      return exitCode.input;
    }
    case 'memory':
      process.stderr.write(
        'foretoken: out of memory before a result was available. Allow more memory, in MiB: NODE_OPTIONS=--max-old-space-size=8192\n',
      );
      return exitCode.incomplete;
    case 'ended':
      if (signal !== undefined) {
        process.stderr.write('foretoken: interrupted before any result was available\n');
        return signalCode(signal);
      }
      return crashed({ message: 'the worker thread ended without an answer', stack: 'no stack' });
    case 'crash':
      return crashed(answer.crash);
    case 'done':
      return crashed({ message: 'a result without a view', stack: 'no stack' });
  }
}

async function crashed(crash: { readonly message: string; readonly stack: string }): Promise<number> {
  const blamed = blamedLimit(crash);
  if (blamed !== undefined) {
    process.stderr.write(blamed);
    return exitCode.incomplete;
  }
  const { reportCrash } = await import('./failure.ts');
  process.stderr.write(reportCrash(crash));
  return exitCode.internal;
}
