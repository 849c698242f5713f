import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { climbs, filesIn, type Import, importsOf } from '../scripts/imports.ts';
import { INPUT_KINDS } from '../src/commands/inputs/option-rows.ts';

/**
 * Allowed imports between folders of `src`, with reasons. Imports flow one way: a folder not listed may not be imported.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  // A language and its compiler; independent of nets.
  kernel: [],
  net: ['base'],
  // Trace formats; models are built from traces, not the other way round.
  // `kernel`: regular lines are read by generated code.
  trace: ['kernel', 'base'],
  models: ['net', 'trace', 'base'],
  // `models`: only types of a program's demands on a machine; values flow the other way.
  machine: ['net', 'base', 'models'],
  engine: ['kernel', 'net', 'base'],
  // Code that uses nets and traces, but neither programs nor machines.
  // `kernel`: state spaces are explored by code generated for the net.
  analysis: ['engine', 'kernel', 'net', 'trace', 'base'],
  // The rendering kit that commands share. It knows no result document.
  report: ['base'],
  // One folder per user job: function, result document, rendering, options.
  commands: ['report', 'analysis', 'engine', 'machine', 'models', 'net', 'trace', 'base'],
  // What a browser runs: views of result documents and run records, by the code that makes them.
  page: ['commands', 'report', 'analysis', 'net', 'trace', 'base'],
  // Matchers for users' tests, on the level of the commands. May also import fast-check and vitest.
  testing: ['commands', 'report', 'analysis', 'engine', 'kernel', 'machine', 'models', 'net', 'trace', 'base'],
  // Entry point, streams, worker threads: what is not the job of a command.
  // `kernel`: translations are kept in the user's cache folder.
  cli: ['commands', 'models', 'trace', 'kernel', 'base'],
};

/** Imports of which only types are allowed. */
const TYPES_ONLY: readonly string[] = ['machine → models'];

const all = filesIn('src').flatMap(importsOf);
const imported = new Set(all.map((i) => i.imported));
/** Nobody imports the entry point of a thread, so it closes no cycle. */
const entries = new Set(all.map((i) => i.file).filter((file) => !imported.has(file)));

/** Import cycles; finds at least one if there are any. */
function circlesOf(imports: readonly Import[]): string[] {
  const importsBy = new Map<string, string[]>();
  for (const { file, imported } of imports) importsBy.set(file, [...(importsBy.get(file) ?? []), imported]);
  const cycles: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const follow = (file: string): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (path.includes(file) || done.has(file)) return;
    path.push(file);
    for (const imported of importsBy.get(file) ?? []) follow(imported);
    path.pop();
    done.add(file);
  };
  for (const file of importsBy.keys()) follow(file);
  return cycles;
}

test('there are imports to check', () => {
  expect(all.length).toBeGreaterThan(100);
});

test('imports between folders flow one way', () => {
  const wrong = all
    .filter((i) => i.from !== i.to && i.from !== 'index')
    .filter((i) => !(MAY_IMPORT[i.from] ?? []).includes(i.to))
    .map((i) => `${i.file}: ${i.from} → ${i.to}`);
  expect(wrong).toEqual([]);
});

test('the table of docs/architecture.md has the imports that are allowed', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z]+)` \|[^|]*\| ([^|]*) \|$/gm)];
  expect(rows.map(([, folder]) => folder).sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  const listed = rows.map(([, folder, cell]) => {
    const names = cell!.replace('types of ', '').match(/[a-z]+/g) ?? [];
    const [all, but, ...others] = names;
    if (all !== 'all' || but !== 'but') return [folder, names.sort()];
    return [
      folder,
      Object.keys(MAY_IMPORT)
        .filter((name) => name !== folder && !others.includes(name))
        .sort(),
    ];
  });
  const allowed = rows.map(([, folder]) => [folder, [...MAY_IMPORT[folder!]!].sort()]);
  expect(listed).toEqual(allowed);
});

test('imports go down in the picture of docs/architecture.md', () => {
  const up = all.filter((i) => !entries.has(i.file) && climbs(i.file, i.imported));
  expect(up.map(({ file, imported: to }) => `${file} → ${to}`)).toEqual([]);
  // The picture is read, with all its lines.
  expect(climbs('src/base/units.ts', 'src/net/net.ts')).toBe(true);
  expect(climbs('src/commands/predict/predict.ts', 'src/commands/whatif/whatif.ts')).toBe(true);
});

test('the picture has every folder of the commands and of the analyses', () => {
  const picture = /^```\n([\s\S]*?)^```/m.exec(readFileSync('docs/architecture.md', 'utf8'))![1]!;
  const named = new Set(picture.match(/[a-z]+(?:-[a-z]+)*/g));
  const folders = ['commands', 'analysis'].flatMap((folder) =>
    readdirSync(join('src', folder), { withFileTypes: true }).filter((entry) => entry.isDirectory()),
  );
  expect(folders.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
});

test('no import cycles, not even of types', () => {
  // Also in tests, scripts, benchmarks and examples: Biome's rule for this takes a third of its time.
  const others = ['test', 'scripts', 'bench', 'examples'].flatMap(filesIn).flatMap(importsOf);
  expect(others.some(({ imported }) => imported.startsWith('test/'))).toBe(true);
  expect(circlesOf([...all, ...others])).toEqual([]);
  // A cycle is found, also behind a file that is in none.
  const [a, b, c] = ['src/a.ts', 'src/b.ts', 'src/c.ts'];
  const steps = [
    [a, b],
    [b, c],
    [c, b],
  ].map(([file, imported]) => ({ ...all[0]!, file: file!, imported: imported! }));
  expect(circlesOf(steps)).toEqual(['src/b.ts → src/c.ts → src/b.ts']);
});

test('no import cycles between folders one level below the top', () => {
  const room = (file: string): string => file.split('/').slice(1, 3).join('/');
  const isBelow = (file: string): boolean => file.split('/').length > 3;
  const between = all
    .filter((i) => !entries.has(i.file) && isBelow(i.file) && isBelow(i.imported))
    .map((i) => ({ ...i, file: room(i.file), imported: room(i.imported) }))
    .filter((i) => i.file !== i.imported);
  expect(circlesOf(between)).toEqual([]);
});

test('some imports are type-only', () => {
  const wrong = all
    .filter((i) => TYPES_ONLY.includes(`${i.from} → ${i.to}`) && !i.typeOnly)
    .map((i) => `${i.file}: ${i.from} → ${i.to}`);
  expect(wrong).toEqual([]);
});

test('engine and analyses know no message passing', () => {
  const words = /\b(mpi|rank|ranks|collective|eager|rendezvous|isend|irecv|waitall)\b/i;
  const wrong = ['engine', 'analysis', 'net']
    .flatMap((f) => filesIn(`src/${f}`))
    // The analysis of run records sums up collective operations by name.
    .filter((f) => !f.startsWith('src/analysis/efficiency/'))
    // The rank of a matrix.
    .filter((f) => !f.startsWith('src/analysis/structure/free-choice/'))
    .filter((f) => words.test(readFileSync(f, 'utf8')));
  expect(wrong).toEqual([]);
});

/** Files that may ask for the kind of an input, with reasons. */
const MAY_ASK: readonly string[] = [
  // Decides the kind of every value and path. Makers of subjects and commands have a table with a row for each kind.
  'src/commands/inputs/input.ts',
  // Endings of paths, known before anything else is loaded.
  'src/commands/inputs/path-kinds.ts',
  // Tells that a file given as a machine is not one.
  'src/commands/inputs/input-kinds.ts',
  // Takes nets only: it imports the net of a worker thread, below the commands.
  'src/analysis/net-module.ts',
];

test('nothing asks for the kind of an input, but takes the row of a table', () => {
  const kinds = `'(?:${INPUT_KINDS.join('|')})'`;
  const questions = [
    /\b(?:isModel|isThreadModel|isNet|isAnyModel|isModelFile|isNetFile|isRunFile)\b(?=[^\n]*\bfrom '|\()/,
    new RegExp(`[=!]==? ${kinds}|\\bcase ${kinds}|${kinds} [=!]==? `),
    /\btypeof (?:input|model|subject) [=!]== '(?:string|object)' [?&|]/,
    /'(?:model|transitions)' in /,
    /(?:MODEL|NET|RUN)_ENDINGS\.(?:includes|some|indexOf)/,
  ];
  const asking = ['analysis', 'cli', 'commands', 'testing']
    .flatMap((f) => filesIn(`src/${f}`))
    .filter((f) => questions.some((question) => question.test(readFileSync(f, 'utf8'))));
  expect(asking.filter((f) => !MAY_ASK.includes(f))).toEqual([]);
  // Every exception is needed.
  expect(MAY_ASK.filter((f) => !asking.includes(f))).toEqual([]);
});

test('titles of tests say what is tested, also in a flat list of names', () => {
  // Titles of placeholders and punctuation only.
  const placeholders =
    /(?:\)|\b(?:test|it|describe))\(\s*(['"`])[^\w'"`%$]*(?:(?:%[\w#%]|\$(?:[\w.]+|\{[^}]*\}))[^\w'"`%$]*)+\1,/;
  expect(filesIn('test').filter((f) => placeholders.test(readFileSync(f, 'utf8')))).toEqual([]);
});

test('numbers of cases are integers: fast-check never ends with a fraction', () => {
  const wrong = filesIn('test').flatMap((f) =>
    readFileSync(f, 'utf8')
      .split('\n')
      .filter((line) => /numRuns: [\w.]+ *\/ */.test(line))
      .map((line) => `${f}: ${line.trim()}`),
  );
  expect(wrong).toEqual([]);
});

/**
 * Without `commands/NAME/job.ts`, which the worker thread loads by the name of the command, and without distributions and
 * topologies, each of which is one file.
 */
const lines = new Map(
  filesIn('src')
    .filter((f) => !/^src\/(commands\/\w+\/job|(net\/distributions|machine\/topology)\/[\w-]+)\.ts$/.test(f))
    .map((f) => [f, readFileSync(f, 'utf8').split('\n').length - 1]),
);

test('at most 20 files in a folder, and 16 % of all files of less than 60 lines', () => {
  const counts = new Map<string, number>();
  for (const file of lines.keys()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
  const small = [...lines].filter(([, count]) => count < 60).map(([file]) => file);
  const advice = `${small.length} of ${lines.size} files have less than 60 lines: join a new one with a file of the same idea`;
  expect(small.length, advice).toBeLessThanOrEqual(0.16 * lines.size);
});

test('a file of less than 30 lines has several importers: otherwise it belongs into its only one', () => {
  const importers = new Map<string, Set<string>>();
  for (const { file, imported } of all) importers.set(imported, (importers.get(imported) ?? new Set()).add(file));
  const wrong = [...importers]
    .filter(([file, by]) => by.size === 1 && (lines.get(file) ?? 30) < 30)
    .map(([file]) => file);
  expect(wrong).toEqual([]);
});

test('imports of the benchmarks name files that exist', () => {
  const missing = readdirSync('bench')
    .filter((f) => /\.(ts|mjs)$/.test(f))
    .flatMap((f) =>
      [...readFileSync(join('bench', f), 'utf8').matchAll(/from '(\.[^']+)'/g)].map((m) =>
        normalize(join('bench', m[1]!)),
      ),
    )
    // The type check does not see imports of the built package.
    .map((path) => path.replace(/^dist\/cli\/(.*)\.js$/, 'src/$1.ts'))
    .filter((path) => !existsSync(path));
  expect(missing).toEqual([]);
});

test('the type check reads sources in place of the built package', () => {
  const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
  const { exports } = read('package.json') as { exports: Record<string, string | { types: string }> };
  const { compilerOptions } = read('tsconfig.test.json') as { compilerOptions: { paths: unknown } };
  const sources = Object.entries(exports).flatMap(([name, target]) =>
    typeof target === 'string'
      ? []
      : [[name.replace(/^\./, 'foretoken'), [target.types.replace('dist', 'src').replace('.d.ts', '.ts')]]],
  );
  expect(compilerOptions.paths).toEqual(Object.fromEntries(sources));
});
