import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { SaxesParser } from 'saxes';
import { fail, InputError, type Place, type Problem, quote } from '../base/problem.ts';

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

/** Problems of one file, up to a limit; {@link Problems.add} throws them all when it is reached. */
export class Problems {
  readonly found: Problem[] = [];
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(code: string, message: string, place: Place): void {
    this.found.push({ code, message, place });
    if (this.found.length < this.limit) return;
    this.found.push({ code, message: `reading ended after ${this.limit} problems`, place });
    throw new InputError(this.found);
  }

  /** @throws InputError with all problems, where there are any. */
  end(): void {
    if (this.found.length > 0) throw new InputError(this.found);
  }
}

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
  const text = readText(file, bytes);
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

function readText(file: string, limit: number): string {
  const bytes = readBytes(file, limit);
  if (bytes.length === 0) fail('PLAT001', 'the file is empty; a SimGrid platform in XML was expected', { file });
  if (bytes.includes(0)) fail('PLAT001', 'the file is binary; a SimGrid platform in XML was expected', { file });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fail('PLAT001', 'the file is not UTF-8 text; a SimGrid platform in XML was expected', { file });
  }
}

/** The bytes of a file: of a regular one of at most `limit` bytes, so that a device or a pipe cannot hang us. */
function readBytes(file: string, limit: number): Uint8Array {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return fail('PLAT001', `cannot be opened: ${quote((error as Error).message, 200)}`, { file });
  }
  try {
    const info = fstatSync(handle);
    if (!info.isFile()) fail('PLAT001', 'is not a regular file', { file });
    if (info.size > limit) fail('PLAT001', `is ${info.size} bytes long, more than the limit of ${limit}`, { file });
    const bytes = new Uint8Array(info.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(handle, bytes, length, bytes.length - length, length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}
