import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { fail } from '../../../base/problem.ts';
import type { Limits, OpenText } from './source.ts';
import { Guard } from './stream.ts';
import type { Temporary } from './temporary.ts';

const SMALL_INPUT = 1 << 20;
const SMALL_OUTPUT = 1 << 24;
const CHUNK = 1 << 18;
/** The unpacking thread is considered dead after this time (ms) without progress. */
const PATIENCE = 60_000;

// Node has no synchronous streaming gunzip. A worker thread unpacks and passes the data chunk by chunk through shared
// memory. `state[0]` is 0 while the thread may write, n > 0 if n bytes are available, -1 at the end, -2 if an error
// message of `state[1]` bytes is available, -3 if the reader has stopped.
const THREAD = `
const { workerData: d } = require('node:worker_threads');
const state = new Int32Array(d.shared, 0, 2), room = new Uint8Array(d.shared, 8);
let over = false;
const wrong = (e) => {
  if (over) return;
  over = true;
  while (state[0] > 0) Atomics.wait(state, 0, state[0]);
  const text = Buffer.from(String(e && e.message || e)).subarray(0, 500);
  room.set(text); state[1] = text.length;
  Atomics.store(state, 0, -2); Atomics.notify(state, 0);
};
process.on('uncaughtException', wrong);
const gunzip = require('node:zlib').createGunzip({ chunkSize: 65536 });
gunzip.on('error', wrong);
gunzip.on('data', (chunk) => {
  for (let at = 0; at < chunk.length && !over; at += room.length) {
    const part = chunk.subarray(at, at + room.length);
    room.set(part);
    Atomics.store(state, 0, part.length); Atomics.notify(state, 0);
    while (state[0] > 0) Atomics.wait(state, 0, part.length);
    if (state[0] < 0) { over = true; gunzip.destroy(); }
  }
});
gunzip.on('end', () => { over = true; Atomics.store(state, 0, -1); Atomics.notify(state, 0); });
const input = require('node:fs').createReadStream(null, { fd: d.fd, autoClose: false, start: d.from, end: d.from + d.size - 1 });
input.on('error', wrong);
input.pipe(gunzip);
`;

/**
 * Unpacks a gzip text (of one or several members) to a temporary file from `position` on; returns the position after
 * it. Small texts are unpacked at once, others as a stream with bounded memory. Throws TI005 if the data are damaged or
 * too large when unpacked, and the errors of {@link Guard} as soon as they are found.
 */
export function gunzip(
  text: OpenText,
  size: number,
  to: Temporary,
  position: number,
  name: string,
  limits: Limits,
): number {
  const guard = new Guard(name, limits);
  let at = position;
  const take = (chunk: Uint8Array): void => {
    guard.take(chunk);
    to.write(chunk, at);
    at += chunk.length;
  };
  if (size > SMALL_INPUT || !unpackSmall(text, size, name, take)) unpackStream(text, size, name, take);
  return at;
}

/** Unpacks a text in one call. Returns false, without output, if the result is not small. */
function unpackSmall(text: OpenText, size: number, name: string, take: (chunk: Uint8Array) => void): boolean {
  const input = Buffer.alloc(size);
  const got = text.read(input, 0, size, 0);
  let output: Uint8Array;
  try {
    output = gunzipSync(input.subarray(0, got), { maxOutputLength: SMALL_OUTPUT });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return false;
    return broken(error instanceof Error ? error.message : String(error), name);
  }
  take(output);
  return true;
}

function unpackStream(text: OpenText, size: number, name: string, take: (chunk: Uint8Array) => void): void {
  const shared = new SharedArrayBuffer(8 + CHUNK);
  const state = new Int32Array(shared, 0, 2);
  const room = new Uint8Array(shared, 8);
  const copy = Buffer.allocUnsafe(CHUNK);
  const worker = new Worker(THREAD, {
    eval: true,
    execArgv: [],
    workerData: { shared, fd: text.fd, from: text.from, size },
  });
  worker.unref();
  try {
    for (;;) {
      if (Atomics.wait(state, 0, 0, PATIENCE) === 'timed-out') broken('decompression made no progress', name);
      const count = Atomics.load(state, 0);
      if (count === -1) return;
      const bytes = copy.subarray(0, count > 0 ? count : state[1]!);
      bytes.set(room.subarray(0, bytes.length));
      if (count === -2) broken(bytes.toString(), name);
      take(bytes);
      Atomics.store(state, 0, 0);
      Atomics.notify(state, 0);
    }
  } finally {
    // Release the thread, which may be waiting for permission to write.
    Atomics.store(state, 0, -3);
    Atomics.notify(state, 0);
    void worker.terminate();
  }
}

function broken(message: string, name: string): never {
  return fail('TI005', `the gzip data is damaged: ${message}.`, { file: name });
}
