import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MODEL_ENDINGS } from '../../src/commands/inputs/path-kinds.ts';
import { foretoken } from './run.ts';

const root = mkdtempSync(join(tmpdir(), 'foretoken-endings-'));
afterAll(() => rmSync(root, { recursive: true }));

const PACKAGES = ['none', 'module', 'commonjs'] as const;
type Package = (typeof PACKAGES)[number];

/** Whether a file is written with `import` and `export`. TypeScript takes both in `.cts`. */
const isEcmaScript = (ending: string, kind: Package, style: Style): boolean =>
  ending === '.cts' ? style === 'export' : ending !== '.cjs' && (ending !== '.js' || kind === 'module');
type Style = 'export' | 'module.exports';

/** A folder with a model of each ending, which computes the sum of what parts of all endings export. */
function folderOf(kind: Package, style: Style): string {
  const dir = join(root, `${kind}-${style}`);
  mkdirSync(dir);
  if (kind !== 'none') writeFileSync(join(dir, 'package.json'), JSON.stringify({ type: kind }));
  const names = MODEL_ENDINGS.map((_, k) => `part${k}`);
  MODEL_ENDINGS.forEach((ending, k) => {
    const typed = /ts$/.test(ending) ? ': number' : '';
    const isOne = isEcmaScript(ending, kind, style);
    const part = `const part${k}${typed} = ${2 ** k}e9;\n`;
    writeFileSync(join(dir, `part${k}${ending}`), isOne ? `export ${part}` : `${part}exports.part${k} = part${k};\n`);
    const imports = [
      ['spmd', 'foretoken/models'],
      ...names.map((name, j) => [name, `./part${j}${MODEL_ENDINGS[j]!}`]),
    ].map(([name, from]) => (isOne ? `import { ${name} } from '${from}';` : `const { ${name} } = require('${from}');`));
    const model = `spmd({ name: 'sum', build(m) { m.compute({ flops: ${names.join(' + ')} }); } });\n`;
    const whole = isOne ? `export default ${model}` : `module.exports = ${model}`;
    writeFileSync(join(dir, `model${ending}`), `${imports.join('\n')}\n${whole}`);
  });
  return dir;
}

const STYLES: readonly (readonly [Package, Style])[] = [
  ['none', 'export'],
  ['module', 'module.exports'],
  ['commonjs', 'export'],
];

test.each(STYLES)(
  'in a package of type %s, with .cts by %s, models of all endings import files of all endings',
  async (kind, style) => {
    const dir = folderOf(kind, style);
    for (const ending of MODEL_ENDINGS) {
      const { stdout, stderr } = await foretoken(['predict', join(dir, `model${ending}`), '--ranks', '1', '--json']);
      expect(stdout, `model${ending}: ${stderr}`).not.toBe('');
      const { figures, inputs } = JSON.parse(stdout);
      // Each part is a power of two: the sum tells which are missing.
      expect(figures.runTime.value, ending).toBe(2 ** MODEL_ENDINGS.length - 1);
      expect(inputs.members.length, ending).toBeGreaterThanOrEqual(MODEL_ENDINGS.length);
    }
  },
  60_000,
);

test('a .cts file that is imported and required runs once', async () => {
  const dir = join(root, 'once');
  mkdirSync(dir);
  writeFileSync(join(dir, 'count.cts'), 'export const count: { n: number } = { n: 0 };\ncount.n++;\n');
  writeFileSync(join(dir, 'more.cts'), "import { count } from './count.cts';\ncount.n++;\nexport {};\n");
  const model = (order: string): string =>
    `${order}\nimport { spmd } from 'foretoken/models';\nexport const other = spmd({ name: 'other', build() {} });\n` +
    "export default spmd({ name: 'count', build(m) { m.compute({ flops: count.n * 1e9 }); } });\n";
  const files = {
    'first.ts': "import { count } from './count.cts';\nimport './more.cts';",
    'second.ts': "import './more.cts';\nimport { count } from './count.cts';",
    'third.cts': "import './more.cts';\nimport { count } from './count.cts';",
  };
  for (const [name, order] of Object.entries(files)) {
    writeFileSync(join(dir, name), model(order));
    const { stdout, stderr } = await foretoken(['predict', join(dir, name), '--ranks', '1', '--json']);
    expect(stdout, `${name}: ${stderr}`).not.toBe('');
    expect(JSON.parse(stdout).figures.runTime.value, name).toBe(2);
  }
});

test.each(['ts', 'mts', 'cts'])('a fault in a .%s file that a .ts model imports has its line', async (ending) => {
  const part = join(root, `fault-${ending}.${ending}`);
  const lines = ['interface Given {', '  readonly n: number;', '}', 'export function fail(given: Given): never {'];
  writeFileSync(part, `${lines.join('\n')}\n  throw new Error(String(given.n));\n}\n`);
  const model = join(root, `fault-of-${ending}.ts`);
  writeFileSync(
    model,
    `import { spmd } from 'foretoken/models';\nimport { fail } from './fault-${ending}.${ending}';\n` +
      "export default spmd({ name: 'x', build() { fail({ n: 3 }); } });\n",
  );
  const { code, stderr } = await foretoken(['predict', model, '--ranks', '1']);
  expect(code).toBe(2);
  expect(stderr).toMatch(new RegExp(`fault-${ending}\\.${ending}:5:\\d+: MODEL029 .*Error: 3`));
});
