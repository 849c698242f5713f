import { extname } from 'node:path';
import { isModelFile } from '../app/model-endings.ts';
import { fileSize } from './file-size.ts';
import type { Job } from './job.ts';

/** From so many bytes on it pays that the main thread takes a part of the work. */
const LONG = 1 << 24;

/** Whether a job predicts a trace that takes long, as far as its file says. */
export function isLongTrace({ command, input }: Job): boolean {
  if (command !== 'predict' || isModelFile(input) || extname(input) === '.json') return false;
  return (fileSize(input) ?? 0) >= LONG;
}
