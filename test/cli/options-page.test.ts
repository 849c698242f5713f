import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { APPLIES, functionOf, INPUT_KINDS, type JobName } from '../../src/commands/inputs/option-rows.ts';
import { filesOf, MODEL_ENDINGS, NET_ENDINGS } from '../../src/commands/inputs/path-kinds.ts';
import { netAxes } from '../../src/commands/whatif/axes/net-axes.ts';
import { AXIS_OPTIONS, MACHINE_PREFIX, MODEL_PREFIX, THREAD_AXES } from '../../src/commands/whatif/axes/study-axes.ts';
import { exponential, fcfs, NetBuilder } from '../../src/index.ts';
import { RUN_ENDINGS } from '../../src/trace/run/run-endings.ts';
import { warmly } from './warm.ts';

const PAGE = readFileSync('docs/cli.md', 'utf8');

/** The page by heading; the key '' has what is before the sections of commands. */
const SECTIONS: ReadonlyMap<string, string> = new Map(
  PAGE.split(/^(?=## )/m).map((text) => [/^## (\S+)$/m.exec(text)?.[1] ?? '', text]),
);
/** Sections on options of several commands. */
const SHARED = PAGE.slice(0, PAGE.indexOf('\n## predict\n'));

const optionsIn = (text: string): string[] => [...text.matchAll(/--[a-z]+(?:-[a-z]+)*/g)].map(([name]) => name);
/** The options of the first cells of tables. */
const rowsIn = (text: string): string[] =>
  [...text.matchAll(/^\| (`-[^|]*(?:\\\|[^|]*)*)\|/gm)].flatMap(([, cell]) => optionsIn(cell!));

/** The options of each command, from its help. */
const COMMANDS = new Map<string, readonly string[]>();

beforeAll(async () => {
  const { stdout } = await warmly(['--help']);
  const list = stdout.slice(stdout.indexOf('Commands:'));
  const names = [...list.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!).filter((name) => name !== 'help');
  for (const name of names) {
    const help = (await warmly([name, '--help'])).stdout;
    COMMANDS.set(
      name,
      [...help.matchAll(/^ {2}(?:-[a-zA-Z], )?(--[a-z-]+)/gm)]
        .map(([, option]) => option!)
        .filter((o) => o !== '--help'),
    );
  }
}, 120_000);

/** Options of other programs that strings of the sources name: of Node.js, npm, Storm and the program itself. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  ...['--max-old-space-size', '--disable-wasm-trap-handler', '--interrupt-budget'],
  ...['--prism', '--prop', '--jani', '--janiproperty', '--help', '--version'],
]);

test('strings of the sources name only options that a command has', () => {
  const known = new Set([...COMMANDS.values()].flat());
  const strings = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g;
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const text = readFileSync(`src/${name}`, 'utf8').replaceAll(/^ *(?:\/\*\*?|\*|\/\/).*$/gm, '');
      return [...text.matchAll(strings)].flatMap(([string]) =>
        optionsIn(string).map((option) => [option, name] as const),
      );
    });
  expect(found.length).toBeGreaterThan(200);
  expect(found.filter(([option]) => !known.has(option) && !OF_OTHERS.has(option))).toEqual([]);
  const named = new Set(found.map(([option]) => option));
  expect([...OF_OTHERS].filter((option) => !named.has(option))).toEqual([]);
});

describe('docs/cli.md', () => {
  test('explains every option that a command registers', () => {
    expect(COMMANDS.size).toBeGreaterThan(10);
    const missing = [...COMMANDS].flatMap(([name, options]) => {
      const explained = new Set(optionsIn(SHARED + SECTIONS.get(name)!));
      expect(options.length, name).toBeGreaterThan(0);
      return options.filter((option) => !explained.has(option)).map((option) => `${name} ${option}`);
    });
    expect(missing).toEqual([]);
  });

  test('lists no option that its command does not register', () => {
    const all = new Set([...COMMANDS.values()].flat());
    const unknown = [...COMMANDS].flatMap(([name, options]) =>
      rowsIn(SECTIONS.get(name)!)
        .filter((option) => !options.includes(option))
        .map((option) => `${name} ${option}`),
    );
    expect(unknown).toEqual([]);
    expect(rowsIn(SHARED).length).toBeGreaterThan(10);
    expect(rowsIn(SHARED).filter((option) => !all.has(option))).toEqual([]);
  });

  test('names every axis of --vary, as its help does', async () => {
    const n = new NetBuilder('station');
    const NAME = n.place('NAME', {}, { initial: 1, service: fcfs({ time: exponential(1), servers: 2 }) });
    n.transition('NAME', (t) => {
      t.take(NAME);
      t.put(NAME, {});
      t.delay(exponential(1));
    });
    const axes = [
      ...Object.keys(AXIS_OPTIONS),
      ...Object.keys(THREAD_AXES),
      'ranks',
      `${MODEL_PREFIX}NAME`,
      `${MACHINE_PREFIX}NAME`,
      ...netAxes(n.build()),
    ];
    for (const axis of ['transitions.NAME.rate', 'servers.NAME']) expect(axes).toContain(axis);
    const row = PAGE.split('\n').find((line) => line.startsWith('| `--vary '))!;
    expect(axes.filter((axis) => !row.includes(`\`${axis}\``))).toEqual([]);
  });

  test('says of every command which inputs it takes, and of every ending what it is read as', () => {
    const [head, ...rows] = PAGE.slice(PAGE.indexOf('| input | `predict` |'))
      .split('\n\n')[0]!
      .split('\n')
      .filter((line) => !line.startsWith('|---'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    const jobs: JobName[] = ['predict', 'whatif', 'verifyCommand', 'explore', 'structure'];
    jobs.push('steady', 'convertCommand', 'profile', 'view', 'diagnose');
    const all = new Set<string>(Object.values(APPLIES).flat());
    expect(jobs.map(functionOf).sort()).toEqual([...COMMANDS.keys()].filter((name) => all.has(name)).sort());
    expect(head).toEqual(['input', ...jobs.map((job) => `\`${functionOf(job)}\``)]);
    const takes = (kind: keyof typeof APPLIES, job: JobName): string =>
      (APPLIES[kind] as readonly JobName[]).includes(job) ? '✓' : '';
    expect(rows).toEqual(INPUT_KINDS.map((kind) => [kind, ...jobs.map((job) => takes(kind, job))]));

    const endings = PAGE.slice(PAGE.indexOf('| ending | is read as |')).split('\n\n')[0]!.toLowerCase();
    const read = [...MODEL_ENDINGS, ...NET_ENDINGS, ...RUN_ENDINGS, '.txt', '.sched'];
    expect(read.filter((ending) => !endings.includes(`\`${ending}\``))).toEqual([]);
    // Every ending in the help of a command is in the table of endings, too.
    const named = jobs.flatMap((job) =>
      [...filesOf(job).matchAll(/\.[a-z]+\b/gi)].map(([ending]) => ending.toLowerCase()),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((ending) => !endings.includes(`\`${ending}\``))).toEqual([]);
  });
});
