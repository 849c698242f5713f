import { ANY_SOURCE, type ArgumentKind, kindsOf, ROWS, type Row, TRACED_ANY_SOURCE } from '../ti/grammar.ts';
import { readBlocks } from '../ti/input/lines.ts';
import type { TraceFiles } from '../ti/input/listing.ts';

/** A distinct action of a rank: the words of its line without the rank. */
export interface Step {
  readonly row: Row;
  /** `send 1 10 8000 6`. */
  readonly words: readonly string[];
  /** The meaning of each word after the first; empty for actions without effect on the replay. */
  readonly kinds: readonly ArgumentKind[];
}

/** The lines of a rank, in their order. */
export interface RankSteps {
  readonly steps: readonly Step[];
  /** Line of each step in the file. */
  readonly lines: Int32Array;
  readonly file: string;
}

const ROW_OF: ReadonlyMap<string, Row> = new Map(ROWS.map((row) => [row.name, row]));
const BLOCK = { blockBytes: 1 << 17, lineBytes: 1 << 24 };

/**
 * Reads the lines of all ranks of a trace that is known to be valid. O(lines); distinct actions are kept once.
 */
export function recordedSteps({ sources, perRank }: TraceFiles, ranks: number): RankSteps[] {
  const known = new Map<string, Step>();
  const all = Array.from({ length: ranks }, () => ({ steps: [] as Step[], lines: [] as number[], file: '' }));
  for (const [number, source] of sources.entries()) {
    let line = 0;
    readBlocks(source, BLOCK, (bytes, from, to) => {
      for (const text of bytes.toString('latin1', from, to - 1).split('\n')) {
        line++;
        const [rank, ...words] = text.trim().split(/\s+/);
        if (rank === undefined || words.length === 0 || rank.startsWith('#')) continue;
        const own = all[perRank ? number : Number(rank)]!;
        own.steps.push(stepOf(words, ranks, known));
        own.lines.push(line);
        own.file = source.name;
      }
      return undefined;
    });
  }
  return all.map(({ steps, lines, file }) => ({ steps, lines: Int32Array.from(lines), file }));
}

function stepOf(words: readonly string[], ranks: number, known: Map<string, Step>): Step {
  const key = words.join(' ');
  let step = known.get(key);
  if (step === undefined) {
    const row = ROW_OF.get(words[0]!)!;
    step = { row, words, kinds: kindsOf(row, words.length - 1, ranks) ?? [] };
    known.set(key, step);
  }
  return step;
}

/** The number in the word of an argument; undefined if the step has no argument of this meaning. */
export function argumentOf({ words, kinds }: Step, kind: ArgumentKind): number | undefined {
  const at = kinds.indexOf(kind);
  return at < 0 ? undefined : Number(words[at + 1]);
}

/** Words that name a process as the partner of a message. Waits name both ends of their request. */
export const isPeer = (kind: ArgumentKind | undefined): boolean => kind === 'src' || kind === 'dst';

/** True for the source of a receive that takes messages of all ranks. */
export const isAnySource = (peer: number): boolean => peer === ANY_SOURCE || peer === TRACED_ANY_SOURCE;
