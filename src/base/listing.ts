/* Texts of long lists: the first entries, and the number of the others, in the same words everywhere. */

/** Number of names that a message lists, unless it says otherwise. */
const LISTED = 12;

/** `and 3 more`, `and 1 more place`, `and 2 more processes`; empty if none are left. */
export function andMore(left: number, what = '', format: (count: number) => string = String): string {
  if (left <= 0) return '';
  const noun = what === '' ? '' : ` ${left === 1 ? what : pluralOf(what)}`;
  return `and ${format(left)} more${noun}`;
}

/** `places`, `processes`, `properties`, `series` */
function pluralOf(noun: string): string {
  if (noun === 'series') return noun;
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}${noun.endsWith('s') ? 'es' : 's'}`;
}

export interface ListingOptions {
  /** Maximum number of entries. Default: 12. */
  readonly max?: number;
  /** Number of all entries, if only the first ones are given. */
  readonly count?: number;
  /** The noun of the others, in the singular. Default: none. */
  readonly what?: string;
  /** Between entries. Default: a comma. */
  readonly separator?: string;
  /** Writes the number of the others. */
  readonly format?: (count: number) => string;
}

/** `up, down, and 3 more`: the first entries of a list, and how many the others are; empty for an empty list. */
export function listing(
  all: readonly string[],
  { max = LISTED, count = all.length, what, separator = ', ', format }: ListingOptions = {},
): string {
  const shown = all.slice(0, max);
  return [...shown, andMore(count - shown.length, what, format)].filter((text) => text !== '').join(separator);
}

/** Formats ascending integers as ranges: `0-3,7`. O(numbers). */
export function ranges(ascending: readonly number[]): string {
  const texts: string[] = [];
  for (let k = 0; k < ascending.length; ) {
    const first = ascending[k]!;
    let last = first;
    while (ascending[++k] === last + 1) last++;
    texts.push(last === first ? String(first) : `${first}${last === first + 1 ? ',' : '-'}${last}`);
  }
  return texts.join(',');
}
