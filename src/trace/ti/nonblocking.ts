import { quote } from '../../base/problem.ts';
import { type Codes, IGNORED } from './codes.ts';
import type { LineDiagnostics } from './diagnostics.ts';
import { ANY_TAG, NONBLOCKING_TAGS, ROWS, WAIT } from './grammar.ts';
import type { Requests } from './requests.ts';

/**
 * Non-blocking collectives and their waits. SMPI's tracer writes a wait with the tag of the collective's messages, so that the line
 * names the kind of the collective only: `0 wait 1 0 -4321`.
 */
export class NonblockingCalls {
  readonly #codes: Codes;
  readonly #requests: Requests;
  readonly #diagnostics: LineDiagnostics;
  /** By request: numbers of messages of the collectives that no wait has completed, and of older ones. */
  readonly #posted = new Map<number, number[]>();

  constructor(codes: Codes, requests: Requests, diagnostics: LineDiagnostics) {
    this.#codes = codes;
    this.#requests = requests;
    this.#diagnostics = diagnostics;
  }

  post(row: number, rank: number, code: number): void {
    const request = this.#codes.nonblocking(rank, NONBLOCKING_TAGS[ROWS[row]!.name]!);
    this.#requests.post(request, rank);
    const posted = this.#posted.get(request) ?? [];
    this.#posted.set(request, posted);
    posted.push(this.#codes.postedBy(code));
  }

  /** Applies a wait for the oldest collective whose messages have a tag. Returns its code, or IGNORED if nothing is left to wait for. */
  wait(
    rank: number,
    { tag, isTest }: { readonly tag: number; readonly isTest: boolean },
    bytes: Buffer,
    begin: number,
    end: number,
  ): number {
    const diagnostics = this.#diagnostics;
    const name = Object.keys(NONBLOCKING_TAGS).find((key) => NONBLOCKING_TAGS[key] === tag);
    if (name === undefined || isTest) {
      const message =
        name === undefined
          ? `tag ${quote(diagnostics.word(bytes, begin, end, 2))} is out of range 0 … 2147483647, ${ANY_TAG} any, and belongs to no non-blocking collective.`
          : `a test of ${name} cannot be replayed: SimGrid tests each of its messages. Use wait.`;
      diagnostics.fault(rank, { code: name === undefined ? 'TI025' : 'TI021', message, at: 2 }, bytes, begin, end);
      return IGNORED;
    }
    const id = this.#codes.nonblocking(rank, tag);
    const open = this.#requests.open(id, rank);
    if (!this.#requests.wait(id, rank)) {
      if (!this.#requests.isPast('wait', id, rank)) diagnostics.noNonblocking(rank, name);
      return IGNORED;
    }
    const posted = this.#posted.get(id)!;
    // A waitall completes older ones.
    posted.splice(0, posted.length - open);
    if (open > 1) diagnostics.ambiguousWait(name);
    const messages = posted.shift()!;
    return messages === 0 ? IGNORED : this.#codes.codeOfPoint(this.#codes.point(WAIT, rank, id, messages));
  }
}
