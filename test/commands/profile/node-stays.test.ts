import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { profileRun } from '../../../src/commands/profile/profile.ts';
import type { ProfileDocument } from '../../../src/commands/profile/profile-document.ts';
import { renderProfile } from '../../../src/commands/profile/profile-view.ts';

const folder = mkdtempSync(join(tmpdir(), 'node-stays-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Two processes on two nodes; the second node works from 2 s to 5 s of a run of 10 s. */
function profiled(rows: readonly Readonly<Record<string, unknown>>[], at?: number): ProfileDocument {
  const head = {
    format: 'foretoken-run',
    version: 1,
    program: 'p',
    origin: 'recorded',
    product: 'test',
    processes: 2,
    nodes: [
      { name: 'a', sockets: 1 },
      { name: 'b', sockets: 1 },
    ],
    nodeOf: [0, 1],
    socketOf: [0, 0],
  };
  const states = [
    { table: 'states', process: 0, start: 0, end: 10, state: 'computing' },
    { table: 'states', process: 1, start: 2, end: 4, state: 'computing' },
    { table: 'states', process: 1, start: 4, end: 5, state: 'waiting' },
  ];
  const lines = [head, ...states, ...rows, { end: { complete: true, time: 10, notes: [] } }];
  writeFileSync(join(folder, 'r.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return profileRun(join(folder, 'r.jsonl'), at === undefined ? {} : { at });
}
const stay = (node: string, joined: number, left: number) => ({ table: 'nodes', node, joined, left });

test('a node has states from its joining to its leaving', () => {
  const { nodes } = profiled([stay('b', 1, 8)]);
  expect(nodes[0]).toMatchObject({ joined: 0, left: 10, seconds: { computing: 10, idle: 0 } });
  expect(nodes[1]).toMatchObject({ joined: 1, left: 8, seconds: { computing: 2, waiting: 1, idle: 4 } });
  const spans = [
    { from: 1, to: 2, state: 'idle' },
    { from: 2, to: 4, state: 'computing' },
    { from: 4, to: 5, state: 'waiting' },
    { from: 5, to: 8, state: 'idle' },
  ];
  expect(nodes[1]!.spans).toEqual(spans);
  expect(nodes[1]!.sockets[0]!.spans).toEqual(spans);
  expect(nodes[1]!.processes[0]!.seconds.idle).toBe(7);
});

test('a node that works as long as it is there is never idle', () => {
  const { nodes } = profiled([stay('b', 2, 5), stay('a', 0, 10)]);
  expect(nodes[1]).toMatchObject({ spansCount: 2, seconds: { computing: 2, waiting: 1, idle: 0 } });
});

test.each([
  [0.5, undefined],
  [1, 'idle'],
  [3, 'computing'],
  [9, undefined],
])('state of a node that has joined at 1 s and left at 8 s, at %d s', (at, state) => {
  expect(profiled([stay('b', 1, 8)], at).nodes[1]!.at).toBe(state);
});

test('at the end of a run, nodes are in their last state', () => {
  expect(profiled([], 10).nodes.map((node) => node.at)).toEqual(['computing', 'idle']);
});

test('the page shows when nodes join and leave', () => {
  const page = renderProfile(profiled([stay('b', 1, 8)]), { width: 100, colour: false, unicode: true });
  expect(page).toMatch(/node +joined +left +computing/);
  expect(page).toMatch(/b +1\.000 s +8\.000 s +29 % +0 % +14 % +57 %/);
});

test.each([
  ['works before it joins', [stay('b', 3, 8)], /r\.jsonl:5: REC011 node "b" joins at 3 s, but works from 2 s on/],
  ['works after it leaves', [stay('b', 0, 4.5)], /r\.jsonl:5: REC011 node "b" leaves at 4\.5 s, but works until 5 s/],
  [
    'joins before it leaves',
    [stay('b', 0, 8), stay('b', 7, 10)],
    /r\.jsonl:6: REC011 node "b" joins at 7 s, before it/,
  ],
  ['is not in the head', [stay('c', 0, 8)], /r\.jsonl:5: REC005 node: expected a node of the head, got "c"/],
])('a node that %s is refused', (_, rows, message) => {
  expect(() => profiled(rows)).toThrow(message);
});

test('a run that ends before its last row is refused', () => {
  const late = { table: 'states', process: 0, start: 10, end: 11, state: 'computing' };
  expect(() => profiled([late])).toThrow(/r\.jsonl:5: REC006 the run ends at 10 s, before this row ends at 11 s/);
});

test.each([
  [{ collective: 'barrier' }, 'execution: expected the number of the execution'],
  [{ execution: 3 }, 'execution: expected a collective'],
  [{ phase: 'wait' }, 'phase: expected a collective'],
])('a row with %j alone is refused', (cells, message) => {
  const row = { table: 'states', process: 1, start: 5, end: 6, state: 'waiting', ...cells };
  expect(() => profiled([row])).toThrow(new RegExp(`r\\.jsonl:5: REC005 ${message}`));
});
