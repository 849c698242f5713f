import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { netToJson } from '../../src/net/json/json.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { philosophers } from '../net/contest-nets.ts';
import { foretoken } from './run.ts';

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

test('PNML, there and back', async () => {
  const pnml = join(folder, 'net.pnml');
  const { code, stdout, stderr } = await foretoken(['convert', net, pnml]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr.trimEnd().split('\n')).toEqual([
    'note: the net is written unfolded (15 places, 15 transitions), since "(x + 2) % 3" is no term of symmetric nets',
    'note: names that are no ids of XML stand in <name>, and their nodes have ids that are made up',
    expect.stringMatching(/net\.pnml: 5 places, 5 transitions, \d+ bytes$/),
  ]);
  const again = join(folder, 'again.json');
  expect(await foretoken(['convert', pnml, again])).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(again, 'utf8')).toBe(netToJson(unfold(philosophers(3))));
});

test('PNML that is none is bad input, with its place', async () => {
  const bad = join(folder, 'bad.pnml');
  writeFileSync(bad, '<pnml>\n<net id="n" type="x"/></pnml>');
  const { code, stdout, stderr } = await foretoken(['convert', bad, join(folder, 'no.json')]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/bad\.pnml:2:1: PNML009 the net type "x" is not supported/);
});

test.each([
  ['a limit that is exceeded', ['--unfold', '--limit', '29'], /net\.json: UNF002 .* more than 29 nodes/],
  ['a limit without unfolding', ['--limit', '29'], /APP008/],
  ['a limit of nothing', ['--unfold', '--limit', '0'], /--limit.* Expected a whole number from 1 to 100000000/],
])('%s is bad input', async (_, flags, message) => {
  const { code, stdout, stderr } = await foretoken(['convert', net, join(folder, 'no.csv'), ...flags]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});
