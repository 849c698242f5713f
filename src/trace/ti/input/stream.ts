import { readSync } from 'node:fs';
import { fail } from '../../../base/problem.ts';
import type { Limits } from './source.ts';
import type { Temporary } from './temporary.ts';

const CHUNK = 1 << 18;

/**
 * Copies the data of a pipe, terminal or device to a temporary file from `position` on; returns the position after
 * them. Throws the errors of {@link Guard} as soon as they are found.
 */
export function copyStream(fd: number, to: Temporary, position: number, name: string, limits: Limits): number {
  const buffer = Buffer.allocUnsafe(CHUNK);
  let guard: Guard | undefined;
  let at = position;
  for (;;) {
    const got = readWaiting(fd, buffer);
    if (got === 0) return at;
    // Compressed data are checked when they are unpacked.
    guard ??= new Guard(name, buffer[0] === 0x1f && buffer[1] === 0x8b ? { ...limits, lineBytes: 0 } : limits);
    const chunk = buffer.subarray(0, got);
    guard.take(chunk);
    to.write(chunk, at);
    at += got;
  }
}

/** Checks text as it streams: no NUL bytes (TI003), no line over the limit (TI004), total size within the limit (TI005). */
export class Guard {
  #total = 0;
  #line = 0;
  readonly #name: string;
  readonly #limits: Limits;

  /** `lineBytes` 0: the bytes are not text, so only their number is checked. */
  constructor(name: string, limits: Limits) {
    this.#name = name;
    this.#limits = limits;
  }

  take(chunk: Uint8Array): void {
    const { maxBytes, lineBytes } = this.#limits;
    const place = { file: this.#name };
    this.#total += chunk.length;
    if (this.#total > maxBytes) fail('TI005', `the decompressed trace exceeds the limit of ${maxBytes} bytes.`, place);
    if (lineBytes === 0) return;
    if (chunk.includes(0)) fail('TI003', 'expected text, got a binary file (it contains a NUL byte).', place);
    const last = chunk.lastIndexOf(10);
    const head = last < 0 ? chunk.length : chunk.indexOf(10);
    if (this.#line + head > lineBytes) fail('TI004', `a line exceeds the limit of ${lineBytes} bytes.`, place);
    this.#line = last < 0 ? this.#line + chunk.length : chunk.length - last - 1;
  }
}

/** Like readSync, but waits while a non-blocking descriptor has no data. */
function readWaiting(fd: number, buffer: Buffer): number {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      return readSync(fd, buffer, 0, buffer.length, null);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}
