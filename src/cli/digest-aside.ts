import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { isModelFile } from '../app/model-endings.ts';
import type { Job, Shared } from './job.ts';

/** From so many bytes on: to read a shorter file twice costs less than to tell of it. */
const LONG = 1 << 26;
/** Bytes that are read at a time. */
const PIECE = 1 << 18;

/**
 * Makes the digest of a long trace in this thread, which has nothing else to do while the job runs; documents name
 * their inputs by it. Returns what ends that early. Does nothing where the input is short, or is no regular file.
 */
export function digestAside({ command, input }: Job, shared: Shared): () => void {
  if (command !== 'predict' || isModelFile(input) || sizeOf(input) < LONG) return () => {};
  shared.expectDigest();
  let ended = false;
  digestOf(input, () => ended).then(
    (digest) => shared.tellDigest(digest),
    () => shared.tellDigest(undefined),
  );
  return () => {
    ended = true;
  };
}

/** Into one piece of memory again and again: a stream would leave a hundred megabytes to the collector. */
async function digestOf(path: string, ended: () => boolean): Promise<Uint8Array | undefined> {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE);
  const file = await open(path);
  try {
    while (!ended()) {
      const { bytesRead } = await file.read(piece);
      if (bytesRead === 0) break;
      hash.update(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
  return ended() ? undefined : hash.digest();
}

/** Bytes of a regular file; 0 of what is none. */
function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.size : 0;
}
