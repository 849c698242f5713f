import { SaxesParser } from 'saxes';
import type { Code } from '../../base/codes.ts';
import type { Problems } from '../../base/problem.ts';
import { InputError, type Place } from '../../base/problem.ts';
import { assertGiven } from '../members.ts';
import { decoded, type PnmlInput } from './pnml-decode.ts';

/** A start tag: the local name, the attributes, and the position of its `<`. */
export interface StartTag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  readonly column: number;
}

/** Receives the parts of a document in order. */
export interface XmlHandler {
  open(tag: StartTag): void;
  close(): void;
  /** Non-blank text between tags. */
  text(text: string, line: number, column: number): void;
}

/** Limits that protect against untrusted files. */
export interface PnmlLimits {
  /** Maximum document size in bytes. Default 2³⁰. */
  readonly bytes: number;
  /** Maximum nesting depth of elements. Default 1000. */
  readonly depth: number;
  /** Number of problems after which reading stops. Default 100. */
  readonly problems: number;
}

export const PNML_LIMITS: PnmlLimits = { bytes: 2 ** 30, depth: 1000, problems: 100 };

/**
 * The limits of a reader, with those that its caller gave.
 *
 * @throws InputError NET040, NET058 for limits without meaning, in the name of `reader`
 */
export function limitsOf(reader: string, given: Partial<PnmlLimits>): PnmlLimits {
  assertGiven(reader, 'limits', given, {
    bytes: 'a number >= 0',
    depth: 'a number >= 0',
    problems: 'a number >= 0',
  });
  return { ...PNML_LIMITS, ...given };
}

/**
 * Parses an XML document piece by piece. Only the five predefined entities are expanded; a document type is rejected.
 * Stops at the first well-formedness error. O(size).
 *
 * @throws InputError PNML001 to PNML004, preceded by those in `problems`
 */
export function parseXml(
  input: PnmlInput,
  file: string,
  handler: XmlHandler,
  problems: Problems,
  limits: PnmlLimits,
): void {
  const parser = new SaxesParser();
  let depth = 0;
  let line = 1;
  let column = 1;
  const here = (): Place => ({ file, line: parser.line, column: parser.columnIndex + 1 });
  const end = (code: Code, message: string, at: Place): never => {
    throw new InputError([...problems.found, { code, message, place: at }]);
  };
  parser.on('error', (error) => {
    end('PNML002', `not well-formed XML: ${error.message.replace(/^[:\d\s]+/, '')}`, here());
  });
  parser.on('doctype', () => {
    end('PNML003', 'a document type is refused: nothing that it declares is expanded', here());
  });
  parser.on('opentagstart', (tag) => {
    // The parser is one character beyond the name; if that is a line break, the column is lost.
    const ended = parser.columnIndex === 0;
    line = ended ? parser.line - 1 : parser.line;
    column = ended ? 1 : Math.max(1, parser.columnIndex - tag.name.length - 1);
  });
  parser.on('opentag', (tag) => {
    depth++;
    if (depth > limits.depth) end('PNML004', `elements are nested deeper than ${limits.depth}`, { file, line, column });
    handler.open({ name: tag.name.slice(tag.name.indexOf(':') + 1), attributes: tag.attributes, line, column });
  });
  parser.on('closetag', () => {
    depth--;
    handler.close();
  });
  const text = (data: string): void => {
    if (/\S/.test(data)) handler.text(data, parser.line, parser.columnIndex + 1);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  try {
    for (const piece of decoded(input, file, limits.bytes)) parser.write(piece);
  } catch (e) {
    if (e instanceof InputError || !(e instanceof Error)) throw e;
    end('PNML002', `not well-formed XML: ${e.message}`, here());
  }
  parser.close();
}
