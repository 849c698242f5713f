import type { NetBuilder } from '../../net/builder/builder.ts';
import { type Dependency, type LogGops, OPERATION, type Schedule } from '../../trace/goal/schedule.ts';

/** Dependencies of the same CPU, on the start of an operation, and of another CPU. */
export const EDGES = ['ended', 'started', 'finished'] as const;

/** The kind of a message in the queue, behind those of operations. */
export const MESSAGE = 3;

/** Colour sets and tables of a schedule's net: properties of an operation are table entries at its number. Times are nanoseconds. */
export type ScheduleTables = ReturnType<typeof scheduleTables>;

/** @complexity O(operations + dependencies) */
export function scheduleTables(n: NetBuilder, schedule: Schedule, { o, g, G, O, S }: LogGops) {
  const { ranks, operations, dependencies } = schedule;
  const count = Math.max(1, operations.length);
  const [cpus, nics] = [1 + greatest(operations, 'cpu'), 1 + greatest(operations, 'nic')];
  const colours = {
    Rank: n.range('Rank', 0, ranks - 1),
    Operation: n.range('Operation', 0, count - 1),
    Kind: n.range('Kind', 0, MESSAGE),
    Cpu: n.range('Cpu', 0, ranks * cpus - 1),
    Nic: n.range('Nic', 0, ranks * nics - 1),
    Source: n.range('Source', -1, ranks - 1),
    Tag: n.range('Tag', -1, greatest(operations, 'tag')),
    Edge: n.range('Edge', 0, dependencies.length),
    Uses: n.integer('Uses'),
    Count: n.range('Count', 0, Math.max(dependencies.length, 2 * count)),
  };
  const ints = (of: string, high: number, value: (k: number) => number, low = 0) =>
    n.intTable(
      of,
      Int32Array.from({ length: count }, (_, k) => (k < operations.length ? value(k) : 0)),
      { low, high },
    );
  const times = (of: string, value: (size: number) => number) =>
    n.realTable(
      of,
      Float64Array.from({ length: count }, (_, k) => (k < operations.length ? Math.max(0, value(at(k).size)) : 0)),
    );
  /** The rank of a CPU or an interface, of which each rank has `each`. */
  const ranksOf = (of: string, each: number) =>
    n.intTable(
      of,
      Int32Array.from({ length: ranks * each }, (_, k) => Math.floor(k / each)),
      { low: 0, high: ranks - 1 },
    );
  const at = (k: number): Schedule['operations'][number] => operations[k]!;
  const cpuOf = (k: number): number => at(k).rank * cpus + at(k).cpu;
  const sameCpu = ({ from, to }: Dependency): boolean => at(from).cpu === at(to).cpu;
  const isOf = {
    ended: (one: Dependency) => !one.started && sameCpu(one),
    started: (one: Dependency) => one.started,
    finished: (one: Dependency) => !one.started && !sameCpu(one),
  };
  return {
    ...colours,
    count,
    /** CPUs of all ranks, and interfaces. */
    allCpus: ranks * cpus,
    allNics: ranks * nics,
    cpuOf,
    rank: ints('rank', ranks - 1, (k) => at(k).rank),
    kinds: ints('kind', OPERATION.calc, (k) => at(k).kind),
    peer: ints('peer', ranks - 1, (k) => at(k).peer, -1),
    tag: ints('tag', 2 ** 31 - 1, (k) => at(k).tag, -1),
    cpu: ints('cpu', ranks * cpus - 1, cpuOf),
    nic: ints('nic', ranks * nics - 1, (k) => at(k).rank * nics + at(k).nic),
    farCpu: ints('farCpu', ranks * cpus - 1, (k) => Math.max(0, at(k).peer) * cpus + at(k).cpu),
    farNic: ints('farNic', ranks * nics - 1, (k) => Math.max(0, at(k).peer) * nics + at(k).nic),
    eager: ints('eager', 1, (k) => (at(k).size <= S ? 1 : 0)),
    rankOfCpu: ranksOf('rankOfCpu', cpus),
    rankOfNic: ranksOf('rankOfNic', nics),
    calcTime: times('time', (size) => size),
    sendTime: times('sendTime', (size) => o + (size - 1) * O),
    receiveTime: times('receiveTime', (size) => o + Math.max((size - 1) * O, (size - 1) * G)),
    gapTime: times('gapTime', (size) => g + (size - 1) * G),
    /** Dependencies of each of {@link EDGES}: those of operation k are `to` from `first` at k to that at k + 1. */
    edges: EDGES.map((word) => {
      const own = dependencies.filter(isOf[word]);
      const first = new Int32Array(count + 1);
      for (const { from } of own) first[from + 1]!++;
      for (let k = 0; k < count; k++) first[k + 1]! += first[k]!;
      return {
        first: n.intTable(`${word}First`, first, { low: 0, high: dependencies.length }),
        to: n.intTable(`${word}To`, own.length === 0 ? Int32Array.of(0) : Int32Array.from(own, ({ to }) => to), {
          low: 0,
          high: count - 1,
        }),
      };
    }),
  };
}

/** The greatest number of a kind, at least 0. Millions of operations are too many for the arguments of a function. */
const greatest = (operations: Schedule['operations'], part: 'cpu' | 'nic' | 'tag'): number =>
  operations.reduce((most, operation) => Math.max(most, operation[part]), 0);
