import type { Expression } from '../expression.ts';
import type { Table } from '../net.ts';
import { BOOLEAN, coloured, colourOf } from '../term.ts';
import { type Answers, binary, FunctionTables, memberAt, number } from './function-tables.ts';
import type { Variable } from './pure.ts';
import type { ReadTree } from './read-tree.ts';

type Node = Extract<ReadTree, { kind: 'node' }>;

/** A candidate form of an expression: its cost, its operator count, and its constructor. */
interface Form {
  readonly cost: number;
  readonly nodes: number;
  readonly make: () => Expression;
}

// Costs are in table entries. In a file an operator, variable or constant takes about as much room as eight entries,
// and a separate table about sixteen. The cheapest form is chosen.
const NODE = 8;
const TABLE = 16;
/** Maximum operators of a decision tree; a larger one is replaced by a table if possible. */
const MAX_NODES = 1000;
/** Maximum branches at one variable. */
const MAX_WAYS = 64;

/**
 * The expression of a function: constants if nothing is read, tables over the variables read, and choices between them
 * if paths read different variables or if that is smaller. Table `name` has at most one entry for each leaf of the
 * tree; `name.branch` has one for each value of the branching variables. A tree without a small form becomes one table
 * over all variables with at most `limit` entries, or undefined. O(leaves × variables).
 */
export function tabulate(
  tree: ReadTree,
  variables: readonly Variable[],
  answers: Answers,
  name: string,
  limit: number,
): { readonly expression: Expression; readonly tables: readonly Table[] } | undefined {
  const tables = new FunctionTables(tree, variables, answers, name);
  const made = new Tabulation(tables, answers.kind === 'boolean', limit).expression(tree);
  if (made === undefined) return undefined;
  const set = answers.kind === 'string' ? answers.set : BOOLEAN;
  if (answers.kind !== 'number' && colourOf(made) === undefined) coloured(made, set);
  return { expression: made, tables: tables.tables() };
}

class Tabulation {
  readonly #tables: FunctionTables;
  readonly #truth: boolean;
  readonly #limit: number;
  readonly #forms = new Map<ReadTree, Form>();
  readonly #leaves = new Map<ReadTree, number>();
  readonly #relevant = new Map<ReadTree, readonly number[]>();

  constructor(tables: FunctionTables, isBoolean: boolean, limit: number) {
    this.#tables = tables;
    this.#truth = isBoolean;
    this.#limit = limit;
  }

  expression(tree: ReadTree): Expression | undefined {
    let form = this.#form(tree);
    if (form.nodes > MAX_NODES) form = this.#block(tree, this.#limit);
    return form === IMPOSSIBLE ? undefined : form.make();
  }

  /** The cheapest form of a tree. */
  #form(tree: ReadTree): Form {
    let form = this.#forms.get(tree);
    if (form === undefined) {
      form = this.#smallest(tree);
      this.#forms.set(tree, form);
    }
    return form;
  }

  #smallest(tree: ReadTree): Form {
    if (tree.kind === 'leaf') return { cost: NODE, nodes: 1, make: () => this.#tables.constant(tree.value) };
    if (tree.children.every((c) => c === tree.children[0])) return this.#form(tree.children[0]!);
    const forms = [this.#block(tree, this.#leavesOf(tree)), this.#byEquality(tree)];
    // Enumeration values are not ordered.
    if (this.#tables.axes[tree.variable]!.set?.kind !== 'enum')
      forms.push(this.#byComparison(tree), this.#bySelector(tree), this.#byOffset(tree));
    const best = forms.reduce((a, b) => (b.cost < a.cost ? b : a));
    let made: Expression | undefined;
    return best === IMPOSSIBLE
      ? best
      : {
          ...best,
          make: () => {
            made ??= best.make();
            return made;
          },
        };
  }

  /** One block over all relevant variables, with at most `max` entries. */
  #block(tree: ReadTree, max: number): Form {
    const variables = this.#relevantTo(tree);
    const entries = this.#tables.combinations(variables);
    if (entries > max) return IMPOSSIBLE;
    const nodes = this.#tables.operators(variables);
    return { cost: TABLE + entries + nodes * NODE, nodes, make: () => this.#tables.block(tree, variables) };
  }

  /**
   * A branch table gives the start of the block for each value. Branches that depend on the same variables share a
   * lookup.
   */
  #byOffset(tree: Node): Form {
    const groups = new Map<string, { variables: readonly number[]; children: Set<ReadTree> }>();
    let entries = 0;
    for (const child of new Set(tree.children)) {
      const variables = this.#relevantTo(child);
      const group = groups.get(variables.join()) ?? { variables, children: new Set() };
      groups.set(variables.join(), group);
      group.children.add(child);
      const size = this.#tables.combinations(variables);
      if (groups.size > MAX_WAYS || size > this.#leavesOf(child)) return IMPOSSIBLE;
      entries += size;
    }
    let nodes = 6 * (groups.size - 1);
    for (const { variables } of groups.values()) nodes += 6 + this.#tables.operators(variables);
    return {
      cost: 2 * TABLE + tree.children.length + entries + nodes * NODE,
      nodes,
      make: () => {
        const parts = [...groups.values()].map((g) => this.#tables.blocks(g.children, g.variables));
        const starts = new Map(parts.flatMap((p) => [...p.starts]));
        const start = this.#tables.branch(
          tree.variable,
          tree.children.map((child) => starts.get(child)!),
        );
        return this.#halve(
          parts,
          (p) => p.first,
          start,
          (p) => p.at(start),
        );
      },
    };
  }

  /** A branch table gives the branch number for each value. */
  #bySelector(tree: Node): Form {
    const ways = waysOf(tree);
    if (ways === undefined) return IMPOSSIBLE;
    const children = [...ways.keys()];
    return this.#sum(6 * (children.length - 1), TABLE + tree.children.length, children, () => {
      const branch = this.#tables.branch(
        tree.variable,
        tree.children.map((child) => children.indexOf(child)),
      );
      return this.#halve(
        [...children.entries()],
        ([k]) => k,
        branch,
        ([, child]) => this.#form(child).make(),
      );
    });
  }

  /** Comparisons: the values form a few runs with the same child. */
  #byComparison(tree: Node): Form {
    const { low, term } = this.#tables.axes[tree.variable]!;
    const runs: { from: number; child: ReadTree }[] = [];
    for (const [k, child] of tree.children.entries()) {
      if (runs.at(-1)?.child !== child) runs.push({ from: low + k, child });
      if (runs.length > MAX_WAYS) return IMPOSSIBLE;
    }
    const children = runs.map((r) => r.child);
    return this.#sum(4 * (runs.length - 1), 0, children, () =>
      this.#halve(
        runs,
        (r) => r.from,
        term,
        (r) => this.#form(r.child).make(),
      ),
    );
  }

  /** Equality tests: the most frequent child is the default; the values of the others are tested. */
  #byEquality(tree: Node): Form {
    const ways = waysOf(tree);
    if (ways === undefined) return IMPOSSIBLE;
    const [common, ...others] = [...ways].sort(([, a], [, b]) => b.length - a.length);
    const tests = others.reduce((n, [, values]) => n + 4 * values.length, 0);
    return this.#sum(tests, 0, ways.keys(), () =>
      others.reduce((rest, [child, values]) => {
        const test = values.map((k) => this.#equals(tree.variable, k)).reduce(or);
        return this.#choose(test, this.#form(child).make(), rest);
      }, this.#form(common![0]).make()),
    );
  }

  #sum(operators: number, entries: number, parts: Iterable<ReadTree>, make: () => Expression): Form {
    let nodes = operators;
    let cost = entries + operators * NODE;
    for (const part of parts) {
      const form = this.#form(part);
      nodes += form.nodes;
      cost += form.cost;
    }
    return cost === Number.POSITIVE_INFINITY ? IMPOSSIBLE : { cost, nodes, make };
  }

  /** The variables that the result depends on, ascending. */
  #relevantTo(tree: ReadTree): readonly number[] {
    let variables = this.#relevant.get(tree);
    if (variables === undefined) {
      const different = new Set(tree.kind === 'node' ? tree.children : []);
      const all = new Set<number>();
      for (const child of different) for (const v of this.#relevantTo(child)) all.add(v);
      if (tree.kind === 'node' && different.size > 1) all.add(tree.variable);
      variables = [...all].sort((a, b) => a - b);
      this.#relevant.set(tree, variables);
    }
    return variables;
  }

  /** The number of leaves of the unshared tree. */
  #leavesOf(tree: ReadTree): number {
    let leaves = this.#leaves.get(tree);
    if (leaves === undefined) {
      leaves = tree.kind === 'leaf' ? 1 : tree.children.reduce((n, child) => n + this.#leavesOf(child), 0);
      this.#leaves.set(tree, leaves);
    }
    return leaves;
  }

  /** Binary search: the last part whose start is ≤ the value of `e`. */
  #halve<T>(parts: readonly T[], begin: (part: T) => number, e: Expression, make: (part: T) => Expression): Expression {
    if (parts.length === 1) return make(parts[0]!);
    const middle = parts.length >> 1;
    return this.#choose(
      binary('lt', e, number(begin(parts[middle]!))),
      this.#halve(parts.slice(0, middle), begin, e, make),
      this.#halve(parts.slice(middle), begin, e, make),
    );
  }

  #equals(variable: number, k: number): Expression {
    const { term, set, low, size } = this.#tables.axes[variable]!;
    if (set?.kind === 'bool' && size === 2) return k === 1 ? term : not(term);
    return binary('eq', term, set?.kind === 'enum' ? memberAt(set, k) : number(low + k));
  }

  /** A conditional. For booleans it uses `and`, `or` and `not`, so that a guard splits into conjuncts. */
  #choose(test: Expression, a: Expression, b: Expression): Expression {
    if (this.#truth) {
      if (b.op === 'const') return b.value === 0 ? and(test, a) : or(not(test), a);
      if (a.op === 'const') return a.value === 0 ? and(not(test), b) : or(test, b);
    }
    return { op: 'if', test, a, b };
  }
}

const IMPOSSIBLE: Form = {
  cost: Number.POSITIVE_INFINITY,
  nodes: Number.POSITIVE_INFINITY,
  make: () => {
    throw new Error('no form');
  },
};

/** The distinct children with the positions of their values; undefined if there are too many. */
function waysOf({ children }: Node): Map<ReadTree, number[]> | undefined {
  const ways = new Map<ReadTree, number[]>();
  for (const [k, child] of children.entries()) {
    const values = ways.get(child);
    if (values !== undefined) values.push(k);
    else if (ways.size === MAX_WAYS) return undefined;
    else ways.set(child, [k]);
  }
  return ways;
}

function not(a: Expression): Expression {
  return a.op === 'not' ? a.a : { op: 'not', a };
}

function and(a: Expression, b: Expression): Expression {
  return b.op === 'const' && b.value === 1 ? a : binary('and', a, b);
}

function or(a: Expression, b: Expression): Expression {
  return b.op === 'const' && b.value === 0 ? a : binary('or', a, b);
}
