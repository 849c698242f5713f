import { assertFinite } from '../base/finite-figures.ts';
import { plainJson } from '../base/spelled-out.ts';

/**
 * Formats a document as JSON: members in the order of `keys`, one line per member and per list element, so that two results
 * can be compared line by line. Ends with a newline.
 *
 * @throws InputError RUN016 for an infinite or NaN figure, which JSON cannot represent
 */
export function documentJson<D extends object>(document: D, keys: readonly (keyof D & string)[]): string {
  assertFinite(document);
  const members = keys
    .filter((key) => document[key] !== undefined)
    .map((key) => {
      const value: unknown = document[key];
      const text =
        Array.isArray(value) && value.length > 0
          ? `[\n    ${value.map((element) => JSON.stringify(element)).join(',\n    ')}\n  ]`
          : JSON.stringify(value);
      return `  ${JSON.stringify(key)}: ${text}`;
    });
  return plainJson(`{\n${members.join(',\n')}\n}\n`);
}
