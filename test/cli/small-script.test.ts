import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { looksSmall } from '../../src/cli/small-job.ts';
import { HUNDRED_HOSTS, longTrace } from './long-run.ts';
import { cluster, foretoken, stencil, wholeProgram } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-script-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const wholeMain = wholeProgram(folder);

const deadlock = file('deadlock.ti', '0 init\n1 init\n0 recv 1 0 100\n1 recv 0 0 100\n0 finalize\n1 finalize\n');
const long = file('long.ti', longTrace(4));
const hundred = file('hundred.xml', HUNDRED_HOSTS);
const part = file('part.csv', '0 init\n0 compute 1e9\n0 finalize\n');
const listing = file('list.txt', 'part.csv\n');
const bad = file('bad.ti', '0 init\n0 jump\n0 finalize\n');
const predict = (...args: string[]): string[] => ['predict', stencil, '--machine', cluster, ...args];

test.each([
  ['a prediction', predict()],
  ['a document', predict('--json')],
  ['an output file', predict('--json', '-o', join(folder, 'out.json'))],
  ['a network model', predict('--network', 'simgrid-plain', '--collectives', 'logarithmic')],
  ['drawn ties', predict('--ties', 'random', '--seed', 'a', '--replications', '3', '--json')],
  ['a placement', predict('--placement', 'cyclic', '--oversubscribe', '--ranks', '16', '--scale', 'weak')],
  ['a limit of time', predict('--until', '1')],
  ['help', predict('--help')],
  ['an unknown option', predict('--jsn')],
  ['a refused option', predict('--workers', '2')],
  ['an option of another kind', predict('--set', 'a=1')],
  ['a machine that is none', ['predict', stencil, '--machine', stencil]],
  ['a deadlock', ['predict', deadlock, '--machine', cluster]],
  ['a faulty trace', ['predict', bad, '--machine', cluster]],
  // Not small, which shows only when the options are read, or the trace, or when it takes long.
  ['a listing', ['predict', listing, '--machine', 'simgrid-backbone', part]],
  ['a listing whose part would be overwritten', ['predict', listing, '--machine', 'simgrid-backbone', '-o', part]],
  ['a run that takes long', ['predict', long, '--machine', hundred]],
  ['an input that is missing', ['predict', join(folder, 'none.ti'), stencil, '--machine', cluster]],
])('the script of small jobs prints what the whole program prints: %s', async (_, args) => {
  expect(looksSmall(args)).toBe(true);
  expect(await foretoken(args)).toEqual(await foretoken(args, { main: wholeMain }));
});
