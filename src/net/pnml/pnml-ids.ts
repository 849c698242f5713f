import { HIDDEN, spelledOut } from '../../base/spelled-out.ts';

const START =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD';
const ID = new RegExp(`^[${START}][${START}0-9.\\-\\u00B7\\u0300-\\u036F\\u203F\\u2040]*$`);
const FOREIGN = new RegExp(`[^${START}0-9.\\-]+`, 'g');

/** Unique ids of a document: XML names without colon (NCName). */
export class Ids {
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** The name itself if it is a valid, unused id. */
  own(name: string): string | undefined {
    if (!ID.test(name) || this.#taken.has(name)) return undefined;
    this.#taken.add(name);
    return name;
  }

  /** An unused id similar to the name; `otherwise` is the fallback prefix. */
  like(name: string, otherwise: string): string {
    const own = this.own(name);
    if (own !== undefined) return own;
    const plain = name
      .slice(0, 60)
      .replace(FOREIGN, '_')
      .replace(/^_+|_+$/g, '');
    const base = ID.test(plain) ? plain : plain === '' ? otherwise : `${otherwise}_${plain}`;
    for (let k = this.#counts.get(base) ?? 0; ; k++) {
      const id = this.own(k === 0 ? base : `${base}_${k}`);
      if (id === undefined) continue;
      this.#counts.set(base, k + 1);
      return id;
    }
  }
}

/** Escapes text for XML content or attributes. Characters invalid in XML become question marks, hidden ones references. */
export function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?')
    .replace(/[&<>"]/g, (c) => `&${c === '&' ? 'amp' : c === '<' ? 'lt' : c === '>' ? 'gt' : 'quot'};`)
    .replace(/[\t\n\r]/g, (c) => `&#${c.charCodeAt(0)};`)
    .replace(HIDDEN, (c) => `&#x${c.codePointAt(0)!.toString(16)};`);
}

/** Characters that XML 1.0 cannot represent. */
const UNWRITABLE = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/**
 * Text for the `<name>` of nodes: the name itself, unless XML cannot represent it or readers would trim its outer
 * blanks. Such control characters and blanks are spelled out. All texts are distinct.
 */
export function titlesOf(names: readonly string[]): Map<string, string> {
  const survives = (name: string): boolean => name !== '' && name.trim() === name && !UNWRITABLE.test(name);
  const titles = new Map(names.filter(survives).map((name) => [name, name]));
  const taken = new Set(titles.keys());
  for (const name of names) {
    if (titles.has(name)) continue;
    const outer = /^\s+|\s+$/gu;
    const codes = (blanks: string): string => [...blanks].map((c) => `\\u{${c.codePointAt(0)!.toString(16)}}`).join('');
    let title = spelledOut(name.replace(outer, codes)) || '_';
    while (taken.has(title)) title += "'";
    taken.add(title);
    titles.set(name, title);
  }
  return titles;
}
