#!/usr/bin/env node
import { closeSync, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import module from 'node:module';
import { devNull } from 'node:os';
import { isatty } from 'node:tty';
import { asksForHelp, runHelp } from './help-script.ts';

// From Node 22.1 on, which the types do not describe yet, later runs reuse the compiled code of modules that are imported from here on.
(module as { readonly enableCompileCache?: () => void }).enableCompileCache?.();
process.once('exit', replaceLostTerminals);

const argv = process.argv.slice(2);
const helped = asksForHelp(argv) ? await runHelp(argv) : undefined;
process.exitCode = helped ?? (await (await import('./begin.ts')).begin(argv));

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
