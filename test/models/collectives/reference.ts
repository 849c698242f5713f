import { readFileSync } from 'node:fs';

/** One line of `simgrid-3.32.jsonl`: SimGrid 3.32's result for a small trace. Format and source: `record.py`. */
export interface Reference {
  /** Name of a platform file in this folder, without `.xml`. */
  readonly platform: 'flat-nocontention' | 'flat-nic';
  readonly ranks: number;
  readonly protocol: 'plain' | 'eager' | 'rendezvous';
  /** True if the ranks arrive at different times and run the trace twice; see {@link traceText}. */
  readonly skewed: boolean;
  /** Lines `RANK ACTION …`; rank `*` is every rank. */
  readonly trace: readonly string[];
  /** End of the last action in seconds, by rank; absent if SimGrid aborts. */
  readonly rankEnd?: readonly number[];
  readonly aborts?: true;
}

export const references: readonly Reference[] = readFileSync(new URL('simgrid-3.32.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** The TI trace that SimGrid replayed. */
export function traceText({ trace, ranks, skewed }: Reference): string {
  const all = Array.from({ length: ranks }, (_, rank) => rank);
  const lines = trace.flatMap((line) => (line.startsWith('*') ? all.map((rank) => `${rank}${line.slice(1)}`) : line));
  const skew = all.map((rank) => `${rank} compute ${((rank * 5 + 2) % 7) * 40000}`);
  return (skewed ? [...skew, ...lines, ...lines] : lines).join('\n');
}

/** The collective under test of a reference, such as `bcast`. */
export function subject({ trace }: Reference): string {
  return trace.at(-1)!.split(' ')[1]!;
}
