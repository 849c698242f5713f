import { closeSync, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { isatty } from 'node:tty';
import { needsUnguarded, rerunUnguarded } from '../commands/command-line/address-space.ts';
import { asksForHelp, runHelp } from './help-script.ts';
import { looksSmall } from './small-job.ts';

process.once('exit', replaceLostTerminals);

process.exitCode = needsUnguarded() ? await rerunUnguarded() : await limited(process.argv.slice(2));

/** A limit of time or memory is watched from outside: no code of this process can then miss it. */
async function limited(argv: readonly string[]): Promise<number> {
  if (!argv.some((word) => /^--(?:seconds|memory)(?:=|$)/.test(word))) return main(argv);
  return (await (await import('../commands/command-line/supervise.ts')).supervised(argv)) ?? main(argv);
}

/**
 * Replaces each terminal that is gone, such as that of a closed window, by the null device. Node restores the settings of its
 * terminals when it ends, and aborts the process if that fails; it skips streams that were replaced. A stream that is closed
 * only leaves its number to the next file that a thread opens, and closing such a file aborts the process.
 */
function replaceLostTerminals(): void {
  for (const fd of [0, 1, 2])
    try {
      const stream = fstatSync(fd);
      if (!stream.isCharacterDevice() || isatty(fd) || kindOf(stream) === kindOf(statSync(devNull))) continue;
      closeSync(fd);
      openSync(devNull, 'r+');
    } catch {
      // Closed already.
    }
}

/** The driver of a device. That of the null device has others that are no terminals, such as /dev/full. */
const kindOf = ({ rdev }: Stats): number => rdev >>> 8;

/** False if the working directory was deleted: a thread cannot start then. */
function hasFolder(): boolean {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}

async function main(argv: readonly string[]): Promise<number> {
  if (asksForHelp(argv)) {
    const code = await runHelp(argv);
    if (code !== undefined) return code;
  }
  if (looksSmall(argv)) {
    const code = await (await import('./small-script.ts')).runSmall(argv);
    if (code !== undefined) return code;
  }
  // The worker thread starts while this thread parses the command line.
  else if (hasFolder()) void import('./run-job.ts').then(({ startWorker }) => startWorker(argv));
  const { run } = await import('./program.ts');
  return run(argv);
}
