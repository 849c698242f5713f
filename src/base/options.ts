import { didYouMean, fail, quote, shown } from './problem.ts';

/** What an option must be, as messages say it; `any` is looked at elsewhere. */
export type Demand =
  | 'a function'
  | 'an object'
  | 'a text'
  | 'a truth value'
  | 'a list'
  | 'a list of texts'
  | 'a number from 0 on'
  | 'any';

/** Whether a value is what is demanded. A list is no object: it has no names. */
export function isAs(value: unknown, demand: Demand): boolean {
  switch (demand) {
    case 'a function':
      return typeof value === 'function';
    case 'an object':
      // Of a Map no member would be seen.
      return typeof value === 'object' && value !== null && !(Symbol.iterator in value);
    case 'a text':
      return typeof value === 'string';
    case 'a truth value':
      return typeof value === 'boolean';
    case 'a list':
      return Array.isArray(value);
    case 'a list of texts':
      return Array.isArray(value) && value.every((member) => typeof member === 'string');
    case 'a number from 0 on':
      return typeof value === 'number' && value >= 0;
    default:
      return true;
  }
}

/**
 * Refuses options that are no object, or have members that are not known or of another type: plain JavaScript lets them
 * through, and a word that is misspelt would be passed over in silence.
 *
 * @throws InputError SIM010
 */
export function assertOptions(part: string, options: unknown, known: Readonly<Record<string, Demand>>): void {
  if (!isAs(options, 'an object')) fail('SIM010', `options are ${shown(options)}: an object is expected`, { part });
  for (const [name, value] of Object.entries(options as object)) {
    if (!Object.hasOwn(known, name))
      fail('SIM010', `unknown option ${quote(name)}.${didYouMean(name, Object.keys(known))}`, { part });
    if (value !== undefined) assertIs(part, name, value, known[name]!);
  }
}

/**
 * Refuses a value of another type.
 *
 * @throws InputError SIM010
 */
export function assertIs(part: string, name: string, value: unknown, demand: Demand): void {
  if (!isAs(value, demand)) fail('SIM010', `${name} is ${shown(value)}: ${demand} is expected`, { part });
}
