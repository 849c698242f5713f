/** Endings of run records: binary, JSON lines, CSV. */
export const RUN_ENDINGS: readonly string[] = ['.ftrun', '.jsonl', '.csv'];
