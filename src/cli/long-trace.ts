import { extname } from 'node:path';
import { isModelFile } from '../app/model-endings.ts';
import { fileSize } from './file-size.ts';
import type { Job } from './job.ts';

/** Minimum size in bytes from which offloading work to the main thread pays off. */
const LONG = 1 << 24;

/** True if a job predicts a trace whose file is at least 16 MiB. */
export function isLongTrace({ command, input }: Job): boolean {
  if (command !== 'predict' || isModelFile(input) || extname(input) === '.json') return false;
  return (fileSize(input) ?? 0) >= LONG;
}
