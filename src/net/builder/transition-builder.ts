import { fail } from '../../base/problem.ts';
import type { Distribution } from '../distribution.ts';
import type { Expression } from '../expression.ts';
import { assertIs, assertMembers } from '../members.ts';
import type { Field, InputArc, OutputArc, TokenCount, Transition, TransitionKind } from '../net.ts';
import { type BooleanTerm, INTEGER, isTerm, type NumberTerm, shown, type Term, termOf, variable } from '../term.ts';
import { Block } from './block.ts';
import type {
  Colour,
  Exports,
  Fields,
  Fn,
  Given,
  Pattern,
  PlaceOf,
  RaceTerms,
  TermOf,
  TermsOf,
  TransitionBuilder,
} from './builder-types.ts';
import { byColumn, nested, nestedFields } from './composite.ts';
import type { Functions } from './functions.ts';
import { delayOf } from './stations.ts';

/** Parts of a transition that may be given once. */
type Once = Partial<
  Pick<
    Transition,
    'kind' | 'process' | 'priority' | 'weight' | 'delay' | 'timing' | 'servers' | 'memory' | 'speed' | 'label'
  >
>;

/** Rejects places and colour sets of other nets. */
interface Ownership {
  place(place: PlaceOf<Fields>): void;
  colour(colour: Colour<unknown>): void;
}

/** The block of a transition: see {@link TransitionBuilder}. */
export class TransitionBlock implements TransitionBuilder {
  readonly fn: Fn;
  readonly #name: string;
  readonly #block: Block;
  readonly #assertOwn: Ownership;
  readonly #inputs: InputArc[] = [];
  readonly #outputs: OutputArc[] = [];
  readonly #free: Field[] = [];
  readonly #counts: TokenCount[] = [];
  readonly #used = new Set<string>();
  #guard: Expression | undefined;
  #once: Once = {};

  constructor(name: string, net: object, functions: Functions, assertOwn: Ownership) {
    this.#name = name;
    this.#block = new Block(`transition ${name}`, net);
    this.#assertOwn = assertOwn;
    this.fn = functions.of(this.#block, name);
  }

  take<F extends Fields>(place: PlaceOf<F>, pattern: Pattern<F> = {}, count = 1): TermsOf<F> {
    return this.#bind('take', place, pattern, count);
  }

  read<F extends Fields>(place: PlaceOf<F>, pattern: Pattern<F> = {}, count = 1): TermsOf<F> {
    return this.#bind('read', place, pattern, count);
  }

  inhibit<F extends Fields>(place: PlaceOf<F>, pattern: Pattern<F> = {}, count = 1): void {
    const columns = this.#columns('from', place, pattern);
    this.#inputs.push({ kind: 'inhibit', place: place.name, pattern: columns, count });
  }

  reset<F extends Fields>(place: PlaceOf<F>, pattern: Pattern<F> = {}): void {
    const columns = this.#columns('from', place, pattern);
    this.#inputs.push({ kind: 'reset', place: place.name, pattern: columns, count: 1 });
  }

  put<F extends Fields>(place: PlaceOf<F>, values: Given<F>, count: NumberTerm | BooleanTerm = 1): void {
    const columns = this.#columns('to', place, values);
    this.#outputs.push({ place: place.name, values: columns, count: this.#own(termOf(count, INTEGER)) });
  }

  free<V>(name: string, colour: Colour<V>): TermOf<V> {
    this.#block.assertOpen();
    this.#assertOwn.colour(colour);
    return nested(name, colour, (column, set) => {
      const fresh = this.#fresh(column);
      this.#free.push({ name: fresh, colour: set.name });
      return variable(fresh, set, this.#block.owner);
    }) as TermOf<V>;
  }

  count<F extends Fields>(place: PlaceOf<F>, pattern: Pattern<F> = {}): Term<number> {
    const columns = this.#columns('from', place, pattern);
    const name = this.#fresh('n');
    this.#counts.push({ name, place: place.name, pattern: columns });
    return variable(name, INTEGER, this.#block.owner) as Term<number>;
  }

  guard(condition: BooleanTerm): void {
    this.#block.assertOpen();
    const c = this.#own(termOf(condition, undefined, `${this.#block.part}, guard`));
    this.#guard = this.#guard === undefined ? c : { op: 'and', a: this.#guard, b: c };
  }

  priority(priority: number): void {
    this.#report({ priority });
  }

  weight(weight: NumberTerm): void {
    this.#report({ weight: this.#own(termOf(weight, undefined, `${this.#block.part}, weight`)) });
  }

  delay(seconds: NumberTerm | Distribution): void {
    this.#report({ delay: this.#block.ownDelay(delayOf(seconds, `${this.#block.part}, delay`)) });
  }

  race(race: RaceTerms): void {
    assertMembers(this.#block.part, 'race', race, ['delay', 'servers', 'memory', 'speed']);
    const { delay, servers, memory, speed } = race;
    this.#report({
      delay: this.#block.ownDelay(delayOf(delay, `${this.#block.part}, delay`)),
      timing: 'race',
      ...(servers === undefined ? {} : { servers }),
      ...(memory === undefined ? {} : { memory }),
      ...(speed === undefined ? {} : { speed: this.#own(termOf(speed, undefined, `${this.#block.part}, speed`)) }),
    });
  }

  label(name: string, exports: Exports = {}): void {
    assertIs(this.#block.part, 'exports', exports, 'an object', '{ id: token.id }');
    const variables: Record<string, string> = {};
    const visit = (shared: string, read: unknown): void => {
      if (read === null) return;
      if (isTerm(read) && read.op === 'var') {
        this.#own(read);
        variables[shared] = read.name;
      } else if (isTerm(read) || typeof read !== 'object')
        fail('NET044', `export "${shared}": expected a variable of an arc, got ${shown(read)}`, {
          part: this.#block.part,
        });
      else {
        // Product parts are numbered from 1.
        const parts = Array.isArray(read) ? read.map((part, k) => [k + 1, part]) : Object.entries(read);
        for (const [part, inner] of parts) visit(`${shared}.${part}`, inner);
      }
    };
    for (const [shared, read] of Object.entries(exports)) visit(shared, read);
    this.#report({ label: { name, exports: variables } });
  }

  kind(kind: TransitionKind): void {
    this.#report({ kind });
  }

  process(process: NumberTerm): void {
    this.#report({ process: this.#own(termOf(process, INTEGER)) });
  }

  /** Runs the block and returns the transition. */
  build(build: (t: TransitionBuilder) => unknown): Transition {
    return this.#block.run(() => {
      this.#block.close(build(this));
      return this.#transition();
    });
  }

  #transition(): Transition {
    const { kind, process, priority, weight, delay, timing, servers, memory, speed, label } = this.#once;
    return {
      name: this.#name,
      ...(kind === undefined ? {} : { kind }),
      ...(process === undefined ? {} : { process }),
      inputs: this.#inputs,
      outputs: this.#outputs,
      ...(this.#free.length === 0 ? {} : { free: this.#free }),
      ...(this.#guard === undefined ? {} : { guard: this.#guard }),
      ...(priority === undefined ? {} : { priority }),
      ...(weight === undefined ? {} : { weight }),
      ...(delay === undefined ? {} : { delay }),
      ...(timing === undefined ? {} : { timing }),
      ...(servers === undefined ? {} : { servers }),
      ...(memory === undefined ? {} : { memory }),
      ...(speed === undefined ? {} : { speed }),
      ...(this.#counts.length === 0 ? {} : { counts: this.#counts }),
      ...(label === undefined ? {} : { label }),
    };
  }

  #bind<F extends Fields>(kind: 'take' | 'read', place: PlaceOf<F>, pattern: Pattern<F>, count: number): TermsOf<F> {
    const columns = this.#columns('from', place, pattern);
    const terms = nestedFields(place.fields, (column, set) => {
      if (!Object.hasOwn(columns, column)) columns[column] = variable(this.#fresh(column), set, this.#block.owner);
      return columns[column]!;
    });
    this.#inputs.push({ kind, place: place.name, pattern: columns, count });
    return terms as TermsOf<F>;
  }

  /** The given expressions by column; unknown columns are left for validation to report. */
  #columns(direction: 'from' | 'to', place: PlaceOf<Fields>, given: unknown): Record<string, Expression> {
    this.#block.assertOpen();
    this.#assertOwn.place(place);
    const at = `${this.#block.part}, arc ${direction} ${place.name}`;
    return byColumn(at, place.fields, given, (value, set, column) => this.#own(termOf(value, set, `${at}, ${column}`)));
  }

  #own(e: Expression): Expression {
    return this.#block.own(e);
  }

  #report(parts: Once): void {
    this.#block.assertOpen();
    for (const part of Object.keys(parts))
      if (part in this.#once) fail('NET043', `its ${part} is given twice`, { part: this.#block.part });
    this.#once = { ...this.#once, ...parts };
  }

  #fresh(column: string): string {
    let name = column;
    for (let k = 2; this.#used.has(name); k++) name = `${column}${k}`;
    this.#used.add(name);
    return name;
  }
}
