import { dirname } from 'node:path';
import type { Command } from 'commander';
import { exitCode } from '../command-line/exit-code.ts';
import type { Shell } from '../command-line/job.ts';
import { visible } from '../command-line/visible.ts';

/** Adds `foretoken init`. */
export function initCommand(program: Command, { ends }: Shell): void {
  program
    .command('init')
    .description('creates a first model, a machine and a test in a folder; overwrites nothing')
    .argument('[dir]', 'the folder, created if missing (default: the current one)', '.')
    .addHelpText('after', EXAMPLE)
    .action(async (folder: string) => ends(await begin(folder)));
}

const EXAMPLE = `
Examples:
  foretoken init jacobi
  foretoken init`;

async function begin(folder: string): Promise<number> {
  const [{ init, packageWithoutModules }, { NEXT, RUN_TEST }, { InputError }, { fileArgument, runner, shellWord }] =
    await Promise.all([
      import('./init-files.ts'),
      import('./init-files.ts'),
      import('../../base/problem.ts'),
      import('../../base/shell-words.ts'),
    ]);
  try {
    const files = init(folder);
    const prefix = folder === '.' ? '' : `${folder.replace(/\/+$/, '')}/`;
    const lines = files.map(({ name, written }) => `${written ? 'wrote' : 'kept '} ${visible(prefix + name)}`);
    const next = [
      ...(folder === '.' ? [] : [`cd ${visible(shellWord(fileArgument(folder)))}`]),
      ...NEXT.map((command) => runner() + command),
      RUN_TEST,
    ];
    const missing = packageWithoutModules(folder);
    const note =
      missing === undefined
        ? []
        : [
            '',
            `note: ${visible(missing)} lacks "type": "module", which scripts that import foretoken need:`,
            `  npm pkg set type=module${missing === 'package.json' ? '' : ` --prefix ${visible(dirname(missing))}`}`,
          ];
    process.stdout.write(`${[...lines, '', 'Next:', ...next.map((command) => `  ${command}`), ...note].join('\n')}\n`);
    return exitCode.ok;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problemText } = await import('../command-line/failure.ts');
    process.stderr.write(problemText(error.problems));
    return exitCode.input;
  }
}
