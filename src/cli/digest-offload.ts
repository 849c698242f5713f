import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Job, Shared } from './job.ts';

/** Bytes that are read at a time. */
const PIECE = 1 << 17;

/**
 * Makes the digest of a long trace in this thread, which has nothing else to do while the job runs; documents name
 * their inputs by it. Returns what ends that early.
 */
export function offloadDigest({ input }: Job, shared: Shared): () => void {
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
