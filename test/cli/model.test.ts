import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { foretoken } from './run.ts';
import { warmly } from './warm.ts';

/** Models on the command line, from a folder outside any package. */
const dir = mkdtempSync(join(tmpdir(), 'foretoken-models-'));
afterAll(() => rmSync(dir, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const HEAD = "import { spmd, counter } from 'foretoken/models';\n";
const pingPong = file(
  'ping-pong.ts',
  `${HEAD}export const pingPong = spmd({
  name: 'ping-pong',
  params: { turns: 10, bytes: 8 },
  vars: { i: counter() },
  build(m) {
    m.loop('i', m.p.turns, () => {
      m.when(s => s.rank === 0, () => { m.send({ to: 1, bytes: m.p.bytes }); m.recv({ from: 1 }); },
        () => { m.recv({ from: 0 }); m.send({ to: 0, bytes: m.p.bytes }); });
    });
  },
});
`,
);

describe('source places', () => {
  const folders = [
    ['without a package.json', undefined],
    ['with "type": "commonjs"', '{ "type": "commonjs" }'],
  ] as const;
  const endings = [
    ['part.ts', './part.ts'],
    ['part.mts', './part.mts'],
    ['part.tsx', './part.tsx'],
    // Names as JavaScript has them after compilation, and the marks of the loader as a part of a name.
    ['late.ts', './late.js'],
    ['%3Ftsx-commonjs-x.ts', './%253Ftsx-commonjs-x.ts'],
  ] as const;
  const cases = folders.flatMap(([folder, text]) => endings.map(([name, from]) => [name, from, folder, text] as const));

  test.each(cases)('name file and line of an imported %s, as %s, in a folder %s', async (name, from, folder, text) => {
    const own = join(dir, `${folder.replaceAll(/\W/g, '-')}`);
    mkdirSync(own, { recursive: true });
    if (text !== undefined) writeFileSync(join(own, 'package.json'), text);
    writeFileSync(
      join(own, name),
      `${HEAD}interface Left { readonly out: number }\nconst left: Left = { out: 0 };\n// a comment\n\nexport const waits = spmd({
  name: 'waits',
  build(m) {
    m.recv({ from: left.out });
  },
});\n`,
    );
    const model = join(own, `${name}-model.ts`);
    writeFileSync(model, `import { waits } from '${from}';\nexport default waits;\n`);
    const { code, stdout } = await warmly(['verify', model, '--ranks', '1', '--json']);
    expect(code).toBe(1);
    const { instances } = JSON.parse(stdout) as {
      instances: { deadlock: { blocked: { file: string; line: number }[] } }[];
    };
    expect(instances.length).toBe(2);
    for (const { deadlock } of instances)
      expect(deadlock.blocked.map(({ file, line }) => [file.split('/').at(-1), line])).toEqual([[name, 9]]);
  });
});

describe('predict MODEL.ts', () => {
  test('a model, parameters, an assumed machine', async () => {
    const { code, stdout } = await warmly(['predict', pingPong, '--ranks', '2', '--set', 'turns=3']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Run time /);
    expect(stdout).toContain('ASSUMED machine simgrid-backbone');
    expect(stdout).toContain('turns 3');
  });

  test('a Chrome trace', async () => {
    const out = join(dir, 'out.json');
    const { code } = await warmly(['predict', pingPong, '--ranks', '2', '--set', 'turns=3', '--trace', out]);
    expect(code).toBe(0);
    const events = JSON.parse(readFileSync(out, 'utf8')).traceEvents as { ph: string; name: string }[];
    expect(events.filter((e) => e.ph === 's').length).toBe(6);
    expect(events.some((e) => e.ph === 'X' && e.name === 'recv')).toBe(true);
  });

  test('the net of a model, and one of its modules, read back and run', async () => {
    const [net, part] = [join(dir, 'net.json'), join(dir, 'part.dot')];
    expect((await warmly(['convert', pingPong, net, '--ranks', '2'])).code).toBe(0);
    expect((await warmly(['convert', pingPong, part, '--ranks', '2', '--module', 'messages'])).code).toBe(0);
    const [a, b] = [
      await warmly(['predict', pingPong, '--ranks', '2', '--json']),
      await warmly(['predict', net, '--json']),
    ];
    const time = ({ stdout }: { stdout: string }): number => JSON.parse(stdout).figures.runTime.value as number;
    expect(time(b)).toBe(time(a));
    expect(readFileSync(part, 'utf8')).toContain('deliver');
    const { code, stderr } = await warmly(['convert', pingPong, part, '--ranks', '2', '--module', 'mesages']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/APP026 .*Did you mean "messages"/);
  });
});

describe('modules without a model', () => {
  const cases: readonly (readonly [name: string, text: string, says: RegExp])[] = [
    ['nothing.ts', 'export const x = 1;\n', /APP022 exports no model/],
    [
      'two.ts',
      `${HEAD}export const a = spmd({ name: 'a', build() {} }), b = spmd({ name: 'b', build() {} });\n`,
      /APP023 exports 2 models \("a", "b"\)/,
    ],
    ['throws.ts', "throw new Error('oh no');\n", /APP021 the module throws Error: oh no/],
    ['syntax.ts', 'export default spmd({\n', /APP021 .*syntax\.ts:2/],
    ['wrong.ts', `${HEAD}export default spmd({ name: 'w' } as never);\n`, /wrong\.ts:2:\d+: MODEL001 .*has no build/],
    [
      'rank.ts',
      `${HEAD}export default spmd({ name: 'r', build(m) {\n  if ((m as any).rank === 0) m.barrier();\n} });\n`,
      /rank\.ts:3:\d+: MODEL013/,
    ],
    [
      'at-use.ts',
      `${HEAD}export default spmd({ name: 'u', vars: { it: counter() }, build(m) {\n  m.loop('it', 20, () => m.compute({ flops: s => (s.rank === 3 && s.it === 17 ? -1 : 1) }));\n} });\n`,
      /at-use\.ts:3:\d+: MODEL020 flops of a compute: .* got -1, at rank 3, it = 17/,
    ],
  ];
  test.each(cases)('the module %s is refused with its code', async (name, text, says) => {
    const { code, stdout, stderr } = await warmly(['predict', file(name, text), '--ranks', '4']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(says);
  });

  test('a missing file suggests the nearest name in its folder', async () => {
    const { code, stderr } = await warmly([
      'predict',
      file('jacobi.ts', '').replace('jacobi', 'jacoby'),
      '--ranks',
      '2',
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/jacoby\.ts: APP001 cannot be read: ENOENT\. Did you mean "jacobi\.ts"\?/);
    const nowhere = await warmly(['predict', 'no/such/folder/model.ts', '--ranks', '2']);
    expect(nowhere.stderr).toMatch(/APP001 cannot be read: ENOENT: there is no folder/);
  });

  test('a build that never ends', async () => {
    const never = file('never.ts', `${HEAD}export default spmd({ name: 'n', build() { for (;;); } });\n`);
    const { code, stderr } = await foretoken(['predict', never, '--ranks', '2'], {
      env: { FORETOKEN_BUILD_LIMIT: '1' },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('APP027');
  });

  test('a deadlock exits with 1 and names lines', async () => {
    const stuck = file(
      'stuck.ts',
      `${HEAD}export default spmd({ name: 's', build(m) {\n  m.send({ to: s => 1 - s.rank, bytes: 1e9 });\n  m.recv({ from: s => 1 - s.rank });\n} });\n`,
    );
    const { code, stdout } = await warmly(['predict', stuck, '--ranks', '2']);
    expect(code).toBe(1);
    expect(stdout).toContain('stuck.ts:3');
  });
});

describe('a model that rejects some numbers of ranks', () => {
  // Its errors are thrown by the copy of the package that the model imports.
  const square = file(
    'square.ts',
    `${HEAD}export default spmd({ name: 'square', build(m) {
  if (Math.sqrt(m.size) % 1) throw new Error('squares only');
  m.compute({ flops: 1e9 / m.size });
} });`,
  );

  test('is verified on the accepted ones', async () => {
    const { code, stdout } = await warmly(['verify', square]);
    expect(code).toBe(0);
    expect(stdout).toContain('Holds for 4,9 ranks');
    expect(stdout).toContain('Not verified\n  2,3,5-8 ranks: build throws Error: squares only\n');
    const json = JSON.parse((await warmly(['verify', square, '--json'])).stdout) as { refused: { ranks: number }[] };
    expect(json.refused.map((r) => r.ranks)).toEqual([2, 3, 5, 6, 7, 8]);
  });

  test('is explored on the smallest accepted number, and repeated so', async () => {
    const explored = await warmly(['explore', square, '--json']);
    expect([explored.code, JSON.parse(explored.stdout).options.ranks]).toEqual([0, 4]);
    expect(explored.stderr).toContain('warning: model "square" refuses 2,3 ranks (MODEL029');
  });
});
