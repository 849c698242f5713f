import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { fail, InputError, type Problem, quote } from '../../../base/problem.ts';
import { MAX_RANKS } from '../ranks.ts';
import type { Unpacked } from './open-source.ts';
import { openSource } from './open-source.ts';
import type { Limits, Source } from './source.ts';

/** Maximum size of a listing in bytes; a larger file cannot be a listing. */
const MAX_LISTING = 1 << 26;
/** Maximum number of lines of a listing: one for each rank, and as many blank lines and comments. */
const MAX_LINES = 2 * MAX_RANKS;
const HEAD = 1 << 16;

/** The texts of a trace. With `perRank`, the k-th text contains rank k only. */
export interface TraceFiles {
  readonly sources: readonly Source[];
  readonly perRank: boolean;
}

/**
 * Opens a trace file, or the members of a listing of trace files. A file is a listing if its first line that is neither
 * blank nor a comment is not `<integer> <word>`. Members are searched in the listing's folder, then in the working
 * directory, then in the listing's folder without their first folders: the tracer writes paths relative to the directory in
 * which the program ran. Members are regular files. Throws the problems of {@link openSource}, TI011 for too many lines, before
 * a member is opened, and TI006 for an invalid listing.
 *
 * @param confine members must lie in the listing's folder, after resolving symbolic links; no other name is looked up
 */
export function openTrace(path: string, unpacked: Unpacked, limits: Limits, confine = false): TraceFiles {
  const source = openSource(path, unpacked, limits);
  const first = firstLine(source, limits.lineBytes);
  if (isAction(first.text)) return { sources: [source], perRank: false };
  if (source.size > MAX_LISTING) notATrace(source, first, 'too large for a listing of trace files');
  const folder = path === '-' ? '.' : dirname(path);
  const sources: Source[] = [];
  const problems: Problem[] = [];
  const inside = confine ? insideOf(folder) : () => true;
  linesOf(source).forEach((raw, index) => {
    const name = raw.trim();
    if (name === '' || name.startsWith('#') || problems.length >= 20) return;
    const place = { file: source.name, line: index + 1 };
    const near = isAbsolute(name) ? name : join(folder, name);
    const candidates = [near, name, ...endings(name).map((end) => join(folder, end))];
    const allowed = candidates.filter((file) => inside(resolve(file)));
    const found = allowed.find((file) => existsSync(file));
    const invalid = (message: string): unknown => problems.push({ code: 'TI006', message, place });
    if (found === undefined ? !inside(resolve(near)) : !inside(realpathSync(found))) {
      invalid(
        `the listed trace file ${quote(name)} is outside the folder of the listing, and --confine allows only files in it.`,
      );
    } else if (found === undefined) {
      invalid(
        index + 1 === first.line
          ? `${quote(name)} is neither "<rank> <action> …" (a trace) nor a file (a listing of trace files).`
          : `the listed trace file ${quote(name)} does not exist, neither in the directory of the listing, with or without its first folders, nor in the working directory.`,
      );
    } else if (path !== '-' && resolve(found) === resolve(path)) {
      invalid('the listing contains itself.');
    } else {
      const kind = irregular(statSync(found, { throwIfNoEntry: false }));
      if (kind !== undefined) {
        invalid(`expected a regular file for the listed trace file ${quote(name)}, got ${kind}.`);
        return;
      }
      try {
        sources.push(member(found, unpacked, limits, place));
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        problems.push(...error.problems);
      }
    }
  });
  if (problems.length > 0) throw new InputError(problems);
  return { sources, perRank: sources.length > 1 };
}

/** Tests if absolute paths lie in a folder: under its name, or under its name after resolving symbolic links. */
function insideOf(folder: string): (file: string) => boolean {
  const roots = [resolve(folder), realpathSync(folder)].map((root) => (root.endsWith(sep) ? root : root + sep));
  return (file) => roots.some((root) => file.startsWith(root));
}

/** The kind of a file that is not regular, as `a named pipe`; undefined for others. Reading pipes and devices may never end. */
function irregular(stats: Stats | undefined): string | undefined {
  if (stats === undefined || stats.isFile()) return undefined;
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** `b/c` and `c` for `a/b/c`: a path without its first folders; none of them leads upwards. */
function endings(name: string): string[] {
  const parts = name.split(/[\\/]+/);
  return parts
    .map((_, k) => parts.slice(k + 1))
    .filter((rest) => rest.length > 0 && !rest.includes('..'))
    .map((rest) => rest.join('/'));
}

function member(path: string, unpacked: Unpacked, limits: Limits, listed: { file: string; line: number }): Source {
  const source = openSource(path, unpacked, limits);
  const first = firstLine(source, limits.lineBytes);
  if (isAction(first.text)) return source;
  return fail(
    'TI006',
    `this listed file is not a trace: expected "<rank> <action> …" in line ${first.line}, got ${quote(first.text)} (a listing cannot contain listings; this file is listed in ${listed.file}:${listed.line}).`,
    { file: source.name, line: first.line },
  );
}

function notATrace(source: Source, first: { line: number; text: string }, why: string): never {
  return fail('TI006', `${quote(first.text)} is not "<rank> <action> …" (a trace), and the file is ${why}.`, {
    file: source.name,
    line: first.line,
  });
}

function isAction(line: string): boolean {
  return /^[+-]?\d+[ \t]+\S/.test(line);
}

/** The first line that is neither blank nor a comment, truncated to 200 characters. */
function firstLine(source: Source, lineBytes: number): { line: number; text: string } {
  const buffer = Buffer.alloc(HEAD);
  return source.open(({ read }) => {
    let line = 1;
    let text = '';
    let comment = false;
    let width = 0;
    for (let at = 0; ; at += HEAD) {
      const got = read(buffer, 0, HEAD, at);
      const head = buffer.subarray(0, got);
      if (head.includes(0)) {
        fail('TI003', 'expected text, got a binary file (it contains a NUL byte).', { file: source.name });
      }
      for (const c of head.toString(
        'latin1',
        at === 0 && head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0,
      )) {
        if (c === '\n') {
          if (text.trim() !== '') return { line, text: text.trim() };
          line++;
          text = '';
          comment = false;
          width = 0;
        } else if (++width > lineBytes) {
          fail('TI004', `this line exceeds the limit of ${lineBytes} bytes.`, { file: source.name, line });
        } else if (!comment) {
          text += c;
          comment = text.trim() === '#';
          if (comment) text = '';
          else if (text.length >= 200 && text.trim() !== '') return { line, text: text.trim() };
          else if (text.length >= 200) text = '';
        }
      }
      if (got === 0) {
        if (text.trim() !== '') return { line, text: text.trim() };
        return fail('TI002', 'the file has no actions: only blank lines and comments.', { file: source.name });
      }
    }
  });
}

/** The lines of a listing. Throws TI011 for too many of them. */
function linesOf(source: Source): string[] {
  const buffer = Buffer.alloc(source.size);
  const got = source.open(({ read }) => read(buffer, 0, buffer.length, 0));
  const bytes = buffer.subarray(0, got);
  let lines = 0;
  for (let at = 0; at >= 0 && at < got; ) {
    lines++;
    const end = bytes.indexOf(10, at);
    at = end < 0 ? end : end + 1;
  }
  if (lines > MAX_LINES)
    fail('TI011', `the listing has ${lines} lines: expected at most ${MAX_LINES}.`, { file: source.name });
  return bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split('\n');
}
