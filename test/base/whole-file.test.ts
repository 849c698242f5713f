import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WholeFile } from '../../src/base/files/whole-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'whole-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Contents of the folder; directories are empty. */
const contents = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .map((entry) => [entry.name, entry.isFile() ? readFileSync(join(folder, entry.name), 'utf8') : 'directory'])
      .sort(),
  );

function opened(...names: readonly string[]): WholeFile[] {
  return names.map((name) => {
    const file = new WholeFile(join(folder, name), 'OUT001');
    file.write(`new ${name}`);
    return file;
  });
}

describe('files that are closed together', () => {
  test('all get their names', () => {
    writeFileSync(join(folder, 'a'), 'old a');
    WholeFile.closeTogether(opened('a', 'b'));
    expect(contents()).toEqual({ a: 'new a', b: 'new b' });
  });

  test.each([
    ['replaced', { a: 'old a' }],
    ['new', {}],
  ])('a file that is %s is as before if the next one cannot be named', (_, before) => {
    for (const [name, text] of Object.entries(before)) writeFileSync(join(folder, name), text);
    const files = opened('a', 'b');
    mkdirSync(join(folder, 'b'));
    expect(() => WholeFile.closeTogether(files)).toThrow(/OUT001 .*cannot be written: E/);
    expect(contents()).toEqual({ ...before, b: 'directory' });
  });

  test('no file is changed if the first one cannot be named', () => {
    writeFileSync(join(folder, 'b'), 'old b');
    const files = opened('a', 'b');
    mkdirSync(join(folder, 'a'));
    expect(() => WholeFile.closeTogether(files)).toThrow(/OUT001/);
    expect(contents()).toEqual({ a: 'directory', b: 'old b' });
  });
});
