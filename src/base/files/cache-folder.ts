import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { discard } from './output-file.ts';

/** Maximum size of all entries together, in bytes. */
const MAX_BYTES = 1 << 26;
/** Length of a SHA-256 checksum, with which an entry begins, in bytes. */
const CHECKSUM = 32;
const ENTRY = /^[\da-f]{64}\.cache$/;
const TEMPORARY = /^[\da-f]{64}-[\da-f]{16}\.tmp$/;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A link is not followed, and opening a named pipe does not block. Windows has neither. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * A folder of this user in which results that can be computed again are kept between runs. Any number of processes may use
 * it. It never fails: a result that cannot be written is not kept, and one that cannot be read, was changed, or could have
 * been written by another user is not there.
 */
export class CacheFolder {
  readonly #folder: string;
  readonly #context: string;
  readonly #maxBytes: number;

  /**
   * @param context everything besides its key on which an entry depends, such as the version of its producer
   * @param maxBytes size of all entries; when it would be exceeded, those unused for longest are removed
   */
  constructor(folder: string, context: string, maxBytes: number = MAX_BYTES) {
    this.#folder = folder;
    this.#context = context;
    this.#maxBytes = maxBytes;
  }

  /** The bytes last written with this key. */
  read(key: string): Uint8Array<ArrayBuffer> | undefined {
    try {
      if (!isFolder(statSync(this.#folder))) return undefined;
      const name = this.#nameOf(key);
      const path = join(this.#folder, name);
      const file = openSync(path, READ);
      try {
        const stats = fstatSync(file);
        if (!stats.isFile() || !isOwn(stats) || stats.size > this.#maxBytes) return undefined;
        const entry = new Uint8Array(readFileSync(file));
        const bytes = entry.subarray(CHECKSUM);
        if (checksum(name, bytes).compare(entry, 0, CHECKSUM) !== 0) return undefined;
        if (Date.now() - stats.mtimeMs > DAY) refresh(path);
        return bytes;
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }

  write(key: string, bytes: Uint8Array): void {
    const name = this.#nameOf(key);
    const temporary = join(this.#folder, `${name.slice(0, 64)}-${randomBytes(8).toString('hex')}.tmp`);
    try {
      const size = CHECKSUM + bytes.length;
      if (size > this.#maxBytes || !this.#prepare()) return;
      this.#makeRoom(size);
      writeFileSync(temporary, Buffer.concat([checksum(name, bytes), bytes]), { flag: 'wx', mode: 0o600 });
      renameSync(temporary, join(this.#folder, name));
    } catch {
      discard(temporary);
    }
  }

  #nameOf(key: string): string {
    // UTF-16 keeps unpaired surrogates apart.
    const hash = createHash('sha256').update(`${this.#context}\n`, 'utf16le').update(key, 'utf16le');
    return `${hash.digest('hex')}.cache`;
  }

  /** Makes the folder if it is missing; false if it must not be used. */
  #prepare(): boolean {
    const folder = this.#folder;
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) {
      if (!mayCreate(folder)) return false;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    return isFolder(statSync(folder));
  }

  /** Removes the entries unused for longest until `size` bytes fit, and the temporary files that ended processes left. */
  #makeRoom(size: number): void {
    const entries: { readonly path: string; readonly stats: Stats }[] = [];
    for (const name of readdirSync(this.#folder)) {
      if (!ENTRY.test(name) && !TEMPORARY.test(name)) continue;
      const path = join(this.#folder, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) continue;
      if (ENTRY.test(name)) entries.push({ path, stats });
      else if (Date.now() - stats.mtimeMs > HOUR) discard(path);
    }
    let total = entries.reduce((sum, { stats }) => sum + stats.size, size);
    if (total <= this.#maxBytes) return;
    for (const { path, stats } of entries.sort((a, b) => a.stats.mtimeMs - b.stats.mtimeMs)) {
      discard(path);
      total -= stats.size;
      if (total <= this.#maxBytes) return;
    }
  }
}

/** The name is included: an entry that was renamed is not that of its key. */
const checksum = (name: string, bytes: Uint8Array): Buffer => createHash('sha256').update(name).update(bytes).digest();

const isFolder = (stats: Stats): boolean => stats.isDirectory() && isOwn(stats);

/** True if no other user can have written it. Windows keeps the folders of users apart itself. */
function isOwn({ uid, mode }: Stats): boolean {
  const { geteuid } = process;
  return geteuid === undefined || (uid === geteuid() && (mode & 0o022) === 0);
}

/** False for root in a folder of another user, as with `sudo`: that user could not use the folder afterwards. */
function mayCreate(folder: string): boolean {
  if (process.geteuid?.() !== 0) return true;
  let above = dirname(folder);
  let stats = statSync(above, { throwIfNoEntry: false });
  while (stats === undefined && above !== dirname(above)) {
    above = dirname(above);
    stats = statSync(above, { throwIfNoEntry: false });
  }
  return stats?.uid === 0;
}

function refresh(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // A read-only file system; only the order of removal depends on it.
  }
}
