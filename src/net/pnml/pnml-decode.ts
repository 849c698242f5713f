import { fail, quote, shown } from '../../base/problem.ts';

/** A PNML document: text, bytes, or pieces of either. */
export type PnmlInput = string | Uint8Array | Iterable<string | Uint8Array>;

/** Decoders by declared encoding. */
const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'utf-16': 'utf-16le',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'iso-8859-1': 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
  'windows-1252': 'windows-1252',
};
/** Maximum bytes before the end of the encoding declaration. */
const HEAD = 256;
const PIECE = 1 << 16;

/**
 * Decodes the document piece by piece. The encoding is UTF-8, UTF-16 (by byte order mark or first characters), or one
 * of a few common encodings named in the XML declaration.
 *
 * @throws InputError PNML001, with the position if known: empty, more than `limit` bytes (or characters), binary,
 * neither text nor bytes, unsupported encoding, or bytes invalid in the encoding
 */
export function* decoded(input: PnmlInput, file: string, limit: number): Generator<string> {
  const start = { file, line: 1, column: 1 };
  let size = 0;
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let line = 1;
  const read = (bytes: Uint8Array | undefined): string => {
    try {
      return bytes === undefined ? decoder!.decode() : decoder!.decode(bytes, { stream: true });
    } catch {
      return fail('PNML001', `is not valid ${decoder!.encoding}: expected an XML document`, {
        file,
        line,
        column: 1,
      });
    }
  };
  assertPieces(input, start);
  for (const piece of pieces(input)) {
    if (!isPiece(piece))
      fail('PNML001', `expected a string or bytes as each piece, got ${shown(piece)}`, { ...start, line });
    size += piece.length;
    if (size > limit) fail('PNML001', `is larger than the limit of ${limit} bytes`, { ...start, line });
    if (typeof piece !== 'string' && decoder === undefined) decoder = decoderOf(piece, start);
    const text = typeof piece === 'string' ? piece : read(piece);
    const zero = text.indexOf('\0');
    if (zero >= 0) {
      const before = text.slice(0, zero).split('\n');
      const at = { file, line: line + before.length - 1, column: before.at(-1)!.length + 1 };
      fail('PNML001', 'is binary: expected an XML document', at);
    }
    yield text;
    line += lines(text);
  }
  if (decoder !== undefined) yield read(undefined);
  if (size === 0) fail('PNML001', 'is empty: expected an XML document', start);
}

const isPiece = (piece: unknown): boolean => typeof piece === 'string' || piece instanceof Uint8Array;

/** Rejects a value that is neither a document nor a list of pieces. */
function assertPieces(input: unknown, start: { readonly file: string }): void {
  const iterable = typeof input === 'object' && input !== null && Symbol.iterator in input;
  if (!iterable && !isPiece(input))
    fail('PNML001', `expected a document as a string, bytes, or pieces of either, got ${shown(input)}`, start);
}

function* pieces(input: PnmlInput): Generator<string | Uint8Array> {
  if (typeof input === 'string') for (let at = 0; at < input.length; at += PIECE) yield input.slice(at, at + PIECE);
  else if (input instanceof Uint8Array)
    for (let at = 0; at < input.length; at += PIECE) yield input.subarray(at, at + PIECE);
  else {
    // The encoding is detected from the first bytes, so pieces that are too short are joined.
    let head: Uint8Array | undefined = new Uint8Array(0);
    for (const piece of input) {
      if (!(piece instanceof Uint8Array) || head === undefined) yield piece;
      else {
        head = Buffer.concat([head, piece]);
        if (head.length < HEAD) continue;
        yield head;
        head = undefined;
      }
    }
    if (head !== undefined && head.length > 0) yield head;
  }
}

function decoderOf(bytes: Uint8Array, start: { readonly file: string }): InstanceType<typeof TextDecoder> {
  const [a, b, c, d] = bytes;
  if (a === 0xfe && b === 0xff) return decoder('utf-16be');
  if (a === 0xff && b === 0xfe) return decoder('utf-16le');
  if (a === 0 && b === 0x3c && c === 0 && d === 0x3f) return decoder('utf-16be');
  if (a === 0x3c && b === 0 && c === 0x3f && d === 0) return decoder('utf-16le');
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString('latin1');
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(head)?.[1];
  if (declared === undefined) return decoder('utf-8');
  const known = Object.hasOwn(ENCODINGS, declared.toLowerCase()) ? ENCODINGS[declared.toLowerCase()]! : undefined;
  if (known === undefined)
    fail('PNML001', `encoding ${quote(declared)} is not supported; supported: UTF-8, UTF-16, ISO-8859-1`, start);
  // Bytes that begin like this are not UTF-16, whatever the declaration says.
  return decoder(known.startsWith('utf-16') ? 'utf-8' : known);
}

function decoder(encoding: string): InstanceType<typeof TextDecoder> {
  return new TextDecoder(encoding, { fatal: true });
}

function lines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
