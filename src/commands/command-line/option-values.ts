import { InvalidArgumentError } from 'commander';
import { fail, quote } from '../../base/problem.ts';

/**
 * Adds `name=value` to the earlier parameters; values that look like numbers or booleans are converted.
 *
 * @throws InputError WHAT005 a parameter that is given twice
 */
export function parameter(
  text: string,
  before: Readonly<Record<string, number | string | boolean>>,
): Record<string, number | string | boolean> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError(' Expected name=value.');
  const [name, value] = [text.slice(0, at).replace(/^model\./, ''), text.slice(at + 1)];
  if (Object.hasOwn(before, name))
    fail('WHAT005', `parameter ${name} is given twice: it can have one value`, { part: '--set' });
  return { ...before, [name]: valueIn(value) };
}

function valueIn(text: string): number | string | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Parses a time in seconds, at least 0. */
export function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value < Infinity))
    throw new InvalidArgumentError(' Expected seconds >= 0.');
  return value;
}

/**
 * Adds `JOB=SECONDS` to the earlier starts. Whether there is such a job is checked with the inputs.
 *
 * @throws InputError APP062 a job that is given twice
 */
export function jobStart(text: string, before: Readonly<Record<string, number>> = {}): Record<string, number> {
  const [job, value] = ofJob(text, text.lastIndexOf('='), before, '--start');
  return { ...before, [job]: seconds(value) };
}

/** Adds `JOB=FILE` to the earlier hostfiles. @throws InputError APP062 a job that is given twice */
export function jobHostfile(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [job, file] = ofJob(text, text.indexOf('='), before, '--job-hostfile');
  if (file === '') throw new InvalidArgumentError(' Expected JOB=FILE.');
  return { ...before, [job]: file };
}

function ofJob(text: string, at: number, before: object, part: string): [string, string] {
  if (at < 1) throw new InvalidArgumentError(` Expected JOB=${part === '--start' ? 'SECONDS' : 'FILE'}.`);
  const job = text.slice(0, at);
  if (Object.hasOwn(before, job)) fail('APP062', `job ${quote(job)} is given twice: it has one value`, { part });
  return [job, text.slice(at + 1)];
}

/** Adds a setting `KEY:VALUE` to the earlier ones, separated by a space. */
export const settings = (text: string, before?: string): string => (before === undefined ? text : `${before} ${text}`);

/** Parses the protocol that verification assumes for sends. */
export function protocol(text: string): 'eager' | 'rendezvous' | 'both' {
  if (text === 'eager' || text === 'rendezvous' || text === 'both') return text;
  throw new InvalidArgumentError(' Expected eager, rendezvous or both.');
}

/**
 * Parses `-1=BYTES`, `CALL=BYTES` or `FILE:LINE=BYTES` and adds it to the earlier entries: -1 is the only datatype whose size a
 * trace does not contain. A single `-1=BYTES` is a number.
 */
export function derivedType(text: string, earlier: number | string | undefined): number | string {
  const [, what, bytes] = /^([^,]+)=(\d+)$/.exec(text) ?? [];
  if (what === undefined)
    throw new InvalidArgumentError(' Expected -1=BYTES, CALL=BYTES or FILE:LINE=BYTES, with an integer >= 0.');
  if (/^[+-]?\d+$/.test(what) && what !== '-1')
    throw new InvalidArgumentError(` The size of datatype ${what} is fixed: only the size of -1 can be given.`);
  if (!Number.isSafeInteger(Number(bytes))) throw new InvalidArgumentError(' Expected at most 2^53 − 1 bytes.');
  if (earlier === undefined) return what === '-1' ? Number(bytes) : text;
  return `${typeof earlier === 'number' ? `-1=${earlier}` : earlier},${text}`;
}

/** Largest integer of an option. */
const MOST = 2 ** 31 - 1;

/** Digits, or as in `5e6`. */
const COUNT = /^\d+(?:e\d+)?$/i;

/** Parses an integer from 0 to 2^31 − 1. */
export const integer = (text: string): number => integerFrom(0, text);

/** Parses an integer from 1 to 2^31 − 1. */
export const positiveInteger = (text: string): number => integerFrom(1, text);

function integerFrom(least: number, text: string): number {
  const value = Number(text);
  if (!COUNT.test(text) || value < least) throw new InvalidArgumentError(` Expected an integer >= ${least}.`);
  if (value > MOST) throw new InvalidArgumentError(` Expected an integer from ${least} to ${MOST}.`);
  return value;
}

/** Parses a limit of a number, such as of states or steps, up to 2^53: `5000000` or `5e6`. */
export function limitCount(text: string): number {
  const value = Number(text);
  if (!COUNT.test(text) || !(value >= 1 && value <= 2 ** 53))
    throw new InvalidArgumentError(' Expected an integer >= 1 such as 5000000 or 5e6.');
  return value;
}

/** A name before `=`, which is no comparison. */
const NAMED = /^\s*([A-Za-z_][\w.-]*)\s*=(?!=)\s*(.*)$/s;

/**
 * Adds a reward under its name; one without a name has its text as name.
 *
 * @throws InputError APP062 a reward of this name was given before
 */
export function reward(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name = text.trim(), expression = text] = NAMED.exec(text) ?? [];
  if (Object.hasOwn(before, name))
    fail('APP062', `reward ${quote(name)} is given twice: give each reward its own name`, { part: '--reward' });
  return { ...before, [name]: expression };
}

/** Parses process numbers and ranges, as in `0,3,8-15`; sorted, without duplicates. */
export function processes(text: string): number[] {
  const numbers = text.split(',').flatMap((part) => {
    const [, first, last = first] = /^(\d{1,8})(?:-(\d{1,8}))?$/.exec(part.trim()) ?? [];
    if (first === undefined || Number(last) < Number(first))
      throw new InvalidArgumentError(' Expected process numbers, as in 0,3,8-15.');
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, k) => Number(first) + k);
  });
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Parses an instant of a run: seconds, or per cent. */
export function moment(text: string): number | `${number}%` {
  if (/^\d+(\.\d+)?%$/.test(text) && Number.parseFloat(text) <= 100) return text as `${number}%`;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new InvalidArgumentError(' Expected seconds, or per cent of the run from 0% to 100%.');
  return value;
}

/** Appends to the values of a repeatable option. */
export const list = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
