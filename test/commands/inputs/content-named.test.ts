import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { diagnose, NetBuilder, netToJson, predict, profile } from '../../../src/index.ts';
import { documentJson } from '../../../src/report/document-json.ts';

const folder = mkdtempSync(join(tmpdir(), 'content-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const net = new NetBuilder('n');
net.place('p');
const built = net.build();
const result = predict(built);
const FILES = {
  'net.json': [netToJson(built), 'a net'],
  'result.json': [documentJson(result, Object.keys(result) as never), 'a result of kind "prediction"'],
  'compact.json': [JSON.stringify(result), 'a result of kind "prediction"'],
  'machine.json': ['{ "nodes": 4, "coresPerNode": 8, "speed": 1e9 }', 'a machine'],
  'platform.xml': ['<?xml version="1.0"?>\n<platform version="4.1"/>', 'a SimGrid platform'],
  'other.json': ['{ "x": 1 }', 'a file of another kind'],
  'trace.json': ['{ "traceEvents": [] }', 'a Chrome trace'],
} as const;

it.each(Object.entries(FILES))('the refusal of %s names its content', (name, [text, what]) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  expect(() => profile(file)).toThrow(
    `PROF006 is ${what}: expected a model, a trace, a schedule (.goal), or a run record`,
  );
  // An unknown JSON file may be a Chrome trace whose events come late; its reader tells what is wrong.
  if (name.endsWith('.json') && what !== 'a Chrome trace' && what !== 'a file of another kind')
    expect(() => diagnose(file)).toThrow(`DIAG004 is ${what}: expected worker states as .csv`);
});

it('a missing file is said to be missing', () => {
  expect(() => profile(join(folder, 'none.json'))).toThrow(/APP001 cannot be read: ENOENT/);
  expect(() => diagnose(join(folder, 'none.json'))).toThrow(/APP001 cannot be read: ENOENT/);
});
