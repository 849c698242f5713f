import { needsUnguarded, rerunUnguarded } from '../commands/command-line/address-space.ts';
import { looksSmall } from './small-job.ts';

/** Runs a command line in this process or, where it needs other flags of Node or has limits, in another one; returns the exit code. */
export async function begin(argv: readonly string[]): Promise<number> {
  return needsUnguarded() ? rerunUnguarded() : limited(argv);
}

/** A limit of time or memory is watched from outside: no code of this process can then miss it. */
async function limited(argv: readonly string[]): Promise<number> {
  if (!argv.some((word) => /^--(?:seconds|memory)(?:=|$)/.test(word))) return main(argv);
  return (await (await import('../commands/command-line/supervise.ts')).supervised(argv)) ?? main(argv);
}

/** False if the working directory was deleted: a thread cannot start then. */
function hasFolder(): boolean {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}

async function main(argv: readonly string[]): Promise<number> {
  if (looksSmall(argv)) {
    const code = await (await import('./small-script.ts')).runSmall(argv);
    if (code !== undefined) return code;
  }
  // The worker thread starts while this thread parses the command line.
  else if (hasFolder()) void import('./run-job.ts').then(({ startWorker }) => startWorker(argv));
  const { run } = await import('./program.ts');
  return run(argv);
}
