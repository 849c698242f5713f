import { readFileSync } from 'node:fs';

/** One line of `simgrid-3.32.jsonl`: what SimGrid 3.32 said of a small trace. Made by `record.py`, which describes it. */
export interface Reference {
  /** The platform file beside this one, without `.xml`. */
  readonly platform: 'flat-nocontention' | 'flat-nic';
  readonly ranks: number;
  readonly protocol: 'plain' | 'eager' | 'rendezvous';
  /** Whether the ranks arrive at different times and run the trace twice: see {@link traceText}. */
  readonly skewed: boolean;
  /** Lines `RANK ACTION …`; rank `*` is every rank. */
  readonly trace: readonly string[];
  /** Seconds, by rank: the end of the last action. Not there where SimGrid aborts. */
  readonly rankEnd?: readonly number[];
  readonly aborts?: true;
}

export const references: readonly Reference[] = readFileSync(new URL('simgrid-3.32.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** The TI trace as SimGrid got it. */
export function traceText({ trace, ranks, skewed }: Reference): string {
  const all = Array.from({ length: ranks }, (_, rank) => rank);
  const lines = trace.flatMap((line) => (line.startsWith('*') ? all.map((rank) => `${rank}${line.slice(1)}`) : line));
  const skew = all.map((rank) => `${rank} compute ${((rank * 5 + 2) % 7) * 40000}`);
  return (skewed ? [...skew, ...lines, ...lines] : lines).join('\n');
}

/** The action of a reference that is its subject, for instance `bcast`. */
export function subject({ trace }: Reference): string {
  return trace.at(-1)!.split(' ')[1]!;
}
