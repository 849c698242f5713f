import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { discardIncomplete } from '../../src/base/files/output-file.ts';
import { fileKey, noteRead, rememberReads } from '../../src/base/files/reads.ts';
import { WholeFile } from '../../src/base/files/whole-file.ts';
import { checkOutputs } from '../../src/commands/output.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foretoken-output-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const put = (name: string, text = 'old'): string => {
  writeFileSync(at(name), text);
  return at(name);
};
const write = (path: string): void => {
  const file = new WholeFile(path, 'APP006');
  file.write('new');
  file.close();
};
/** The name of the temporary file of an output that is open. */
const temporaryOf = (path: string): string => {
  const before = readdirSync(folder);
  const file = new WholeFile(path, 'APP006');
  const name = readdirSync(folder).find((one) => !before.includes(one))!;
  file.abort();
  return name;
};

describe('a temporary file', () => {
  it('has a new name each time, also for names of 255 bytes', () => {
    for (const name of ['a.json', 'é'.repeat(127), 'x'.repeat(255)]) {
      const names = new Set(Array.from({ length: 20 }, () => temporaryOf(at(name))));
      expect(names.size).toBe(20);
      write(at(name));
      expect(readdirSync(folder)).toEqual([name]);
      rmSync(at(name));
    }
  });

  it('of an ended process is removed by the next run of the same output only', () => {
    const own = temporaryOf(at('a.json'));
    const other = temporaryOf(at('b.json'));
    // Linux has process numbers up to 2^22.
    const ended = (name: string): string => name.replace(/-\d+-/, '-4194999-');
    const parent = own.replace(/-\d+-/, `-${process.ppid}-`);
    const elsewhere = ended(own).replace(/\.[\da-f]{6}-/, '.zzzzzz-');
    for (const name of [ended(own), ended(other), parent, elsewhere, 'a.json.tmp', 'a.json.1.tmp']) put(name);
    symlinkSync(put('victim'), at(ended(own).replace(/[\da-f]{8}\.tmp/, '00000000.tmp')));
    write(at('a.json'));
    expect(existsSync(at(ended(own)))).toBe(false);
    for (const name of [ended(other), parent, elsewhere, 'a.json.tmp', 'a.json.1.tmp', 'victim'])
      expect(readFileSync(at(name), 'utf8')).toBe('old');
  });

  it('of an earlier process with the same number is removed; those of this process on demand', () => {
    const name = temporaryOf(at('a.json'));
    put(name);
    utimesSync(at(name), 1e9, 1e9);
    new WholeFile(at('a.json'), 'APP006').abort();
    expect(readdirSync(folder)).toEqual([]);
    put(name);
    write(at('a.json'));
    expect(readdirSync(folder).sort()).toEqual(['a.json', name].sort());
    discardIncomplete(at('a.json'));
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('is restored if the process ended after it had renamed the earlier file', () => {
    const earlier = `${temporaryOf(at('a.json')).replace(/-\d+-/, '-4194999-')}.old`;
    put(earlier, 'earlier');
    new WholeFile(at('a.json'), 'APP006').abort();
    expect(readFileSync(at('a.json'), 'utf8')).toBe('earlier');
    put(earlier, 'older');
    new WholeFile(at('a.json'), 'APP006').abort();
    expect(readdirSync(folder)).toEqual(['a.json']);
  });
});

describe('an output that replaces a file', () => {
  it.skipIf(process.platform === 'win32').each([0o600, 0o640, 0o644, 0o666, 0o755, 0o4711, 0o7777])(
    'keeps the permissions %o',
    (mode) => {
      chmodSync(put('a'), mode);
      write(at('a'));
      expect(statSync(at('a')).mode & 0o7777).toBe(mode);
      expect(readFileSync(at('a'), 'utf8')).toBe('new');
    },
  );

  it.skipIf(process.platform === 'win32')('keeps a link, and refuses links that lead to no file', () => {
    put('a');
    symlinkSync('a', at('link'));
    write(at('link'));
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('a'), 'utf8')).toBe('new');
    symlinkSync('nowhere', at('dangling'));
    expect(() => write(at('dangling'))).toThrow(/APP006 cannot be written: .* to "nowhere", which does not exist/);
    symlinkSync('two', at('one'));
    symlinkSync('one', at('two'));
    expect(() => write(at('one'))).toThrow(/APP006 cannot be written: .* leads back to itself/);
    expect(readdirSync(folder).sort()).toEqual(['a', 'dangling', 'link', 'one', 'two']);
  });
});

describe('no output', () => {
  it('is a file that was read, under any name', () => {
    const input = put('input');
    linkSync(input, at('hard'));
    symlinkSync(input, at('soft'));
    rememberReads();
    noteRead(fileKey(statSync(input)), input);
    for (const name of ['input', 'hard', 'soft'])
      expect(() => write(at(name))).toThrow(/APP007 would overwrite the input ".*input"/);
    expect(readFileSync(input, 'utf8')).toBe('old');
    expect(readdirSync(folder).sort()).toEqual(['hard', 'input', 'soft']);
  });

  it('is another output or an input, under any name', () => {
    linkSync(put('a'), at('hard'));
    symlinkSync('a', at('soft'));
    symlinkSync('.', at('here'));
    const same = ['a', 'hard', 'soft', 'here/a'].map(at);
    for (const one of same)
      for (const other of same) {
        expect(() => checkOutputs([one, undefined, other], [])).toThrow(/APP007 is also the output/);
        expect(() => checkOutputs([one], ['-', undefined, other])).toThrow(/APP007 would overwrite the input/);
      }
    expect(() => checkOutputs([at('new'), at('here/new')], [])).toThrow(/APP007 is also the output/);
    expect(() => checkOutputs([at('new'), at('a'), at('b')], [at('c'), 'no/such'])).not.toThrow();
    expect(() => checkOutputs(['/dev/null', '/dev/null'], ['/dev/null'])).not.toThrow();
    expect(() => checkOutputs(['-'], [])).toThrow(/APP007/);
  });
});
