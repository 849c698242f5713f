import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../app/version.ts';
import { formatProblem, type Problem } from '../base/problem.ts';
import type { Crash } from './job.ts';
import { visible } from './visible.ts';

/** Most problems that are printed. */
const MOST = 20;

/** Every problem on a line of its own, at most 20, and how many more there are. */
export function problemText(problems: readonly Problem[], prefix: '' | 'warning: ' | 'note: ' = ''): string {
  const lines = problems.slice(0, MOST).map((problem) => prefix + visible(formatProblem(problem)));
  const left = problems.length - MOST;
  const what = prefix === '' ? 'problem' : prefix.slice(0, -2);
  if (left > 0) lines.push(`and ${left} more ${what}${left === 1 ? '' : 's'}`);
  return lines.map((line) => `${line}\n`).join('');
}

/** What a report of an internal error holds: versions, system, command line, stack; nothing of the environment. */
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

/** Writes the report of an internal error into the system's folder for temporary files; says where, and what to send. */
export function reportCrash(crash: Crash, argv: readonly string[] = process.argv.slice(2)): string {
  const path = join(tmpdir(), `foretoken-crash-${process.pid}-${Date.now()}.txt`);
  const report = crashReport(crash, argv);
  const what = `foretoken: internal error: ${visible(crash.message)}\nThis is a bug in foretoken, not in your input.`;
  try {
    writeFileSync(path, report, { flag: 'wx', mode: 0o600 });
  } catch {
    return `${what} Please send the following to the maintainers, with the input files if you may:\n${report}`;
  }
  return `${what} Please send ${path} to the maintainers, with the input files if you may.\n`;
}
