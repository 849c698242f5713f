import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fail } from '../../base/problem.ts';
import { VERSION } from '../../base/version.ts';

/** The model that `foretoken init` writes. */

export const FIRST_MODEL = `import { counter, grid2d, spmd } from 'foretoken/models';

/** Jacobi iteration on an n × n grid: each rank exchanges block borders, computes, and regularly joins an allreduce. */
export default spmd({
  name: 'jacobi',
  params: { n: 2048, turns: 100, check: 10 },
  vars: { turn: counter() },
  build(m) {
    // This runs once: m.size and m.p are plain numbers here.
    const grid = grid2d(m.size);
    const width = Math.ceil(m.p.n / grid.px);
    const height = Math.ceil(m.p.n / grid.py);
    m.loop('turn', m.p.turns, () => {
      const received = [grid.west, grid.east, grid.north, grid.south].map((neighbour, side) => {
        // Arguments that depend on the rank or the turn are functions of s; missing neighbours are null.
        m.isend({ to: (s) => neighbour(s.rank), bytes: 8 * (side < 2 ? height : width), tag: side ^ 1 });
        return m.irecv({ from: (s) => neighbour(s.rank), tag: side });
      });
      m.compute({ flops: 5 * width * height, bytes: 16 * width * height });
      m.waitAll(received);
      m.when(
        (s) => s.turn % s.p.check === s.p.check - 1,
        () => m.allreduce({ bytes: 8 }),
      );
    });
  },
});
`;

export const FIRST_MACHINE = `# Eight nodes of four cores. \`foretoken schema machine\` prints everything a machine file can contain.
nodes: 8
coresPerNode: 4
speed: 4Gf # of a core, in flop/s
memory: 100GB/s # of a node
link: { latency: 1.5us, bandwidth: 12.5GB/s }
eagerBelow: 64KiB # messages below this size do not wait for their receiver
`;

export const FIRST_TEST = `import { predict } from 'foretoken';
import { expect, test } from 'vitest';
import jacobi from './model.ts';

const machine = 'machine.yaml'; // of the folder in which vitest runs

test.each([1, 4, 16])('on %i ranks it ends and takes at least the computing time of its slowest rank', (ranks) => {
  const { figures, deadlock, ranks: each } = predict(jacobi.with({ turns: 10 }), { machine, ranks });
  expect(deadlock).toEqual([]);
  const busy = each.map(({ computing, memory = 0 }) => computing + memory);
  expect(figures.runTime.value).toBeGreaterThanOrEqual(Math.max(...busy) * (1 - 1e-12));
});
`;

/**
 * TypeScript settings for editors and `tsc`: imports have `.ts` endings and no output is written. With `bundler`,
 * `foretoken/models` is found whether or not the package.json created by npm declares ECMAScript modules.
 */
export const FIRST_TSCONFIG = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "esnext",
    "moduleResolution": "bundler",
    "moduleDetection": "force",
    "allowImportingTsExtensions": true,
    "strict": true,
    "skipLibCheck": true,
    "noEmit": true
  }
}
`;

/** Command that runs the test: vitest 5 does not run on Node.js 20. */
export const RUN_TEST = 'npm install -D vitest@4 && npx vitest run';

/** Suggested next commands, to be run in the project's folder. */
export const NEXT: readonly string[] = [
  'foretoken predict model.ts --machine machine.yaml --ranks 16',
  'foretoken whatif model.ts --machine machine.yaml --vary ranks=1..32*2',
  'foretoken whatif model.ts --machine machine.yaml --ranks 16 --elasticity all',
  'foretoken whatif model.ts --machine machine.yaml --vary ranks=1..32 --find ranks --target 50ms',
];

export const FIRST_README: string = `# A model of a parallel program

- \`model.ts\`: what each rank does
- \`machine.yaml\`: the machine it runs on
- \`model.test.ts\`: properties that must hold (\`${RUN_TEST}\`)
- \`tsconfig.json\`: lets your editor report mistakes as you type

\`\`\`
${NEXT.map((command) => `npx ${command}`).join('\n')}
\`\`\`
`;

/** @param folder its name becomes the package name; characters that package names do not allow are replaced */
export function firstPackage(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const contents = {
    name: name === '' ? 'model' : name,
    private: true,
    type: 'module',
    scripts: { test: 'vitest run' },
    devDependencies: { foretoken: `^${VERSION}`, vitest: '^4.1.0' },
  };
  return `${JSON.stringify(contents, null, 2)}\n`;
}

/** A file of a new project; `written` is false if it existed and was left unchanged. */
interface InitialFile {
  readonly name: string;
  readonly written: boolean;
}

/**
 * Writes a first model with its machine, its test and editor settings into a folder, which is created if necessary. Never
 * overwrites.
 *
 * @throws InputError APP006 if the folder or a file cannot be written
 */
export function init(folder: string): InitialFile[] {
  const files: Readonly<Record<string, string>> = {
    'model.ts': FIRST_MODEL,
    'machine.yaml': FIRST_MACHINE,
    'model.test.ts': FIRST_TEST,
    'tsconfig.json': FIRST_TSCONFIG,
    'package.json': firstPackage(basename(resolve(folder))),
    'README.md': FIRST_README,
  };
  try {
    mkdirSync(folder, { recursive: true });
  } catch (e) {
    cannotWrite(folder, e);
  }
  return Object.entries(files).map(([name, text]) => ({ name, written: writes(join(folder, name), text) }));
}

/**
 * The nearest package.json of a folder that does not declare ECMAScript modules, relative to the folder; undefined if it
 * does, or if none exists. Node.js then takes a script with `import` for CommonJS, or reads it twice.
 */
export function packageWithoutModules(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, 'package.json');
    try {
      const { type }: { readonly type?: unknown } = JSON.parse(readFileSync(path, 'utf8')) ?? {};
      return type === 'module' ? undefined : relative(resolve(folder), path);
    } catch (e) {
      // A file that is not JSON is reported by npm.
      if ((e as NodeJS.ErrnoException).code !== 'ENOENT') return undefined;
    }
    if (at === dirname(at)) return undefined;
  }
}

/** Writes a file unless it exists. */
function writes(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === 'EEXIST') return false;
    return cannotWrite(path, e);
  }
}

function cannotWrite(file: string, e: unknown): never {
  return fail('APP006', `cannot be written: ${(e as NodeJS.ErrnoException).code ?? 'unknown error'}`, { file });
}
