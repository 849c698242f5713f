/**
 * An independent replayer of point-to-point programs on a machine without contention: the oracle for collectives and the
 * Petri-net engine. Deliberately simple; shares no code with `src`.
 *
 * A message takes latency + (bytes + 16) / bandwidth. Messages and receives match in the order of posting per
 * destination. Ranks that act at the same instant act in the order in which they became ready.
 */
export interface Machine {
  /** Seconds. */
  readonly latency: number;
  /** Bytes per second. */
  readonly bandwidth: number;
  /** Flops per second. */
  readonly speed: number;
  /**
   * plain: below 65536 bytes the sender continues immediately; otherwise it waits for the end of the transfer. Transfers
   * start when send and receive are posted. eager: transfers of small messages start at the send. rendezvous: all senders
   * wait.
   */
  readonly protocol: 'plain' | 'eager' | 'rendezvous';
}

/** A synchronous send waits for its receiver, whatever its size; a buffered one never waits. */
export type Mode = 'synchronous' | 'buffered';

/** `peer: null` is any source, `tag: null` any tag ≥ 0. `request` is an arbitrary name; waits take the oldest of that name. */
export type Step =
  | { readonly op: 'compute'; readonly flops: number }
  | { readonly op: 'sleep'; readonly seconds: number }
  | {
      readonly op: 'send';
      readonly peer: number;
      readonly tag: number;
      readonly bytes: number;
      readonly mode?: Mode;
    }
  | {
      readonly op: 'isend';
      readonly peer: number;
      readonly tag: number;
      readonly bytes: number;
      readonly request: string;
      readonly mode?: Mode;
    }
  | { readonly op: 'recv'; readonly peer: number | null; readonly tag: number | null; readonly bytes: number }
  | {
      readonly op: 'irecv';
      readonly peer: number | null;
      readonly tag: number | null;
      readonly bytes: number;
      readonly request: string;
    }
  | { readonly op: 'wait' | 'test'; readonly request: string }
  | { readonly op: 'waitall' };

export interface Replayed {
  /** Latest end of a rank, in seconds. */
  readonly time: number;
  /** End of the last step in seconds, by rank. */
  readonly rankEnd: readonly number[];
}

const threshold = 65536;
const envelope = 16;

/** A posted send or receive; `done` is its completion time, unknown until it is matched. */
interface Posted {
  readonly kind: 'send' | 'recv';
  readonly source: number | null;
  readonly target: number;
  readonly tag: number | null;
  readonly bytes: number;
  readonly at: number;
  readonly mode: Mode | undefined;
  done: number | undefined;
}

interface Rank {
  readonly id: number;
  readonly program: readonly Step[];
  next: number;
  clock: number;
  /** Operations that it waits for; empty if it is ready or finished. */
  blockedOn: readonly Posted[];
  readonly outstanding: { readonly name: string; readonly posted: Posted }[];
  /** Requests completed by an earlier test; a wait for them returns immediately. */
  readonly tested: Set<string>;
}

/** Runs the programs of all ranks to their ends. Throws on deadlock. */
export function replay(programs: readonly (readonly Step[])[], machine: Machine): Replayed {
  const ranks = programs.map(
    (program, id): Rank => ({ id, program, next: 0, clock: 0, blockedOn: [], outstanding: [], tested: new Set() }),
  );
  /** Unmatched sends and receives by destination, oldest first. */
  const mailboxes: Posted[][] = programs.map(() => []);
  /** Ready ranks with the times of their next steps; the earliest goes first, ties in FIFO order. */
  const ready: { readonly at: number; readonly rank: Rank }[] = ranks.map((rank) => ({ at: 0, rank }));

  for (;;) {
    let first = -1;
    for (let i = 0; i < ready.length; i++) if (first < 0 || ready[i]!.at < ready[first]!.at) first = i;
    if (first < 0) break;
    const [{ at, rank }] = ready.splice(first, 1) as [{ at: number; rank: Rank }];
    rank.clock = at;
    if (rank.next < rank.program.length) take(rank, rank.program[rank.next++]!);
  }
  const stuck = ranks.filter((rank) => rank.blockedOn.length > 0);
  if (stuck.length > 0) {
    const where = stuck.map(
      (rank) => `${rank.id} in step ${rank.next - 1} ${JSON.stringify(rank.program[rank.next - 1])}`,
    );
    throw new Error(`deadlock: rank ${where.join('; rank ')}`);
  }
  const rankEnd = ranks.map((rank) => rank.clock);
  return { time: Math.max(0, ...rankEnd), rankEnd };

  function take(rank: Rank, step: Step): void {
    switch (step.op) {
      case 'compute':
        goOn(rank, rank.clock + step.flops / machine.speed);
        break;
      case 'sleep':
        goOn(rank, rank.clock + step.seconds);
        break;
      case 'send':
      case 'recv':
        waitFor(rank, [post(rank, step)]);
        break;
      case 'isend':
      case 'irecv':
        rank.outstanding.push({ name: step.request, posted: post(rank, step) });
        goOn(rank, rank.clock);
        break;
      case 'wait': {
        const posted = takeOldest(rank, step.request);
        if (posted === undefined && !rank.tested.delete(step.request)) {
          throw new Error(`rank ${rank.id} waits for no request: ${step.request}`);
        }
        waitFor(rank, posted === undefined ? [] : [posted]);
        break;
      }
      case 'test': {
        const done = rank.outstanding.find(({ name }) => name === step.request)?.posted.done;
        if (done !== undefined && done <= rank.clock) {
          takeOldest(rank, step.request);
          rank.tested.add(step.request);
        }
        goOn(rank, rank.clock);
        break;
      }
      case 'waitall':
        waitFor(
          rank,
          rank.outstanding.splice(0).map(({ posted }) => posted),
        );
        break;
    }
  }

  function takeOldest(rank: Rank, request: string): Posted | undefined {
    const index = rank.outstanding.findIndex(({ name }) => name === request);
    return index < 0 ? undefined : rank.outstanding.splice(index, 1)[0]!.posted;
  }

  function goOn(rank: Rank, at: number): void {
    rank.blockedOn = [];
    ready.push({ at, rank });
  }

  /** Waits until all are done: computed now if all times are known, otherwise when the last one is matched. */
  function waitFor(rank: Rank, all: readonly Posted[]): void {
    rank.blockedOn = all;
    if (all.every(({ done }) => done !== undefined)) goOn(rank, Math.max(rank.clock, ...all.map(({ done }) => done!)));
  }

  function post(rank: Rank, step: Step & { readonly op: 'send' | 'isend' | 'recv' | 'irecv' }): Posted {
    const { peer, tag, bytes } = step;
    const sending = step.op === 'send' || step.op === 'isend';
    const mode = 'mode' in step ? step.mode : undefined;
    const small = bytes < threshold && machine.protocol !== 'rendezvous';
    const goesOn = mode === undefined ? small : mode === 'buffered';
    const posted: Posted = {
      kind: sending ? 'send' : 'recv',
      source: sending ? rank.id : peer,
      target: sending ? peer! : rank.id,
      tag,
      bytes,
      at: rank.clock,
      mode,
      done: sending && goesOn ? rank.clock : undefined,
    };
    const mailbox = mailboxes[posted.target]!;
    const index = mailbox.findIndex((other) => meets(posted, other));
    if (index < 0) {
      mailbox.push(posted);
    } else {
      const other = mailbox.splice(index, 1)[0]!;
      transfer(...((sending ? [posted, other] : [other, posted]) as [Posted, Posted]), rank.clock);
    }
    return posted;
  }

  function transfer(send: Posted, recv: Posted, now: number): void {
    const alone = machine.protocol === 'eager' && send.bytes < threshold && send.mode !== 'synchronous';
    const start = alone ? send.at : now;
    const end = start + machine.latency + (send.bytes + envelope) / machine.bandwidth;
    recv.done = Math.max(now, end);
    send.done ??= recv.done;
    for (const rank of ranks) {
      if (rank.blockedOn.includes(send) || rank.blockedOn.includes(recv)) waitFor(rank, rank.blockedOn);
    }
  }
}

function meets(a: Posted, b: Posted): boolean {
  if (a.kind === b.kind) return false;
  const [send, recv] = a.kind === 'send' ? [a, b] : [b, a];
  return (
    (recv.source === null || recv.source === send.source) &&
    (recv.tag === null ? send.tag! >= 0 : recv.tag === send.tag)
  );
}
