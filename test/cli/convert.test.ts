import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { netFromJson, netToJson } from '../../src/net/json/json.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { philosophers } from '../net/contest-nets.ts';
import { foretoken } from './run.ts';
import { warmly } from './warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-convert-cli-'));
const net = join(folder, 'net.json');
beforeAll(() => writeFileSync(net, netToJson(philosophers(3))));
afterAll(() => rmSync(folder, { recursive: true }));

test('a drawing, and a matrix of the unfolded net', async () => {
  const svg = join(folder, 'net.svg');
  expect(await foretoken(['convert', net, svg])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/net\.svg: 5 places, 5 transitions, \d+ bytes\n$/),
  });
  expect(readFileSync(svg, 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  const csv = join(folder, 'net.csv');
  expect(await foretoken(['convert', net, csv, '--unfold', '--limit', '30'])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/net\.csv: 15 places, 15 transitions, \d+ bytes\n$/),
  });
  expect(readFileSync(csv, 'utf8').split('\n')).toHaveLength(17);
});

test('the equivalent safe net, proved safe by verify', async () => {
  const n = new NetBuilder('buffer');
  const Sort = n.enumeration('Sort', 'red', 'blue');
  const free = n.place('free', {}, { initial: 3 });
  const full = n.place('full', { sort: Sort });
  n.transition('produce', (t) => {
    t.take(free);
    const sort = t.free('sort', Sort);
    t.put(full, { sort });
    t.label('produce');
  });
  n.transition('consume', (t) => {
    t.take(full);
    t.put(free, {});
  });
  const [given, pnml, json] = [join(folder, 'buffer.json'), join(folder, 'safe.pnml'), join(folder, 'safe.json')];
  writeFileSync(given, netToJson(n.build()));
  expect((await warmly(['verify', given, '-p', 'safe'])).code).toBe(1);
  const { code, stderr } = await foretoken(['convert', given, pnml, '--safe']);
  expect(code).toBe(0);
  expect(stderr).toContain(
    '3 places of at most 3 tokens, 4 transitions, without colours, become 12 and 36; the limit of their sum is 100000',
  );
  expect(stderr).toContain('preserves the interleaving behaviour');
  expect(stderr).toContain('does not preserve simultaneous steps');
  const verified = await warmly(['verify', pnml, '-p', 'safe', '-p', 'one-safe', '--json']);
  expect(verified.code).toBe(0);
  const states = async (path: string): Promise<unknown> =>
    (JSON.parse((await warmly(['explore', path, '--json'])).stdout) as { figures: { states: unknown } }).figures.states;
  expect(await states(pnml)).toEqual(await states(given));
  expect((await foretoken(['convert', given, json, '--safe'])).code).toBe(0);
  const { transitions } = netFromJson(readFileSync(json, 'utf8'));
  expect(transitions.filter((t) => t.label?.name === 'produce').length).toBe(18);
  const small = await foretoken(['convert', given, json, '--safe', '--limit', '47']);
  expect(small.code).toBe(2);
  expect(small.stderr).toMatch(/SAFE002 .*becomes 12 places and 36 transitions/);
  expect((await foretoken(['convert', given, json, '--safe', '--unfold'])).stderr).toContain('APP034');
});

test('PNML round trip', async () => {
  const pnml = join(folder, 'net.pnml');
  const { code, stdout, stderr } = await foretoken(['convert', net, pnml]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr.trimEnd().split('\n')).toEqual([
    'note: the net is written unfolded (15 places, 15 transitions), because "(x + 2) % 3" is not a term of symmetric nets',
    'note: names that are not valid XML ids are written as <name>, with generated ids',
    expect.stringMatching(/net\.pnml: 5 places, 5 transitions, \d+ bytes$/),
  ]);
  const again = join(folder, 'again.json');
  expect(await foretoken(['convert', pnml, again])).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(again, 'utf8')).toBe(netToJson(unfold(philosophers(3))));
});

test('invalid PNML is bad input, with its place', async () => {
  const bad = join(folder, 'bad.pnml');
  writeFileSync(bad, '<pnml>\n<net id="n" type="x"/></pnml>');
  const { code, stdout, stderr } = await foretoken(['convert', bad, join(folder, 'no.json')]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/bad\.pnml:2:1: PNML009 the net type "x" is not supported/);
});

test.each([
  ['a limit that is exceeded', ['--unfold', '--limit', '29'], /net\.json: UNF002 .* more than 29 nodes/],
  ['a limit without unfolding', ['--limit', '29'], /APP008/],
  ['a limit of nothing', ['--unfold', '--limit', '0'], /--limit.* Expected an integer >= 1/],
])('%s is bad input', async (_, flags, message) => {
  const { code, stdout, stderr } = await foretoken(['convert', net, join(folder, 'no.csv'), ...flags]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});
