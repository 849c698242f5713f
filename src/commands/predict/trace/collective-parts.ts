import { ownOf } from '../../../base/own.ts';
import { OP, OP_NAMES } from '../../../models/operations.ts';

/** The part of a rank in a collective: the bytes that it sends, and its first point-to-point call. */
export interface CollectivePart {
  readonly bytes: number;
  readonly wrapped: string | undefined;
}

/** Steps of collectives by row; a row with `more` is followed by another one of the same part. */
export interface CollectiveSteps {
  op(row: number): number;
  bytes(row: number): number;
  more(row: number): boolean;
}

/** Parts of ranks in collectives, computed once for each first row. */
export class CollectiveParts {
  readonly #steps: CollectiveSteps;
  readonly #parts = new Map<number, CollectivePart>();

  constructor(steps: CollectiveSteps) {
    this.#steps = steps;
  }

  /** The part whose steps begin at a row. */
  at(first: number): CollectivePart {
    let part = this.#parts.get(first);
    if (part === undefined) {
      let bytes = 0;
      let wrapped: string | undefined;
      for (let row = first; ; row++) {
        const op = this.#steps.op(row);
        if (op === OP.send || op === OP.isend) bytes += Math.floor(this.#steps.bytes(row));
        if (POINT_TO_POINT.has(op)) wrapped ??= callName(OP_NAMES[op]!);
        if (!this.#steps.more(row)) break;
      }
      part = { bytes, wrapped };
      this.#parts.set(first, part);
    }
    return part;
  }
}

const POINT_TO_POINT: ReadonlySet<number> = new Set([OP.send, OP.isend, OP.recv, OP.irecv]);

/** Names of calls that are not `MPI_` and the capitalised word of the model or trace. */
const NAMES: Readonly<Record<string, string>> = {
  waitAny: 'MPI_Waitany',
  waitSome: 'MPI_Waitsome',
  waitall: 'MPI_Waitall',
  fence: 'MPI_Win_fence',
  readFile: 'MPI_File_read',
  writeFile: 'MPI_File_write',
  reducescatter: 'MPI_Reduce_scatter',
  ireducescatter: 'MPI_Ireduce_scatter',
  take: 'MPI_Waitsome',
};

/** The MPI name of a call, as recorded runs have it. */
export function callName(word: string): string {
  return ownOf(NAMES, word) ?? `MPI_${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`;
}
