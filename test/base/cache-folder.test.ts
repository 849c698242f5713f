import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CacheFolder } from '../../src/base/files/cache-folder.ts';
import { effort } from '../effort.ts';

let parent = '';
let folder = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'cache-folder-'));
  folder = join(parent, 'deep', 'cache');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const bytes = Uint8Array.from({ length: 300 }, (_, k) => k);
const cache = (context = 'v1', maxBytes?: number): CacheFolder => new CacheFolder(folder, context, maxBytes);
const plain = (read: Uint8Array | undefined): number[] | undefined => read && [...read];
const names = (): string[] => readdirSync(folder).sort();
const only = (): string => join(folder, names()[0]!);
const isRoot = process.geteuid?.() === 0;

test('an entry is read as it was written, by any instance', () => {
  expect(cache().read('key')).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
  cache().write('key', bytes);
  expect(plain(cache().read('key'))).toEqual([...bytes]);
  cache().write('key', bytes.subarray(7));
  expect(plain(cache().read('key'))).toEqual([...bytes.subarray(7)]);
  cache().write('empty', new Uint8Array());
  expect(plain(cache().read('empty'))).toEqual([]);
  expect(names().length).toBe(2);
});

test('key and context tell entries apart', () => {
  cache().write('key', bytes);
  const others: [string, string][] = [
    ['v2', 'key'],
    ['v1', 'kez'],
    ['v1', ''],
    ['v1\nkey', ''],
    ['', 'v1\nkey'],
  ];
  for (const [context, key] of others) expect(cache(context).read(key)).toBeUndefined();
  cache().write('\ud800', bytes);
  expect(cache().read('\ud801')).toBeUndefined();
});

test.skipIf(process.platform === 'win32')('folder and entries are private, whatever the mask allows', () => {
  const mask = process.umask(0);
  try {
    cache().write('key', bytes);
  } finally {
    process.umask(mask);
  }
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(only()).mode & 0o777).toBe(0o600);
});

describe('a changed entry is not there, and the next write replaces it', () => {
  const expectReplaced = (): void => {
    expect(cache().read('key')).toBeUndefined();
    cache().write('key', bytes);
    expect(plain(cache().read('key'))).toEqual([...bytes]);
  };

  test('with any byte changed, inserted or left out', () => {
    cache().write('key', bytes);
    const entry = readFileSync(only());
    const at = fc.nat({ max: entry.length - 1 });
    const change = fc.oneof(
      fc.tuple(at, fc.integer({ min: 1, max: 255 })).map(([k, mask]) => {
        const copy = Buffer.from(entry);
        copy[k]! ^= mask;
        return copy;
      }),
      at.map((k) => entry.subarray(0, k)),
      at.map((k) => Buffer.concat([entry.subarray(0, k), entry.subarray(k + 1)])),
      fc.tuple(at, fc.uint8Array({ minLength: 1, maxLength: 40 })).map(([k, more]) => {
        return Buffer.concat([entry.subarray(0, k), more, entry.subarray(k)]);
      }),
      fc.uint8Array({ maxLength: 500 }).map((other) => Buffer.from(other)),
    );
    fc.assert(
      fc.property(change, (changed) => {
        fc.pre(!changed.equals(entry));
        writeFileSync(only(), changed);
        expect(cache().read('key')).toBeUndefined();
      }),
      { numRuns: effort(5000) },
    );
    expectReplaced();
  });

  test('every single byte', () => {
    cache().write('key', bytes);
    const entry = readFileSync(only());
    for (let k = 0; k < entry.length; k++) {
      const copy = Buffer.from(entry);
      copy[k]! ^= 1 << (k % 8);
      writeFileSync(only(), copy);
      expect(cache().read('key')).toBeUndefined();
    }
  });

  test('with the name of another entry', () => {
    cache().write('other', bytes);
    const other = only();
    cache().write('key', bytes.subarray(1));
    renameSync(other, join(folder, names().find((name) => join(folder, name) !== other)!));
    expectReplaced();
  });

  test.skipIf(process.platform === 'win32')('as a link or a named pipe', () => {
    cache().write('key', bytes);
    const [name] = names();
    renameSync(only(), join(parent, 'moved'));
    symlinkSync(join(parent, 'moved'), join(folder, name!));
    expectReplaced();
    rmSync(only());
    execFileSync('mkfifo', [join(folder, name!)]);
    expectReplaced();
  });

  test('a folder in its place stays', () => {
    cache().write('key', bytes);
    const path = only();
    rmSync(path);
    mkdirSync(path);
    cache().write('key', bytes);
    expect(cache().read('key')).toBeUndefined();
    expect(names().length).toBe(1);
  });

  test.skipIf(process.platform === 'win32')('writable by others', () => {
    cache().write('key', bytes);
    chmodSync(only(), 0o620);
    expectReplaced();
  });

  test.runIf(isRoot)('of another user', () => {
    cache().write('key', bytes);
    chownSync(only(), 12345, 12345);
    expectReplaced();
  });
});

describe('a folder that cannot be used', () => {
  const expectUnused = (): void => {
    cache().write('key', bytes);
    expect(cache().read('key')).toBeUndefined();
  };

  test('is a file, or below a file', () => {
    writeFileSync(join(parent, 'deep'), 'text');
    expectUnused();
    folder = join(parent, 'deep');
    expectUnused();
    expect(readFileSync(folder, 'utf8')).toBe('text');
  });

  test('has a name that no file may have', () => {
    folder = join(parent, 'x'.repeat(300));
    expectUnused();
    folder = join(parent, '\0');
    expectUnused();
  });

  test.skipIf(process.platform === 'win32')('is writable by others', () => {
    for (const mode of [0o720, 0o702, 0o777, 0o1777]) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, mode);
      expectUnused();
      expect(names()).toEqual([]);
    }
  });

  test.skipIf(process.platform === 'win32')('stops being used when others may write to it', () => {
    cache().write('key', bytes);
    chmodSync(folder, 0o770);
    expect(cache().read('key')).toBeUndefined();
  });

  test.skipIf(process.platform === 'win32' || isRoot)('is read-only, but its entries are used', () => {
    cache().write('key', bytes);
    chmodSync(folder, 0o500);
    cache().write('other', bytes);
    expect(plain(cache().read('key'))).toEqual([...bytes]);
    expect(cache().read('other')).toBeUndefined();
    chmodSync(folder, 0o700);
  });

  test.runIf(isRoot)('belongs to another user', () => {
    mkdirSync(folder, { recursive: true });
    chownSync(folder, 12345, 12345);
    expectUnused();
    expect(names()).toEqual([]);
  });

  test.runIf(isRoot)('would be made by root in the home of another user', () => {
    chownSync(parent, 12345, 12345);
    expectUnused();
    expect(readdirSync(parent)).toEqual([]);
  });
});

describe('the size is limited', () => {
  const room = 3 * (32 + bytes.length);
  const age = (name: string, seconds: number): void =>
    utimesSync(join(folder, name), Date.now() / 1000 - seconds, Date.now() / 1000 - seconds);

  /** Writes entries of the given ages in seconds; returns their keys. */
  function written(ages: readonly number[]): string[] {
    return ages.map((seconds, k) => {
      const before = new Set(existsSync(folder) ? names() : []);
      cache('v1', room).write(`key ${k}`, bytes);
      age(names().find((name) => !before.has(name))!, seconds);
      return `key ${k}`;
    });
  }

  test('the entries unused for longest are removed', () => {
    const keys = written([100, 300, 200]);
    cache('v1', room).write('new', bytes);
    const left = ['new', ...keys].filter((key) => cache('v1', room).read(key) !== undefined);
    expect(left).toEqual(['new', 'key 0', 'key 2']);
    cache('v1', room).write('larger', new Uint8Array(bytes.length + 1));
    expect(names().length).toBe(2);
    expect(cache('v1', room).read('new')).toBeDefined();
  });

  test('reading an entry after a day keeps it', () => {
    const keys = written([200_000, 300_000, 100_000]);
    expect(cache('v1', room).read(keys[1]!)).toBeDefined();
    cache('v1', room).write('new', bytes);
    expect(keys.filter((key) => cache('v1', room).read(key) !== undefined)).toEqual(['key 1', 'key 2']);
  });

  test('an entry above the limit is neither written nor a reason to remove others', () => {
    const keys = written([1, 2]);
    cache('v1', room).write('large', new Uint8Array(room));
    expect(keys.map((key) => cache('v1', room).read(key) !== undefined)).toEqual([true, true]);
    expect(names().length).toBe(2);
  });

  test('other files are not touched, temporary files of ended processes are removed', () => {
    written([1, 2, 3]);
    const [first] = names();
    const temporary = (k: string): string => first!.replace('.cache', `-${k.repeat(16)}.tmp`);
    const others = ['notes.txt', 'a.cache', 'b.tmp'];
    for (const name of [...others, temporary('a'), temporary('b')]) writeFileSync(join(folder, name), 'x'.repeat(9999));
    for (const name of [...others, temporary('b')]) age(name, 1_000_000);
    cache('v1', room).write('new', bytes);
    expect(names().filter((name) => !/^[\da-f]{64}\.cache$/.test(name))).toEqual([...others, temporary('a')].sort());
  });
});
