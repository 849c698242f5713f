import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Job, Shared } from '../commands/command-line/job.ts';

/** Bytes per read. */
const PIECE = 1 << 17;

/**
 * Computes the SHA-256 digest of a long trace in the main thread, which is idle while the job runs. Result documents
 * identify their inputs by this digest. Returns a function that cancels the computation.
 */
export function offloadDigest({ input }: Job, shared: Shared): () => void {
  shared.expectDigest();
  let ended = false;
  digestOf(input, () => ended).then(
    (digest) => shared.publishDigest(digest),
    () => shared.publishDigest(undefined),
  );
  return () => {
    ended = true;
  };
}

/** Reuses one buffer: a stream would allocate about 100 MB of garbage. */
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
