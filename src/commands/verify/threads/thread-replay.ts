import type { Firing } from '../../../analysis/space/state-space.ts';
import { objectName } from '../../../models/threads/program/row-names.ts';
import { ROW, stoppedAt, type ThreadProgram } from '../../../models/threads/program/rows.ts';
import type { Net } from '../../../net/net.ts';
import type { ReducedProgram } from './reduced-program.ts';
import type { ThreadStep } from './thread-verification.ts';
import { operationOf, stepOf } from './thread-verification.ts';
import { plainName } from './untimed-threads.ts';

/**
 * Tells firings in terms of the program. Equal strands are tokens of one colour: which of them a firing concerns is chosen
 * here, the one that has been at its row longest.
 */
export class ThreadReplay {
  readonly #reduced: ReducedProgram;
  readonly #net: Net;
  /** Members of merged strands by strand and row, in the order of their arrival there. */
  readonly #at = new Map<string, number[]>();
  readonly #steps: ThreadStep[] = [];

  constructor(reduced: ReducedProgram, net: Net) {
    this.#reduced = reduced;
    this.#net = net;
  }

  get steps(): readonly ThreadStep[] {
    return this.#steps;
  }

  /** The members of a strand that are at a row. */
  membersAt(strand: number, row: number): readonly number[] {
    if (!this.#reduced.members.has(strand)) return [strand];
    return this.#at.get(`${strand} ${row}`) ?? [];
  }

  fire({ node, binding }: Firing): void {
    const { program } = this.#reduced;
    const transition = this.#net.transitions[node]!;
    const { inputs } = transition;
    const value = (e: { readonly op: string; readonly name?: string } | undefined): number | undefined =>
      e?.op === 'var' ? binding[e.name!] : undefined;
    const strands = inputs.filter(
      (i) => i.kind === 'take' && i.pattern['s'] !== undefined && i.pattern['at'] !== undefined,
    );
    // The second strand is the waiter that the first one releases.
    const taken = transition.name === 'takes a waiter' ? strands[1] : strands[0];
    if (taken === undefined) return;
    const [s, at] = [value(taken.pattern['s'] as never), value(taken.pattern['at'] as never)];
    if (s === undefined || at === undefined) return;
    const name = plainName(transition.name);
    const op = program.rows.op[at]!;
    // Where the strand is afterwards: at the same row if it is blocked, or only moves between queues.
    const stays = STAYS.has(name);
    const strand = stays ? (this.membersAt(s, at)[0] ?? s) : this.#leave(s, at);
    if (!stays) {
      const counter = inputs.find((i) => i.kind === 'take' && i.place === 'next chunk');
      this.#arrive(s, strand, nextRow(program, name, s, at, value(counter?.pattern['n'] as never)));
    }
    if (op === ROW.spawn && name.startsWith('spawns')) this.#spawned(program.rows.a[at]!);
    const text = this.#words(name, at);
    if (text !== undefined) this.#steps.push(stepOf(program, strand, at, text));
  }

  #words(name: string, at: number): string | undefined {
    const { program } = this.#reduced;
    const operation = operationOf(program, at);
    const { op, a, b } = program.rows;
    if (operation === undefined || op[at] === ROW.sync || isJoin(program, at)) return undefined;
    if (name === 'tries in vain' || name === 'tries too late') return `${operation}: fails`;
    if (name === 'gives up waiting') return `${operation}: gives up`;
    if (CONTINUES.has(name) || /^(returns|is called back) to a task/.test(name)) return `${operation}: continues`;
    if (WAITS.has(name)) return `${operation}: waits`;
    if (name === 'ends joining' || name === 'ends contested joining') return `${operation}: is in the queue`;
    if (name === 'sets without retry') return `${operation}: not retried, although a waiter is being added or released`;
    if (name === 'release faults')
      return `${operationOf(program, stoppedAt(program.rows, at))}: ${objectName(program, a[at]!)} is not held`;
    if (name === 'wait faults') return `${operation}: ${objectName(program, b[at]!)} is not held`;
    if (op[at] === ROW.acquire && program.objects[a[at]!]!.kind === 'latch') return undefined;
    return SHOWN.has(name) ? operation : undefined;
  }

  #spawned(strand: number): void {
    const { members, program } = this.#reduced;
    const all = members.get(strand);
    if (all === undefined) return;
    const used = [...this.#at].filter(([key]) => key.startsWith(`${strand} `)).reduce((n, [, l]) => n + l.length, 0);
    const next = all[used + (this.#gone.get(strand) ?? 0)];
    if (next !== undefined) this.#arrive(strand, next, program.strands.start[strand]!);
  }

  readonly #gone = new Map<number, number>();

  #leave(strand: number, row: number): number {
    const list = this.#at.get(`${strand} ${row}`);
    return list?.shift() ?? strand;
  }

  #arrive(strand: number, member: number, row: number | undefined): void {
    if (!this.#reduced.members.has(strand)) return;
    if (row === undefined) {
      this.#gone.set(strand, (this.#gone.get(strand) ?? 0) + 1);
      return;
    }
    const key = `${strand} ${row}`;
    const list = this.#at.get(key);
    if (list === undefined) this.#at.set(key, [member]);
    else list.push(member);
  }
}

/** True if a row waits for the strands of a group, or says that one has ended, by an object. */
const isJoin = ({ rows: { op, a }, objects }: ThreadProgram, at: number): boolean =>
  (op[at] === ROW.acquire || op[at] === ROW.release) && objects[a[at]!]!.isJoin === true;

/** Transitions after which the strand is at the same row. */
const STAYS: ReadonlySet<string> = new Set([
  'blocks',
  'blocks in the second queue',
  'waits within a time',
  'waits in the second queue within a time',
  'waits for a task',
  'waits for a signal',
  'release faults',
  'wait faults',
  'wakes',
  'wakes for a lock',
  'tries again',
  'wakes a waiter',
  'wakes one of several',
  'begins',
  'takes task',
  'finds own',
  'takes assigned',
  'finds an awaited task',
  'takes an awaited task',
  'steals',
  'moves task',
  'has stolen',
]);

/** Transitions after which a strand waits, of all schedulers, and those by which it goes on. */
const WAITS: ReadonlySet<string> = new Set([
  'blocks',
  'blocks in the second queue',
  'waits within a time',
  'waits in the second queue within a time',
  'begins to join',
  'registers',
  'is registered',
]);
const CONTINUES: ReadonlySet<string> = new Set([
  'grants',
  'grants to the second queue',
  'grants within the time',
  'grants to the second queue within the time',
  'signals',
  'takes a waiter',
  'finds',
  'finds the signalled one',
]);

/** Transitions after which a strand goes on without the object that it has tried to take. */
const FAILS: ReadonlySet<string> = new Set(['tries in vain', 'tries too late', 'gives up waiting']);

/** Transitions that are reported as the operation of their row. */
const SHOWN: ReadonlySet<string> = new Set([
  'acquires',
  'releases',
  'sets',
  'sets for no waiter',
  'begins to set',
  'begins to notify',
  'begins to join a condition',
  'registers for a signal',
  'releases to all',
  'waits for a signal',
  'waits for a task',
  'atomic operation',
  'test holds',
  'test fails',
  'fetches',
]);

/** The row after a firing; undefined if the strand ends. */
function nextRow(
  { rows, loops }: ThreadProgram,
  name: string,
  strand: number,
  at: number,
  chunk: number | undefined,
): number | undefined {
  switch (rows.op[at]) {
    case ROW.end:
      return undefined;
    case ROW.jump:
      return rows.b[at]!;
    case ROW.late:
      return name === 'is late' ? rows.b[at]! : at + 1;
    case ROW.test:
      return name === 'test holds' ? rows.b[at]! : at + 1;
    case ROW.try:
    case ROW.wait:
      return FAILS.has(name) ? at + 2 : at + 1;
    case ROW.fetch:
      return name === 'fetches' ? loops[rows.a[at]!]!.chunkRows[chunk!]! : at + 1;
    case ROW.chunkEnd: {
      const { fetchRows, firstStrand } = loops[rows.a[at]!]!;
      return fetchRows[strand - firstStrand]!;
    }
    default:
      return at + 1;
  }
}
