import { SaxesParser } from 'saxes';
import { InputError, type Place } from '../base/problem.ts';
import type { Problems } from '../base/problem-list.ts';
import { readTextFile } from './text-file.ts';

/** An element as its start tag gives it; `place` is that of its `<`. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly place: Place;
}

/** Receives the elements of a document in order. */
export interface XmlHandler {
  open(element: XmlElement): void;
  close(element: XmlElement): void;
  /** Text between tags that is not blank. */
  text(text: string, place: Place): void;
}

/** Limits that keep a file of a stranger from taking the machine down. */
export interface XmlLimits {
  /** Largest file, in bytes. */
  readonly bytes: number;
  /** Deepest nesting of elements. */
  readonly depth: number;
  /** Reading ends after this many problems. */
  readonly problems: number;
}

const DEFAULT_LIMITS: XmlLimits = { bytes: 64 * 2 ** 20, depth: 64, problems: 100 };
/** Characters handed to the parser at once, so that reading can end early. */
const CHUNK = 1 << 16;

/**
 * Reads an XML file and hands its elements to `handler`; what the handler and the reader find wrong goes into
 * `problems`. No entity but the five of XML is ever expanded, no DTD is fetched, and a document that declares anything
 * in its DOCTYPE is refused. O(size of the file).
 *
 * @throws InputError PLAT001 (cannot be read, empty, binary or too large), PLAT002 (not well-formed), PLAT003
 * (declares entities or other markup in its DOCTYPE), PLAT004 (nested too deep); at once where reading cannot go on.
 */
export function readXml(file: string, handler: XmlHandler, problems: Problems, limits: Partial<XmlLimits> = {}): void {
  const { bytes, depth } = { ...DEFAULT_LIMITS, ...limits };
  const text = readTextFile(file, { limit: bytes, code: 'PLAT001', expected: 'a SimGrid platform in XML' });
  const parser = new SaxesParser();
  const open: XmlElement[] = [];
  let start: Place = { file };
  const here = (): Place => ({ file, line: parser.line, column: parser.columnIndex + 1 });
  parser.on('error', (error) => {
    problems.add('PLAT002', `not well-formed XML: ${error.message.replace(/^[\d:]+\s*/, '')}`, here());
  });
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY/i.test(doctype)) problems.add('PLAT003', 'entity definitions are refused', here());
    else if (doctype.includes('[')) problems.add('PLAT003', 'markup declarations in the DOCTYPE are refused', here());
  });
  parser.on('opentagstart', (tag) => {
    start = { file, line: parser.line, column: Math.max(1, parser.columnIndex - tag.name.length - 1) };
  });
  parser.on('opentag', (tag) => {
    const element: XmlElement = { name: tag.name, attributes: tag.attributes, place: start };
    open.push(element);
    if (open.length > depth) {
      problems.add('PLAT004', `elements are nested deeper than ${depth}`, start);
      throw new InputError(problems.found);
    }
    handler.open(element);
  });
  parser.on('closetag', () => {
    const element = open.pop();
    if (element !== undefined) handler.close(element);
  });
  const onText = (data: string): void => {
    if (data.trim() !== '') handler.text(data, here());
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  for (let at = 0; at < text.length; at += CHUNK) parser.write(text.slice(at, at + CHUNK));
  parser.close();
}
