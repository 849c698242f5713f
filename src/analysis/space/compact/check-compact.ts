import { InputError, type Problem } from '../../../base/problem.ts';
import { memoryLimit } from '../budget.ts';
import type { ExploreOptions } from '../state-space.ts';
import { MAX_ENTRIES, MAX_FULL, tableBytes } from './compact-memory.ts';

/** Options of an exploration and of its commands, as far as hash compaction concerns them. */
type Checked = Pick<ExploreOptions, 'hashCompact' | 'seed' | 'order' | 'workers' | 'engine' | 'maxStates' | 'memory'>;

/** Most states whose hashes fit into a table. */
const MAX_STATES = Math.floor(MAX_ENTRIES * MAX_FULL);

/**
 * Rejects options that do not go together with hash compaction, and a number of states that exceeds the memory limit.
 *
 * @param others more options that are given although they do not go together with it, by flag, with the reason
 * @throws InputError EXPL006, EXPL008
 */
export function checkCompact(options: Checked, others: Readonly<Record<string, string>> = {}): void {
  const { hashCompact = false, seed, order, workers = 1, engine, maxStates, memory } = options;
  const problems: Problem[] = [];
  const refuse = (part: string, message: string): void =>
    void problems.push({ code: 'EXPL006', message, place: { part } });
  if (!hashCompact) {
    if (seed !== undefined) refuse('seed', 'chooses the hash functions of --hash-compact: give both, or omit --seed');
    if (problems.length > 0) throw new InputError(problems);
    return;
  }
  if (order === 'depth')
    refuse(
      'order',
      'hash compaction searches breadth first, since it holds markings of the frontier only: omit --order depth',
    );
  if (workers > 1) refuse('workers', `hash compaction uses one thread, got ${workers}: omit --workers`);
  if (engine === 'general') refuse('engine', 'hash compaction needs the engine packed, got general');
  for (const [part, why] of Object.entries(others)) refuse(part, why);
  if (maxStates !== undefined && Number.isSafeInteger(maxStates)) {
    const limit = memoryLimit(memory === undefined ? {} : { memory });
    const needed = hashBytes(maxStates);
    const fits = `at most ${MAX_STATES} states, whose hashes fit into a table, got ${maxStates}`;
    const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
    if (needed > limit)
      problems.push({
        code: 'EXPL008',
        message: `expected ${Number.isFinite(needed) ? `a memory limit of at least ${mebibytes(needed)} for the hashes of ${maxStates} states, got ${mebibytes(limit)}` : fits}. Omit --max-states to explore until the memory is full.`,
        place: { part: 'maxStates' },
      });
  }
  if (problems.length > 0) throw new InputError(problems);
}

/** Size in bytes of the smallest table that holds the hashes of this number of states; Infinity if no table does. */
function hashBytes(states: number): number {
  let entries = 2 ** 16;
  while (entries * MAX_FULL < states) entries *= 2;
  return entries > MAX_ENTRIES ? Number.POSITIVE_INFINITY : tableBytes(entries);
}
