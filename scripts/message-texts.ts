import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Maximum number of texts for each code. */
const MAX_TEXTS = 4;

/** Message texts in the sources by code: literals that follow a code, with `…` for the parts that are filled in. */
export function messageTexts(): ReadonlyMap<string, readonly string[]> {
  const folder = fileURLToPath(new URL('../src', import.meta.url));
  const texts = new Map<string, Set<string>>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts') || name.endsWith('codes.ts')) continue;
    const source = readFileSync(join(folder, name), 'utf8');
    for (const found of source.matchAll(/'([A-Z]+\d{3})',\s*(?:message: )?(?=[`'"])/g)) {
      const text = literalAt(source, found.index + found[0].length);
      if (!/[a-z]{3}/.test(text)) continue;
      const of = texts.get(found[1]!) ?? new Set();
      texts.set(found[1]!, of.add(text));
    }
  }
  return new Map([...texts].map(([code, found]) => [code, [...found].slice(0, MAX_TEXTS)]));
}

/** The text of the string or template literal at a position. */
function literalAt(source: string, from: number): string {
  const quote = source[from]!;
  let text = '';
  for (let at = from + 1; at < source.length && source[at] !== quote; at++) {
    if (source[at] === '\\') {
      at++;
      text += source[at] === 'n' ? ' ' : source[at]!;
    } else if (quote === '`' && source.startsWith('${', at)) {
      text += '…';
      at = endOfPart(source, at + 2);
    } else text += source[at]!;
  }
  return text.replace(/…+/g, '…').trim();
}

/** Position of the brace that closes a part of a template literal. */
function endOfPart(source: string, from: number): number {
  let depth = 1;
  for (let at = from; ; at++) {
    if (source[at] === '{') depth++;
    else if (source[at] === '}' && --depth === 0) return at;
  }
}
