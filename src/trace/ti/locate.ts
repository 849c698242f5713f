import { grown } from '../../base/columns.ts';
import { DataTypes } from './data-types.ts';
import { FINALIZE, FIRST_COLLECTIVE, hasData, INIT, SENDRECV } from './grammar.ts';
import { readBlocks } from './input/lines.ts';
import type { Source } from './input/source.ts';
import { wordAt } from './report.ts';
import { findRow, hashByte } from './words.ts';

/** Minimum distance in bytes between two indexed positions of a text. */
const STRIDE = 1 << 20;
const BLOCK = 1 << 16;

/** A line of a trace. `text` is truncated to 2,000 characters. */
export interface Located {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/**
 * Index of the lines of each rank. Texts are divided into stretches of about 1 MiB; for each stretch and each rank in
 * it, the index holds the number of actions recorded for the rank before. Finding a line reads one stretch again.
 */
export class PlaceIndex {
  readonly #sources: readonly Source[];
  readonly #lineBytes: number;
  readonly #starts: { source: number; position: number; line: number }[] = [];
  /** By rank: the last stretch in which it occurred. */
  readonly #mark: Int32Array;
  /** Triples (stretch, rank, number of actions before), in the order of the text. */
  #entries: Int32Array = new Int32Array(3 << 8);
  #count = 0;

  constructor(sources: readonly Source[], ranks: number, lineBytes: number) {
    this.#sources = sources;
    this.#lineBytes = lineBytes;
    this.#mark = new Int32Array(ranks).fill(-1);
  }

  /** Called at the start of each block of a text; `line` is the number of lines before it in the text. */
  block(source: number, position: number, line: number): void {
    const last = this.#starts.at(-1);
    if (last !== undefined && last.source === source && position - last.position < STRIDE) return;
    this.#starts.push({ source, position, line });
  }

  /** Called before a line of a rank for which `count` actions have been recorded. */
  touch(rank: number, count: number): void {
    const stretch = this.#starts.length - 1;
    if (this.#mark[rank] === stretch) return;
    this.#mark[rank] = stretch;
    const at = this.#count++ * 3;
    if (at === this.#entries.length) this.#entries = grown(this.#entries, at * 2);
    this.#entries[at] = stretch;
    this.#entries[at + 1] = rank;
    this.#entries[at + 2] = count;
  }

  /** The line of the `index`-th recorded action of a rank (from 0); its last line if it has fewer. */
  find(rank: number, index: number): Located {
    const entries = this.#entries;
    let start = 0;
    let count = 0;
    for (let at = 0; at < this.#count * 3; at += 3) {
      if (entries[at + 1] !== rank) continue;
      if (entries[at + 2]! > index) break;
      start = entries[at]!;
      count = entries[at + 2]!;
    }
    let found: Located | undefined;
    this.#lines(start, start + 1, (file, line, of, row, text) => {
      if (of !== rank) return true;
      const recorded = row < INIT || row >= SENDRECV;
      // An unrecorded line is kept only as a fallback, for a stretch that begins after the last recorded action of the
      // rank.
      if (recorded || found === undefined || count > index) found = { file, line, text: text() };
      if (recorded) count++;
      else if (row === FINALIZE && count <= index) found = { file, line, text: text() };
      return !(recorded && count > index);
    });
    if (found === undefined) throw new RangeError(`rank ${rank} has no action ${index}`);
    return found;
  }

  /** The first occurrence of the k-th collective (from 0) of any rank. Reads the texts from the beginning. */
  firstCollective(k: number): Located & { rank: number } {
    const counts = new Map<number, number>();
    let found: (Located & { rank: number }) | undefined;
    this.#lines(0, this.#starts.length, (file, line, rank, row, text) => {
      if (row < FIRST_COLLECTIVE) return true;
      const count = counts.get(rank) ?? 0;
      counts.set(rank, count + 1);
      if (count === k) found = { file, line, rank, text: text() };
      return count !== k;
    });
    if (found === undefined) throw new RangeError(`no rank has a collective ${k}`);
    return found;
  }

  /** The datatypes of all actions with data. Reads the texts from the beginning. */
  dataTypes(ranks: number, derivedBytes: number | undefined): DataTypes {
    const types = new DataTypes(ranks, derivedBytes);
    const counts = new Float64Array(ranks);
    this.#lines(0, this.#starts.length, (_file, _line, rank, row, text) => {
      const withData = hasData(row);
      if (withData || row === INIT)
        types.line(
          rank,
          row,
          counts[rank]!,
          text(Number.POSITIVE_INFINITY)
            .split(/[ \t]+/)
            .slice(2),
        );
      if (withData) counts[rank]!++;
      return true;
    });
    return types;
  }

  /** Visits the lines with a known action in the stretches `start … stop − 1` until `visit` returns false. */
  #lines(
    start: number,
    stop: number,
    visit: (file: string, line: number, rank: number, row: number, text: (limit?: number) => string) => boolean,
  ): void {
    for (let stretch = start; stretch < stop; stretch++) {
      const { source: number, position: from, line: before } = this.#starts[stretch]!;
      const after = this.#starts[stretch + 1];
      const source = this.#sources[number]!;
      const end = after?.source === number ? after.position : source.size;
      let line = before;
      let go = true;
      readBlocks(source, { blockBytes: BLOCK, lineBytes: this.#lineBytes, from }, (bytes, begin, to, position) => {
        for (let p = begin; go && p < to && position + p - begin < end; ) {
          const next = bytes.indexOf(10, p) + 1;
          line++;
          const rank = wordAt(bytes, p, next, 0);
          const word = rank === undefined ? undefined : wordAt(bytes, rank.to, next, 0);
          if (rank !== undefined && word !== undefined && bytes[rank.from] !== 35) {
            let hash = 0;
            for (let i = word.from; i < word.to; i++) hash = hashByte(hash, bytes[i]!);
            const row = findRow(hash, bytes, word.from, word.to);
            const at = p;
            const text = (limit = 2000): string => bytes.toString('utf8', at, Math.min(next, at + limit)).trim();
            const of = Number(bytes.toString('latin1', rank.from, rank.to));
            if (row >= 0) go = visit(source.name, line, of, row, text);
          }
          p = next;
        }
        return go && position + to - begin < end;
      });
      if (!go) return;
    }
  }
}
