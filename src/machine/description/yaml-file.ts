import { Composer, type CST, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser } from 'yaml';
import type { Code } from '../../base/codes.ts';
import { InputError, type Place, Problems, quote } from '../../base/problem.ts';
import { readTextFile } from '../text-file.ts';
import type { Path } from './read-form.ts';
import { faultText, NOT_EXPECTED } from './yaml-faults.ts';

/** Limits: size of the file in bytes, nesting depth, number of problems reported. */
export const MAX_BYTES: number = 2 ** 20;
const MAX_DEPTH = 32;
const MAX_PROBLEMS = 100;
/** Lexemes without text: begin of a document, end of a flow collection by an error, begin of a scalar. */
const MARKS: readonly string[] = ['\u0002', '\u0018', '\u001f'];

/** A line of an object without a key. */
const NO_COLON = 'expected KEY: VALUE, with a space after the colon';

/** Faults of the parser that wrong indentation causes. */
const INDENTATION: ReadonlySet<string> = new Set([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'MULTILINE_IMPLICIT_KEY',
  'TAB_AS_INDENT',
]);

/** A value read from a file, and the positions of its parts. */
export interface Located {
  readonly value: unknown;
  /** Position of a part of the value, or (`key`) of its key. For a missing part, the position of the nearest enclosing part. */
  placeOf(path: Path, at: 'key' | 'value'): Place;
}

/**
 * Reads one value (objects, lists, strings, numbers, booleans) from a file in YAML 1.2, or JSON if its name ends in
 * `.json`. Tags, anchors, aliases and further documents are rejected, so the value cannot be larger than the file.
 * O(size of the file).
 *
 * @throws InputError with line and column: MACH001 (cannot be read, empty, binary or too large), MACH002 (not
 * well-formed), MACH003 (tags, anchors, aliases, several documents), MACH004 (nested too deeply), MACH013 (duplicate
 * key)
 * @param content in messages: `a machine`
 */
export function readYamlFile(file: string, content: string): Located {
  return readYaml(yamlText(file, content), file, content);
}

/** The text of a file. @throws InputError MACH001 */
export const yamlText = (file: string, content: string): string =>
  readTextFile(file, { limit: MAX_BYTES, code: 'MACH001', expected: `${content} in JSON or YAML` });

/** As {@link readYamlFile}, of the text of a file. */
export const readYaml = (text: string, file: string, content: string): Located =>
  new YamlReader(file, content).read(text);

class YamlReader {
  readonly #file: string;
  readonly #content: string;
  readonly #lines = new LineCounter();
  readonly #problems = new Problems(MAX_PROBLEMS);
  #text: readonly string[] = [];
  /** Lines whose indentation has been reported, from 0. */
  readonly #reported = new Set<number>();
  readonly #places = new Map<string, { readonly key: Place; readonly value: Place }>();

  constructor(file: string, content: string) {
    this.#file = file;
    this.#content = content;
  }

  read(text: string): Located {
    this.#text = text.split('\n');
    const tokens = this.#tokens(text);
    this.#checkDepth(tokens);
    // Keys must be strings: a number or an object as a key has no name.
    const composer = new Composer({ version: '1.2', schema: 'core', stringKeys: true, prettyErrors: false });
    const documents = [...composer.compose(tokens, true, text.length)];
    const [document, second] = documents;
    for (const { errors, warnings } of documents)
      for (const { code, message, pos } of [...errors, ...warnings]) this.#fault(code, message, pos[0]);
    if (second !== undefined)
      this.#add(
        'MACH003',
        `a second document: expected ${this.#content.replace(/^an? /, 'one ')} per file`,
        second.range[0],
      );
    const value = this.#value(document?.contents ?? null, []);
    this.#problems.end();
    if (this.#file.endsWith('.json')) this.#checkJson(text);
    return { value, placeOf: (path, at) => this.#placeOf(path, at) };
  }

  #place(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.#file, line: Math.max(1, line), column: Math.max(1, col) };
  }

  #add(code: Code, message: string, offset: number): void {
    this.#problems.add(code, message, this.#place(offset));
  }

  #fault(code: string, message: string, offset: number): void {
    if (code === 'DUPLICATE_KEY') this.#add('MACH013', 'duplicate key', offset);
    else if (code === 'TAG_RESOLVE_FAILED') this.#add('MACH003', 'tags (!name) are not supported', offset);
    else if (INDENTATION.has(code) && !/flow|block scalar/i.test(message)) this.#misindented(code, offset);
    else if (message.startsWith('Implicit map keys')) this.#add('MACH002', NO_COLON, offset);
    else {
      const { code: own, message: text } = faultText(code, message);
      if (text !== NOT_EXPECTED || this.#problems.found.length === 0) this.#add(own, text, offset);
    }
  }

  /**
   * The tokens of the text. Nesting of brackets, and the number of documents and errors, are limited while parsing: the parser
   * keeps a state for each.
   */
  #tokens(text: string): CST.Token[] {
    const parser = new Parser(this.#lines.addNewLine);
    this.#lines.addNewLine(0);
    const tokens: CST.Token[] = [];
    let depth = 0;
    let at = 0;
    let counted = 0;
    const take = (found: Iterable<CST.Token>): void => {
      for (const token of found) {
        tokens.push(token);
        if (token.type === 'document' || token.type.endsWith('error')) counted++;
      }
    };
    // Strings and comments are separate lexemes, so that these are brackets.
    for (const lexeme of new Lexer().lex(text)) {
      if (lexeme === '[' || lexeme === '{') depth++;
      else if (lexeme === ']' || lexeme === '}') depth--;
      if (depth > MAX_DEPTH) {
        this.#add('MACH004', `nested deeper than ${MAX_DEPTH}`, at);
        throw new InputError(this.#problems.found);
      }
      take(parser.next(lexeme));
      if (!MARKS.includes(lexeme)) at += lexeme.length;
      if (counted > MAX_PROBLEMS) return tokens;
    }
    take(parser.end());
    return tokens;
  }

  /**
   * Reports a line that is indented more or less than its neighbours, once. The parser reports the line above it, whose value
   * it takes to go on.
   */
  #misindented(code: string, offset: number): void {
    const { line } = this.#lines.linePos(offset);
    const indentOf = (text: string): number => /^\s*/.exec(text)![0].length;
    const isBlank = (text: string | undefined): boolean => /^\s*(?:#.*)?$/.test(text ?? '');
    let at = line;
    // A value that goes on: the next line that holds anything is the one with the wrong indentation.
    if (code !== 'BAD_INDENT' && code !== 'TAB_AS_INDENT')
      while (at < this.#text.length && isBlank(this.#text[at])) at++;
    else at = line - 1;
    if (this.#reported.has(at)) return;
    this.#reported.add(at);
    const own = this.#text[at] ?? '';
    let before = at - 1;
    while (before > 0 && isBlank(this.#text[before])) before--;
    const place = { file: this.#file, line: at + 1, column: indentOf(own) + 1 };
    if (/^\s*\t/.test(own)) this.#problems.add('MACH002', 'a tab indents this line: indent with spaces', place);
    else {
      const found = indentOf(own);
      const expected = indentOf(this.#text[before] ?? '');
      // With the same indentation, the line before has no key, and the parser takes both lines for one.
      if (found === expected) this.#problems.add('MACH002', NO_COLON, { ...place, line: before + 1 });
      else {
        const spaces = found === 1 ? 'space' : 'spaces';
        const message = `this line is indented by ${found} ${spaces}: expected ${expected}, as line ${before + 1}`;
        this.#problems.add('MACH002', message, place);
      }
    }
  }

  /** Runs before the recursive passes, so that deep nesting cannot overflow the stack. */
  #checkDepth(tokens: readonly CST.Token[]): void {
    let level: CST.Token[] = [...tokens];
    for (let depth = -1; level.length > 0; depth++) {
      if (depth > MAX_DEPTH) {
        this.#add('MACH004', `nested deeper than ${MAX_DEPTH}`, level[0]!.offset ?? 0);
        throw new InputError(this.#problems.found);
      }
      level = level.flatMap((token) => {
        if (token.type === 'document') return token.value === undefined ? [] : [token.value];
        if (!('items' in token)) return [];
        return token.items.flatMap(({ key, value }) =>
          [key, value].filter((part) => part !== undefined && part !== null),
        );
      });
    }
  }

  /** The plain value of a node whose key is at offset `key`; records the positions of the node and its parts. */
  #value(node: unknown, path: Path, key?: number): unknown {
    const offset = startOf(node) ?? key ?? 0;
    this.#places.set(nameOf(path), { key: this.#place(key ?? offset), value: this.#place(offset) });
    if (isAlias(node)) {
      this.#add('MACH003', 'aliases (*name) are not supported: write the value', offset);
      return null;
    }
    const { anchor, tag } = (node ?? {}) as { readonly anchor?: string; readonly tag?: string };
    if (anchor !== undefined)
      this.#add('MACH003', 'anchors (&name) are not supported: write the value where it is used', offset);
    if (tag !== undefined) this.#add('MACH003', `the tag ${quote(tag)} is not supported`, offset);
    if (isScalar(node)) return node.value;
    if (isSeq(node)) return node.items.map((item, k) => this.#value(item, [...path, k]));
    if (!isMap(node)) return null;
    const members: [string, unknown][] = [];
    for (const { key, value } of node.items) {
      const at = startOf(key) ?? offset;
      if (isScalar(key)) members.push([String(key.value), this.#value(value, [...path, String(key.value)], at)]);
      else this.#add('MACH002', 'expected a plain name as key', at);
    }
    // Unlike assignment, fromEntries creates own members also for names such as __proto__.
    return Object.fromEntries(members);
  }

  #placeOf(path: Path, at: 'key' | 'value'): Place {
    for (let length = path.length; length > 0; length--) {
      const found = this.#places.get(nameOf(path.slice(0, length)));
      if (found !== undefined) return found[at];
    }
    return this.#places.get(nameOf([]))!.value;
  }

  /** Rejects YAML that is not JSON. */
  #checkJson(text: string): void {
    try {
      JSON.parse(text);
    } catch (error) {
      const { message } = error as Error;
      const offset = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
      this.#add('MACH002', `is YAML, not JSON (name it .yaml): ${quote(message, 200)}`, offset);
      this.#problems.end();
    }
  }
}

const nameOf = (path: Path): string => JSON.stringify(path);

/** Offset at which a node begins. */
function startOf(node: unknown): number | undefined {
  return (node as { readonly range?: readonly number[] | null } | null | undefined)?.range?.[0];
}
