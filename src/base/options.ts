import { didYouMean, fail, quote } from './problem.ts';

/** What an option must be: the word for its type, and whether a value is of it. */
type Demand = 'a function' | 'an object' | 'any';

/**
 * Refuses options that are no object, or have members that are not known or of another type: plain JavaScript lets them
 * through, and a word that is misspelt would be passed over in silence.
 *
 * @throws InputError SIM010
 */
export function assertOptions(part: string, options: unknown, known: Readonly<Record<string, Demand>>): void {
  if (typeof options !== 'object' || options === null)
    fail('SIM010', `options are ${shown(options)}: an object is expected`, { part });
  for (const [name, value] of Object.entries(options)) {
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
  const holds =
    demand === 'any' ||
    (demand === 'a function' ? typeof value === 'function' : typeof value === 'object' && value !== null);
  if (!holds) fail('SIM010', `${name} is ${shown(value)}: ${demand} is expected`, { part });
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  return typeof value === 'object' && value !== null
    ? 'an object'
    : typeof value === 'function'
      ? 'a function'
      : String(value);
}
