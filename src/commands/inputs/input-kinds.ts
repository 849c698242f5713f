import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { fail, nearest, quote } from '../../base/problem.ts';
import { BUILT_IN_MACHINES } from '../../machine/description/built-in-machines.ts';
import { MODEL_ENDINGS, NET_ENDINGS } from './path-kinds.ts';

/** Unsupported input formats by ending: error text with the alternative. */
const OTHERS: Readonly<Record<string, string>> = {
  '.cpn': 'is a CPN Tools net, which cannot be read: export it as PNML and give the .pnml file',
  '.net': 'is a TINA or LoLA net, which cannot be read: convert it to PNML and give the .pnml file',
  '.ndr': 'is a TINA net, which cannot be read: convert it to PNML and give the .pnml file',
  '.lola': 'is a LoLA net, which cannot be read: convert it to PNML and give the .pnml file',
  '.gspn': 'is a GreatSPN net, which cannot be read: give the project (.PNPRO)',
  '.yaml': 'is a machine file by its extension: give it with --machine',
  '.yml': 'is a machine file by its extension: give it with --machine',
  '.otf2': 'is an OTF2 trace, which cannot be read: record a time-independent SimGrid trace',
  '.dot': 'is a drawing, which can only be written',
  '.svg': 'is a drawing, which can only be written',
};

/** The kinds of inputs and their endings, for messages. */
const KINDS = `Known inputs: models (${MODEL_ENDINGS.join(' ')}), nets (${NET_ENDINGS.join(' ')}), SimGrid traces (.ti or another extension)`;

/**
 * Checks that a file exists.
 *
 * @throws InputError APP001 with the nearest name in its folder
 */
export function assertExists(path: string): void {
  if (path === '-') return;
  const code = codeOf(path);
  if (code === undefined) return;
  if (code === 'ENAMETOOLONG') fail('APP001', `the file ${quote(path)} cannot be read: the path is too long`);
  fail('APP001', `cannot be read: ${code}${code === 'ENOENT' ? besides(path) : ''}`, { file: path });
}

/**
 * Checks that a trace exists and is not a folder. The message suggests the nearest name in its folder.
 *
 * @throws InputError TI001, as the trace reader does
 */
export function assertTraceExists(path: string): void {
  if (path === '-') return;
  const code = codeOf(path);
  if (code === 'ENOENT')
    fail('TI001', `cannot read the file: no such file or directory.${nearestBeside(path)}`, { file: path });
  if (code === 'ENAMETOOLONG') fail('TI001', `cannot read the file ${quote(path)}: the path is too long`);
  if (code !== undefined) fail('TI001', `cannot read the file: ${code}`, { file: path });
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    fail('TI001', 'this is a directory; a trace is a file (or a listing of files).', { file: path });
}

/**
 * Rejects files that are certainly not traces, before a machine is required: files that do not exist, or whose ending or
 * first character belongs to another kind.
 *
 * @throws InputError TI001, APP009
 */
export function assertTraceInput(path: string): void {
  assertTraceExists(path);
  assertReadable(path);
  const first = path === '-' ? '' : firstCharacter(path);
  if (first === '<' || first === '{')
    fail(
      'APP009',
      `is not a trace: it begins with ${quote(first)}, as ${first === '<' ? 'PNML and SimGrid platforms do' : 'JSON does'}. ${KINDS}; platforms are given with --machine`,
      { file: path },
    );
}

/**
 * Rejects files whose ending belongs to an unsupported format.
 *
 * @throws InputError APP009
 */
export function assertReadable(path: string): void {
  const ending = extname(path).toLowerCase();
  if (Object.hasOwn(OTHERS, ending)) fail('APP009', `${OTHERS[ending]}. ${KINDS}`, { file: path });
}

/**
 * Rejects a machine file with the ending of a model, a trace or a net.
 *
 * @param known names of built-in machines
 * @throws InputError APP009
 */
export function assertMachineInput(path: string, known: readonly string[]): void {
  const ending = extname(path).toLowerCase();
  const what = MODEL_ENDINGS.includes(ending)
    ? 'a model'
    : ending === '.ti'
      ? 'a trace'
      : ['.pnml', '.pnpro', '.cpn'].includes(ending)
        ? 'a net'
        : undefined;
  if (what === undefined) return;
  fail(
    'APP009',
    `is ${what} by its extension, not a machine: machines are .yaml, .yml or .json files, SimGrid platforms (.xml), or built-in: ${known.join(', ')}`,
    { file: path },
  );
}

/** The first non-blank character among the first 64 bytes of a regular file; empty for other files. */
export function firstCharacter(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? startOf(path, 64).slice(0, 1) : '';
}

/** The text of the first bytes of a file, without blanks before it. */
function startOf(path: string, length: number): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    const read = readSync(file, bytes);
    return bytes
      .toString('utf8', 0, read)
      .replace(/^\uFEFF/, '')
      .trimStart();
  } finally {
    closeSync(file);
  }
}

/** Kinds of JSON and XML files by a mark in their first characters, the most specific first. */
const MARKS: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/^\{\s*"format"\s*:\s*"foretoken-net"/, () => 'a net'],
  [
    /^\{\s*"format"\s*:\s*"foretoken"[\s\S]*?"kind"\s*:\s*"([\w-]{1,40})"/,
    ([, kind]) => `a result of kind ${quote(kind!)}`,
  ],
  [/^(?:\{[\s\S]*?"traceEvents"\s*:|\[\s*\{[\s\S]*?"ph"\s*:)/, () => 'a Chrome trace'],
  [/^\{[\s\S]*?"(?:coresPerNode|eagerBelow)"\s*:/, () => 'a machine'],
  [/^<[\s\S]*?<platform\b/, () => 'a SimGrid platform'],
  [/^<[\s\S]*?<(?:pnml|gspn)\b/, () => 'a net'],
];

/** The kind of a file by its content, for messages, as `a net`; undefined if not recognised. Reads its first 64 KiB. */
export function contentOf(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const start = startOf(path, 1 << 16);
  for (const [mark, named] of MARKS) {
    const found = mark.exec(start);
    if (found !== null) return named(found);
  }
  return undefined;
}

/** True for a machine file, a SimGrid platform (both also by content, where nets have their ending), or the name of a built-in machine. */
export function isMachine(path: string): boolean {
  if (['.yaml', '.yml'].includes(extname(path).toLowerCase())) return true;
  if (!NET_ENDINGS.includes(extname(path).toLowerCase())) return BUILT_IN_MACHINES.includes(path) && !existsSync(path);
  return ['a machine', 'a SimGrid platform'].includes(contentOf(path) ?? '');
}

/** Error code if a path cannot be accessed; undefined otherwise. */
function codeOf(path: string): string | undefined {
  try {
    statSync(path);
    return undefined;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code ?? 'unknown error';
  }
}

/** The end of a message about a missing file: the nearest name in its folder. */
function besides(path: string): string {
  try {
    readdirSync(dirname(path));
    return `: there is no such file.${nearestBeside(path)}`;
  } catch {
    return `: there is no folder ${quote(dirname(path))}`;
  }
}

/** ` Did you mean "tiny.ti"?`, or an empty string. */
function nearestBeside(path: string): string {
  try {
    return nearest(basename(path), readdirSync(dirname(path)));
  } catch {
    return '';
  }
}

/** True for standard input, pipes and other files that are gone after they were read. */
export const isReadOnce = (path: string | undefined): boolean =>
  path !== undefined && (path === '-' || statSync(path, { throwIfNoEntry: false })?.isFile() === false);

/** An input in messages. */
export const nameOfInput = (path: string): string => (path === '-' ? 'standard input' : quote(path));

/**
 * Rejects inputs that can be read once only, where they are read several times.
 *
 * @param why the reason for several readings, as in `a page shows the run, which`
 * @throws InputError APP054
 */
export function assertReadAgain(why: string, paths: readonly (string | undefined)[]): void {
  const once = paths.find(isReadOnce);
  if (once !== undefined)
    fail('APP054', `${why} reads the input several times, but ${nameOfInput(once)} can be read only once: give a file`);
}
