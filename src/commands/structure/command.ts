import type { Command } from 'commander';
import { given } from '../../base/given.ts';
import { cleanUp } from '../command-line/clean-up.ts';
import { exitCode } from '../command-line/exit-code.ts';
import type { RunJob, Shell } from '../command-line/job.ts';
import { limitCount, parameter, positiveInteger } from '../command-line/option-values.ts';
import { written } from '../command-line/outcome.ts';
import { offerDocument } from '../command-line/result-output.ts';
import { memorySize, positiveSeconds } from '../command-line/space-options.ts';
import { type ThreadFlags, threadNetOptions, threadsOf } from '../command-line/thread-options.ts';
import { filesOf } from '../inputs/path-kinds.ts';
import type { StructureDocument } from './structure-result.ts';

interface StructureFlags extends ThreadFlags {
  readonly unreachable?: readonly string[];
  readonly sets?: number;
  readonly seconds?: number;
  readonly memory?: number;
  readonly linearPrograms: boolean;
  readonly machine?: string;
  readonly ranks?: number;
  readonly oversubscribe?: true;
  readonly set: Readonly<Record<string, number | string | boolean>>;
  readonly json?: true;
}

/** Adds `foretoken structure`. */
export function structureCommand(program: Command, { ends, runJob }: Shell): void {
  const command = program
    .command('structure')
    .description('structural proofs without a state space: semiflows, siphons, traps, bounds, unreachable markings')
    .argument('<input>', filesOf('structure'))
    .option(
      '-u, --unreachable <target>',
      'prove that no marking satisfies this formula, as in "p1 >= 2 & p2 >= 1" (repeatable)',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .option('--sets <number>', 'maximum number of siphons and of traps listed (default: 1000)', limitCount)
    .option('--seconds <seconds>', 'time limit of the whole command', positiveSeconds)
    .option('--memory <size>', 'memory limit, as in 4GiB (default: half of the free memory)', memorySize)
    .option('--no-linear-programs', 'do not use HiGHS, even if the package highs is installed')
    .option('--set <name=value>', 'model only: value of a parameter (repeatable)', parameter, {})
    .option('-n, --ranks <number>', 'model only: number of ranks (default: its verifyWith, or 2)', positiveInteger)
    .option('--oversubscribe', 'model only: let ranks share cores if there are fewer cores than ranks')
    .option('-m, --machine <file>', 'model only: the machine, which decides which sends wait for their receivers');
  threadNetOptions(command)
    .option('--json', 'print the result document, and nothing else, on standard output')
    .addHelpText('after', EXAMPLE)
    .action(async (input: string, flags: StructureFlags) => ends(await structure(input, flags, runJob)));
}

const EXAMPLE = `
Examples:
  foretoken structure net.pnml
  foretoken structure net.pnml --unreachable 'critical1 >= 1 & critical2 >= 1'
  foretoken structure ring.ts --ranks 4 --json

Exit code 0: done, and every target is proved unreachable; 3: a limit was reached, or at
least one target is not proved (it may or may not be reachable); 130: interrupted by Ctrl-C. Partial results are printed for 3 and 130.`;

async function structure(input: string, flags: StructureFlags, runJob: RunJob): Promise<number> {
  const view = flags.json === true ? jsonView() : textView();
  const options = {
    ...given(flags, ['unreachable', 'sets', 'seconds', 'memory', 'machine', 'ranks', 'oversubscribe']),
    ...threadsOf(flags),
    ...(flags.linearPrograms ? {} : { linearPrograms: false }),
    ...(Object.keys(flags.set).length === 0 ? {} : { set: flags.set }),
  };
  const end = await runJob<StructureDocument>({ command: 'structure', input, options }, await cleanUp(undefined));
  const { answer } = end;
  if (answer.kind === 'done') offerDocument({ json: async () => (await jsonView())(answer.result) });
  return written(end, view, codeOf);
}

function codeOf({ truncation, unreachable = [] }: StructureDocument): number {
  const isKnown = truncation === undefined && unreachable.every((t) => t.unreachable === true);
  return isKnown ? exitCode.ok : exitCode.incomplete;
}

type View = (document: StructureDocument) => string;

/** Views are loaded while the worker thread computes. */
async function jsonView(): Promise<View> {
  const { structureJson } = await import('./structure-view.ts');
  return structureJson;
}

async function textView(): Promise<View> {
  const [{ renderStructure }, { outputStyle }] = await Promise.all([
    import('./structure-view.ts'),
    import('../command-line/output-style.ts'),
  ]);
  return (document) => renderStructure(document, outputStyle());
}
