import { fail } from '../../base/problem.ts';
import { colourBounds } from '../colour.ts';
import { shown, type Value } from '../term.ts';
import { refuseInFunction } from './ambient.ts';
import type { HostFunction, Variable } from './pure.ts';

/**
 * Results of a function as a decision tree over its reads: a node reads a variable and has one child for each of its
 * values. Equal subtrees are shared.
 */
export type ReadTree =
  | { readonly kind: 'leaf'; readonly value: Value }
  | { readonly kind: 'node'; readonly variable: number; readonly children: readonly ReadTree[] };

/** Minimum number of confirming evaluations; a function with few leaves is called repeatedly. */
const FEWEST_EVALUATIONS = 8;
/** Number of states at which a function too large for a table is sampled. */
const SAMPLES = 32;

/** Smallest value and number of values of a variable; the number is Infinity if unbounded. */
export function domainOf(variable: Variable): { low: number; size: number } {
  if (variable.term.op === 'const') return { low: variable.term.value, size: 1 };
  if (variable.set === undefined || variable.set.kind === 'integer') return { low: 0, size: Number.POSITIVE_INFINITY };
  const { low, high } = colourBounds(variable.set);
  return { low, size: high - low + 1 };
}

/** Restricts a variable to some of its values: ascending, at least one. */
export interface Restriction {
  readonly variable: number;
  readonly values: ArrayLike<number>;
}

/**
 * The tree of a function; undefined if it has more than `limit` leaves. A node of the restricted variable has one child
 * for each value of the restriction. The function is evaluated once for each leaf, then again in reverse order: a pure
 * function reads and returns the same. O(leaves × reads on a path).
 *
 * @throws InputError NET052 if it does not, NET054 if results have different types, and the errors of {@link
 * HostFunction}
 */
export function readTree(f: HostFunction, limit: number, only?: Restriction): ReadTree | undefined {
  const domains = f.variables.map((variable, k): Domain => {
    const { low, size } = domainOf(variable);
    return k === only?.variable
      ? { size: only.values.length, value: (n) => only.values[n]! }
      : { size, value: (n) => low + n };
  });
  const interned = new Map<string, { id: number; tree: ReadTree }>();
  const ids = new Map<ReadTree, number>();
  const intern = (key: string, make: () => ReadTree): ReadTree => {
    let found = interned.get(key);
    if (found === undefined) {
      found = { id: interned.size, tree: make() };
      interned.set(key, found);
      ids.set(found.tree, found.id);
    }
    return found.tree;
  };

  interface Step {
    readonly variable: number;
    readonly children: ReadTree[];
  }
  const path: Step[] = [];
  let leaves = 0;
  let kind: string | undefined;
  for (;;) {
    let depth = 0;
    let tooLarge = false;
    const answer = f.value((k) => {
      const step = path[depth];
      if (step === undefined) path.push({ variable: k, children: [] });
      else if (step.variable !== k) impure(f, 'reads different values when called again');
      const { size, value } = domains[k]!;
      tooLarge ||= size > limit;
      return value(path[depth++]!.children.length);
    });
    if (depth < path.length) impure(f, 'reads fewer values when called again');
    if (tooLarge || ++leaves > limit) return undefined;
    kind = sameKind(f, kind, answer);
    let done = intern(`${typeof answer} ${answer}`, () => ({ kind: 'leaf', value: answer }));
    let step = path.at(-1);
    while (step !== undefined) {
      step.children.push(done);
      if (step.children.length < domains[step.variable]!.size) break;
      const { variable, children } = step;
      done = intern(`${variable}:${children.map((c) => ids.get(c)).join()}`, () => ({
        kind: 'node',
        variable,
        children,
      }));
      path.pop();
      step = path.at(-1);
    }
    if (step !== undefined) continue;
    for (let asked = leaves; asked === leaves || asked < FEWEST_EVALUATIONS; asked += leaves) confirm(f, done, domains);
    return done;
  }
}

/** The values of a variable: their number, and the `n`-th of them. */
interface Domain {
  readonly size: number;
  readonly value: (n: number) => number;
}

/** Evaluates every leaf again, last one first. */
function confirm(f: HostFunction, root: ReadTree, domains: readonly Domain[]): void {
  const chosen = new Map<number, number>();
  const visit = (tree: ReadTree): void => {
    if (tree.kind === 'node') {
      for (let k = tree.children.length - 1; k >= 0; k--) {
        chosen.set(tree.variable, domains[tree.variable]!.value(k));
        visit(tree.children[k]!);
      }
      chosen.delete(tree.variable);
      return;
    }
    const answer = f.value((k) => chosen.get(k) ?? impure(f, 'reads more values when called again'));
    if (answer !== tree.value) unequal(f, tree.value, answer);
  };
  visit(root);
}

/**
 * Samples a function that is too large for a table, each state twice. Unbounded numbers take small and large values ≥
 * 0; others take all their values, or values spread over the range including both ends. Returns the type of its
 * results.
 *
 * @throws InputError as {@link readTree}
 */
export function trySamples(f: HostFunction): 'number' | 'boolean' | 'string' {
  const values = f.variables.map((v) => {
    const { low, size } = domainOf(v);
    if (size === Number.POSITIVE_INFINITY) return [0, 1, 2, 3, 7, 10, 100, 1000, 2 ** 20];
    const steps = Math.min(size, 9);
    return Array.from({ length: steps }, (_, k) => low + Math.round((k * (size - 1)) / Math.max(1, steps - 1)));
  });
  // Different strides for the variables, so that the states are not all on a diagonal.
  const states = Array.from({ length: SAMPLES }, (_, n) =>
    values.map((of, k) => of[(n + k * Math.floor(n / of.length)) % of.length]!),
  );
  let kind: 'number' | 'boolean' | 'string' | undefined;
  const answers = states.map((state) => {
    const answer = f.value((k) => state[k]!);
    kind = sameKind(f, kind, answer);
    return answer;
  });
  for (let n = SAMPLES - 1; n >= 0; n--) {
    const answer = f.value((k) => states[n]![k]!);
    if (answer !== answers[n]) unequal(f, answers[n]!, answer);
  }
  return kind!;
}

type Kind = 'number' | 'boolean' | 'string';

function sameKind(f: HostFunction, before: string | undefined, answer: Value): Kind {
  const kind = typeof answer as Kind;
  if (before !== undefined && kind !== before)
    fail('NET054', `returns a ${before} in one state, but ${shown(answer)}${f.where()}`, { part: f.part });
  return kind;
}

function unequal(f: HostFunction, first: Value, then: Value): never {
  impure(f, `returns first ${shown(first)}, then ${shown(then)}`);
}

function impure(f: HostFunction, what: string): never {
  refuseInFunction('NET052', `${what}${f.where()}: its result must depend only on its inputs`);
  throw new Error(`${f.part} is not being evaluated`);
}
