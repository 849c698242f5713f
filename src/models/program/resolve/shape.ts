import type { NetBuilder } from '../../../net/builder/builder.ts';
import { TABLE_LIMIT } from '../../../net/builder/functions.ts';
import type { ScalarSet } from '../../../net/colour.ts';
import { guarded } from '../../parameters.ts';
import { booleanRule, copiesRule, countRule, integerRule } from '../net/rules.ts';
import { ANY } from '../record/builder-types.ts';
import { freeRequests, wildcardRequests } from '../record/check-requests.ts';
import type { Recorded } from '../record/recorder.ts';
import { type Block, blocksOf, type Statement } from '../record/statement.ts';
import { Argument, type ArgumentContext, INVALID, type Rule } from './argument.ts';
import { RANK } from './state.ts';
import type { IntervalSite, StatementInfo, World } from './world.ts';

/** A statement and the facts known before its net is made. */
export interface Shaped extends StatementInfo {
  /** True if a rank of the world can reach the statement. */
  readonly ranks: (rank: number) => boolean;
  /** Test of a `when` or `while`, or count of a loop. */
  readonly test: Argument | undefined;
}

/** Facts about a program that are known before its net is made. */
export interface Shape {
  readonly program: Recorded;
  readonly context: ArgumentContext;
  readonly of: ReadonlyMap<Statement, Shaped>;
  /** Requests whose state is known only at run time. */
  readonly wildcards: ReadonlySet<number>;
  /** Requests of sends that nothing waits for. */
  readonly free: ReadonlySet<number>;
}

/** Colour set of each value in a control token, by name. */
type Sets = Record<string, ScalarSet>;

/**
 * Analyses a program: the ranks that reach each statement, the bounds of counters, and the labels of statements. The
 * bound of a counter is derived from the loops that use it. If their counts are unknown, the counter stays unbounded,
 * and functions that read it are called at run time.
 */
export function shapeOf(program: Recorded, world: World, net: NetBuilder, prefix: string): Shape {
  const { first, size, variables } = program;
  const sets: Sets = { [RANK]: { kind: 'range', name: 'Rank', low: first, high: first + size - 1 } };
  const open = new Set<string>();
  for (const [name, v] of Object.entries(variables)) {
    if (v.kind === 'rank') sets[name] = rangeSet(prefix + name, 0, world.ranks - 1);
    else if (v.high !== undefined) sets[name] = rangeSet(prefix + name, v.low ?? 0, v.high);
    else {
      sets[name] = { kind: 'integer', name: prefix + name };
      open.add(name);
    }
  }
  for (const name of assigned(program.body)) open.delete(name);
  const surroundings = { size, params: guarded(program.name, program.params), variables, first };
  // Loop counts first: they bound the counters that other functions read.
  const bounds = new Map<string, number>();
  const trial: ArgumentContext = { net, surroundings, sets, limit: TABLE_LIMIT };
  const countLoops = (block: Block): void => {
    for (const s of block.statements) {
      if (s.kind === 'loop' && s.variable !== undefined && open.has(s.variable)) {
        const max = greatest(trial, s.count, s, prefix);
        const known = bounds.get(s.variable) ?? 0;
        bounds.set(s.variable, Math.max(known, max));
        if (Number.isFinite(bounds.get(s.variable)!))
          sets[s.variable] = rangeSet(prefix + s.variable, 0, bounds.get(s.variable)!);
      }
      for (const inner of blocksOf(s)) countLoops(inner);
    }
  };
  countLoops(program.body);
  for (const name of open) {
    const max = bounds.get(name) ?? 0;
    sets[name] = Number.isFinite(max) ? rangeSet(prefix + name, 0, max) : { kind: 'integer', name: prefix + name };
  }

  const context: ArgumentContext = { net, surroundings, sets, limit: TABLE_LIMIT };
  const of = new Map<Statement, Shaped>();
  const counts = new Map<string, number>();
  const visit = (
    block: Block,
    ranks: (rank: number) => boolean,
    intervals: readonly string[],
    nest: readonly IntervalSite[],
    loops: readonly IntervalSite[],
  ): void => {
    for (const s of block.statements) {
      const kind = labelOf(s);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const label = `${prefix}${kind} ${counts.get(kind)}`;
      const argument = (value: unknown, rule: Rule, what: string): Argument =>
        new Argument(context, { value, rule, what, name: `${label}.${what}`, site: s.site, ranks });
      let test: Argument | undefined;
      if (s.kind === 'when' || s.kind === 'while') test = argument(s.test, booleanRule, 'test');
      if (s.kind === 'loop') test = argument(s.count, iterationsRule(s.variable, context), 'count');
      const loopNest = isLoop(s) ? [...loops, loopSite(s, prefix)] : loops;
      const number = world.statements.length;
      const shaped = { number, label, statement: s, intervals, nest, loopNest, ranks, test };
      world.statements.push(shaped);
      of.set(s, shaped);
      if (s.kind === 'interval') {
        // Nothing in the net depends on an interval: its arguments leave no tables there.
        const argument = (value: unknown, rule: Rule, what: string): Argument | undefined =>
          value === undefined
            ? undefined
            : new Argument({ ...context, net: SCRATCH }, { value, rule, what, name: what, site: s.site, ranks });
        const site: IntervalSite = {
          name: prefix + s.name,
          site: s.site,
          kind: s.interval,
          operation: s.operation,
          phase: s.phase,
          expression: argument(s.expression, integerRule, `expression of interval ${s.name}`),
          iterations: argument(s.iterations, countRule, `iterations of interval ${s.name}`),
          copies: argument(s.copies, copiesRule(world.ranks), `copies of interval ${s.name}`),
        };
        visit(s.body, ranks, [...intervals, prefix + s.name], [...nest, site], [...loops, site]);
      } else if (s.kind === 'when') {
        visit(s.holds, narrowed(ranks, test!, 1), intervals, nest, loops);
        visit(s.otherwise, narrowed(ranks, test!, 0), intervals, nest, loops);
      } else if (s.kind === 'loop' || s.kind === 'while')
        visit(s.body, entering(ranks, test!), intervals, nest, loopNest);
      else for (const inner of blocksOf(s)) visit(inner, ranks, intervals, nest, loopNest);
    }
  };
  visit(program.body, (rank) => rank >= first && rank < first + size, [], [], []);
  return { program, context, of, wildcards: wildcardRequests(program.body), free: freeRequests(program.body) };
}

/** Iterations that the variable of a loop can count. */
function iterationsRule(variable: string | undefined, { sets }: ArgumentContext): Rule {
  const set = variable === undefined ? undefined : sets[variable]!;
  if (set?.kind !== 'range') return countRule;
  return (value, state) => {
    const count = countRule(value, state);
    if (typeof count === 'string' || count <= set.high) return count;
    return `${count} iterations, but ${JSON.stringify(variable)} counts to ${set.high} at most`;
  };
}

/** Restricts `ranks` to those for which a test has an answer; all of them if the test reads variables. */
function narrowed(ranks: (rank: number) => boolean, test: Argument, answer: number): (rank: number) => boolean {
  if (test.reads.some((name) => name !== RANK)) return ranks;
  return (rank) => ranks(rank) && test.numberAt({ [RANK]: rank }) === answer;
}

/** The ranks that can enter the body of a loop. */
function entering(ranks: (rank: number) => boolean, test: Argument): (rank: number) => boolean {
  if (test.reads.some((name) => name !== RANK)) return ranks;
  return (rank) => ranks(rank) && test.numberAt({ [RANK]: rank }) > 0;
}

/** Variables assigned by other statements than loops. */
function assigned(block: Block): Set<string> {
  const found = new Set<string>();
  const visit = (b: Block): void => {
    for (const s of b.statements) {
      if (s.kind === 'let') found.add(s.variable);
      if ('into' in s)
        for (const name of [s.into.source, s.into.tag, ...s.into.carry]) if (name !== undefined) found.add(name);
      if (s.kind === 'waitAny' && s.index !== undefined) found.add(s.index);
      if (s.kind === 'test' && s.index !== undefined) found.add(s.index);
      if (s.kind === 'take' && s.count !== undefined) found.add(s.count);
      for (const inner of blocksOf(s)) visit(inner);
    }
  };
  visit(block);
  return found;
}

/** Maximum count of a loop; Infinity if unknown. */
function greatest(context: ArgumentContext, count: unknown, s: Statement, prefix: string): number {
  // The tables of this trial are discarded, so they go to a separate net.
  const scratch = { ...context, net: SCRATCH };
  const a = new Argument(scratch, {
    value: count,
    rule: countRule,
    what: 'count',
    name: `${prefix}trial`,
    site: s.site,
    ranks: () => true,
  });
  const { numbers } = a;
  if (numbers === undefined) return Number.POSITIVE_INFINITY;
  let max = 0;
  for (const n of numbers) if (n !== INVALID) max = Math.max(max, n);
  return max;
}

const SCRATCH = {
  intTable: () => ({ name: '', at: () => ({ op: 'const', value: 0 }) }),
  realTable: () => ({ name: '', at: () => ({ op: 'const', value: 0 }) }),
} as unknown as NetBuilder;

function rangeSet(name: string, low: number, high: number): ScalarSet {
  return { kind: 'range', name, low, high };
}

/** Name of a statement in labels of places and transitions. */
export function labelOf(s: Statement): string {
  switch (s.kind) {
    case 'send':
    case 'recv':
      return s.request === undefined ? s.kind : `i${s.kind}`;
    case 'put':
      return s.accumulates === true ? 'accumulate' : s.kind;
    case 'file':
      return s.call;
    case 'probe':
      return s.done === undefined ? 'probe' : 'iprobe';
    case 'take':
      return 'waitSome';
    case 'collective':
      return s.request === undefined ? s.call : `i${s.call}`;
    default:
      return s.kind;
  }
}

/** True if a statement is a receive or probe with a wildcard source or tag. */
export function isWild(s: Statement): boolean {
  return (s.kind === 'recv' || s.kind === 'probe') && (s.from === ANY || s.tag === ANY);
}

type LoopStatement = Extract<Statement, { readonly kind: 'loop' | 'while' | 'repeat' }>;

const isLoop = (s: Statement): s is LoopStatement => s.kind === 'loop' || s.kind === 'while' || s.kind === 'repeat';

/** A loop as an interval: its variable and line distinguish it from other loops, `loop step, line 12`. */
function loopSite(s: LoopStatement, prefix: string): IntervalSite {
  const variable = s.kind === 'loop' && s.variable !== undefined ? ` ${s.variable}` : '';
  const { line } = s.site.place;
  return {
    name: `${prefix}${s.kind}${variable}${line === undefined ? '' : `, line ${line}`}`,
    site: s.site,
    kind: undefined,
    operation: undefined,
    phase: undefined,
    expression: undefined,
    iterations: undefined,
    copies: undefined,
  };
}
