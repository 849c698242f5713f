import { given } from '../../../base/given.ts';
import { fail, withArticle } from '../../../base/problem.ts';
import { beginEvaluation, endEvaluation, guardingAmbient } from '../../../net/functions/ambient.ts';
import type { Required } from '../../../trace/goal/goal-writer.ts';
import type { CollectiveChoice } from '../../collectives/choice.ts';
import { expandCollective, preparedCollective } from '../../collectives/expand.ts';
import type { Nodes } from '../../collectives/nodes.ts';
import type { PointToPoint } from '../../collectives/steps.ts';
import { guarded } from '../../parameters.ts';
import { amountRule, booleanRule, countRule, NO_PEER, peerRule, tagRule, variableRule } from '../net/rules.ts';
import { ANY } from '../record/builder-types.ts';
import type { Communicator } from '../record/communicator.ts';
import type { Recorded } from '../record/recorder.ts';
import type { Block, Statement } from '../record/statement.ts';
import { INVALID, type Rule } from '../resolve/argument.ts';
import { collectiveOf } from '../resolve/collective-rows.ts';
import { GroupNodes } from '../resolve/group-nodes.ts';
import { labelOf } from '../resolve/shape.ts';
import { answerOf, type Closure, type Numbers, RANK, type Surroundings } from '../resolve/state.ts';
import { CollectiveMessages, type OrderWriter, type Space, TagNumbers } from './order-writer.ts';

const NANOSECONDS = 1e9;
/** Settings of ranks that are executed alone. */
export interface OrderSetting {
  readonly collectives: CollectiveChoice;
  /** The host of each rank of the world, for algorithms of collectives that depend on it. */
  readonly hosts?: ArrayLike<number>;
  /** Flop/s of the core of each rank of the world. */
  readonly speed: (rank: number) => number;
}

/** A call whose arguments are the same on all ranks. */
interface FixedCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly size: number;
  readonly nodes: Nodes | undefined;
  readonly prepared: ReturnType<typeof preparedCollective>;
}

/**
 * Executes each rank alone, in ascending order, and passes its operations to a writer.
 *
 * @param most maximum number of executed statements of all ranks
 * @param each calls `run` to execute the rank
 * @throws InputError GOAL005 for too many executed statements, GOAL008 for statements that need times or received values unless the writer
 * refuses them, MODEL020 for arguments that a rank cannot have
 */
export function executeRanks(
  programs: readonly Recorded[],
  setting: OrderSetting & { readonly writer: OrderWriter; readonly most: number },
  each: (rank: number, run: () => void) => void,
): void {
  const { collectives, hosts, speed, writer, most } = setting;
  const shared: Shared = {
    collectives,
    nodes: new GroupNodes(collectives, hosts),
    speed,
    writer,
    tags: new TagNumbers(),
    executed: { left: most, most },
    fixed: new Map(),
  };
  guardingAmbient(() => {
    for (const program of programs) {
      const { size, params, variables, first, name } = program;
      const surroundings: Surroundings = { size, params: guarded(name, params), variables, first };
      for (let k = 0; k < size; k++)
        each(first + k, () => new RankOrder(program, surroundings, first + k, shared).run());
    }
  });
}

interface Shared extends Omit<OrderSetting, 'hosts'> {
  readonly nodes: GroupNodes;
  readonly writer: OrderWriter;
  readonly tags: TagNumbers;
  readonly executed: { left: number; readonly most: number };
  /** Calls of collectives with equal arguments on all ranks. */
  readonly fixed: Map<Statement, FixedCall>;
}

/** A request: the number of its message, or what its collective ends with; `null`: there is no partner. */
type Open = number | readonly Required[] | null;

class RankOrder {
  readonly #program: Recorded;
  readonly #rank: number;
  readonly #shared: Shared;
  readonly #surroundings: Surroundings;
  /** The state as the program's functions read it; variables that received messages set throw. */
  readonly #state: Record<string, number> = {};
  readonly #open = new Map<number, Open>();
  /** Non-blocking calls so far, by communicator. */
  readonly #calls = new Map<number, number>();

  constructor(program: Recorded, surroundings: Surroundings, rank: number, shared: Shared) {
    this.#program = program;
    this.#rank = rank;
    this.#shared = shared;
    this.#surroundings = surroundings;
    this.#state[RANK] = rank;
    for (const [variable, v] of Object.entries(program.variables))
      this.#state[variable] = v.kind === 'range' ? v.low! : Math.max(0, v.low ?? 0);
  }

  run(): void {
    this.#block(this.#program.body);
  }

  #block({ statements }: Block): void {
    for (const s of statements) this.#statement(s);
  }

  #statement(s: Statement): void {
    this.#execute(s);
    switch (s.kind) {
      case 'compute':
        this.#compute(s);
        break;
      case 'sleep':
        if (s.noise !== undefined) this.#refuse('random times', s);
        this.#calc(this.#number(s, 'seconds', s.seconds, amountRule), s);
        break;
      case 'send':
      case 'recv':
        this.#message(s);
        break;
      case 'wait':
        this.#wait(s.request.number);
        this.#receive(s.into, s);
        break;
      case 'collective':
        this.#collective(s);
        break;
      case 'let':
        this.#set(
          s.variable,
          this.#number(s, s.variable, s.value, variableRule(this.#program.variables[s.variable]!, undefined)),
        );
        break;
      case 'when':
        this.#block(this.#number(s, 'test', s.test, booleanRule) === 1 ? s.holds : s.otherwise);
        break;
      case 'while':
        while (this.#number(s, 'test', s.test, booleanRule) === 1) {
          this.#block(s.body);
          this.#execute(s);
        }
        break;
      case 'loop':
        this.#loop(s);
        break;
      case 'interval':
        this.#block(s.body);
        break;
      case 'chance':
      case 'repeat':
        this.#refuse('random choices', s);
        break;
      case 'probe':
      case 'waitAny':
      case 'take':
      case 'test':
        this.#refuse(`calls such as ${labelOf(s)}, which depend on times`, s);
        break;
      case 'put':
      case 'get':
      case 'fence':
        this.#refuse('one-sided communication', s);
        break;
      case 'file':
        this.#refuse('files', s);
        break;
      case 'threads':
        this.#refuse('threads in ranks', s);
        break;
      case 'acquire':
      case 'release':
        this.#refuse('shared resources', s);
        break;
    }
  }

  /** Counts a statement, or an iteration of a loop. */
  #execute(s: Statement): void {
    if (--this.#shared.executed.left < 0)
      fail('GOAL005', `more than ${this.#shared.executed.most} executed statements: does the loop end?`, s.site.place);
  }

  #compute(s: Extract<Statement, { kind: 'compute' }>): void {
    if (s.noise !== undefined) this.#refuse('random times', s);
    const flops = s.flops === undefined ? 0 : this.#number(s, 'flops', s.flops, amountRule);
    const seconds = s.seconds === undefined ? 0 : this.#number(s, 'seconds', s.seconds, amountRule);
    if (s.bytes !== undefined) this.#number(s, 'bytes', s.bytes, amountRule);
    this.#calc(flops / this.#shared.speed(this.#rank) + seconds, s);
  }

  #calc(seconds: number, s: Statement): void {
    this.#shared.writer.calc(seconds * NANOSECONDS, s);
  }

  /** As the net of a loop counts: the variable is 0, 1, … in the body, and the number of iterations afterwards. */
  #loop(s: Extract<Statement, { kind: 'loop' }>): void {
    const { variable } = s;
    const count = (): number => this.#number(s, 'count', s.count, countRule);
    let iteration = 0;
    let more = count() > 0;
    if (variable !== undefined) this.#set(variable, 0);
    while (more) {
      this.#block(s.body);
      this.#execute(s);
      iteration = (variable === undefined ? iteration : this.#state[variable]!) + 1;
      more = iteration < count();
      if (variable !== undefined) this.#set(variable, iteration);
    }
  }

  #message(s: Extract<Statement, { kind: 'send' | 'recv' }>): void {
    const sends = s.kind === 'send';
    const [what, partner] = sends ? ['to', s.to] : ['from', s.from];
    if (!sends && s.tag === ANY) this.#refuse('receives of any tag', s);
    const isAny = partner === ANY;
    const peer = isAny
      ? ANY_RANK
      : this.#number(
          s,
          what as string,
          partner,
          peerRule(s.comm, (_, other) => other),
        );
    const { request } = s;
    if (!isAny && peer === NO_PEER) {
      if (request !== undefined) this.#open.set(request.number, null);
      if (!sends) this.#receive(s.into, s);
      return;
    }
    if (sends && s.mode !== 'standard' && s.mode !== 'ready') this.#refuse('synchronous and buffered sends', s);
    const tag = this.#number(
      s,
      'tag',
      s.tag,
      tagRule((number) => number),
    );
    const bytes = sends ? this.#number(s, 'bytes', s.bytes, countRule) : 0;
    const message = { bytes, peer: isAny ? -1 : peer, tag: this.#tagOf(s.comm, 'user')(tag) };
    const label = this.#shared.writer.message(s.kind, message, request !== undefined, s);
    if (request !== undefined) this.#open.set(request.number, label);
    if (!sends) this.#receive(s.into, s);
  }

  #wait(request: number): void {
    const open = this.#open.get(request) ?? null;
    this.#open.delete(request);
    if (open === null) return;
    if (typeof open === 'number') this.#shared.writer.wait(open);
    else this.#shared.writer.join(open);
  }

  /** Variables that a message sets are not known: a function that reads one is refused. */
  #receive({ source, tag, carry }: Extract<Statement, { kind: 'wait' }>['into'], s: Statement): void {
    for (const name of [source, tag, ...carry])
      if (name !== undefined)
        Object.defineProperty(this.#state, name, {
          configurable: true,
          enumerable: true,
          get: () => this.#refuse(`values of received messages, which variable ${JSON.stringify(name)} has`, s),
        });
  }

  #set(name: string, value: number): void {
    Object.defineProperty(this.#state, name, { configurable: true, enumerable: true, writable: true, value });
  }

  #collective(s: Extract<Statement, { kind: 'collective' }>): void {
    const { comm, call, request } = s;
    if (!comm.has(this.#rank)) this.#wrong(s, 'call', 'this rank is not in the communicator');
    const { writer, fixed, speed } = this.#shared;
    const nodes = this.#shared.nodes.of(comm, this.#rank);
    if (request === undefined && writer.append !== undefined) {
      const call = fixed.get(s) ?? this.#fixed(s, nodes);
      if (call !== undefined && call.size === comm.sizeOf(this.#rank) && call.nodes === nodes) {
        writer.collective?.(s, this.#rank, call.args);
        const [rank, own] = [this.#rank, comm.rankOf(this.#rank)];
        const tagOf = this.#tagOf(comm, 'collective');
        writer.append(call.prepared, { statement: s, rank, own, speed: speed(rank), tagOf });
        return;
      }
    }
    const args = this.#arguments(s);
    this.#shared.writer.collective?.(s, this.#rank, args);
    const own = comm.rankOf(this.#rank);
    const steps = expandCollective(
      collectiveOf(call, args, own),
      own,
      comm.sizeOf(this.#rank),
      this.#shared.collectives,
      request !== undefined,
      given({ nodes }, ['nodes']),
    );
    const run = new CollectiveMessages(this.#shared.writer, s);
    if (request === undefined) {
      this.#steps(run, steps, comm, 'collective', s);
      return;
    }
    const number = this.#calls.get(comm.number) ?? 0;
    this.#calls.set(comm.number, number + 1);
    const space: Space = `call ${number}`;
    const posted = steps.findIndex(({ op }) => op !== 'isend' && op !== 'irecv');
    const split = posted < 0 ? steps.length : posted;
    this.#steps(run, steps.slice(0, split), comm, space, s);
    this.#open.set(
      request.number,
      this.#shared.writer.aside(() => {
        this.#steps(run, steps.slice(split), comm, space, s);
        run.waitForAll();
      }),
    );
  }

  /** A call without functions of the rank's state, which is the same on all ranks; undefined for others. */
  #fixed(s: Extract<Statement, { kind: 'collective' }>, nodes: Nodes | undefined): FixedCall | undefined {
    const { comm, call } = s;
    const isConstant = Object.values(s.args).every((given) => typeof given === 'number' || given === undefined);
    if (!isConstant) return undefined;
    const args = this.#arguments(s);
    const size = comm.sizeOf(this.#rank);
    const collective = collectiveOf(call, args, comm.rankOf(this.#rank));
    const prepared = preparedCollective(collective, size, this.#shared.collectives, false, nodes);
    const found = { args, size, nodes, prepared };
    this.#shared.fixed.set(s, found);
    return found;
  }

  #arguments(s: Extract<Statement, { kind: 'collective' }>): Readonly<Record<string, unknown>> {
    return Object.fromEntries(Object.entries(s.args).map(([name, given]) => [name, this.#amounts(s, name, given)]));
  }

  #steps(
    run: CollectiveMessages,
    steps: readonly PointToPoint[],
    comm: Communicator,
    space: Space,
    s: Extract<Statement, { kind: 'collective' }>,
  ): void {
    const tagOf = this.#tagOf(comm, space);
    for (const step of steps)
      if (step.op === 'compute') this.#calc(step.flops / this.#shared.speed(this.#rank), s);
      else if (step.op === 'wait') run.wait(step.request);
      else {
        const peer = comm.worldRank(this.#rank, step.peer)!;
        run.message(step, peer, tagOf(step.tag));
      }
  }

  /** Numbers of a collective: one, or a list. */
  #amounts(s: Statement, name: string, given: unknown): unknown {
    const rule = name === 'flops' ? amountRule : countRule;
    let list: unknown;
    this.#number(s, name, given, (value, state) => {
      list = value;
      for (const one of Array.isArray(value) ? value : [value]) {
        const verdict = rule(one, state);
        if (typeof verdict === 'string') return verdict;
      }
      return 0;
    });
    return list;
  }

  /** The number of an argument in the present state. @throws InputError MODEL020 */
  #number(s: Statement, what: string, given: unknown, rule: Rule): number {
    const state: Numbers = this.#state;
    let value = given;
    if (typeof given === 'function') {
      beginEvaluation(what);
      try {
        const answer = answerOf(given as Closure, this.#surroundings, state);
        if ('thrown' in answer) this.#wrong(s, what, `throws ${String(answer.thrown)}`);
        else value = answer.value;
      } finally {
        endEvaluation();
      }
    }
    const verdict = rule(value, state);
    return typeof verdict === 'number' && verdict !== INVALID ? verdict : this.#wrong(s, what, String(verdict));
  }

  #tagOf(comm: Communicator, space: Space): (tag: number) => number {
    return this.#shared.tags.of(comm.number, space);
  }

  #wrong(s: Statement, what: string, why: string): never {
    const own = this.#rank - this.#program.first;
    return fail('MODEL020', `${what} of ${withArticle(labelOf(s))}: ${why} (rank ${own})`, s.site.place);
  }

  #refuse(what: string, s: Statement): never {
    this.#shared.writer.refuse?.(what, s);
    return fail('GOAL008', `a schedule has no ${what}`, s.site.place);
  }
}

/** The result of a partner's rule for {@link ANY}. */
const ANY_RANK = -2;
