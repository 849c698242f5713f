import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { fail, nearest, quote } from '../base/problem.ts';
import { MODEL_ENDINGS } from './model-endings.ts';
import { NET_ENDINGS } from './net-file.ts';

/** Files of other kinds by their ending: what they are, and what to give in their place. */
const OTHERS: Readonly<Record<string, string>> = {
  '.cpn': 'is a net of CPN Tools, which is not read: export it as PNML, and give the .pnml file',
  '.net': 'is a net of TINA or LoLA, which is not read: convert it to PNML, and give the .pnml file',
  '.ndr': 'is a net of TINA, which is not read: convert it to PNML, and give the .pnml file',
  '.lola': 'is a net of LoLA, which is not read: convert it to PNML, and give the .pnml file',
  '.gspn': 'is a net of GreatSPN, which is not read: export it as PNML, and give the .pnml file',
  '.yaml': 'is a machine by its ending: give it with --machine',
  '.yml': 'is a machine by its ending: give it with --machine',
  '.otf2': 'is an OTF2 trace, which is not read: record a time-independent trace of SimGrid',
  '.dot': 'is a drawing, which is only written',
  '.svg': 'is a drawing, which is only written',
};

/** The kinds of inputs by their endings, as messages list them. */
const KINDS = `Known inputs: models (${MODEL_ENDINGS.join(' ')}), nets (${NET_ENDINGS.join(' ')}), traces of SimGrid (.ti or another ending)`;

/**
 * Refuses a file that does not exist.
 *
 * @throws InputError APP001 with the nearest name in its folder
 */
export function assertExists(path: string): void {
  if (path === '-') return;
  const code = codeOf(path);
  if (code === undefined) return;
  fail('APP001', `cannot be read: ${code}${code === 'ENOENT' ? besides(path) : ''}`, { file: path });
}

/**
 * Refuses a trace that does not exist, with the nearest name in its folder, and a folder.
 *
 * @throws InputError TI001, as the reader of traces does
 */
export function assertTraceExists(path: string): void {
  if (path === '-') return;
  if (codeOf(path) === 'ENOENT')
    fail('TI001', `cannot read the file: no such file or directory.${nearestBeside(path)}`, { file: path });
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    fail('TI001', 'this is a directory; a trace is a file (or a listing of files).', { file: path });
}

/**
 * Refuses what is certainly no trace, before a machine is asked for: a file that does not exist, another kind by its ending
 * or its first character.
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
      `is no trace: it begins with ${quote(first)}, as ${first === '<' ? 'PNML and platforms of SimGrid do' : 'JSON does'}. ${KINDS}; platforms are given with --machine`,
      { file: path },
    );
}

/**
 * Refuses files of other kinds by their ending.
 *
 * @throws InputError APP009
 */
export function assertReadable(path: string): void {
  const ending = extname(path).toLowerCase();
  if (Object.hasOwn(OTHERS, ending)) fail('APP009', `${OTHERS[ending]}. ${KINDS}`, { file: path });
}

/**
 * Refuses a machine whose ending is one of a model, a trace or a net.
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
      : ending === '.pnml' || ending === '.cpn'
        ? 'a net'
        : undefined;
  if (what === undefined) return;
  fail(
    'APP009',
    `is ${what} by its ending, no machine: machines are .yaml, .yml or .json files, platforms of SimGrid (.xml), or built-in: ${known.join(', ')}`,
    { file: path },
  );
}

/** The first character that is no blank, of the first few of a regular file. */
export function firstCharacter(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return '';
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(64);
    const length = readSync(file, bytes);
    return bytes
      .toString('utf8', 0, length)
      .replace(/^\uFEFF/, '')
      .trimStart()
      .slice(0, 1);
  } finally {
    closeSync(file);
  }
}

/** Why there is nothing to read at a path; undefined where there is. */
function codeOf(path: string): string | undefined {
  try {
    statSync(path);
    return undefined;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code ?? 'unknown error';
  }
}

/** The nearest name in the folder of a file. */
function besides(path: string): string {
  try {
    readdirSync(dirname(path));
    return `: there is no such file.${nearestBeside(path)}`;
  } catch {
    return `: there is no folder ${quote(dirname(path))}`;
  }
}

/** ` Did you mean "tiny.ti"?`, or nothing. */
function nearestBeside(path: string): string {
  try {
    return nearest(basename(path), readdirSync(dirname(path)));
  } catch {
    return '';
  }
}
