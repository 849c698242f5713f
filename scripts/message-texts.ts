import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Maximum number of texts for each code. */
const MAX_TEXTS = 4;

/**
 * Message texts in the sources by code, with `…` for the parts that are filled in: literals that follow a code, those of the variable
 * `message` where it follows, and those of calls of a function whose parameter `message` follows. They are in alphabetical order, so that
 * a message may move to another file.
 */
export function messageTexts(): ReadonlyMap<string, readonly string[]> {
  const folder = fileURLToPath(new URL('../src', import.meta.url));
  const texts = new Map<string, Set<string>>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts') || name.endsWith('codes.ts')) continue;
    const source = readFileSync(join(folder, name), 'utf8');
    const add = (code: string, text: string): void => {
      if (/[a-z]{3}/.test(text)) texts.set(code, (texts.get(code) ?? new Set()).add(text));
    };
    for (const found of source.matchAll(/'([A-Z]+\d{3})',\s*(?:message: )?(?=[`'"])/g))
      add(found[1]!, literalAt(source, found.index + found[0].length).text);
    for (const found of source.matchAll(/'([A-Z]+\d{3})',\s*message\b(?!:)/g)) {
      const isNear = (from: number): boolean => from >= 0 && !/^ {0,2}\}$/m.test(source.slice(from, found.index));
      const from = source.lastIndexOf('message =', found.index);
      if (isNear(from)) for (const text of literalsFrom(source, from)) add(found[1]!, text);
      const parameter = source.lastIndexOf('(message: string', found.index);
      if (!isNear(parameter)) continue;
      const name = /[#\w]+$/.exec(source.slice(0, parameter))?.[0] ?? '';
      for (const call of source.matchAll(new RegExp(`(?<![\\w#])${name}\\(\\s*(?=[\`'"])`, 'g'))) {
        const { text } = literalAt(source, call.index + call[0].length);
        if (text.includes(' ')) add(found[1]!, text);
      }
    }
  }
  return new Map([...texts].map(([code, found]) => [code, [...found].sort().slice(0, MAX_TEXTS)]));
}

/** The texts of the literals in the statement at a position. */
function literalsFrom(source: string, from: number): string[] {
  const found: string[] = [];
  for (let at = from; at < source.length && source[at] !== ';'; at++) {
    if (!/[`'"]/.test(source[at]!)) continue;
    const { text, end } = literalAt(source, at);
    found.push(text);
    at = end;
  }
  return found;
}

/** The text of the string or template literal at a position, and the position of its end. */
function literalAt(source: string, from: number): { readonly text: string; readonly end: number } {
  const quote = source[from]!;
  let text = '';
  let at = from + 1;
  for (; at < source.length && source[at] !== quote; at++) {
    if (source[at] === '\\') {
      at++;
      text += source[at] === 'n' ? ' ' : source[at]!;
    } else if (quote === '`' && source.startsWith('${', at)) {
      text += '…';
      at = endOfPart(source, at + 2);
    } else text += source[at]!;
  }
  return { text: text.replace(/…+/g, '…').trim(), end: at };
}

/** Position of the brace that closes a part of a template literal. */
function endOfPart(source: string, from: number): number {
  let depth = 1;
  for (let at = from; ; at++) {
    if (source[at] === '{') depth++;
    else if (source[at] === '}' && --depth === 0) return at;
  }
}
