import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { profileRun } from '../../../src/commands/profile/profile.ts';
import { profile } from '../../../src/commands/profile/profile-program.ts';
import { profileJson, renderProfile } from '../../../src/commands/profile/profile-view.ts';
import { predict } from '../../../src/index.ts';
import { spmd } from '../../../src/models.ts';
import { machine } from '../../models/program/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'profile-view-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const plain = { width: 120, colour: false, unicode: false };
const uneven = spmd({
  name: 'uneven',
  build(m) {
    m.interval('work', {}, () => m.compute({ flops: (s) => 1e9 + 1e3 * s.rank }));
    m.allreduce({ bytes: 8 });
  },
});

describe('tables of a profile', () => {
  it('have one unit of time in a column', () => {
    const view = renderProfile(profile(uneven, { machine, ranks: 4, processes: [0, 1, 2, 3] }), plain);
    const tables = view.split('\n\n').map((section) => section.split('\n').slice(1));
    let columns = 0;
    for (const [head = '', ...rows] of tables) {
      const ends = [...head.matchAll(/\S+(?: \S+)*/g)].map(({ 0: name, index }) => index + name.length);
      for (const end of ends) {
        const units = rows.flatMap((row) => /\d (s|ms|us|ns|min|h|d)$/.exec(row.slice(0, end))?.[1] ?? []);
        if (units.length > 0) columns++;
        expect(new Set(units).size).toBeLessThanOrEqual(1);
      }
    }
    expect(columns).toBeGreaterThan(10);
  });

  it('have one unit of size in the list of pairs', () => {
    const rows = '0,0,1,computing\n1,0,1,computing\n2,0,1,computing\n';
    const messages = '0,1,0,1,204000,1\n1,0,0,1,102400,1\n2,0,0,1,65536,1\n';
    const view = renderProfile(
      profileRun(file('pairs.csv', `process,start,end,state\n${rows}`), {
        messages: [file('pairs.messages.csv', `source,destination,sent,received,bytes,tag\n${messages}`)],
      }),
      plain,
    );
    const units = [...view.matchAll(/\d+ -> \d+: 1 message, [\d.]+ (\S+)/g)].map(([, unit]) => unit);
    expect(units).toEqual(['kB', 'kB', 'kB']);
  });

  it('have no rounding noise, which JSON keeps', () => {
    const states = file('noise.csv', 'process,start,end,state\n0,0,1,computing\n1,0,1.00000000000002487,computing\n');
    const document = profileRun(states);
    expect(document.figures.loadImbalance.value).toBeGreaterThan(0);
    expect(document.figures.loadImbalance.value).toBeLessThan(1e-12);
    expect(profileJson(document)).toMatch(/e-14/);
    expect(renderProfile(document, plain)).not.toMatch(/e-\d/);
  });
});

it('a simulated run that was saved as CSV is simulated', () => {
  const run = join(folder, 'states.csv');
  predict(uneven, { machine, ranks: 2, run });
  expect(profileRun(run).origin).toBe('simulated');
  expect(renderProfile(profileRun(run), plain)).toMatch(/ simulated /);
  expect(profileRun(file('own.csv', 'process,start,end,state\n0,0,1,computing\n')).origin).toBe('recorded');
  const bad = file('bad.csv', 'process,start,end,state,origin\n0,0,1,computing,simulated\n1,0,1,computing,recorded\n');
  expect(() => profileRun(bad)).toThrow(
    /bad.csv:3: REC005 origin: expected simulated as in earlier rows, got recorded/,
  );
});

it('a bad header leaves later files as they are', () => {
  const good = file('good.csv', 'process,start,end,state\n0,0,1,computing\n');
  const before = JSON.stringify(profileRun(good));
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const bad = file('header.csv', `${name},process,start,end,state\n1,0,0,1,computing\n`);
    expect(() => profileRun(bad)).toThrow(`REC004 unknown column "${name}"`);
    expect(() => profileRun([bad, good])).toThrow(`REC004 unknown column "${name}"`);
    expect(JSON.stringify(profileRun(good))).toBe(before);
  }
});
