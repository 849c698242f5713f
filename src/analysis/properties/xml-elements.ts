import { closeSync, readSync } from 'node:fs';
import { SaxesParser } from 'saxes';
import { openInput } from '../../base/input-file.ts';
import { fail, type Place } from '../../base/problem.ts';

/** Receives the elements of a document in order. Names have no namespace prefix. */
export interface ElementHandler {
  open(name: string, place: Place): void;
  /** `text`: the text directly in the element, trimmed. */
  close(name: string, text: string, place: Place): void;
}

/** Bytes read and parsed at once. */
const PIECE = 1 << 16;
const MAX_BYTES = 256 * 2 ** 20;
/** Maximum number of characters of text in one element. */
const MAX_TEXT = 1 << 16;
/** Maximum nesting depth: a formula needs up to three elements per level. */
const MAX_DEPTH = 1600;

/**
 * Reads an XML file piece by piece. Only the five predefined entities are expanded; a DOCTYPE with declarations is rejected.
 * O(size of the file) time, O(depth) memory.
 *
 * @throws InputError PROP020 (cannot be read, empty, too large), PROP021 (not well-formed), PROP022 (a DOCTYPE with
 * declarations, nested too deep), with file, line and column
 */
export function readElements(file: string, handler: ElementHandler): void {
  const parser = new SaxesParser({ xmlns: true });
  const here = (): Place => ({ file, line: parser.line, column: parser.columnIndex + 1 });
  const texts: string[] = [];
  let start: Place = { file };
  parser.on('error', (error) =>
    fail('PROP021', `not well-formed XML: ${error.message.replace(/^[\d:]+\s*/, '')}`, here()),
  );
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) fail('PROP022', 'declarations in the DOCTYPE are not supported', here());
  });
  parser.on('opentagstart', (tag) => {
    start = { file, line: parser.line, column: Math.max(1, parser.columnIndex - tag.name.length - 1) };
  });
  parser.on('opentag', (tag) => {
    if (texts.length >= MAX_DEPTH) fail('PROP022', `elements are nested deeper than ${MAX_DEPTH}`, start);
    texts.push('');
    handler.open(tag.local, start);
  });
  const text = (more: string): void => {
    const last = texts.length - 1;
    if (last < 0) return;
    texts[last] += texts[last] === '' ? more.trimStart() : more;
    if (texts[last]!.length > MAX_TEXT) fail('PROP022', `more than ${MAX_TEXT} characters in one element`, here());
  };
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('closetag', (tag) => handler.close(tag.local, texts.pop()!.trim(), here()));
  for (const piece of piecesOf(file)) parser.write(piece);
  parser.close();
}

function* piecesOf(file: string): Generator<string> {
  const { fd: handle, size } = openInput(file, { code: 'PROP020', limit: MAX_BYTES });
  try {
    if (size === 0) fail('PROP020', 'is empty: expected properties in XML', { file });
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const buffer = new Uint8Array(PIECE);
    for (let n = readSync(handle, buffer); n > 0; n = readSync(handle, buffer)) {
      const bytes = buffer.subarray(0, n);
      if (bytes.includes(0)) fail('PROP020', 'is binary: expected properties in XML', { file });
      yield decoded(decoder, bytes, true, file);
    }
    yield decoded(decoder, buffer.subarray(0, 0), false, file);
  } finally {
    closeSync(handle);
  }
}

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, stream: boolean, file: string): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    return fail('PROP020', `is not UTF-8 text: expected properties in XML`, { file });
  }
}
