import { quote } from '../../base/problem.ts';
import type { Fault } from './arguments.ts';
import { ANY_SOURCE, TRACED_ANY_SOURCE } from './grammar.ts';
import type { CollectiveOrder } from './order.ts';
import { type Report, unknownAction, wordAt } from './report.ts';

/** The usual reason why collectives of ranks differ in a trace. */
export const LOST_COMMUNICATORS =
  'The usual reason is a collective of a sub-communicator (MPI_Comm_split, MPI_Comm_create): a trace does not record communicators, so it cannot be replayed; write a model of the program, with m.split.';

/** Reports problems of the current line. Lines are `bytes[begin … end − 1]`, without their line feed. */
export class LineDiagnostics {
  file = '';
  line = 0;
  readonly #report: Report;
  /** Records the ranks with a faulty line; consequential problems of these ranks are not reported. */
  readonly #order: CollectiveOrder;
  #warnedOfSource = false;
  #warnedOfWait = false;
  /** The reason of different collectives is given once. */
  #explained = false;

  constructor(report: Report, order: CollectiveOrder) {
    this.#report = report;
    this.#order = order;
  }

  tainted(rank: number): boolean {
    return this.#order.isExcluded(rank);
  }

  /** Reports a line that does not begin with a rank. */
  notARank(bytes: Buffer, begin: number): void {
    const end = bytes.indexOf(10, begin);
    if (this.#binary(bytes, begin, end)) return;
    const first = wordAt(bytes, begin, end, 0)!;
    const word = quote(bytes.toString('utf8', first.from, Math.min(first.to, first.from + 200)));
    this.#report.problem('TI010', `expected the number of a rank at the beginning of the line, got ${word}.`, {
      file: this.file,
      line: this.line,
      column: first.from - begin + 1,
    });
  }

  /** Reports a rank that is not in the trace, or not allowed in this file. */
  wrongRank(rank: number, ranks: number, only: number, column: number): void {
    const place = { file: this.file, line: this.line, column };
    if (rank >= ranks) {
      const message = `rank ${rank} is out of range: the trace has ${ranks} ranks, 0 … ${ranks - 1}.`;
      this.#report.problem('TI011', message, place);
    } else {
      const message = `a line of rank ${rank} in the file of rank ${only}: the k-th listed file contains rank k only.`;
      this.#report.problem('TI013', message, place);
    }
  }

  /** Warns about lines after a rank's finalize. Not an error, because SimGrid replays them. */
  afterFinalize(rank: number): void {
    const message = `rank ${rank} continues after its finalize; was the trace written twice to one file?`;
    this.#report.warn('TI041', message, { file: this.file, line: this.line });
  }

  /** Reports an unknown or missing action. */
  noAction(rank: number, bytes: Buffer, begin: number, end: number): void {
    const name = this.word(bytes, begin, end, -1);
    const message = `rank ${rank} has no action in this line: expected "<rank> <action> …".`;
    const fault = name === '' ? ({ code: 'TI020', message } as const) : unknownAction(name);
    this.fault(rank, { ...fault, at: name === '' ? -2 : -1 }, bytes, begin, end);
  }

  /** Reports an invalid argument or number of arguments. */
  fault(rank: number, fault: Fault, bytes: Buffer, begin: number, end: number): void {
    this.#order.exclude(rank);
    if (this.#binary(bytes, begin, end)) return;
    const word = wordAt(bytes, begin, end, fault.at + 2);
    const place = { file: this.file, line: this.line, column: (word?.from ?? begin) - begin + 1 };
    this.#report.problem(fault.code, fault.message, place);
  }

  /** Reports a wait or test without a matching request; `key` is its source, destination and tag. */
  noRequest(rank: number, key: readonly string[]): void {
    if (this.tainted(rank)) return;
    const [source, destination, tag] = key;
    const message = `rank ${rank} has no request with source ${source}, destination ${destination}, tag ${tag} outstanding here: no isend or irecv has posted one since the last wait or waitall.`;
    this.#report.problem('TI030', message, { file: this.file, line: this.line });
  }

  /** Reports a wait for a non-blocking collective that is not outstanding. */
  noNonblocking(rank: number, name: string): void {
    if (this.tainted(rank)) return;
    const message = `rank ${rank} has no ${name} outstanding here: none has been posted since the last wait or waitall for it.`;
    this.#report.problem('TI030', message, { file: this.file, line: this.line });
  }

  /** Warns once about a wait for one of several non-blocking collectives. */
  ambiguousWait(name: string): void {
    if (this.#warnedOfWait) return;
    this.#warnedOfWait = true;
    const message = `several ${name} are outstanding, and waits do not tell them apart: the oldest one is taken.`;
    this.#report.warn('TI045', message, { file: this.file, line: this.line });
  }

  /** Reports that the k-th collective (from 1) of a rank differs from that of another rank. */
  otherCollective(rank: number, k: number, own: string, first: string, other: string): void {
    this.#order.exclude(rank);
    const message = `collective ${k} of rank ${rank} is ${own}, but that of ${first} is ${other}: all ranks must call the same collectives in the same order.${this.#explained ? '' : ` ${LOST_COMMUNICATORS}`}`;
    this.#explained = true;
    this.#report.problem('TI031', message, { file: this.file, line: this.line });
  }

  /** Warns about the first −333. */
  tracedSource(): void {
    if (this.#warnedOfSource) return;
    this.#warnedOfSource = true;
    const message = `source ${TRACED_ANY_SOURCE} is read as any source: the tracer of SimGrid 3.32 writes this number, but its replay expects ${ANY_SOURCE}.`;
    this.#report.warn('TI042', message, { file: this.file, line: this.line });
  }

  /** The text of an argument (from 0; −1 is the action), truncated to 200 bytes. */
  word(bytes: Buffer, begin: number, end: number, at: number): string {
    const word = wordAt(bytes, begin, end, at + 2);
    return word === undefined ? '' : bytes.toString('utf8', word.from, Math.min(word.to, word.from + 200));
  }

  /** Reports a line with control characters. Reading stops at a NUL byte, because the rest of a binary file is meaningless. */
  #binary(bytes: Buffer, begin: number, end: number): boolean {
    for (let p = begin; p < end; p++) {
      const c = bytes[p]!;
      if (c >= 32 || c === 9 || c === 13) continue;
      const place = { file: this.file, line: this.line, column: p - begin + 1 };
      this.#report.problem('TI003', `expected text, got a control character (byte ${c}).`, place);
      if (c === 0) this.#report.end();
      return true;
    }
    return false;
  }
}
