import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { cacheFolder } from '../../src/cli/kernel-cache.ts';
import { netToJson } from '../../src/net/json/json.ts';
import { philosophers } from '../net/contest-nets.ts';
import { cluster, type Ended, foretoken, main, stencil } from './run.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-cache-'));
afterAll(() => rmSync(dir, { recursive: true }));

const net = join(dir, 'net.json');
writeFileSync(net, netToJson(philosophers(8)));

let folder = '';
let count = 0;
beforeEach(() => {
  folder = join(dir, `cache ${count++}`);
});

const TRACE = ['predict', stencil, '--machine', cluster, '--json'];
async function run(args: readonly string[], cache = folder): Promise<Ended> {
  const ended = await foretoken(args, { env: { FORETOKEN_CACHE: cache } });
  // State spaces report how long they took.
  return { ...ended, stdout: ended.stdout.replace(/econds": .*/g, 'econds": …') };
}
const names = (): string[] => readdirSync(folder).sort();
/** Translated kernels begin with their shape. Other entries are code that V8 compiled, which may differ between runs. */
const isKernel = (entry: Buffer): boolean => entry.includes('{"scalars"');
/** Names and times of entries: an entry that is written again is another file. */
const files = (): string[] => names().map((name) => `${name} ${statSync(join(folder, name)).ino}`);

describe.each([
  ['a small trace', TRACE],
  ['a model', ['predict', 'examples/ring/model.ts', '--ranks', '4', '--json']],
  ['a thread program', ['predict', 'examples/threads-loop/model.ts', '--json']],
  ['a study', ['whatif', 'examples/ring/model.ts', '--vary', 'ranks=2..4', '--json']],
  ['a state space', ['explore', net, '--json']],
])('the answer for %s', (_, args) => {
  test('is the same without a cache, with an empty one and with entries, which are not written again', async () => {
    const plain = await run(args, 'off');
    expect(plain.code).not.toBe(4);
    expect(await run(args)).toEqual(plain);
    const written = files();
    const read = (): Buffer[] => names().map((name) => readFileSync(join(folder, name)));
    const entries = read();
    expect(written.length).toBeGreaterThan(0);
    expect(await run(args)).toEqual(plain);
    expect(files()).toEqual(written);
    for (const name of names()) writeFileSync(join(folder, name), entries[0]!.subarray(0, 5000));
    expect(await run(args)).toEqual(plain);
    // The entries are whole again, so a further run is the second one.
    expect(names()).toEqual(written.map((file) => file.split(' ')[0]));
    expect(read().filter(isKernel)).toEqual(entries.filter(isKernel));
    expect(read().filter((entry) => entry.length <= 5000)).toEqual([]);
  });
});

test('a damaged part of an entry does not change the answer, and the entry is replaced', async () => {
  const plain = await run(TRACE);
  const path = names()
    .map((name) => join(folder, name))
    .find((file) => isKernel(readFileSync(file)));
  const entry = readFileSync(path!);
  const code = entry.indexOf('\0asm');
  expect(code).toBeGreaterThan(40);
  const changed = (at: number): Buffer => {
    const copy = Buffer.from(entry);
    copy[at]! ^= 0x11;
    return copy;
  };
  // Every other change of an entry: test/base/cache-folder.test.ts.
  const cases: Record<string, Buffer> = {
    shape: changed(60),
    code: changed((code + entry.length) >> 1),
    'without code': entry.subarray(0, code),
    empty: entry.subarray(0, 0),
    foreign: Buffer.from('#!/bin/sh\n'),
  };
  for (const [what, bytes] of Object.entries(cases)) {
    writeFileSync(path!, bytes);
    expect(await run(TRACE), what).toEqual(plain);
    expect(readFileSync(path!).equals(entry), what).toBe(true);
  }
});

test('damaged, foreign or refused code of the script does not change the answer, and the entry is replaced', async () => {
  const plain = await run(TRACE);
  const path = join(folder, names().find((name) => !isKernel(readFileSync(join(folder, name))))!);
  const entry = readFileSync(path);
  expect(entry.length).toBeGreaterThan(100_000);
  const checked = (bytes: Buffer): Buffer => {
    const name = basename(path);
    return Buffer.concat([createHash('sha256').update(name).update(bytes).digest(), bytes]);
  };
  const cases: Record<string, Buffer> = {
    'one byte changed': entry.map((byte, k) => (k === entry.length >> 1 ? byte ^ 0xff : byte)) as Buffer,
    cut: entry.subarray(0, entry.length >> 1),
    empty: entry.subarray(0, 0),
    // With the right checksum, V8 itself refuses it.
    'of another version of V8': checked(Buffer.from(entry.subarray(32)).fill(0x11, 0, 16)),
    'no code': checked(Buffer.from('#!/bin/sh\n')),
  };
  for (const [what, bytes] of Object.entries(cases)) {
    writeFileSync(path, bytes);
    expect(await run(TRACE), what).toEqual(plain);
    expect(readFileSync(path).length, what).toBeGreaterThan(100_000);
    expect(readFileSync(path).equals(bytes), what).toBe(false);
  }
});

test('a script that was changed does not run with the code of the old one', async () => {
  await run(TRACE);
  const copy = join(dir, 'changed');
  cpSync(dirname(main), join(copy, 'dist/cli'), { recursive: true });
  cpSync('package.json', join(copy, 'package.json'));
  const script = join(copy, 'dist/cli/small.cjs');
  const text = readFileSync(script, 'latin1');
  // As many characters as before: V8 compares only lengths.
  const changed = text.replaceAll('one rank per host', 'one task per host');
  expect(changed).not.toBe(text);
  writeFileSync(script, changed, 'latin1');
  const args = TRACE.filter((arg) => arg !== '--json');
  const { stdout } = await foretoken(args, {
    main: join(copy, 'dist/cli/main.js'),
    env: { FORETOKEN_CACHE: folder },
  });
  expect(stdout).toContain('one task per host');
});

test('runs at the same time leave the entries of one', async () => {
  const plain = await run(TRACE);
  const written = names();
  rmSync(folder, { recursive: true });
  expect(await Promise.all([run(TRACE), run(TRACE), run(TRACE)])).toEqual([plain, plain, plain]);
  expect(names()).toEqual(written);
});

test.skipIf(process.platform === 'win32')('without room for an entry, nothing is left', async () => {
  const plain = await run(TRACE, 'off');
  mkdirSync(folder, { mode: 0o700 });
  // A file may have 4 KiB.
  const command = 'ulimit -f 4; exec "$0" "$@"';
  const limited = spawnSync('bash', ['-c', command, process.execPath, main, ...TRACE], {
    encoding: 'utf8',
    env: { ...process.env, COLUMNS: '100', FORETOKEN_CACHE: folder },
  });
  expect(limited).toMatchObject({ status: 0, stderr: plain.stderr });
  expect(limited.stdout).toBe(plain.stdout);
  expect(names()).toEqual([]);
});

test('a file, or no folder at all, is a run without a cache', async () => {
  const plain = await run(TRACE, 'off');
  const file = join(dir, 'file');
  writeFileSync(file, 'text');
  for (const cache of [file, join(file, 'below'), 'relative/folder', '/dev/null/x'])
    expect(await run(TRACE, cache)).toEqual(plain);
  expect(readFileSync(file, 'utf8')).toBe('text');
});

test('kernels contain no path of this machine', async () => {
  await run(TRACE);
  await run(['predict', 'examples/ring/model.ts', '--ranks', '4']);
  // V8 names the file of a script in its code.
  const kernels = names()
    .map((name) => readFileSync(join(folder, name)))
    .filter(isKernel);
  expect(kernels.length).toBeGreaterThan(1);
  for (const kernel of kernels)
    for (const path of [process.cwd(), dir, homedir(), 'node_modules', '.ts'])
      expect(kernel.includes(path)).toBe(false);
});

test('another version, and another translator, have other entries', async () => {
  await run(TRACE);
  const first = names();
  const copy = join(dir, 'package');
  cpSync(dirname(main), join(copy, 'dist/cli'), { recursive: true });
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
  const other = async (version: unknown): Promise<string[]> => {
    const before = names();
    writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, version }));
    await foretoken(TRACE, { main: join(copy, 'dist/cli/main.js'), env: { FORETOKEN_CACHE: folder } });
    return names().filter((name) => !before.includes(name));
  };
  // The same build at another path.
  expect(await other(manifest['version'])).toEqual([]);
  expect((await other('99.0.0')).length).toBe(first.length);
  const hash = createHash('sha256');
  for (const name of readdirSync('src/kernel')
    .sort()
    .filter((file) => file.endsWith('.ts')))
    hash.update(`${name}\n`).update(readFileSync(`src/kernel/${name}`));
  const translator = hash.digest('hex').slice(0, 16);
  let changed = 0;
  for (const name of readdirSync(join(copy, 'dist/cli'))) {
    const path = join(copy, 'dist/cli', name);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(translator)) continue;
    changed++;
    writeFileSync(path, text.replace(translator, '0123456789abcdef'));
  }
  // The script of small jobs, and the file of all others.
  expect(changed, 'npm run build').toBe(2);
  expect((await other(manifest['version'])).length).toBe(first.length);
});

test('help does not load the cache', () => {
  const code = (file: string): string => readFileSync(join(dirname(main), file), 'utf8');
  const all = readdirSync(dirname(main)).filter((file) => file.endsWith('.js'));
  const loaded = new Set(all.filter((file) => file === 'main.js' || /^(?:run-job|program)-[A-Z\d]{8}\.js$/.test(file)));
  expect(loaded.size).toBe(3);
  for (const file of loaded)
    for (const [, imported] of code(file).matchAll(/(?:\bfrom|\bimport) ?"\.\/([^"]+)"/g)) loaded.add(imported!);
  expect(loaded.size).toBeGreaterThan(8);
  const having = all.filter((file) => /FORETOKEN_CACHE|CacheFolder/.test(code(file)));
  expect(having.length).toBeGreaterThan(0);
  expect(having.filter((file) => loaded.has(file))).toEqual([]);
  expect(code('help.cjs')).not.toMatch(/CacheFolder/);
});

const home = homedir();
test.each<[string, NodeJS.Platform, Record<string, string>, string | undefined]>([
  ['is the usual one', 'linux', {}, join(home, '.cache/foretoken')],
  ['is in XDG_CACHE_HOME', 'linux', { XDG_CACHE_HOME: '/x' }, '/x/foretoken'],
  ['is not in a relative XDG_CACHE_HOME', 'freebsd', { XDG_CACHE_HOME: 'x' }, join(home, '.cache/foretoken')],
  ['is that of macOS', 'darwin', { XDG_CACHE_HOME: '/x' }, join(home, 'Library/Caches/foretoken')],
  ['is that of Windows', 'win32', { LOCALAPPDATA: '/local' }, '/local/foretoken/cache'],
  ['is missing on Windows without LOCALAPPDATA', 'win32', {}, undefined],
  ['is the named one', 'linux', { FORETOKEN_CACHE: '/a/b', XDG_CACHE_HOME: '/x' }, '/a/b'],
  ['is the usual one with an empty name', 'linux', { FORETOKEN_CACHE: '' }, join(home, '.cache/foretoken')],
  ['is switched off', 'linux', { FORETOKEN_CACHE: 'off', XDG_CACHE_HOME: '/x' }, undefined],
  ['is not a relative one', 'darwin', { FORETOKEN_CACHE: './a' }, undefined],
])('the folder %s', (_, platform, env, expected) => {
  expect(cacheFolder(env, platform)).toBe(expected);
});
