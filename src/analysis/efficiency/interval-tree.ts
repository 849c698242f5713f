import { didYouMean } from '../../base/problem.ts';
import type { IntervalPath, IntervalStep } from '../../trace/run/run-schema.ts';

/** An interval of the program: all executions with the same names and expression values. */
export interface IntervalNode {
  /** Index in {@link IntervalTree.nodes}; parents precede their children. */
  readonly index: number;
  readonly parent: IntervalNode | undefined;
  /** Name with the expression's value, `iteration[1]`; the program for the root. */
  readonly name: string;
  /** Names of the interval and those around it, without values of expressions: `solve/iteration`; empty for the program. */
  readonly site: string;
  /** 0 for the program. */
  readonly level: number;
  readonly children: IntervalNode[];
}

/** Intervals found so far, as a tree below the program. */
export class IntervalTree {
  readonly nodes: IntervalNode[] = [];
  readonly #executions: ExecutionCount[] = [];
  /** Children of each node by name. */
  readonly #children: Map<string, IntervalNode>[] = [];

  constructor(program: string) {
    this.#add(undefined, program);
  }

  get root(): IntervalNode {
    return this.nodes[0]!;
  }

  /** The node of a path's innermost interval; counts the executions along the path. */
  enter(path: IntervalPath): IntervalNode {
    let node = this.root;
    let chain = '';
    for (const step of path) {
      const name = stepName(step);
      node = this.#children[node.index]!.get(name) ?? this.#add(node, name, step.name);
      this.#executions[node.index]!.add(chain, step.execution ?? 0);
      chain = `${chain}/${step.execution ?? 0}`;
    }
    return node;
  }

  /** True if a path of names, `solve/iteration[1]`, belongs to an interval. */
  has(path: string): boolean {
    return this.nodes.some((node) => intervalName(node) === path);
  }

  /** Suggests known paths for an unknown one. */
  nearest(path: string): string {
    return didYouMean(path, this.nodes.slice(1).map(intervalName));
  }

  /** Number of distinct executions of an interval over all processes; 1 if executions are not numbered. */
  executions(node: IntervalNode): number {
    return this.#executions[node.index]!.count;
  }

  #add(parent: IntervalNode | undefined, name: string, plain = ''): IntervalNode {
    const node: IntervalNode = {
      index: this.nodes.length,
      parent,
      name,
      site: parent === undefined || parent.site === '' ? plain : `${parent.site}/${plain}`,
      level: parent === undefined ? 0 : parent.level + 1,
      children: [],
    };
    this.nodes.push(node);
    this.#children.push(new Map());
    if (parent !== undefined) {
      parent.children.push(node);
      this.#children[parent.index]!.set(name, node);
    }
    this.#executions.push(new ExecutionCount());
    if (parent === undefined) this.#executions[0]!.add('', 0);
    return node;
  }
}

/** Path of an interval, `solve/iteration[1]`; empty for the program. */
export function intervalName(node: IntervalNode): string {
  const names: string[] = [];
  for (let at: IntervalNode | undefined = node; at?.parent !== undefined; at = at.parent) names.unshift(at.name);
  return names.join('/');
}

const stepName = ({ name, expression }: IntervalStep): string =>
  expression === undefined ? name : `${name}[${expression}]`;

/** Counts distinct execution numbers per execution of the parent; consecutive numbers take no memory. */
class ExecutionCount {
  count = 0;
  readonly #seen = new Map<string, Ranges>();

  add(chain: string, execution: number): void {
    let ranges = this.#seen.get(chain);
    if (ranges === undefined) {
      ranges = new Ranges();
      this.#seen.set(chain, ranges);
    }
    if (ranges.add(execution)) this.count++;
  }
}

/** A set of integers as disjoint ranges in ascending order. */
class Ranges {
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  /** Adds an integer; returns false if it was present. O(log ranges); O(ranges) if it begins a new range. */
  add(value: number): boolean {
    // First range that ends at or after value − 1.
    let low = 0;
    let high = this.#to.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#to[middle]! >= value - 1) high = middle;
      else low = middle + 1;
    }
    if (low < this.#to.length && this.#from[low]! <= value && value <= this.#to[low]!) return false;
    if (low < this.#to.length && this.#to[low] === value - 1) {
      this.#to[low] = value;
      if (low + 1 < this.#from.length && this.#from[low + 1] === value + 1) {
        this.#to[low] = this.#to[low + 1]!;
        this.#from.splice(low + 1, 1);
        this.#to.splice(low + 1, 1);
      }
    } else if (low < this.#from.length && this.#from[low] === value + 1) this.#from[low] = value;
    else {
      this.#from.splice(low, 0, value);
      this.#to.splice(low, 0, value);
    }
    return true;
  }
}
