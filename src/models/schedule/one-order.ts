import { type Dependency, OPERATION, type Schedule, type ScheduledOperation } from '../../trace/goal/schedule.ts';

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

/** Steps of all searches for paths, for each operation and dependency: schedules of traces need less than two. */
const STEPS = 20;

/** Operations that follow others, by number: those of operation k are `to` from `first` at k to that at k + 1. */
interface Followers {
  readonly first: Int32Array;
  readonly to: Int32Array;
}

/**
 * Why all operations of a schedule end in every order of its steps; undefined if some do not, or if it is not known.
 *
 * One order is executed, without times. It decides for all if no step takes from another what that needs: no receive is from any rank
 * or of any tag, and of the sends and of the receives from one rank to another with one tag,
 *
 * - receives are posted in one order: each requires the start or the end of the one before, or {@link inPostingOrder} tells it;
 * - at most one large send waits at a time: each requires the end of the one before, and there are no small ones; or all are small, and
 *   thus alike, because nothing waits for a small send to be received.
 *
 * CPUs and network interfaces are free again after a time that depends on nothing else, so that they change the order only.
 * Then of any two possible steps both orders lead to the same marking (the diamond property), and all orders end alike.
 *
 * @param schedule in its posting order
 * @param largest bytes of the largest small send, S of LogGOPS
 * @complexity O(operations + dependencies)
 */
export function whyAllEnd(
  { operations, dependencies }: Pick<Schedule, 'operations' | 'dependencies'>,
  largest: number,
): string | undefined {
  const isLarge = ({ kind, size }: ScheduledOperation): boolean => kind === OPERATION.send && size > largest;
  if (operations.some(({ kind, peer, tag }) => kind === OPERATION.recv && (peer < 0 || tag < 0))) return undefined;
  const channels = channelsOf(operations);
  const [onStart, onEnd] = [true, false].map((on) =>
    followersOf(
      operations.length,
      dependencies.filter(({ started }) => started === on),
    ),
  ) as [Followers, Followers];
  const position = orderOf(onStart, onEnd);
  if (position === undefined) return undefined;
  const paths = new Paths(onStart, onEnd, position);
  for (const { sends, receives } of channels.values()) {
    if (!paths.isChain(receives, 'start')) return undefined;
    const large = sends.filter((k) => isLarge(operations[k]!));
    if (large.length > 0 && !(large.length === sends.length && paths.isChain(sends, 'end'))) return undefined;
  }
  const ended = endedOperations(operations, onStart, onEnd, channels, isLarge);
  if (ended < operations.length) return undefined;
  return `no two receives compete for a message, so that all orders end alike; in one, all ${operations.length} operations end`;
}

/** The sends from one rank to another with one tag, and their receives, by number. */
interface Channel {
  readonly sends: number[];
  readonly receives: number[];
}

const keyOf = ({ kind, rank, peer, tag }: ScheduledOperation): string =>
  kind === OPERATION.send ? `${rank} ${peer} ${tag}` : `${peer} ${rank} ${tag}`;

function channelsOf(operations: readonly ScheduledOperation[]): Map<string, Channel> {
  const channels = new Map<string, Channel>();
  operations.forEach((operation, k) => {
    if (operation.kind === OPERATION.calc) return;
    const key = keyOf(operation);
    const channel = channels.get(key) ?? { sends: [], receives: [] };
    channels.set(key, channel);
    (operation.kind === OPERATION.send ? channel.sends : channel.receives).push(k);
  });
  return channels;
}

function followersOf(operations: number, dependencies: Schedule['dependencies']): Followers {
  const first = new Int32Array(operations + 1);
  for (const { from } of dependencies) first[from + 1]!++;
  for (let k = 0; k < operations; k++) first[k + 1]! += first[k]!;
  const next = first.slice();
  const to = new Int32Array(dependencies.length);
  for (const one of dependencies) to[next[one.from]!++] = one.to;
  return { first, to };
}

/** Numbers of dependencies that each operation has not met yet, before any is met. */
function openAtFirst(operations: number, ...followers: readonly Followers[]): Int32Array {
  const open = new Int32Array(operations);
  for (const { to } of followers) for (const k of to) open[k]!++;
  return open;
}

/** Positions of operations behind those that they require; undefined if some require each other in a cycle. */
function orderOf(onStart: Followers, onEnd: Followers): Int32Array | undefined {
  const count = onEnd.first.length - 1;
  const open = openAtFirst(count, onStart, onEnd);
  const order: number[] = [];
  for (let k = 0; k < count; k++) if (open[k] === 0) order.push(k);
  for (let at = 0; at < order.length; at++)
    for (const { first, to } of [onStart, onEnd])
      for (let e = first[order[at]!]!; e < first[order[at]! + 1]!; e++) if (--open[to[e]!]! === 0) order.push(to[e]!);
  if (order.length < count) return undefined;
  const position = new Int32Array(count);
  order.forEach((k, at) => {
    position[k] = at;
  });
  return position;
}

/** Searches for paths of dependencies. */
class Paths {
  readonly #onStart: Followers;
  readonly #onEnd: Followers;
  readonly #position: Int32Array;
  /** By operation: the last search that met it. */
  readonly #met: Int32Array;
  #search = 0;
  #steps: number;

  constructor(onStart: Followers, onEnd: Followers, position: Int32Array) {
    this.#onStart = onStart;
    this.#onEnd = onEnd;
    this.#position = position;
    this.#met = new Int32Array(position.length);
    this.#steps = STEPS * (position.length + onStart.to.length + onEnd.to.length);
  }

  /** True if each of these operations starts after a part of the one before, in some order. False if that takes too many steps. */
  isChain(operations: readonly number[], after: 'start' | 'end'): boolean {
    const sorted = [...operations].sort((a, b) => this.#position[a]! - this.#position[b]!);
    return sorted.every((to, k) => k === 0 || this.#leads(sorted[k - 1]!, to, after));
  }

  /** True if an operation starts only after a part of another one: for its end, the first dependency of the path is on the end. */
  #leads(from: number, to: number, after: 'start' | 'end'): boolean {
    const search = ++this.#search;
    const open: number[] = [];
    const meet = ({ first, to: next }: Followers, k: number): void => {
      for (let e = first[k]!; e < first[k + 1]!; e++) {
        const one = next[e]!;
        // Operations behind the goal do not lead to it.
        if (this.#met[one] === search || this.#position[one]! > this.#position[to]!) continue;
        this.#met[one] = search;
        open.push(one);
      }
    };
    if (after === 'start') meet(this.#onStart, from);
    for (meet(this.#onEnd, from); open.length > 0; ) {
      const k = open.pop()!;
      if (k === to) return true;
      if (--this.#steps < 0) return false;
      meet(this.#onStart, k);
      meet(this.#onEnd, k);
    }
    return false;
  }
}

/** Number of operations that end in one order of the steps, without times. */
function endedOperations(
  operations: readonly ScheduledOperation[],
  onStart: Followers,
  onEnd: Followers,
  channels: ReadonlyMap<string, Channel>,
  isLarge: (operation: ScheduledOperation) => boolean,
): number {
  const open = openAtFirst(operations.length, onStart, onEnd);
  const ready: number[] = [];
  for (let k = 0; k < operations.length; k++) if (open[k] === 0) ready.push(k);
  const follow = ({ first, to }: Followers, k: number): void => {
    for (let e = first[k]!; e < first[k + 1]!; e++) if (--open[to[e]!]! === 0) ready.push(to[e]!);
  };
  let ended = 0;
  const end = (k: number): void => {
    ended++;
    follow(onEnd, k);
  };
  // By channel: small messages, the only large send (−1: none), and receives in the order in which they were posted, that wait for a match.
  const waiting = new Map(
    [...channels.keys()].map((key) => [key, { small: 0, large: -1, receives: [] as number[], next: 0 }]),
  );
  for (let k = ready.pop(); k !== undefined; k = ready.pop()) {
    const operation = operations[k]!;
    follow(onStart, k);
    if (operation.kind === OPERATION.calc) {
      end(k);
      continue;
    }
    const channel = waiting.get(keyOf(operation))!;
    if (operation.kind === OPERATION.recv) channel.receives.push(k);
    else if (isLarge(operation)) channel.large = k;
    else {
      channel.small++;
      end(k);
    }
    const { small, large } = channel;
    const receive = channel.receives[channel.next];
    if (receive === undefined || (small === 0 && large < 0)) continue;
    channel.next++;
    if (large < 0) channel.small--;
    else {
      channel.large = -1;
      end(large);
    }
    end(receive);
  }
  return ended;
}
