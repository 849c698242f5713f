import { closeSync, fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { needsUnguarded, rerunUnguarded } from '../commands/command-line/address-space.ts';
import { looksSmall } from './small-job.ts';

process.once('exit', closeLostTerminals);

process.exitCode = needsUnguarded() ? await rerunUnguarded() : await limited(process.argv.slice(2));

/** A limit of time or memory is watched from outside: no code of this process can then miss it. */
async function limited(argv: readonly string[]): Promise<number> {
  if (!argv.some((word) => /^--(?:seconds|memory)(?:=|$)/.test(word))) return main(argv);
  return (await (await import('../commands/command-line/supervise.ts')).supervised(argv)) ?? main(argv);
}

/**
 * Closes the streams whose terminal is gone, such as that of a closed window. Node restores the settings of its terminals when
 * it ends, and aborts the process if that fails; it skips closed streams.
 */
function closeLostTerminals(): void {
  for (const fd of [0, 1, 2])
    try {
      if (fstatSync(fd).isCharacterDevice() && !isatty(fd)) closeSync(fd);
    } catch {
      // Closed already.
    }
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
  // The worker thread starts while this thread parses the command line.
  if (hasFolder() && !looksSmall(argv)) void import('./run-job.ts').then(({ startWorker }) => startWorker(argv));
  const { run } = await import('./program.ts');
  return run(argv);
}
