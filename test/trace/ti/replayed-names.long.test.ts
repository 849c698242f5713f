import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ROWS, refusal } from '../../../src/trace/ti/grammar.ts';

/* Names of actions against the replay of the installed SimGrid: it says of an unknown one that it is unknown. */

function hasSimGrid(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v smpirun'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const dir = mkdtempSync(join(tmpdir(), 'foretoken-names-'));
afterAll(() => rmSync(dir, { recursive: true }));
const platform = join(import.meta.dirname, '../../models/collectives/cluster.xml');

/** Whether SimGrid's replay knows an action; with wrong arguments it complains about these. */
function isKnown(name: string): boolean {
  const traces = [0, 1].map((rank) => {
    const own = join(dir, `rank${rank}`);
    writeFileSync(own, `${rank} init\n${rank === 0 ? `0 ${name} 1 1 1\n` : ''}${rank} finalize\n`);
    return own;
  });
  const list = join(dir, 'list');
  writeFileSync(list, `${traces.join('\n')}\n`);
  const { stdout, stderr } = spawnSync('smpirun', ['-np', '2', '-platform', platform, '-replay', list], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return !`${stdout}${stderr}`.includes(`action ${name} is unknown`);
}

/** Actions that only SimGrid's tracer writes; foretoken replays them nevertheless. */
const TRACED = new Set([
  ...['Ssend', 'ISsend', 'bsend', 'ibsend', 'waitAny'],
  ...['Put', 'Get', 'Accumulate', 'Win_fence'],
]);
const REFUSED = [
  ...['waitany', 'waitsome', 'testall', 'testany', 'testsome', 'issend', 'rsend', 'irsend'],
  ...[
    'send_init',
    'recv_init',
    'ssend_init',
    'start',
    'startall',
    'Start',
    'Startall',
    'probe',
    'iprobe',
    'mprobe',
    'cancel',
  ],
  ...[
    'win_create',
    'win_fence',
    'put',
    'get',
    'accumulate',
    ...['Rput', 'Rget', 'Raccumulate', 'Get_accumulate', 'Fetch_and_op', 'Compare_and_swap'],
    ...['Win_post', 'Win_start', 'Win_complete', 'Win_wait', 'Win_lock', 'Win_unlock', 'Win_flush'],
    'file_open',
    'alltoallw',
  ],
];

describe.skipIf(!hasSimGrid())("names of actions, as SimGrid's replay knows them", () => {
  const blocking = ROWS.filter(({ name }) => !name.startsWith('i') || ['isend', 'irecv', 'init'].includes(name));

  test('it knows every action of the grammar, besides those that only its tracer writes', () => {
    const unknown = blocking.filter(({ name }) => !TRACED.has(name) && !isKnown(name)).map(({ name }) => name);
    expect(unknown).toEqual([]);
    expect([...TRACED].filter(isKnown)).toEqual([]);
  });

  test('it knows no action that foretoken refuses, and each has its reason', () => {
    expect(REFUSED.filter(isKnown)).toEqual([]);
    expect(REFUSED.filter((name) => refusal(name) === undefined)).toEqual([]);
  });
});
