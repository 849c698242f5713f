import { fail } from '../../base/problem.ts';
import { colourBounds } from '../colour.ts';
import { shown, type Value } from '../term.ts';
import { refuseInFunction } from './evaluation.ts';
import type { HostFunction, Variable } from './pure.ts';

/**
 * What a function answers, by what it reads: at a node it reads a variable, and each of the variable's values leads to a
 * child. Equal subtrees are one object.
 */
export type ReadTree =
  | { readonly kind: 'leaf'; readonly value: Value }
  | { readonly kind: 'node'; readonly variable: number; readonly children: readonly ReadTree[] };

/** At least so many evaluations: a function that reads little is asked more often. */
const FEWEST_EVALUATIONS = 8;
/** States at which a function is tried that has too many for a table. */
const SAMPLES = 32;

/** The least value and the number of the values that a variable can have; Infinity for an unbounded one. */
export function domainOf(variable: Variable): { low: number; size: number } {
  if (variable.term.op === 'const') return { low: variable.term.value, size: 1 };
  if (variable.set === undefined || variable.set.kind === 'integer') return { low: 0, size: Number.POSITIVE_INFINITY };
  const { low, high } = colourBounds(variable.set);
  return { low, size: high - low + 1 };
}

/**
 * The tree of a function; undefined where it has more than `limit` leaves. The function is evaluated once for each leaf,
 * and then again in the reverse order: a pure one reads and answers the same. O(leaves × reads on a path).
 *
 * @throws InputError NET052 where it does not, NET054 where some answers are numbers and others are not, and what
 * {@link HostFunction} throws
 */
export function readTree(f: HostFunction, limit: number): ReadTree | undefined {
  const domains = f.variables.map(domainOf);
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
      else if (step.variable !== k) impure(f, 'reads other values when it is asked again');
      const { low, size } = domains[k]!;
      tooLarge ||= size > limit;
      return low + path[depth++]!.children.length;
    });
    if (depth < path.length) impure(f, 'reads fewer values when it is asked again');
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

/** Asks for every leaf again, the last one first. */
function confirm(f: HostFunction, root: ReadTree, domains: readonly { readonly low: number }[]): void {
  const chosen = new Map<number, number>();
  const visit = (tree: ReadTree): void => {
    if (tree.kind === 'node') {
      for (let k = tree.children.length - 1; k >= 0; k--) {
        chosen.set(tree.variable, domains[tree.variable]!.low + k);
        visit(tree.children[k]!);
      }
      chosen.delete(tree.variable);
      return;
    }
    const answer = f.value((k) => chosen.get(k) ?? impure(f, 'reads more values when it is asked again'));
    if (answer !== tree.value) unequal(f, tree.value, answer);
  };
  visit(root);
}

/**
 * Tries a function that has too many states for a table at some of them, twice: of unbounded numbers small and large ones
 * from 0 on, of others the whole or the ends and the middle of their range. Returns the kind of its answers.
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
  // Strides by variable, so that the states do not move along a diagonal only.
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
    fail('NET054', `returns a ${before} in one state, and ${shown(answer)}${f.where()}`, { part: f.part });
  return kind;
}

function unequal(f: HostFunction, first: Value, then: Value): never {
  impure(f, `returns first ${shown(first)}, then ${shown(then)}`);
}

function impure(f: HostFunction, what: string): never {
  refuseInFunction('NET052', `${what}${f.where()}: its answer must depend on nothing but what it is given`);
  throw new Error(`${f.part} is not being evaluated`);
}
