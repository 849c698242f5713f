import { type Dependency, OPERATION, type Schedule } from '../../trace/goal/schedule.ts';

/**
 * The schedule whose receives that require nothing are posted first, in the order of the file, for nets without times. At time 0 all CPUs
 * are free, and posting takes none: LogGOPSim, and `predict`, post these receives then. In the order of the file, each requires the start of
 * the one before; those that require something follow the last of their rank.
 *
 * @complexity O(operations + dependencies)
 */
export function inPostingOrder<S extends Pick<Schedule, 'operations' | 'dependencies'>>(schedule: S): S {
  const { operations, dependencies } = schedule;
  const requires = new Uint8Array(operations.length);
  for (const { to } of dependencies) requires[to] = 1;
  // By rank: the receive that requires nothing and is posted last.
  const last = new Map<number, number>();
  const posted: Dependency[] = [];
  const follows = (to: number): void => {
    const from = last.get(operations[to]!.rank);
    if (from !== undefined) posted.push({ from, to, started: true });
  };
  const receives = operations.flatMap(({ kind }, k) => (kind === OPERATION.recv ? [k] : []));
  for (const k of receives.filter((one) => requires[one] === 0)) {
    follows(k);
    last.set(operations[k]!.rank, k);
  }
  for (const k of receives.filter((one) => requires[one] === 1)) follows(k);
  if (posted.length === 0) return schedule;
  return { ...schedule, dependencies: [...dependencies, ...posted].sort((a, b) => a.from - b.from || a.to - b.to) };
}
