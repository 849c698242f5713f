import { extname } from 'node:path';
import { ownOf } from '../../base/own.ts';
import type { Place } from '../../base/problem.ts';
import { readText } from './inputs.ts';

/** A JSON token: punctuation, a string, or a number or word. */
const TOKEN = /[{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/g;
const ELEMENT = /<(?:[\w.-]+:)?(place|transition)\s([^>]*)>(?:\s*<(?:[\w.-]+:)?name>\s*<(?:[\w.-]+:)?text>([^<]*)<)?/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Finds the line and column at which a net's file declares a place, transition or table, for problems found after reading.
 *
 * @param part `place NAME`, `transition NAME` or `table NAME`
 * @returns line and column; empty if the file does not declare it
 * @complexity the size of the file
 */
export function declarationPlace(file: string, part: string): Place {
  const found = /^(place|transition|table) (.*)$/s.exec(part);
  if (found === null) return {};
  const [, kind, name] = found as unknown as [string, 'place' | 'transition' | 'table', string];
  let text: string;
  try {
    text = readText(file);
  } catch {
    return {};
  }
  const ending = extname(file).toLowerCase();
  const at =
    ending === '.json' ? inJson(text, `${kind}s`, name) : inXml(text, kind, name, ending === '.pnpro' ? NAME : ID);
  if (at === undefined) return {};
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

/** The offset of a name in one of the document's top-level lists. */
function inJson(text: string, list: string, name: string): number | undefined {
  const wanted = JSON.stringify(name);
  let depth = 0;
  let section: string | undefined;
  let [before, key] = ['', ''];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token === ':') key = before;
    if (token === ':' && depth === 1) section = before;
    // {"transitions": [{"name": "…"}]}: names are at the third level.
    const isName = before === ':' && key === '"name"' && depth === 3 && section === `"${list}"`;
    if (isName && (token === wanted || sameString(token, name))) return index;
    before = token;
  }
  return undefined;
}

function sameString(token: string, name: string): boolean {
  try {
    return JSON.parse(token) === name;
  } catch {
    return false;
  }
}

const ID = /\bid\s*=\s*(["'])(.*?)\1/s;
const NAME = /\bname\s*=\s*(["'])(.*?)\1/s;

/** The offset of an element, found by its attribute for nodes (PNML: the id) or by its name in PNML. */
function inXml(text: string, kind: string, name: string, attribute: RegExp): number | undefined {
  for (const { index, 1: element, 2: attributes = '', 3: title } of text.matchAll(ELEMENT)) {
    if (element !== kind) continue;
    const id = attribute.exec(attributes)?.[2];
    if ([id, title].some((known) => known !== undefined && unescaped(known).trim() === name)) return index;
  }
  return undefined;
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(x?)([\da-fA-F]+)|(\w+));/g, (whole, hex: string, code: string, entity: string) => {
    if (entity !== undefined) return ownOf(ENTITIES, entity) ?? whole;
    const point = Number.parseInt(code, hex === 'x' ? 16 : 10);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
