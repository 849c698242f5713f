import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { foretoken } from './run.ts';

/** Models that exit the process, throw non-errors, never end, print, or leave work running. */
const dir = mkdtempSync(join(tmpdir(), 'foretoken-faults-'));
afterAll(() => rmSync(dir, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(dir, `${name}.ts`);
  writeFileSync(path, `import { spmd } from 'foretoken/models';\n${text}`);
  return path;
};
const building = (body: string, top = ''): string =>
  `${top}\nexport default spmd({ name: 'x', build(m) {\n${body}\nm.compute({ flops: 1e9 });\n} });\n`;

/** Faulty models with the expected message and line. */
const faults: readonly (readonly [name: string, text: string, says: RegExp])[] = [
  ['exit', building('process.exit(0);'), /exit\.ts:4:\d+: APP040 the model calls process\.exit\(0\)/],
  ['caught-exit', building('try { process.exit(1); } catch {}'), /caught-exit\.ts:4:\d+: APP040/],
  ['top-exit', 'process.exit(0);\n', /top-exit\.ts:2:\d+: APP040/],
  [
    'flops-exit',
    building('m.compute({ flops: () => {\nprocess.exit(0);\nreturn 1; } });'),
    /flops-exit\.ts:5:\d+: APP040/,
  ],
  ['abort', building('process.abort();'), /abort\.ts:4:\d+: APP040 the model calls process\.abort/],
  ['kill', building("process.kill(process.pid, 'SIGKILL');"), /kill\.ts:4:\d+: APP040 the model calls process\.kill/],
  ['group', building("process.kill(0, 'SIGTERM');"), /group\.ts:4:\d+: APP040/],
  ['null', building('throw null;'), /null\.ts:4:\d+: MODEL029 build throws null/],
  ['undefined', building('throw undefined;'), /undefined\.ts:4:\d+: MODEL029 build throws nothing/],
  ['string', building("throw 'no\\u001b[31m';"), /string\.ts:4:\d+: MODEL029 build throws "no/],
  [
    'flops-null',
    building('m.compute({ flops: () => { throw null; } });'),
    /flops-null\.ts:4:\d+: MODEL020 .*throws null/,
  ],
  [
    'getters',
    building('throw { get message() { throw 1; }, get stack() { throw 2; }, get name() { throw 3; } };'),
    /getters\.ts:\d+:\d+: MODEL029 build throws an object/,
  ],
  [
    'long',
    building("throw new Error('y'.repeat(1e6));"),
    /long\.ts:4:\d+: MODEL029 build throws Error: y{190,200}…\n$/,
  ],
  ['top-null', '\nthrow null;\n', /top-null\.ts:3:\d+: APP021 the module throws null/],
  ['never', '\nawait new Promise(() => {});\nexport default 1;\n', /never\.ts:3:\d+: APP041/],
  ['rejection', building("Promise.reject(new Error('lost'));"), /rejection\.ts:4:\d+: APP042 .*Error: lost/],
  [
    'late',
    building('', "setTimeout(() => {\nthrow new Error('late'); });\nawait new Promise((r) => setTimeout(r, 50));"),
    /late\.ts:3:\d+: APP042 .*Error: late/,
  ],
  ['async', building('').replace('build(m)', 'async build(m)'), /async\.ts:3:\d+: MODEL011/],
  ['port', building('', "import { parentPort } from 'node:worker_threads';\nparentPort?.close();"), /port\.ts: APP045/],
];

describe('a failing model gives exit code 2 and its line', () => {
  test.each(faults)('the model "%s" fails with exit code 2 and its line', async (name, text, says) => {
    const { code, stdout, stderr } = await foretoken(['predict', file(name, text), '--ranks', '2', '--json']);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('internal error');
  });
});

const SAYS = {
  exit: /exit\.ts:4:\d+: APP040/,
  null: /null\.ts:4:\d+: MODEL029/,
  never: /never\.ts:3:\d+: APP041/,
  'top-exit': /top-exit\.ts:2:\d+: APP040/,
} as const;

/** Commands with faults of models: all share the guard that `predict` shows with every fault above. */
const GUARDED: readonly (readonly [names: readonly (keyof typeof SAYS)[], args: readonly string[]])[] = [
  [
    ['exit', 'never'],
    ['whatif', '--vary', 'ranks=1,2'],
  ],
  [
    ['null', 'top-exit'],
    ['predict', '--replications', '2', '--ranks', '2'],
  ],
  [['never'], ['verify']],
  [['exit'], ['verify', '-p', 'deadlock-free']],
  [['null'], ['explore']],
  [['top-exit'], ['structure']],
];
describe.each(GUARDED)('a failing model (%j) given to %j', (names, [command = '', ...options]) => {
  test.each(names)('refuses %s', async (name) => {
    const text = faults.find(([known]) => known === name)![1];
    const { code, stderr } = await foretoken([command, file(name, text), ...options, '--json']);
    expect(code, stderr).toBe(2);
    expect(stderr).toMatch(SAYS[name]);
  });

  test('limits the time of a build', async () => {
    for (const endless of [building('for (;;);'), 'for (;;);\n']) {
      const { code, stderr } = await foretoken([command, file('endless', endless), ...options], {
        env: { FORETOKEN_BUILD_LIMIT: '0.2' },
      });
      expect(code, stderr).toBe(2);
      expect(stderr).toMatch(/endless\.ts: APP027 the model has not been built after 0\.2 s/);
    }
  });
});

test('convert and compare limit the time of a build', async () => {
  const endless = file('endless-2', building('for (;;);'));
  for (const args of [
    ['convert', endless, join(dir, 'out.json')],
    ['compare', endless, endless],
  ]) {
    const { code, stderr } = await foretoken(args, { env: { FORETOKEN_BUILD_LIMIT: '0.2' } });
    expect(code, stderr).toBe(2);
    expect(stderr).toContain('APP027');
  }
});

test.each(['soon', '0', '-1'])('a build limit of %s is rejected', async (limit) => {
  const { code, stderr } = await foretoken(['predict', file('ok', building(''))], {
    env: { FORETOKEN_BUILD_LIMIT: limit },
  });
  expect(code).toBe(2);
  expect(stderr).toContain(`APP044 FORETOKEN_BUILD_LIMIT=${limit}: expected a number of seconds > 0`);
});

test('one scenario whose model exits fails alone', async () => {
  const model = file('sometimes', building('if (m.size === 2) process.exit(1);'));
  const { code, stdout } = await foretoken(['whatif', model, '--vary', 'ranks=1..4', '--json', '--workers', '1']);
  expect(code).toBe(1);
  const { scenarios } = JSON.parse(stdout) as { scenarios: { status: string; problems?: { code: string }[] }[] };
  expect(scenarios.map((s) => s.status)).toEqual(['done', 'failed', 'done', 'done']);
  expect(scenarios[1]!.problems![0]!.code).toBe('APP040');
});

const noisy = file(
  'noisy',
  building(
    `console.log('from console'); process.stdout.write('raw'); fs.writeSync(1, 'descriptor');
void Promise.resolve().then(() => console.log('later'));`,
    "import * as fs from 'node:fs';\nconsole.log('at the top');",
  ),
);

describe('output of a model goes to standard error', () => {
  test.each([
    ['predict', '--ranks', '2'],
    ['predict', '--ranks', '2', '--replications', '2'],
    ['whatif', '--vary', 'ranks=1,2'],
    ['verify', '--ranks', '2'],
    ['explore', '--ranks', '2'],
    ['structure', '--ranks', '2'],
  ])('%s %s %s keeps output of the model off standard output', async (command, ...options) => {
    const { stdout, stderr } = await foretoken([command, noisy, ...options, '--json']);
    expect(() => JSON.parse(stdout)).not.toThrow();
    for (const text of ['from console', 'raw', 'descriptor', 'later', 'at the top']) expect(stderr).toContain(text);
  });

  test('whatif --csv', async () => {
    const { code, stdout } = await foretoken(['whatif', noisy, '--vary', 'ranks=1,2', '--csv']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ranks,status,.*\r\n1,done,.*\r\n2,done,.*\r\n$/);
  });
});

describe('work left running by a model is stopped with a warning', () => {
  test.each([
    ['timer', building('setInterval(() => {}, 1000);')],
    ['loop', building('setTimeout(() => { for (;;); }, 10_000);')],
    ['server', building('', "import { createServer } from 'node:net';\ncreateServer().listen(0);")],
  ])('a %s left running by a model is stopped with a warning', async (name, text) => {
    const model = file(`left-${name}`, text);
    for (const args of [
      ['predict', model, '--ranks', '2'],
      ['whatif', model, '--vary', 'ranks=1,2'],
      ['predict', model, '--ranks', '2', '--replications', '2'],
    ]) {
      const { code, stdout, stderr } = await foretoken([...args, '--json']);
      expect(code, stderr).toBe(0);
      expect(() => JSON.parse(stdout)).not.toThrow();
      expect(stderr).toMatch(/^warning: .*APP043 the model leaves work running/m);
    }
  });

  test('none without', async () => {
    const { stderr } = await foretoken([
      'predict',
      file('quiet', building('setInterval(() => {}, 9).unref();')),
      '--ranks',
      '2',
    ]);
    expect(stderr).toBe('');
  });
});
