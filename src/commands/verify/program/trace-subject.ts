import type { Problem } from '../../../base/problem.ts';
import { messagePassingNet } from '../../../models/message-passing.ts';
import type { MessagePassingProgram } from '../../../models/message-passing-parts.ts';
import { OP, type Operations } from '../../../models/operations.ts';
import type { TraceEncoder } from '../../../models/trace-encoder.ts';
import type { Expression } from '../../../net/expression.ts';
import type { Net, Transition } from '../../../net/net.ts';
import type { BlockedRank } from '../../inputs/document-parts.ts';
import { collectivesFor, type MachineOptions } from '../../inputs/target.ts';
import { blockedRanks, operationAt, unmatchedInTrace } from '../../predict/trace/blocked.ts';
import { MissingLines } from '../../predict/trace/missing-lines.ts';
import type { Choice, Unmatched } from '../../predict/unmatched.ts';
import { compactTrace, shortTrace, type Trace } from '../../subjects/compact-trace.ts';
import { readTrace } from '../../subjects/read-trace.ts';
import type { Marking, NamedStep, ProgramInstanceNet, Subject } from './subject.ts';
import { type SendProtocol, untimedMachine } from './subject.ts';

/** Maximum length, in positions, of a trace that is loaded into memory for the exploration of its states. */
const MAX_EXPLORED = 1 << 22;

/** Makes a verification subject of a trace. The machine only determines the algorithms of collectives. */
export function traceSubject(path: string, options: MachineOptions): Subject & { readonly trace: Trace } {
  const collectives = collectivesFor(options);
  // A request that stays open is reported as unmatched, with its line.
  const { trace: read, encoder } = readTrace(path, collectives, false, options, false);
  try {
    const operations = encoder.operations(read.named);
    const choices = choicesOf(operations);
    const trace = choices.length > 0 && read.length <= MAX_EXPLORED ? compactTrace(read) : shortTrace(read);
    return {
      trace,
      ranks: trace.ranks,
      parameters: {},
      collectives: operations.more.includes(1) ? collectives.text : undefined,
      choices,
      withSends: (sends) => new TraceInstance(trace, operations, encoder, sends),
      close: () => trace.close(),
    };
  } catch (e) {
    read.close();
    throw e;
  }
}

/** Kinds of operations in the trace with more than one possible outcome. */
function choicesOf({ op, wildcard, peer, tag, tests }: Operations): Choice[] {
  const wild = op.some((kind, row) => {
    const receives = kind === OP.recv || kind === OP.irecv;
    return receives && wildcard[row] === 1 && (peer[row] === -1 || tag[row] === -1);
  });
  const found: Choice[] = [];
  if (wild) found.push({ operation: 'recv from any source or with any tag', file: '', line: 0 });
  if (tests) found.push({ operation: 'test', file: '', line: 0 });
  return found;
}

class TraceInstance implements ProgramInstanceNet {
  readonly net: ProgramInstanceNet['net'];
  readonly program: undefined;
  readonly sized: boolean = false;
  readonly matches: readonly string[] = ['match', 'matchLoose', ONE_SOURCE];
  readonly wildMatch: string = 'matchLoose';
  readonly #trace: Trace;
  readonly #operations: Operations;
  readonly #encoder: TraceEncoder;
  #missing: MissingLines | undefined;

  constructor(trace: Trace, operations: Operations, encoder: TraceEncoder, sends: SendProtocol) {
    this.#trace = trace;
    this.#operations = operations;
    this.#encoder = encoder;
    const { ranks, start, code, amount } = trace;
    const program: MessagePassingProgram = { name: 'trace', ranks, start, operations, code, amount };
    const net = messagePassingNet(program, untimedMachine(ranks, operations.pairs.from.length, sends));
    const { op, wildcard } = operations;
    this.net = op.some((kind, row) => kind === OP.irecv && wildcard[row] === 1) ? net : withOneSource(net);
  }

  /** Completion tests and wildcard receives depend on the order of steps. All other transitions can fire immediately. */
  canHasten({ name }: Transition): boolean {
    if (name === 'matchLoose') return false;
    if (name === ONE_SOURCE) return true;
    return !(
      this.#operations.tests &&
      (name === 'complete' || name.startsWith('test ') || name === 'wait for nothing')
    );
  }

  blocked(marking: Marking): ReturnType<ProgramInstanceNet['blocked']> {
    const { ranks } = this.#trace;
    const ended = new Float64Array(ranks).fill(Number.NaN);
    for (const { values } of marking.tokens('ended')) ended[values[0]!] = 0;
    return blockedRanks(marking, this.#operations, this.#trace, { ended, since: new Float64Array(ranks) }, this.net);
  }

  unmatched(marking: Marking): Unmatched[] {
    return unmatchedInTrace(this.#trace, this.#operations, marking);
  }

  missingLines(blocked: readonly BlockedRank[], unmatched: readonly Unmatched[]): readonly Problem[] | undefined {
    if (blocked.length === 0 && unmatched.length === 0) return undefined;
    this.#missing ??= new MissingLines(this.#trace, this.#encoder);
    const missing = this.#missing;
    const explained =
      blocked.length > 0
        ? missing.explain(blocked)
        : unmatched.every(({ rank, peer }) => missing.explainUnmatched(rank, peer));
    return explained ? missing.problems() : undefined;
  }

  waiting(marking: Marking): Map<number, number> {
    const found = new Map<number, number>();
    for (const place of ['sends', 'wildcardSends'])
      for (const { values } of marking.tokens(place)) {
        const to = this.#operations.peer[values[place === 'sends' ? 1 : 3]!]!;
        found.set(to, (found.get(to) ?? 0) + 1);
      }
    return found;
  }

  /** Positions in the programs of sender and receiver determine the order. */
  isInOrder(marking: Marking, { binding }: NamedStep): boolean {
    const { d, s, t, i, i2: j } = binding;
    const { s2: source, t2: tag } = binding;
    for (const { values } of marking.tokens('wildcardSends'))
      if (values[0] === d && values[1] === s && values[4]! < i! && (tag === -1 || values[2] === tag)) return false;
    for (const { values } of marking.tokens('wildcardReceives')) {
      const admits = (values[1] === -1 || values[1] === s) && (values[2] === -1 || values[2] === t);
      if (values[0] === d && values[4]! < j! && admits) return false;
    }
    return source === -1 || source === s;
  }

  isBookkeeping(): boolean {
    return false;
  }

  describe(step: NamedStep): string | undefined {
    if (step.transition === this.wildMatch) {
      const { receive, message } = this.match(step).words();
      return `${receive} takes the message of ${message}`;
    }
    if (!/^test (?:not )?done$/.test(step.transition)) return undefined;
    const { r, i } = step.binding;
    const done = step.transition === 'test done';
    return `rank ${r}: ${this.#text(i!)} finds the request ${done ? '' : 'not '}complete`;
  }

  match({ binding }: NamedStep): ReturnType<ProgramInstanceNet['match']> {
    const { rank } = this.#operations;
    const operation = (row: string, position: string): string =>
      `rank ${rank[binding[row]!]}: ${this.#text(binding[position]!)}`;
    return {
      receive: String(binding['i2']),
      message: String(binding['i']),
      words: () => ({ receive: operation('o2', 'i2'), message: operation('o', 'i') }),
    };
  }

  /** Always empty: a trace contains only executed operations. */
  neverDone(): Choice[] {
    return [];
  }

  #text(position: number): string {
    const { operation, line } = operationAt(this.#trace, position);
    return `${operation} (line ${line})`;
  }
}

const ONE_SOURCE = 'matchLoose of one source';

/**
 * Splits the match of receives that name their source into a separate transition, for programs in which a rank has at most
 * one open receive. Such a receive takes the oldest message of its source that it accepts, so there is no choice.
 */
function withOneSource(net: Net): Net {
  const names = (source: Expression, wild: boolean): Expression => ({
    op: wild ? 'eq' : 'ne',
    a: source,
    b: { op: 'const', value: -1 },
  });
  const transitions = net.transitions.flatMap((t): Transition[] => {
    if (t.name !== 'matchLoose') return [t];
    const guard = (wild: boolean): Expression => ({
      op: 'and',
      a: t.guard!,
      b: names({ op: 'var', name: 's2' }, wild),
    });
    return [
      { ...t, name: ONE_SOURCE, guard: guard(false) },
      { ...t, guard: guard(true) },
    ];
  });
  return { ...net, transitions };
}
