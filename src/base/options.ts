import { didYouMean, fail, quote, shown } from './problem.ts';

/** The required type of an option, worded for messages; `any` is checked elsewhere. */
export type Demand =
  | 'a function'
  | 'an object'
  | 'a string'
  | 'a boolean'
  | 'a list'
  | 'a list of strings'
  | 'a list of objects'
  | 'a list of numbers'
  | 'a number >= 0'
  | 'any';

/** True if a value has the required type. A list does not count as an object, because it has no named members. */
export function isAs(value: unknown, demand: Demand): boolean {
  switch (demand) {
    case 'a function':
      return typeof value === 'function';
    case 'an object':
      // Excludes iterables such as Map, whose entries are not members.
      return typeof value === 'object' && value !== null && !(Symbol.iterator in value);
    case 'a string':
      return typeof value === 'string';
    case 'a boolean':
      return typeof value === 'boolean';
    case 'a list':
      return Array.isArray(value);
    case 'a list of strings':
      return Array.isArray(value) && value.every((member) => typeof member === 'string');
    case 'a list of objects':
      return Array.isArray(value) && value.every((member) => isAs(member, 'an object'));
    case 'a list of numbers':
      return Array.isArray(value) && value.every((member) => typeof member === 'number');
    case 'a number >= 0':
      return typeof value === 'number' && value >= 0;
    default:
      return true;
  }
}

/**
 * Rejects options that are not an object, or have unknown members or members of the wrong type. Plain JavaScript would
 * accept them, and a misspelt name would be ignored silently.
 *
 * @param code code of the area: functions of the commands have APP060 for names and APP061 for kinds
 * @throws InputError SIM010, or APP060 and APP061
 */
export function assertOptions(
  part: string,
  options: unknown,
  known: Readonly<Record<string, Demand>>,
  code: 'SIM010' | 'APP060' = 'SIM010',
): void {
  if (!isAs(options, 'an object'))
    fail(code === 'SIM010' ? code : 'APP061', `options: expected an object, got ${shown(options)}`, { part });
  for (const [name, value] of Object.entries(options as object)) {
    if (!Object.hasOwn(known, name))
      fail(code, `unknown option ${quote(name)}.${didYouMean(name, Object.keys(known))}`, { part });
    if (value !== undefined) assertIs(part, name, value, known[name]!, code === 'SIM010' ? code : 'APP061');
  }
}

/**
 * Rejects a value of the wrong type.
 *
 * @throws InputError SIM010
 */
export function assertIs(
  part: string,
  name: string,
  value: unknown,
  demand: Demand,
  code: 'SIM010' | 'APP061' = 'SIM010',
): void {
  if (!isAs(value, demand)) fail(code, `${name}: expected ${demand}, got ${shown(value)}`, { part });
}
