import { entryAt } from '../../base/columns.ts';
import { fail, quote } from '../../base/problem.ts';
import { changes } from '../../machine/profile.ts';
import { OP, OP_NAMES } from '../../models/operations.ts';
import { GoalWriter } from '../../trace/goal/goal-writer.ts';
import type { Target } from '../inputs/target.ts';
import type { TraceOnHosts } from './read-trace.ts';

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
export function traceSchedule(built: TraceOnHosts, file: string): TraceSchedule {
  return new TraceScheduler(built, file).write();
}

class TraceScheduler {
  readonly #built: TraceOnHosts;
  readonly #writer: GoalWriter<number>;
  /** Some message belongs to a collective, so that no receive may take any tag. */
  readonly #hasCollectives: boolean;
  /** Open requests of the rank that is written, oldest first. */
  #open = new Map<number, number[]>();

  constructor(built: TraceOnHosts, file: string) {
    this.#built = built;
    const { operations, trace, target, placed } = built;
    this.#writer = new GoalWriter(trace.ranks, file);
    this.#hasCollectives = operations.op.some((op, row) => isMessage(op) && !this.#isUser(row));
    assertOwnCores(target, placed.placement, file);
  }

  write(): TraceSchedule {
    const { trace, operations } = this.#built;
    for (let rank = 0; rank < trace.ranks; rank++)
      this.#writer.rank(rank, () => {
        this.#open = new Map();
        for (let i = trace.start[rank]!; i <= trace.end[rank]!; i++)
          for (let row = entryAt(trace.code, i); ; row++) {
            this.#row(rank, row, i);
            if (operations.more[row] === 0) break;
          }
      });
    const { text, origins } = this.#writer.finish();
    return { text, positions: origins };
  }

  #row(rank: number, row: number, position: number): void {
    const { operations, trace, target, placed } = this.#built;
    const op = operations.op[row]!;
    if (ONE_SIDED.has(this.#built.encoder.actionOf(row).kind)) this.#refuse('one-sided communication', position);
    const own = operations.size[row]!;
    const size = own < 0 ? entryAt(trace.amount, position) : own;
    switch (op) {
      case OP.compute:
        this.#writer.calc((size / target.platform.hosts[placed.placement[rank]!]!.speed) * NANOSECONDS, position);
        break;
      case OP.sleep:
        this.#writer.calc(size * NANOSECONDS, position);
        break;
      case OP.send:
      case OP.isend:
        if ((operations.mode?.[row] ?? 0) !== 0) this.#refuse('synchronous and buffered sends', position);
        this.#message('send', size, row, position);
        break;
      case OP.recv:
      case OP.irecv:
        if (this.#tag(row) < 0 && this.#hasCollectives)
          this.#refuse('receives of any tag next to collectives', position);
        this.#message('recv', size, row, position);
        break;
      case OP.wait: {
        const label = this.#open.get(operations.request[row]!)?.shift();
        if (label !== undefined) this.#writer.wait(label);
        break;
      }
      case OP.waitall:
        for (const labels of this.#open.values()) for (const label of labels) this.#writer.wait(label);
        this.#open.clear();
        break;
      case OP.end:
        break;
      default:
        this.#refuse(`calls such as ${quote(OP_NAMES[op]!)}`, position);
    }
  }

  #message(kind: 'send' | 'recv', size: number, row: number, position: number): void {
    const { op, request, peer } = this.#built.operations;
    const posts = op[row] === OP.isend || op[row] === OP.irecv;
    const message = { bytes: Math.floor(size), peer: peer[row]!, tag: this.#tag(row) };
    const label = this.#writer.message(kind, message, posts, position);
    if (!posts) return;
    const open = this.#open.get(request[row]!);
    if (open === undefined) this.#open.set(request[row]!, [label]);
    else open.push(label);
  }

  /** Messages of collectives have separate tags, one for each channel. */
  #tag(row: number): number {
    const { tag, tags, channel } = this.#built.operations;
    return this.#isUser(row) ? tag[row]! : tags + channel[row]!;
  }

  #isUser(row: number): boolean {
    return USER.has(this.#built.encoder.actionOf(row).kind);
  }

  #refuse(what: string, position: number): never {
    const { file, line } = this.#built.trace.locate(position);
    return fail('GOAL008', `a schedule has no ${what}`, { file, line });
  }
}

/** @throws InputError GOAL008 ranks that share a core, or a host that changes over time */
export function assertOwnCores({ platform }: Target, placement: Int32Array, file: string | undefined): void {
  const changing = platform.hosts.find((host, h) => changes(host) && placement.includes(h));
  if (changing !== undefined)
    fail(
      'GOAL008',
      `host ${quote(changing.name)} changes over time: a schedule has fixed times of computing. Give a machine without profiles`,
      file === undefined ? undefined : { file },
    );
  const ranksOn = new Int32Array(platform.hosts.length);
  for (const host of placement) ranksOn[host]!++;
  if (platform.hosts.some(({ cores }, host) => ranksOn[host]! > cores))
    fail(
      'GOAL008',
      'ranks share cores: a schedule has fixed times of computing. Give each rank a core',
      file === undefined ? undefined : { file },
    );
}

const isMessage = (op: number): boolean => op === OP.send || op === OP.isend || op === OP.recv || op === OP.irecv;
const ONE_SIDED: ReadonlySet<string> = new Set(['put', 'get', 'accumulate', 'fence']);
const USER: ReadonlySet<string> = new Set(['send', 'isend', 'recv', 'irecv', 'sendRecv']);
