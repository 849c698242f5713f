import type { Recorded } from '../../../src/models/program/record/recorder.ts';
import type { Block, Statement } from '../../../src/models/program/record/statement.ts';
import { valueIn } from '../../../src/models/program/record/variables.ts';

/**
 * A reference interpreter of models: executes each rank's statements in sequence and records them as a time-independent
 * trace. For models without draws, wildcards, memory and sub-communicators.
 */
export function traceOf(program: Recorded): string {
  const lines: string[] = [];
  for (let rank = 0; rank < program.size; rank++) new Rank(program, rank, lines).run();
  return `${lines.join('\n')}\n`;
}

class Rank {
  readonly #program: Recorded;
  readonly #lines: string[];
  readonly #state: Record<string, unknown>;
  /** Trace line that waits for each request. */
  readonly #requests = new Map<number, string | null>();

  constructor(program: Recorded, rank: number, lines: string[]) {
    this.#program = program;
    this.#lines = lines;
    const initial = Object.entries(program.variables).map(([k, v]) => [k, valueIn(v, v.low ?? 0)]);
    this.#state = { rank, size: program.size, p: program.params, ...Object.fromEntries(initial) };
  }

  run(): void {
    this.#say('init');
    this.#block(this.#program.body);
    this.#say('finalize');
  }

  #say(text: string): void {
    this.#lines.push(`${this.#state['rank']} ${text}`);
  }

  #value<T>(given: unknown): T {
    return (typeof given === 'function' ? given(this.#state) : given) as T;
  }

  #block({ statements }: Block): void {
    for (const s of statements) this.#statement(s);
  }

  #statement(s: Statement): void {
    const me = this.#state['rank'] as number;
    switch (s.kind) {
      case 'compute':
        this.#say(`compute ${this.#value(s.flops)}`);
        break;
      case 'sleep':
        this.#say(`sleep ${this.#value(s.seconds)}`);
        break;
      case 'send': {
        const to = this.#value<number | null>(s.to);
        const tag = this.#value<number>(s.tag);
        if (s.request !== undefined)
          this.#requests.set(s.request.number, to === null ? null : `wait ${me} ${to} ${tag}`);
        if (to !== null)
          this.#say(`${s.request === undefined ? 'send' : 'isend'} ${to} ${tag} ${this.#value(s.bytes)}`);
        break;
      }
      case 'recv': {
        const from = this.#value<number | null>(s.from);
        const tag = this.#value<number>(s.tag);
        if (s.request !== undefined)
          this.#requests.set(s.request.number, from === null ? null : `wait ${from} ${me} ${tag}`);
        if (from !== null) this.#say(`${s.request === undefined ? 'recv' : 'irecv'} ${from} ${tag} 1`);
        break;
      }
      case 'wait': {
        const how = this.#requests.get(s.request.number)!;
        if (how !== null) this.#say(how);
        break;
      }
      case 'collective': {
        const {
          bytes = 0,
          flops = 0,
          root = 0,
        } = Object.fromEntries(Object.entries(s.args).map(([k, v]) => [k, this.#value<number>(v)]));
        const args: Record<string, string> = {
          barrier: '',
          bcast: ` ${bytes} ${root}`,
          reduce: ` ${bytes} ${flops} ${root}`,
          allreduce: ` ${bytes} ${flops}`,
          alltoall: ` ${bytes} ${bytes}`,
          allgather: ` ${bytes} ${bytes}`,
          gather: ` ${bytes} ${bytes} ${root}`,
          scatter: ` ${bytes} ${bytes} ${root}`,
          scan: ` ${bytes} ${flops}`,
        };
        this.#say(`${s.call}${args[s.call]}`);
        break;
      }
      case 'let':
        this.#state[s.variable] = this.#value(s.value);
        break;
      case 'when':
        this.#block(this.#value(s.test) ? s.holds : s.otherwise);
        break;
      case 'loop': {
        const count = this.#value<number>(s.count);
        for (let k = 0; k < count; k++) {
          if (s.variable !== undefined) this.#state[s.variable] = k;
          this.#block(s.body);
        }
        if (s.variable !== undefined) this.#state[s.variable] = count;
        break;
      }
      case 'while':
        while (this.#value(s.test)) this.#block(s.body);
        break;
      case 'interval':
        this.#block(s.body);
        break;
      default:
        throw new Error(`not interpreted: ${s.kind}`);
    }
  }
}
