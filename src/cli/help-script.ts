import { createRequire } from 'node:module';
import type { run } from './program.ts';

/** Name of the script of helps, which `scripts/bundle.mjs` makes; undefined where the sources run without a build. */
declare const HELP_SCRIPT: string | undefined;

const HELP = /^(?:-h|--help)$/;
const VERSION = /^(?:-V|--version)$/;
const NAME = /^[a-z]+$/;

/**
 * True for command lines of these forms only: another one may have `--help` as the value of an option.
 *
 *     foretoken                      foretoken --version
 *     foretoken --help               foretoken COMMAND --help
 *     foretoken help                 foretoken help COMMAND
 */
export function asksForHelp([first, second, ...rest]: readonly string[]): boolean {
  if (rest.length > 0) return false;
  if (first === undefined) return true;
  if (second === undefined) return HELP.test(first) || VERSION.test(first) || first === 'help';
  return first === 'help' ? NAME.test(second) : NAME.test(first) && HELP.test(second);
}

/**
 * Prints the requested help, and returns the exit code. The script contains the options of all commands, but none of the modules that
 * commands load later: finding and linking the files of the whole program takes longer than printing help.
 *
 * @returns undefined, before anything is printed, where there is no script, or if more modules are needed
 */
export async function runHelp(argv: readonly string[]): Promise<number | undefined> {
  if (typeof HELP_SCRIPT === 'undefined') return undefined;
  const script = createRequire(import.meta.url)(HELP_SCRIPT) as { readonly run: typeof run };
  return script.run(argv).catch(() => undefined);
}
