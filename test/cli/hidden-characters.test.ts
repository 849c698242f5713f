import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNetFile } from '../../src/commands/inputs/net-file.ts';
import { warmly } from './warm.ts';

/** A name that redirects, hides or recolours text: right-to-left override, zero-width space, a C1 control, ESC, a separator. */
const EVIL = 'a\u202eb\u200bc\u009bd\u001b[31me\u2028f';
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches the characters that must not be written
const RAW = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

const dir = mkdtempSync(join(tmpdir(), 'foretoken-hidden-'));
const at = (name: string): string => join(dir, name);
const named = (name: string): string => JSON.stringify(`${EVIL}${name}`);
afterAll(() => rmSync(dir, { recursive: true }));

const machine = ['-m', 'simgrid-backbone'];
const files: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'net.json': JSON.stringify({
    format: 'foretoken-net',
    version: 1,
    name: `${EVIL}n`,
    colours: [{ name: `${EVIL}c`, kind: 'enum', values: [`${EVIL}1`, `${EVIL}2`] }],
    tables: [],
    places: [`${EVIL}p`, `${EVIL}q`].map((name, k) => ({
      name,
      fields: [{ name: `${EVIL}f`, colour: `${EVIL}c` }],
      initial: k === 0 ? [[`${EVIL}1`]] : [],
    })),
    transitions: [
      {
        name: `${EVIL}t`,
        inputs: [{ kind: 'take', place: `${EVIL}p`, pattern: { [`${EVIL}f`]: 'x' } }],
        outputs: [{ place: `${EVIL}q`, values: { [`${EVIL}f`]: 'x' } }],
        delay: 1,
      },
    ],
  }),
  'model.ts': `import { spmd } from 'foretoken/models';
export default spmd({
  name: ${named('m')},
  params: { ${named('k')}: ${named('v')}, n: 2 },
  verifyWith: { ranks: 2 },
  build(m) {
    m.interval(${named('i')}, { kind: 'parallel' }, () => {
      m.compute({ seconds: 1 });
      m.when(({ rank }) => rank === 0, () => m.send({ to: 1, bytes: 8 }), () => m.recv({ from: 0 }));
    });
  },
});`,
  'stuck.ts': `import { spmd } from 'foretoken/models';
export default spmd({ name: ${named('m')}, verifyWith: { ranks: 2 }, build: (m) => m.recv({ from: ({ rank }) => 1 - rank }) });`,
  'threads.ts': `import { threads } from 'foretoken/models';
export default threads({
  name: ${named('t')},
  params: { ${named('k')}: 1 },
  build(t) {
    const lock = t.mutex(${named('l')}, 1);
    t.region(${named('r')}, () =>
      t.parallel(4, () => {
        t.lock(lock);
        t.compute({ seconds: 0.01 });
        t.unlock(lock);
      }),
    );
  },
});`,
  'workers.csv': `worker,time,state,region\n${['0,EXEC', '1,LOCAL', '2,GLOBAL', '3,END'].map((row) => `${EVIL}w,${row},${EVIL}r`).join('\n')}\n`,
  'chrome.json': JSON.stringify([
    { ph: 'X', pid: 1, tid: 1, ts: 0, dur: 5, name: `${EVIL}s`, cat: `${EVIL}c` },
    { ph: 'M', pid: 1, tid: 1, name: 'thread_name', args: { name: `${EVIL}w` } },
  ]),
  [`${EVIL}.ti`]: '0 init\n0 compute 1e6\n0 finalize\n',
  'bad.ti': `0 init\n0 ${EVIL} 1\n`,
  listing: `${EVIL}.ti\n`,
  'bad-listing': `${EVIL}\n`,
  'machine.yaml': `name: ${named('m')}\nnodes: 2\n${EVIL.replace('\u001b', '')}: 1\n`,
  'formulas.xml': `<property-set xmlns="http://mcc.lip6.fr/"><property><id>${EVIL.replace('\u001b', '')}</id></property></property-set>`,
};

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  mkdirSync(at('node_modules'));
  symlinkSync(resolve('.'), at('node_modules/foretoken'));
  mkdirSync(at('out'));
});

const JSON_TOO = '--json too';
const out = (name: string): string => at(`out/${name}`);

/** The commands, in an order in which each one's inputs exist; those with `JSON_TOO` again with `--json` and `-o`. */
const commands: readonly (readonly string[])[] = [
  ['predict', at('net.json'), JSON_TOO],
  ['predict', at('model.ts'), '-n', '2', ...machine, '--run', out('run.jsonl'), '--trace', out('run.trace.json')],
  ['predict', at('model.ts'), '-n', '2', ...machine, '--run', out('run.csv')],
  ['predict', at('model.ts'), '-n', '2', ...machine, '--set', `${EVIL}k=1`],
  ['predict', at('stuck.ts'), ...machine, '-n', '2'],
  ['predict', at('threads.ts'), '--workers', '2', '--run', out('threads.jsonl'), '--trace', out('threads.trace.json')],
  ['predict', at('bad.ti'), ...machine],
  ['predict', at('listing'), ...machine],
  ['predict', at('bad-listing'), ...machine],
  ['predict', at('model.ts'), '-m', at('machine.yaml')],
  ['predict', at(`${EVIL}none.ts`)],
  ['profile', out('run.jsonl'), JSON_TOO],
  ['profile', out('run.csv'), '--messages', out('run.messages.csv')],
  ['diagnose', at('threads.ts'), JSON_TOO],
  ['diagnose', at('workers.csv')],
  ['diagnose', at('chrome.json'), '--state', `${EVIL}s=EXEC`],
  ['whatif', at('model.ts'), '-n', '2', ...machine, '--vary', 'machine.speed=1Gf,2Gf', JSON_TOO],
  ['whatif', at('model.ts'), '-n', '2', ...machine, '--vary', 'machine.speed=1Gf,2Gf', '--csv'],
  ['whatif', at('model.ts'), '-n', '2', ...machine, '--vary', `model.${EVIL}k=1,2`],
  ['verify', at('net.json'), '--witness', out('witness.json'), '--trace', out('witness.trace.json'), JSON_TOO],
  ['verify', at('net.json'), '--formulas', at('formulas.xml')],
  ['verify', at('stuck.ts')],
  ['verify', at('threads.ts'), '--workers', '2', JSON_TOO],
  ['explore', at('net.json'), '--graph', out('space.svg')],
  ['explore', at('net.json'), '--graph', out('space.html')],
  ['explore', at('net.json'), '--graph', out('space.dot')],
  ['structure', at('net.json')],
  ['compare', at('model.ts'), at('stuck.ts'), '-n', '2', ...machine],
  ...['dot', 'svg', 'csv', 'txt', 'json', 'pnml'].map((ending) => ['convert', at('net.json'), out(`net.${ending}`)]),
  ...['dot'].map((ending) => ['convert', at('model.ts'), out(`model.${ending}`), '-n', '2']),
  ['init', at(`out/${EVIL}`)],
];
/** Files that the commands write, so that a refused command does not pass for a clean one. */
const WRITTEN = [
  ...['dot', 'svg', 'csv', 'txt', 'json', 'pnml'].map((ending) => `net.${ending}`),
  ...['svg', 'html', 'dot'].map((ending) => `space.${ending}`),
  ...['run.jsonl', 'run.csv', 'run.messages.csv', 'run.trace.json', 'threads.jsonl', 'threads.trace.json'],
  ...['witness.json', 'witness.trace.json', 'model.dot', 'result-0.json', 'result-5.json'],
];

describe('hidden characters of inputs', () => {
  test('no stream and no file of any command has them raw', async () => {
    const found: string[] = [];
    const run = async (args: readonly string[]): Promise<void> => {
      const { stdout, stderr, code } = await warmly(args);
      if (RAW.test(stdout)) found.push(`standard output of ${JSON.stringify(args)}`);
      if (RAW.test(stderr)) found.push(`standard error of ${JSON.stringify(args)}`);
      if (code === 4) found.push(`internal error of ${JSON.stringify(args)}: ${stderr}`);
    };
    const two = async (list: readonly (readonly string[])[]): Promise<void> => {
      const rest = list.values();
      await Promise.all(
        [0, 1].map(async () => {
          for (const args of rest) await run(args);
        }),
      );
    };
    const texts = commands.map((args) => args.filter((arg) => arg !== JSON_TOO));
    const first = [1, 2, 5];
    for (const k of first) await run(texts[k]!);
    await two(texts.filter((_, k) => !first.includes(k)));
    const documents = commands.filter((args) => args.includes(JSON_TOO)).map((args) => args.slice(0, -1));
    await two(documents.map((args, k) => [...args, '--json', '-o', out(`result-${k}.json`)]));
    const names = readdirSync(at('out'), { recursive: true, encoding: 'utf8' });
    for (const name of names) if (extname(name) !== '' && RAW.test(readFileSync(out(name), 'utf8'))) found.push(name);
    expect(names).toEqual(expect.arrayContaining(WRITTEN));
    expect(found).toEqual([]);
  });

  test.each(['json', 'pnml'])('.%s keeps the exact names, escaped in its own way', (ending) => {
    const read = readNetFile(out(`net.${ending}`)).net;
    expect(read.places.map(({ name }) => name)).toEqual([`${EVIL}p`, `${EVIL}q`]);
  });

  test('records keep the exact names, escaped in the way of JSON', () => {
    const head = readFileSync(out('run.jsonl'), 'utf8').split('\n')[0]!;
    expect((JSON.parse(head) as { program: string }).program).toBe(`${EVIL}m`);
  });
});
