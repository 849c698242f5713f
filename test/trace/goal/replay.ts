import { type LogGops, OPERATION, type Schedule } from '../../../src/trace/goal/schedule.ts';

/** What waits for its time: an operation, or the message of a send. */
interface Event {
  time: number;
  readonly number: number;
  readonly operation: number;
  readonly kind: 'operation' | 'message' | 'finished';
}

export interface Replayed {
  /** By rank: when its last CPU is free, in nanoseconds. */
  readonly ends: readonly number[];
  /** Numbers of operations that have not ended. */
  readonly open: readonly number[];
  /** Sends whose messages no receive has taken. */
  readonly unmatched: readonly number[];
}

/**
 * A plain event list: the rules of LogGOPSim in whole nanoseconds. Events are taken by time, then by number. One whose CPU or network
 * interface is taken is put back with the time when both are free. Other than LogGOPSim, nothing starts before what it requires has
 * ended, on another CPU either.
 */
export function replay({ ranks, operations, dependencies }: Schedule, { L, o, g, G, O, S }: LogGops): Replayed {
  const cpuFree = new Map<string, number>();
  const sendFree = new Map<string, number>();
  const receiveFree = new Map<string, number>();
  const at = (map: Map<string, number>, rank: number, k: number): number => map.get(`${rank} ${k}`) ?? 0;
  const put = (map: Map<string, number>, rank: number, k: number, time: number): unknown =>
    map.set(`${rank} ${k}`, time);
  const events: Event[] = [];
  let number = 0;
  const left = operations.map((_, k) => dependencies.filter(({ to }) => to === k).length);
  const ended = new Set<number>();
  const unexpected: number[][] = Array.from({ length: ranks }, () => []);
  const expected: number[][] = Array.from({ length: ranks }, () => []);
  /** Operations whose dependencies became satisfied in this round. */
  let ready: number[] = [];
  const satisfy = (from: number, how: 'started' | 'ended' | 'finished'): void => {
    if (how === 'ended') ended.add(from);
    for (const one of dependencies) {
      if (one.from !== from || one.started !== (how === 'started')) continue;
      const isSame = operations[one.from]!.cpu === operations[one.to]!.cpu;
      if (how !== 'started' && isSame !== (how === 'ended')) continue;
      if (--left[one.to]! === 0) ready.push(one.to);
    }
  };
  const later = (time: number, operation: number): unknown =>
    events.push({ time, number: number++, operation, kind: 'finished' });
  const release = (now: number): void => {
    // By rank, sends before receives before calcs: the numbers of operations are in this order.
    for (const operation of ready.sort((a, b) => a - b)) {
      const { rank, cpu } = operations[operation]!;
      events.push({ time: Math.max(now, at(cpuFree, rank, cpu)), number: number++, operation, kind: 'operation' });
    }
    ready = [];
  };
  const fits = (receive: number, send: number): boolean => {
    const [r, s] = [operations[receive]!, operations[send]!];
    return (r.peer === -1 || r.peer === s.rank) && (r.tag === -1 || r.tag === s.tag);
  };
  /** When the overhead of a send, and of its message, has ended. */
  const sent = new Map<number, number>();
  const came = new Map<number, number>();
  const match = (receive: number, send: number, now: number): void => {
    const s = operations[send]!;
    if (s.size > S) {
      put(cpuFree, s.rank, s.cpu, Math.max(at(cpuFree, s.rank, s.cpu), now));
      satisfy(send, 'ended');
      later(Math.max(now, sent.get(send)!), send);
    }
    satisfy(receive, 'ended');
    later(Math.max(now, came.get(send)!), receive);
  };
  ready = operations.flatMap((_, k) => (left[k] === 0 ? [k] : []));
  release(0);
  while (events.length > 0) {
    events.sort((a, b) => a.time - b.time || a.number - b.number);
    const event = events.shift()!;
    const { operation, time } = event;
    const { kind, rank, peer, size, cpu, nic } = operations[operation]!;
    const again = (when: number): unknown => events.push({ ...event, time: when });
    if (event.kind === 'finished') satisfy(operation, 'finished');
    else if (event.kind === 'message') {
      const free = Math.max(at(cpuFree, peer, cpu), at(receiveFree, peer, nic));
      if (free > time) again(free);
      else {
        came.set(operation, time + Math.max(0, o + Math.max((size - 1) * O, (size - 1) * G)));
        put(cpuFree, peer, cpu, came.get(operation)!);
        put(receiveFree, peer, nic, time + Math.max(0, g + (size - 1) * G));
        const found = expected[peer]!.findIndex((receive) => fits(receive, operation));
        if (found < 0) unexpected[peer]!.push(operation);
        else match(expected[peer]!.splice(found, 1)[0]!, operation, time);
      }
    } else if (kind === OPERATION.calc) {
      const free = at(cpuFree, rank, cpu);
      if (free > time) again(free);
      else {
        put(cpuFree, rank, cpu, time + size);
        satisfy(operation, 'started');
        satisfy(operation, 'ended');
        later(time + size, operation);
      }
    } else if (kind === OPERATION.send) {
      const free = Math.max(at(cpuFree, rank, cpu), at(sendFree, rank, nic));
      if (free > time) again(free);
      else {
        sent.set(operation, time + Math.max(0, o + (size - 1) * O));
        put(cpuFree, rank, cpu, sent.get(operation)!);
        put(sendFree, rank, nic, time + Math.max(0, g + (size - 1) * G));
        events.push({ time: time + o + L, number: number++, operation, kind: 'message' });
        satisfy(operation, 'started');
        if (size <= S) {
          satisfy(operation, 'ended');
          later(sent.get(operation)!, operation);
        }
      }
    } else {
      satisfy(operation, 'started');
      const found = unexpected[rank]!.findIndex((send) => fits(operation, send));
      if (found < 0) expected[rank]!.push(operation);
      else match(operation, unexpected[rank]!.splice(found, 1)[0]!, time);
    }
    release(time);
  }
  const ends = Array.from({ length: ranks }, (_, rank) =>
    Math.max(0, ...[...cpuFree].filter(([key]) => Number(key.split(' ')[0]) === rank).map(([, time]) => time)),
  );
  return { ends, open: operations.flatMap((_, k) => (ended.has(k) ? [] : [k])), unmatched: unexpected.flat() };
}
