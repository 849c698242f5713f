import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Answer, Request } from './fresh-process.ts';

/** Runs random nets in a new process; see fresh-process.ts. */
export function inFreshProcess(request: Request): Answer {
  const folder = mkdtempSync(join(tmpdir(), 'foretoken-fresh-'));
  try {
    const file = join(folder, 'request.json');
    writeFileSync(file, JSON.stringify(request));
    const script = fileURLToPath(new URL('./fresh-process.ts', import.meta.url));
    const printed = execFileSync(process.execPath, ['--import', 'tsx', script, file], { maxBuffer: 2 ** 28 });
    return JSON.parse(printed.toString()) as Answer;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
