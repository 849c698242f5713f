import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Global set-up: the processes of a test run share a cache of kernels, and leave that of the user alone. */
export default function setup(): (() => void) | undefined {
  if (process.env['FORETOKEN_CACHE'] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'foretoken-kernels-'));
  process.env['FORETOKEN_CACHE'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
