import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RUN_TEST } from '../src/commands/init/init-files.ts';

// Installs the packed tarball into an empty folder, as users do.
const dir = mkdtempSync(join(tmpdir(), 'foretoken-package-'));
let tarball = '';
/** Output of npm when it installs the tarball. */
let installed = '';
const run = (command: string, args: string[]): string => execFileSync(command, args, { cwd: dir, encoding: 'utf8' });

/** Without `skipLibCheck`: the declarations of the package and of what they import must compile, too. */
const compiled = (file: string): string => {
  const tsc = resolve('node_modules/typescript/bin/tsc');
  return run(process.execPath, [tsc, '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', '', file]);
};

beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', dir], {
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  tarball = join(dir, filename);
  writeFileSync(join(dir, 'package.json'), '{ "private": true, "type": "module" }');
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball];
  const { stdout, stderr, status } = spawnSync('npm', args, { cwd: dir, encoding: 'utf8' });
  installed = stdout + stderr;
  expect(status, installed).toBe(0);
});

afterAll(() => rmSync(dir, { recursive: true }));

test('its command predicts', () => {
  const example = join(dir, 'node_modules/foretoken/examples/stencil');
  const args = [
    'foretoken',
    'predict',
    join(example, 'stencil-8.ti'),
    '--machine',
    join(example, 'cluster.xml'),
    '--json',
  ];
  const document = JSON.parse(run('npx', args)) as { figures: { runTime: { value: number } } };
  expect(document.figures.runTime.value).toBeCloseTo(0.008156702339, 9);
});

test('its library is imported with types', () => {
  const source = `import { NetBuilder, compile, simulate } from 'foretoken';
const n = new NetBuilder('one');
const p = n.place('p', {}, { initial: [{}] });
n.transition('t', (t) => { t.take(p); t.delay(2); });
const seconds: number = simulate(compile(n.build())).time;
console.log(seconds);
`;
  writeFileSync(join(dir, 'use.mts'), source);
  compiled('use.mts');
  expect(run(process.execPath, ['use.mjs'])).toBe('2\n');
});

test('init creates a project: its model is predicted, studied and type-checked, and passes its test', () => {
  const first = mkdtempSync(join(tmpdir(), 'foretoken first-'));
  const within = (command: string, args: string[]): string =>
    execFileSync(command, args, {
      cwd: first,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, NO_COLOR: '1' },
    });
  const checked = (): string => {
    try {
      return within(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '--noEmit']);
    } catch (e) {
      return (e as { stdout: string }).stdout;
    }
  };
  try {
    // As in the tutorial: npm creates a package.json, and init keeps it.
    within('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball]);
    expect(within('npx', ['foretoken', 'init'])).toContain(`  ${RUN_TEST}\n`);
    const args = ['model.ts', '--machine', 'machine.yaml', '--set', 'turns=10'];
    const document = JSON.parse(within('npx', ['foretoken', 'predict', ...args, '--ranks', '4', '--json'])) as {
      figures: { runTime: { value: number } };
    };
    // 10 iterations of 1024 · 1024 points per rank: 5 flops at 4 Gflop/s, 16 bytes at a quarter of 100 GB/s; plus messages.
    expect(document.figures.runTime.value).toBeCloseTo(10 * 2 ** 20 * (5 / 4e9 + 16 / 25e9), 4);
    expect(within('npx', ['foretoken', 'whatif', ...args, '--vary', 'ranks=1..4*2'])).toMatch(/^3 scenarios: /);
    const [install, ...runs] = RUN_TEST.split(' && ').map((command) => command.split(' ').slice(1));
    within('npm', [...install!, '--no-audit', '--no-fund', '--prefer-offline']);
    for (const command of runs) expect(within('npx', command)).toMatch(/Tests +3 passed \(3\)/);
    expect(checked()).toBe('');
    const model = join(first, 'model.ts');
    writeFileSync(model, readFileSync(model, 'utf8').replace("'turn', m.p.turns", "'trun', m.p.turns"));
    expect(checked()).toMatch(/^model\.ts\(13,\d+\): error TS\d+: .*"trun"/);
  } finally {
    rmSync(first, { recursive: true });
  }
}, 240_000);

test('its models are imported with types', () => {
  const source = `import { predict } from 'foretoken';
import { cluster, spmd } from 'foretoken/models';
const work = spmd({ name: 'work', params: { flops: 8e9 }, build: (m) => m.compute({ flops: m.p.flops }) });
// @ts-expect-error a parameter that the model does not have
const wrong = () => work.with({ flop: 1 });
const machine = cluster({
  nodes: 1, coresPerNode: 1, speed: '4Gf', link: { latency: '1us', bandwidth: '1GB/s' }, eagerBelow: '64KiB',
});
// @ts-expect-error an option of nets
const limited = () => predict(work, { machine, until: 1 });
// @ts-expect-error an option of programs
const placed = () => predict({ name: 'net', places: [], transitions: [] }, { machine });
const seconds: number | null = predict(work, { machine, ranks: 1 }).figures.runTime.value;
console.log(seconds, typeof wrong, typeof limited, typeof placed);
`;
  writeFileSync(join(dir, 'use-models.mts'), source);
  compiled('use-models.mts');
  expect(run(process.execPath, ['use-models.mjs'])).toBe('2 function function function\n');
});

test('its declarations have no errors, also without types of Node', () => {
  const entries = ['', '/models', '/fast-check', '/vitest'].map(
    (entry, k) => `export * as e${k} from 'foretoken${entry}';`,
  );
  writeFileSync(join(dir, 'strict.mts'), entries.join('\n'));
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const args = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--noEmit', '--types', '', 'strict.mts'];
  const { stdout } = spawnSync(process.execPath, [tsc, ...args], { cwd: dir, encoding: 'utf8' });
  // The declarations of @dagrejs/dagre 3.0 import without file extensions.
  const own = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('node_modules/@dagrejs/'));
  // Packages that users of these entry points have.
  const peers = /error TS2307: Cannot find module '(?:fast-check|vitest)'|error TS2664: .* module 'vitest'/;
  expect(own.filter((line) => !peers.test(line))).toEqual([]);
});

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}
const manifest = (): Manifest => JSON.parse(readFileSync(join(dir, 'node_modules/foretoken/package.json'), 'utf8'));

/** Packages that code and declarations import, by name. */
function importedPackages(root: string): Set<string> {
  const found = new Set<string>();
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /\.(?:js|d\.ts)$/.test(name))) {
    // The bundle has lines of limited length: a backslash at a line's end continues its string.
    const text = readFileSync(join(root, file), 'utf8').replaceAll('\\\n', '');
    const names = file.endsWith('.js')
      ? text.matchAll(
          /\b(?:from|(?:import|require|import\.meta\s*\.\s*resolve|\(import\.meta\.url\)\s*\.\s*resolve)\()\s*"((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^"\s]*)?"/g,
        )
      : text.matchAll(
          /(?:^\s*(?:import|export)\b[^'"]*?\bfrom |^import |^declare module |\bimport\()'((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:[:/][^'\s]*)?'/gm,
        );
    for (const [, name] of names) if (name !== 'node' && name !== 'foretoken') found.add(name!);
  }
  return found;
}

test('every package that it imports is a dependency or a peer, and every dependency is imported', () => {
  const { dependencies, peerDependencies } = manifest();
  const imported = importedPackages(join(dir, 'node_modules/foretoken/dist'));
  expect([...imported].sort()).toEqual([...Object.keys(dependencies), ...Object.keys(peerDependencies)].sort());
  const present = readdirSync(join(dir, 'node_modules')).filter((name) => !name.startsWith('.'));
  for (const bundled of ['commander', 'yaml', 'saxes', 'seedrandom', 'picocolors', 'flatqueue'])
    expect(present).not.toContain(bundled);
});

test('all its exports exist, and are imported without packages other than its dependencies', () => {
  const { exports } = manifest();
  const root = join(dir, 'node_modules/foretoken');
  for (const target of Object.values(exports).flatMap((one) => (typeof one === 'string' ? one : Object.values(one))))
    expect(existsSync(join(root, target)), target).toBe(true);
  const modules = Object.keys(exports).filter((name) => typeof exports[name] !== 'string');
  const source = `for (const name of ${JSON.stringify(modules)})
  console.log(name, await import('foretoken' + name.slice(1)).then((m) => Object.keys(m).length > 0, (e) => e.message));`;
  writeFileSync(join(dir, 'all.mjs'), source);
  const lines = run(process.execPath, ['all.mjs']).trim().split('\n');
  expect(lines.map((line) => line.replace(/ (imported from|in) .*/, ''))).toEqual([
    '. true',
    './models true',
    "./fast-check Cannot find package 'fast-check'",
    "./vitest Cannot find package 'vitest'",
  ]);
});

test('its command draws the net of a model in TypeScript, and converts a platform in XML to YAML', () => {
  const example = join(dir, 'node_modules/foretoken/examples/ring');
  const svg = join(dir, 'ring.svg');
  run('npx', ['foretoken', 'convert', join(example, 'model.ts'), svg, '--ranks', '2']);
  expect(readFileSync(svg, 'utf8')).toMatch(/^<svg /);
  const machine = join(dir, 'machine.yaml');
  run('npx', ['foretoken', 'convert', join(example, '../stencil/cluster.xml'), machine]);
  expect(readFileSync(machine, 'utf8')).toContain('nodes: 16');
});

test('it contains the expected files and nothing else', () => {
  const files = readdirSync(join(dir, 'node_modules/foretoken')).sort();
  expect(files).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'examples', 'package.json', 'schema']);
});

test('its declarations come from sources that exist, without source maps, whose sources it lacks', () => {
  const dist = join(dir, 'node_modules/foretoken/dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
  const declarations = files.filter((name) => name.endsWith('.d.ts'));
  expect(declarations.length).toBeGreaterThan(200);
  const source = (name: string): string => join('src', name.replace(/\.d\.ts$/, '.ts'));
  expect(declarations.filter((name) => !existsSync(source(name)))).toEqual([]);
  const modules = files.filter((name) => /\.(?:d\.ts|js)$/.test(name));
  expect(modules.filter((name) => readFileSync(join(dist, name), 'utf8').includes('sourceMappingURL'))).toEqual([]);
});

test('it has no install scripts, which npm would warn about', () => {
  const { scripts } = JSON.parse(readFileSync(join(dir, 'node_modules/foretoken/package.json'), 'utf8'));
  for (const name of ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepublish'])
    expect(scripts).not.toHaveProperty(name);
  expect(installed).not.toContain('foretoken@');
  // Scripts that build the package in a clone and before packing.
  expect(scripts).toMatchObject({ dependencies: 'npm run build', prepack: 'npm run build' });
});

test('it contains readable text, without build paths', () => {
  const root = join(dir, 'node_modules/foretoken/dist');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((f) =>
    statSync(join(root, f)).isFile(),
  );
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) {
    expect(file).toMatch(/\.(?:c?js|ts|json|map|txt|css)$/);
    const bytes = readFileSync(join(root, file));
    expect(bytes.includes(0), file).toBe(false);
    expect(bytes.includes(process.cwd()), file).toBe(false);
  }
});
