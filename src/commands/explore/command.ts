import type { Command } from 'commander';
import { given } from '../../base/given.ts';
import { cleanUp } from '../command-line/clean-up.ts';
import { exitCode } from '../command-line/exit-code.ts';
import type { RunJob, Shell, SpaceFlags } from '../command-line/job.ts';
import { parameter, positiveInteger } from '../command-line/option-values.ts';
import { written } from '../command-line/outcome.ts';
import { offerDocument } from '../command-line/result-output.ts';
import { EXPLORING_WORKERS, spaceLimits, spaceOptions } from '../command-line/space-options.ts';
import { type ThreadFlags, threadNetOptions, threadsOf } from '../command-line/thread-options.ts';
import { filesOf } from '../inputs/path-kinds.ts';
import type { ExploreJob } from './job.ts';
import type { SpaceDocument } from './space.ts';

interface ExploreFlags extends SpaceFlags, ThreadFlags {
  readonly bounds?: string;
  readonly liveness?: true;
  readonly runTime?: true;
  readonly graph?: string;
  readonly machine?: string;
  readonly ranks?: number;
  readonly oversubscribe?: true;
  readonly set: Readonly<Record<string, number | string | boolean>>;
  readonly json?: true;
}

/** Adds `foretoken explore`. */
export function exploreCommand(program: Command, { ends, runJob }: Shell): void {
  const command = spaceOptions(
    program
      .command('explore')
      .description('explores all reachable markings of a net: number, deadlocks, liveness, bounds, components')
      .argument('<input>', filesOf('explore')),
  );
  threadNetOptions(command, EXPLORING_WORKERS)
    .option('--bounds <groups>', 'maximum tokens of groups of places, as in "p1,p2;p3"')
    .option('--liveness', 'how often each transition can fire (levels 0 to 4), and the number of home states')
    .option(
      '--run-time',
      'shortest and longest run time over all orders, or the distribution of a random one, also where the search is long',
    )
    .option('--graph <file>', 'draw the graph of a small space: .svg, .html or .dot')
    .option('--set <name=value>', 'model only: value of a parameter (repeatable)', parameter, {})
    .option('-n, --ranks <number>', 'model only: number of ranks (default: its verifyWith, or 2)', positiveInteger)
    .option('--oversubscribe', 'model only: let ranks share cores if there are fewer cores than ranks')
    .option('-m, --machine <file>', 'model only: the machine, which decides which sends wait for their receivers')
    .option('--json', 'print the result document, and nothing else, on standard output')
    .addHelpText('after', EXAMPLE)
    .action(async (input: string, flags: ExploreFlags) => {
      const options = {
        ...spaceLimits(flags),
        ...threadsOf(flags),
        ...given(flags, ['bounds', 'liveness', 'runTime', 'graph', 'machine', 'ranks', 'oversubscribe']),
        ...(Object.keys(flags.set).length === 0 ? {} : { set: flags.set }),
      };
      ends(await explore({ command: 'explore', input, options }, flags.json === true, runJob));
    });
}

const EXAMPLE = `
Examples:
  foretoken explore net.pnml
  foretoken explore net.json --bounds "buffer,full;lock" --graph space.html
  foretoken explore large.pnml --memory 4GiB --seconds 60 --json
  foretoken explore huge.pnml --hash-compact --memory 4GiB
  foretoken explore ring.ts --ranks 4 --set turns=2
  foretoken explore threads.ts --workers 2 --scheduler stealing

Exit code 0: all states were found; 3: a limit was reached, hash compaction may have omitted states, or a run time asked for is not known; 130: interrupted by Ctrl-C. Partial results are printed for 3 and 130.`;

async function explore(job: ExploreJob, json: boolean, runJob: RunJob): Promise<number> {
  const view = json ? jsonView() : textView();
  const end = await runJob<SpaceDocument>(job, await cleanUp(job.options.graph));
  const { answer } = end;
  if (answer.kind === 'done') offerDocument({ json: async () => (await jsonView())(answer.result) });
  return written(end, view, ({ complete, options, runTime, distribution }) =>
    complete && (options.runTime === undefined || runTime?.complete === true || distribution !== undefined)
      ? exitCode.ok
      : exitCode.incomplete,
  );
}

type View = (document: SpaceDocument) => string;

/** Views are loaded while the worker thread computes. */
async function jsonView(): Promise<View> {
  const { spaceJson } = await import('./space-view.ts');
  return spaceJson;
}

async function textView(): Promise<View> {
  const [{ renderSpace }, { outputStyle }] = await Promise.all([
    import('./space-view.ts'),
    import('../command-line/output-style.ts'),
  ]);
  return (document) => renderSpace(document, outputStyle());
}
