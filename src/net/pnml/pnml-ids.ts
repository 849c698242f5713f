const START =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD';
const ID = new RegExp(`^[${START}][${START}0-9.\\-\\u00B7\\u0300-\\u036F\\u203F\\u2040]*$`);
const FOREIGN = new RegExp(`[^${START}0-9.\\-]+`, 'g');

/** The ids of a document: names of XML without colon (NCName), each given once. */
export class Ids {
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** The name itself, where it is an id that is not taken. */
  own(name: string): string | undefined {
    if (!ID.test(name) || this.#taken.has(name)) return undefined;
    this.#taken.add(name);
    return name;
  }

  /** An id that reads like the name. */
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

/** Text as the content of an element or an attribute. What XML cannot hold becomes a question mark. */
export function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?')
    .replace(/[&<>"]/g, (c) => `&${c === '&' ? 'amp' : c === '<' ? 'lt' : c === '>' ? 'gt' : 'quot'};`)
    .replace(/[\t\n\r]/g, (c) => `&#${c.charCodeAt(0)};`);
}
