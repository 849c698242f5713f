import { extname } from 'node:path';

/** Endings of run records: binary, JSON lines, CSV. */
export const RUN_ENDINGS: readonly string[] = ['.ftrun', '.jsonl', '.csv'];

/** True if a path is that of a run record, by its ending. */
export const isRunFile = (path: string): boolean => RUN_ENDINGS.includes(extname(path).toLowerCase());
