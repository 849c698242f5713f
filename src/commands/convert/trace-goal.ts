import { entryAt } from '../../base/paged.ts';
import { fail, formatProblem, quote } from '../../base/problem.ts';
import { OP, OP_NAMES } from '../../models/operations.ts';
import { MAX_OPERATIONS } from '../../trace/goal/read-goal.ts';
import { checkOptions } from '../inputs/check-options.ts';
import type { InputOf } from '../inputs/input.ts';
import { assertTraceExists } from '../inputs/input-kinds.ts';
import { hostfileOf, machineFileOf } from '../inputs/target.ts';
import { checkOutputs, writeWhole } from '../output.ts';
import { assertReplayable } from '../predict/trace/blocked.ts';
import { type TraceNet, traceNet } from '../subjects/read-trace.ts';
import { CONVERT_ROWS, type ConvertOptions, type Written } from './convert-options.ts';

const NANOSECONDS = 1e9;

/**
 * Writes a trace as a GOAL schedule: messages, with collectives expanded, and the times of its computations on the hosts of a
 * machine, rounded to nanoseconds. Latencies and bandwidths are the parameters of LogGOPS, which a schedule does not have.
 *
 * @throws InputError GOAL008 for a trace whose order depends on times, and all problems of the trace and the machine
 */
export function writeGoal({ kind, path }: InputOf<'trace'>, output: string, options: ConvertOptions): Written {
  checkOptions('convertCommand', CONVERT_ROWS, { kind, file: path }, options);
  for (const name of ['unfold', 'safe', 'limit'] as const)
    if (options[name] !== undefined) fail('GOAL008', `a schedule is no net: omit ${name}`, { file: output });
  checkOutputs([output], [path, machineFileOf(options), hostfileOf(options)]);
  assertTraceExists(path);
  const built = traceNet(path, options);
  try {
    assertReplayable(built);
    const { lines, operations } = new GoalWriter(built, path).write();
    const text = `${lines.join('\n')}\n`;
    writeWhole(output, text);
    const { target, placed, trace } = built;
    return {
      contents: `${trace.ranks} ranks, ${operations} operations`,
      bytes: Buffer.byteLength(text),
      notes: [...target.warnings, ...(target.platform.notes ?? []), ...placed.notes, ...trace.notes].map(formatProblem),
    };
  } finally {
    built.trace.close();
  }
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
  #operations = 0;
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

  write(): { readonly lines: readonly string[]; readonly operations: number } {
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
    return { lines: this.#lines, operations: this.#operations };
  }

  #row(rank: number, row: number, position: number): void {
    const { operations, trace, target, placed } = this.#built;
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
    if (++this.#operations > MAX_OPERATIONS)
      fail('GOAL005', `more than ${MAX_OPERATIONS} operations`, { file: this.#file });
    const label = this.#label++;
    this.#lines.push(`  l${label}: ${text}`);
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
