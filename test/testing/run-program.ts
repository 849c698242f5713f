import type { Operation, Operations } from '../../src/fast-check.ts';

/**
 * True if a program under rendezvous ends with all messages received. A simple interpreter of one run; without wildcards all
 * runs have the same outcome.
 */
export function endsWell(operations: Operations): boolean {
  const ranks = operations.length;
  const at = operations.map(() => 0);
  /** Posted sends and receives that are not yet matched, by channel. */
  const posted = new Map<string, { sends: Request[]; receives: Request[] }>();
  const open: Request[][] = operations.map(() => []);
  const blocked: (Request | undefined)[] = operations.map(() => undefined);
  const post = (rank: number, o: Operation & { tag: number }): Request => {
    const request = { done: false };
    const sends = 'to' in o;
    const key = sends ? `${rank} ${o.to} ${o.tag}` : `${(o as { from: number }).from} ${rank} ${o.tag}`;
    const channel = posted.get(key) ?? { sends: [], receives: [] };
    posted.set(key, channel);
    channel[sends ? 'sends' : 'receives'].push(request);
    if (channel.sends.length > 0 && channel.receives.length > 0) {
      channel.sends.shift()!.done = true;
      channel.receives.shift()!.done = true;
    }
    return request;
  };
  const advance = (rank: number): boolean => {
    const o = operations[rank]![at[rank]!];
    if (o === undefined || o.op === 'barrier') return false;
    if (blocked[rank] === undefined) {
      if (o.op === 'compute') at[rank]!++;
      else {
        const request = post(rank, o);
        if (o.op === 'send' || o.op === 'recv') blocked[rank] = request;
        else {
          open[rank]!.push(request);
          at[rank]!++;
        }
      }
      return true;
    }
    if (!blocked[rank].done) return false;
    blocked[rank] = undefined;
    at[rank]!++;
    return true;
  };
  for (;;) {
    let moved = false;
    for (let rank = 0; rank < ranks; rank++) while (advance(rank)) moved = true;
    if (moved) continue;
    const waits = (rank: number): boolean =>
      blocked[rank] === undefined && open[rank]!.every((r) => r.done) && operations[rank]![at[rank]!]?.op === 'barrier';
    if (!operations.every((_, rank) => waits(rank))) break;
    for (let rank = 0; rank < ranks; rank++) at[rank]!++;
  }
  const ended = operations.every((own, rank) => at[rank] === own.length && open[rank]!.every((r) => r.done));
  return ended && [...posted.values()].every((c) => c.sends.length === 0 && c.receives.length === 0);
}

interface Request {
  done: boolean;
}
