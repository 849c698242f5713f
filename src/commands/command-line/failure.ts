import { statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { andMore } from '../../base/listing.ts';
import { formatProblem, type Problem } from '../../base/problem.ts';
import { VERSION } from '../../base/version.ts';
import type { Crash } from './job.ts';
import { visible, visibleNote } from './visible.ts';

/** Maximum number of problems printed. */
const MAX_PROBLEMS = 20;

/** One line per problem for the first 20, then the number of the others. */
export function problemText(problems: readonly Problem[], prefix: '' | 'warning: ' | 'note: ' = ''): string {
  const lines = problems.slice(0, MAX_PROBLEMS).map((problem) => prefix + visible(formatProblem(problem)));
  const left = problems.length - MAX_PROBLEMS;
  const what = prefix === '' ? 'problem' : prefix.slice(0, -2);
  if (left > 0) lines.push(andMore(left, what));
  return lines.map((line) => `${line}\n`).join('');
}

/** Text of a crash report: versions, system, command line and stack; no environment variables. */
export function crashReport(crash: Crash, argv: readonly string[]): string {
  return [
    `foretoken ${VERSION}`,
    `node ${process.version} ${process.platform} ${process.arch}`,
    `command line: ${JSON.stringify(argv)}`,
    '',
    crash.stack,
    '',
  ].join('\n');
}

/** Writes a crash report into the system's temporary folder; returns the message that names the file to send. */
export function reportCrash(crash: Crash, argv: readonly string[] = process.argv.slice(2)): string {
  const path = join(tmpdir(), `foretoken-crash-${process.pid}-${Date.now()}.txt`);
  const report = crashReport(crash, argv);
  const what = `foretoken: internal error: ${visible(crash.message)}\nThis is a bug in foretoken, not in your input.`;
  try {
    writeFileSync(path, report, { flag: 'wx', mode: 0o600 });
    if (statSync(path).size !== Buffer.byteLength(report)) throw new Error('incomplete');
  } catch {
    return `${what} Please send the following to the maintainers, with the input files if you may:\n${report}`;
  }
  return `${what} Please send ${path} to the maintainers, with the input files if you may.\n`;
}

/** Prints the notes of a document on stderr, one per line. */
export async function printNotes({ notes }: { readonly notes?: readonly Problem[] }): Promise<void> {
  if (notes === undefined || notes.length === 0) return;
  process.stderr.write(problemText(notes, 'note: '));
}

/** Prints warnings that have no code on stderr, one per line. */
export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`warning: ${visibleNote(warning)}\n`);
}
