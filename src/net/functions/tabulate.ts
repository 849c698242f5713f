import type { Expression } from '../expression.ts';
import type { Table } from '../net.ts';
import { coloured, colourOf, TRUTH } from '../term.ts';
import { memberAt } from './enumerated.ts';
import { type Answers, binary, FunctionTables, number } from './function-tables.ts';
import type { Variable } from './pure.ts';
import type { ReadTree } from './read-tree.ts';

type Node = Extract<ReadTree, { kind: 'node' }>;

/** A form that an expression can have: its cost, its operators, and what makes it. */
interface Form {
  readonly cost: number;
  readonly nodes: number;
  readonly make: () => Expression;
}

// Of the forms the smallest is taken, counted in table entries: an operator, variable or constant of an expression takes
// about eight of them in a file, and a table of its own about sixteen.
const NODE = 8;
const TABLE = 16;
/** A decision tree with more operators than this is no small one: a table, if there is one, replaces it. */
const MOST_NODES = 1000;
/** Ways that may part at one variable. */
const MOST_WAYS = 64;

/**
 * The expression of a function: constants where it reads nothing, tables over the variables that it reads, choices between
 * them where it reads others on other paths or where that is smaller. The table `name` has at most an entry for every leaf
 * of the tree, `name.branch` one for every value of the variables by which it parts ways; a tree that has no small form
 * becomes one table over all variables of at most `limit` entries, or undefined. O(leaves × variables).
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
  const set = answers.kind === 'string' ? answers.set : TRUTH;
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

  constructor(tables: FunctionTables, truth: boolean, limit: number) {
    this.#tables = tables;
    this.#truth = truth;
    this.#limit = limit;
  }

  expression(tree: ReadTree): Expression | undefined {
    let form = this.#form(tree);
    if (form.nodes > MOST_NODES) form = this.#block(tree, this.#limit);
    return form === IMPOSSIBLE ? undefined : form.make();
  }

  /** The smallest form of a tree. */
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
    // Values of an enumeration have no order.
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

  /** One block over all variables that matter, of at most so many entries. */
  #block(tree: ReadTree, most: number): Form {
    const variables = this.#relevantTo(tree);
    const entries = this.#tables.combinations(variables);
    if (entries > most) return IMPOSSIBLE;
    const nodes = this.#tables.operators(variables);
    return { cost: TABLE + entries + nodes * NODE, nodes, make: () => this.#tables.block(tree, variables) };
  }

  /** A table says for each value where the block of its way starts; ways that depend on the same variables look alike. */
  #byOffset(tree: Node): Form {
    const groups = new Map<string, { variables: readonly number[]; children: Set<ReadTree> }>();
    let entries = 0;
    for (const child of new Set(tree.children)) {
      const variables = this.#relevantTo(child);
      const group = groups.get(variables.join()) ?? { variables, children: new Set() };
      groups.set(variables.join(), group);
      group.children.add(child);
      const size = this.#tables.combinations(variables);
      if (groups.size > MOST_WAYS || size > this.#leavesOf(child)) return IMPOSSIBLE;
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

  /** A table says which way each value leads. */
  #bySelector(tree: Node): Form {
    const ways = waysOf(tree);
    if (ways === undefined) return IMPOSSIBLE;
    const children = [...ways.keys()];
    return this.#sum(6 * (children.length - 1), TABLE + tree.children.length, children, () => {
      const way = this.#tables.branch(
        tree.variable,
        tree.children.map((child) => children.indexOf(child)),
      );
      return this.#halve(
        [...children.entries()],
        ([k]) => k,
        way,
        ([, child]) => this.#form(child).make(),
      );
    });
  }

  /** The values fall into a few runs that lead the same way. */
  #byComparison(tree: Node): Form {
    const { low, term } = this.#tables.axes[tree.variable]!;
    const runs: { from: number; child: ReadTree }[] = [];
    for (const [k, child] of tree.children.entries()) {
      if (runs.at(-1)?.child !== child) runs.push({ from: low + k, child });
      if (runs.length > MOST_WAYS) return IMPOSSIBLE;
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

  /** The commonest way is taken unless the variable equals one of the values that lead elsewhere. */
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

  /** The variables on which the answer depends, ascending. */
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

  /** How many answers the reads demand. */
  #leavesOf(tree: ReadTree): number {
    let leaves = this.#leaves.get(tree);
    if (leaves === undefined) {
      leaves = tree.kind === 'leaf' ? 1 : tree.children.reduce((n, child) => n + this.#leavesOf(child), 0);
      this.#leaves.set(tree, leaves);
    }
    return leaves;
  }

  /** Of parts in a row the last one that begins at most at the value of `e`, found by halving. */
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

  /** A choice; of truth values as people write it, so that the parts of a guard can be told apart. */
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

/** The different children with the values that lead to them, by position; undefined where there are too many. */
function waysOf({ children }: Node): Map<ReadTree, number[]> | undefined {
  const ways = new Map<ReadTree, number[]>();
  for (const [k, child] of children.entries()) {
    const values = ways.get(child);
    if (values !== undefined) values.push(k);
    else if (ways.size === MOST_WAYS) return undefined;
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
