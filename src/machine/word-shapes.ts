import { didYouMean, quote, shown } from '../base/problem.ts';
import type { Shape } from './shape.ts';

/** One of several words. */
export function oneOf<W extends string>(words: readonly W[], description: string): Shape<W> {
  return {
    schema: { description, enum: words },
    read(value, path, report) {
      const found = words.find((word) => word === value);
      if (found !== undefined) return found;
      if (typeof value === 'string')
        report('MACH009', `expected ${words.join(' or ')}, got ${quote(value)}.${didYouMean(value, words)}`, path);
      else report('MACH007', `expected ${words.join(' or ')}, got ${shown(value)}`, path);
      return undefined;
    },
  };
}

/** An object whose member `kind` selects one of several shapes, or one of `words` as a short form of `{ kind: word }`. */
export function kinds<T>(
  what: string,
  shapes: Readonly<Record<string, Shape<T>>>,
  words: readonly string[],
  description: string,
): Shape<T> {
  const known = Object.keys(shapes);
  return {
    schema: { description, oneOf: [...words.map((word) => ({ const: word })), ...known.map((k) => shapes[k]!.schema)] },
    read(value, path, report) {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      const word = isObject ? (value as { readonly kind?: unknown }).kind : value;
      if (typeof word !== 'string') {
        if (isObject && word === undefined) report('MACH006', `${what} lacks "kind": ${known.join(', ')}`, path);
        else
          report(
            'MACH007',
            `expected one of ${known.join(', ')}; got ${shown(word)}`,
            isObject ? [...path, 'kind'] : path,
          );
        return undefined;
      }
      const at = isObject ? [...path, 'kind'] : path;
      const shape = Object.hasOwn(shapes, word) ? shapes[word] : undefined;
      if (shape === undefined) report('MACH009', `${what} cannot be ${quote(word)}.${didYouMean(word, known)}`, at);
      else if (!isObject && !words.includes(word))
        report('MACH009', `${quote(word)} requires parameters: write { kind: ${word}, … }`, at);
      return shape?.read(isObject ? value : { kind: word }, path, report);
    },
  };
}

/** The constant value of `kind` in an object of this kind. */
export function word<W extends string>(only: W): Shape<W> {
  return { schema: { const: only }, read: () => only };
}
