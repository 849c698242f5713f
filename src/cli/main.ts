import { needsUnguarded, rerunUnguarded } from '../commands/command-line/address-space.ts';
import { looksSmall } from './small-job.ts';

process.exitCode = needsUnguarded() ? await rerunUnguarded() : await main(process.argv.slice(2));

/** False if the working directory was deleted: a thread cannot start then. */
function hasFolder(): boolean {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}

async function main(argv: readonly string[]): Promise<number> {
  // The worker thread starts while this thread parses the command line.
  if (hasFolder() && !looksSmall(argv)) void import('./run-job.ts').then(({ startWorker }) => startWorker(argv));
  const { run } = await import('./program.ts');
  return run(argv);
}
