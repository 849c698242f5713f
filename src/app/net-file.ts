import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { extname } from 'node:path';
import { fail } from '../base/problem.ts';
import { netFromJson } from '../net/json/json.ts';
import type { Net } from '../net/net.ts';
import { readPnml } from '../net/pnml/pnml-read.ts';
import { readText } from './inputs.ts';

/** Endings of the forms in which nets are read. */
export const NET_ENDINGS: readonly string[] = ['.json', '.pnml'];

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
  if (extname(path).toLowerCase() === '.pnml') {
    const { net, titles, warnings } = readPnml(piecesOf(path), path);
    return { net, format: 'pnml', titles, warnings };
  }
  const titles = { places: new Map<string, string>(), transitions: new Map<string, string>() };
  return { net: netFromJson(readText(path), path), format: 'json', titles, warnings: [] };
}

const PIECE = 1 << 16;

/** The bytes of a regular file, piece by piece: a pipe or device cannot hang us. */
function* piecesOf(path: string): Generator<Uint8Array> {
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (e) {
    return fail('APP001', `cannot be read: ${(e as NodeJS.ErrnoException).code ?? 'unknown error'}`, { file: path });
  }
  try {
    if (!fstatSync(handle).isFile()) fail('APP001', 'cannot be read: it is no regular file', { file: path });
    for (;;) {
      // A piece is kept by whoever puts pieces together, so each has bytes of its own.
      const piece = Buffer.allocUnsafe(PIECE);
      const length = readSync(handle, piece);
      if (length === 0) return;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(handle);
  }
}
