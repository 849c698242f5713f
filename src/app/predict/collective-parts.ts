import { OP, OP_NAMES } from '../../models/operations.ts';
import { callName } from './call-name.ts';

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
