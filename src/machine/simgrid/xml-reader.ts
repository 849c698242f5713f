import { SaxesParser } from 'saxes';
import type { Problems } from '../../base/problem.ts';
import { InputError, type Place } from '../../base/problem.ts';
import { readTextFile } from '../text-file.ts';

/** An element with the contents of its start tag; `place` is the position of its `<`. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly place: Place;
}

/** Receives the elements of a document in document order. */
export interface XmlHandler {
  open(element: XmlElement): void;
  close(element: XmlElement): void;
  /** Non-blank text between tags. */
  text(text: string, place: Place): void;
}

/** Limits that protect against malicious files. */
export interface XmlLimits {
  /** Maximum size of the file, in bytes. */
  readonly bytes: number;
  /** Maximum nesting depth of elements. */
  readonly depth: number;
  /** Reading stops after this number of problems. */
  readonly problems: number;
}

const DEFAULT_LIMITS: XmlLimits = { bytes: 64 * 2 ** 20, depth: 64, problems: 100 };
/** Characters passed to the parser at a time, so that reading can stop early. */
const CHUNK = 1 << 16;

/**
 * Reads an XML file and passes its elements to `handler`. The handler and the reader both add their problems to
 * `problems`. Only the five predefined entities of XML are expanded, no DTD is fetched, and a DOCTYPE with declarations
 * is rejected. O(size of the file).
 *
 * @throws InputError PLAT001 (cannot be read, empty, binary or too large), PLAT002 (not well-formed), PLAT003 (declares
 * entities or other markup in its DOCTYPE), PLAT004 (nested too deeply). Thrown only if reading cannot continue; other
 * problems are added to `problems`.
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
    if (/<!ENTITY/i.test(doctype)) problems.add('PLAT003', 'entity definitions are not supported', here());
    else if (doctype.includes('['))
      problems.add('PLAT003', 'markup declarations in the DOCTYPE are not supported', here());
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
