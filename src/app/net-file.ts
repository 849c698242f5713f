import { closeSync, readSync } from 'node:fs';
import { extname } from 'node:path';
import { openInput } from '../base/input-file.ts';
import { fail } from '../base/problem.ts';
import { netFromJson } from '../net/json/json.ts';
import type { Net } from '../net/net.ts';
import { readPnml } from '../net/pnml/pnml-read.ts';
import { readText } from './inputs.ts';

/** Endings of the forms in which nets are read; `.xml` is PNML, as PIPE names it. */
export const NET_ENDINGS: readonly string[] = ['.json', '.pnml', '.xml'];

/** A net from a file, and what its form says of it besides. */
export interface NetFile {
  readonly net: Net;
  readonly format: 'json' | 'pnml';
  /** Names for people, by the names that the net has; only PNML tells the two apart. */
  readonly titles: { readonly places: ReadonlyMap<string, string>; readonly transitions: ReadonlyMap<string, string> };
  /** What was read in a way that one may want to know of. */
  readonly warnings: readonly string[];
}

/** Whether a path is one of a net in a form that is read. */
export function isNetFile(path: string): boolean {
  return NET_ENDINGS.includes(extname(path).toLowerCase());
}

/**
 * Reads a net, in PNML or in the product's JSON: the ending says which. A PNML file is read piece by piece.
 *
 * @throws InputError APP001 where it cannot be read, and with file, line and column all problems of the net
 */
export function readNetFile(path: string): NetFile {
  if (extname(path).toLowerCase() !== '.json') {
    refusePlatform(path);
    const { net, titles, warnings } = readPnml(piecesOf(path), path);
    return { net, format: 'pnml', titles, warnings };
  }
  const titles = { places: new Map<string, string>(), transitions: new Map<string, string>() };
  return { net: netFromJson(readText(path), path), format: 'json', titles, warnings: [] };
}

const PIECE = 1 << 16;

/**
 * Refuses a SimGrid platform, whose ending `.xml` nets of PIPE share.
 *
 * @throws InputError APP009, and APP001 where the file cannot be read
 */
function refusePlatform(path: string): void {
  if (extname(path).toLowerCase() !== '.xml') return;
  const [start] = piecesOf(path);
  if (start !== undefined && /<platform\b/.test(Buffer.from(start).toString('latin1')))
    fail('APP009', 'is a SimGrid platform: expected a net; give a platform with --machine', { file: path });
}

/** The bytes of a regular file, piece by piece. */
function* piecesOf(path: string): Generator<Uint8Array> {
  const { fd } = openInput(path, { code: 'APP001' });
  try {
    for (;;) {
      // A piece is kept by whoever puts pieces together, so each has bytes of its own.
      const piece = Buffer.allocUnsafe(PIECE);
      const length = readSync(fd, piece);
      if (length === 0) return;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(fd);
  }
}
