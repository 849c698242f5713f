import { type LoggedFirings, loggedLength, loggedValue } from '../../../base/logged-firings.ts';
import type { RankLog } from '../../rank-log.ts';
import type { ProgramNet } from '../net/program-net.ts';
import { RANK } from '../resolve/state.ts';
import type { TransitionInfo } from '../resolve/world.ts';
import { CollectiveCalls } from './collective-calls.ts';

/** A transition that calls a collective. */
type CallInfo = TransitionInfo & Required<Pick<TransitionInfo, 'calls' | 'statement'>>;

/** The collective calls in a program's net, by transition. */
export function collectiveInfos({ net, world }: ProgramNet): Map<string, CallInfo> {
  const found = new Map<string, CallInfo>();
  for (const { name } of net.transitions) {
    const info = world.infos.get(name);
    if (info?.calls !== undefined) found.set(name, info as CallInfo);
  }
  return found;
}

/** Reads only the collective calls from the log of a run. */
export class CollectiveLog {
  readonly calls: CollectiveCalls;
  readonly #entries: { readonly info: CallInfo; length: number }[] = [];
  readonly #transitions: Record<string, { readonly start: number; readonly variables: number }> = {};

  constructor(program: ProgramNet) {
    this.calls = new CollectiveCalls(program.rows);
    for (const [name, info] of collectiveInfos(program)) {
      const variables = Math.max(1, info.calls.depth);
      const entry = this.#entries.push({ info, length: loggedLength(variables) }) - 1;
      this.#transitions[name] = { start: entry, variables };
    }
  }

  /** The transitions to log and the reader of the log. */
  log(): RankLog {
    return { transitions: this.#transitions, read: (log, length) => this.#read(log, length) };
  }

  #read(log: LoggedFirings, length: number): void {
    for (let k = 0; k < length; ) {
      const { info, length: own } = this.#entries[log.heads[2 * k]!]!;
      const row = info.calls.in((which) => loggedValue(log, k, which));
      this.calls.called(info.statement!, loggedValue(log, k, 0), row);
      k += own;
    }
  }
}

/**
 * Follows the collective calls along firing sequences. Each step returns new calls; the previous ones stay unchanged.
 */
export class CollectivePaths {
  readonly #infos: Map<string, CallInfo>;
  readonly #program: ProgramNet;

  constructor(program: ProgramNet) {
    this.#program = program;
    this.#infos = collectiveInfos(program);
  }

  /** True if the program has collectives. */
  get some(): boolean {
    return this.#infos.size > 0;
  }

  first(): CollectiveCalls {
    return new CollectiveCalls(this.#program.rows);
  }

  after(calls: CollectiveCalls, transition: string, binding: Readonly<Record<string, number>>): CollectiveCalls {
    const info = this.#infos.get(transition);
    if (info === undefined) return calls;
    const next = calls.copy();
    next.called(info.statement!, binding[RANK]!, info.calls.numberAt(binding));
    return next;
  }
}
