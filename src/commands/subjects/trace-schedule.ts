import { entryAt } from '../../base/paged.ts';
import { fail, quote } from '../../base/problem.ts';
import { OP, OP_NAMES } from '../../models/operations.ts';
import { MAX_OPERATIONS } from '../../trace/goal/read-goal.ts';
import type { TraceNet } from './read-trace.ts';

const NANOSECONDS = 1e9;

/** A trace as a GOAL schedule, and the position in the trace of each of its operations, by its line of the text. */
export interface TraceSchedule {
  readonly text: string;
  readonly positions: ReadonlyMap<number, number>;
}

/**
 * The messages of a trace, with collectives expanded, and the times of its computations on their hosts, rounded to nanoseconds.
 *
 * @param file the trace, for messages
 * @throws InputError GOAL008 for a trace whose order depends on times, GOAL005 for too many operations
 */
export function traceSchedule(built: TraceNet, file: string): TraceSchedule {
  const { lines, positions } = new GoalWriter(built, file).write();
  return { text: `${lines.join('\n')}\n`, positions };
}

/** An operation that the next one requires: its number, and whether its start is enough. */
interface Required {
  readonly label: number;
  readonly started: boolean;
}

class GoalWriter {
  readonly #built: TraceNet;
  readonly #file: string;
  readonly #lines: string[] = [];
  /** Some message belongs to a collective, so that no receive may take any tag. */
  readonly #hasCollectives: boolean;
  readonly #positions = new Map<number, number>();
  /** The position in the trace that is written. */
  #position = 0;
  /** The rank that is written: its last number, what its next operation requires, and its open requests, oldest first. */
  #label = 0;
  #required: Required[] = [];
  #open = new Map<number, number[]>();

  constructor(built: TraceNet, file: string) {
    this.#built = built;
    this.#file = file;
    const { operations } = built;
    this.#hasCollectives = operations.op.some((op, row) => isMessage(op) && !this.#isUser(row));
    if (built.machine.cores !== undefined)
      fail('GOAL008', 'ranks share cores: a schedule has fixed times of computing. Give each rank a core', { file });
  }

  write(): { readonly lines: readonly string[]; readonly positions: ReadonlyMap<number, number> } {
    const { trace, operations } = this.#built;
    this.#lines.push(`num_ranks ${trace.ranks}`);
    for (let rank = 0; rank < trace.ranks; rank++) {
      this.#lines.push(`rank ${rank} {`);
      this.#label = 0;
      this.#required = [];
      this.#open = new Map();
      for (let i = trace.start[rank]!; i <= trace.end[rank]!; i++)
        for (let row = entryAt(trace.code, i); ; row++) {
          this.#row(rank, row, i);
          if (operations.more[row] === 0) break;
        }
      this.#lines.push('}');
    }
    return { lines: this.#lines, positions: this.#positions };
  }

  #row(rank: number, row: number, position: number): void {
    const { operations, trace, target, placed } = this.#built;
    this.#position = position;
    const op = operations.op[row]!;
    const own = operations.size[row]!;
    const size = own < 0 ? entryAt(trace.amount, position) : own;
    switch (op) {
      case OP.compute:
        this.#calc((size / target.platform.hosts[placed.placement[rank]!]!.speed) * NANOSECONDS);
        break;
      case OP.sleep:
        this.#calc(size * NANOSECONDS);
        break;
      case OP.send:
      case OP.isend:
        if ((operations.mode?.[row] ?? 0) !== 0) this.#refuse('synchronous and buffered sends', position);
        this.#message(`send ${Math.floor(size)}b to ${operations.peer[row]!} tag ${this.#tag(row)}`, row);
        break;
      case OP.recv:
      case OP.irecv: {
        const tag = this.#tag(row);
        if (tag < 0 && this.#hasCollectives) this.#refuse('receives of any tag next to collectives', position);
        this.#message(`recv ${Math.floor(size)}b from ${operations.peer[row]!} tag ${tag}`, row);
        break;
      }
      case OP.wait: {
        const label = this.#open.get(operations.request[row]!)?.shift();
        if (label !== undefined) this.#required.push({ label, started: false });
        break;
      }
      case OP.waitall:
        for (const labels of this.#open.values())
          this.#required.push(...labels.map((label) => ({ label, started: false })));
        this.#open.clear();
        break;
      case OP.end:
        break;
      default:
        this.#refuse(`calls such as ${quote(OP_NAMES[op]!)}`, position);
    }
  }

  #calc(nanoseconds: number): void {
    const whole = Math.round(nanoseconds);
    if (whole > 0) this.#required = [{ label: this.#add(`calc ${whole}`), started: false }];
  }

  /** A blocking call is passed when it has ended, another one when it has started. */
  #message(text: string, row: number): void {
    const { op, request } = this.#built.operations;
    const label = this.#add(text);
    const posts = op[row] === OP.isend || op[row] === OP.irecv;
    this.#required = [{ label, started: posts }];
    if (!posts) return;
    const open = this.#open.get(request[row]!);
    if (open === undefined) this.#open.set(request[row]!, [label]);
    else open.push(label);
  }

  /** Messages of collectives have tags of their own, one for each channel. */
  #tag(row: number): number {
    const { tag, tags, channel } = this.#built.operations;
    return this.#isUser(row) ? tag[row]! : tags + channel[row]!;
  }

  #isUser(row: number): boolean {
    return USER.has(this.#built.encoder.actionOf(row).kind);
  }

  #add(text: string): number {
    if (this.#positions.size >= MAX_OPERATIONS)
      fail('GOAL005', `more than ${MAX_OPERATIONS} operations`, { file: this.#file });
    const label = this.#label++;
    this.#lines.push(`  l${label}: ${text}`);
    this.#positions.set(this.#lines.length, this.#position);
    for (const { label: before, started } of this.#required)
      this.#lines.push(`  l${label} ${started ? 'irequires' : 'requires'} l${before}`);
    return label;
  }

  #refuse(what: string, position: number): never {
    const { file, line } = this.#built.trace.locate(position);
    return fail('GOAL008', `a schedule has no ${what}`, { file, line });
  }
}

const isMessage = (op: number): boolean => op === OP.send || op === OP.isend || op === OP.recv || op === OP.irecv;
const USER: ReadonlySet<string> = new Set(['send', 'isend', 'recv', 'irecv', 'sendRecv']);
