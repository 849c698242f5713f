/** Shape of a fat tree, level by level from the hosts up (SimGrid's `topo_parameters`). */
export interface FatTreeShape {
  /** Children of a switch of level i + 1. */
  readonly down: readonly number[];
  /** Parents of a host or switch of level i. */
  readonly up: readonly number[];
  /** Parallel cables between a host or switch of level i and each of its parents. */
  readonly cables: readonly number[];
}

const MAX_LEVELS = 16;
/** Upper limit of the number of nodes and of cables of a tree; keeps all arithmetic exact. */
const MAX_PRODUCT = 2 ** 31;

/**
 * Parses SimGrid's `topo_parameters` of a fat tree: `levels;children,…;parents,…;cables,…`.
 *
 * @returns the shape, or an error message
 */
export function parseFatTreeShape(text: string): FatTreeShape | string {
  const parts = text.split(';').map((part) => part.split(',').map((item) => item.trim()));
  if (parts.length !== 4) return 'expected levels;children;parents;cables, such as "2;8,8;1,4;1,1"';
  const numbers: number[][] = [];
  for (const part of parts) {
    for (const item of part)
      if (!/^[1-9]\d{0,8}$/.test(item)) return `expected an integer >= 1, got ${JSON.stringify(item)}`;
    numbers.push(part.map(Number));
  }
  const [levels, down, up, cables] = numbers as [number[], number[], number[], number[]];
  if (levels.length !== 1 || levels[0]! > MAX_LEVELS) return `expected at most ${MAX_LEVELS} levels`;
  for (const list of [down, up, cables]) {
    if (list.length !== levels[0]) return `expected one number per level (${levels[0]}), got ${list.length}`;
  }
  const shape = { down, up, cables };
  return shapeFault(shape) ?? shape;
}

/** Checks the numbers of a fat tree. Returns an error message (lists of unequal length, or tree too large) or undefined. */
export function shapeFault(shape: FatTreeShape): string | undefined {
  const { down, up, cables } = shape;
  for (const list of [up, cables])
    if (list.length !== down.length) return `expected one number per level (${down.length}), got ${list.length}`;
  for (let level = 0; level <= down.length; level++) {
    const all = nodesOfLevel(shape, level) * (level < up.length ? up[level]! * cables[level]! : 1);
    if (all > MAX_PRODUCT) return 'the tree is too large';
  }
  return undefined;
}

/** Number of nodes at a level: 0 for the hosts, 1 and up for the switches. */
export function nodesOfLevel(shape: FatTreeShape, level: number): number {
  let count = 1;
  for (const [i, down] of shape.down.entries()) count *= i < level ? shape.up[i]! : down;
  return count;
}

/** A cable: the numbers of its lower and upper node as SimGrid's link names give them. */
export interface Cable {
  readonly lower: number;
  readonly upper: number;
}

/** All cables of a tree in the order in which SimGrid creates them, which is the order of their numbers. */
export function* cablesOf(shape: FatTreeShape): Generator<Cable> {
  const tree = new FatTreeLevels(shape);
  for (let level = 0; level < tree.height; level++) {
    for (let node = 0; node < tree.size[level]!; node++) {
      for (let digit = 0; digit < shape.up[level]!; digit++) {
        const parent = tree.withDigit(level + 1, node, level, digit, level);
        for (let cable = 0; cable < shape.cables[level]!; cable++) {
          yield { lower: tree.id(level, node), upper: tree.id(level + 1, parent) };
        }
      }
    }
  }
}

/** Numbering of the nodes of a fat tree: level and position, SimGrid's id, and the digits of their labels. */
export class FatTreeLevels {
  readonly shape: FatTreeShape;
  readonly height: number;
  readonly size: number[] = [];
  /** By level: number of its first node, when nodes are counted from the hosts up. */
  readonly first: number[] = [];
  /** By level: number of the first cable between this level and the next. */
  readonly firstCable: number[] = [];

  constructor(shape: FatTreeShape) {
    this.shape = shape;
    this.height = shape.down.length;
    let first = 0;
    let firstCable = 0;
    for (let level = 0; level <= this.height; level++) {
      const size = nodesOfLevel(shape, level);
      this.size.push(size);
      this.first.push(first);
      this.firstCable.push(firstCable);
      first += size;
      if (level < this.height) firstCable += size * shape.up[level]! * shape.cables[level]!;
    }
  }

  /** The cable of this number. O(levels). */
  cable(position: number): Cable {
    let level = 0;
    while (level + 1 < this.height && position >= this.firstCable[level + 1]!) level++;
    const { up, cables } = this.shape;
    const parent = Math.floor((position - this.firstCable[level]!) / cables[level]!);
    const node = Math.floor(parent / up[level]!);
    const upper = this.withDigit(level + 1, node, level, parent % up[level]!, level);
    return { lower: this.id(level, node), upper: this.id(level + 1, upper) };
  }

  /** SimGrid's id: hosts count up from 0, switches count down from twice the number of hosts minus 1. */
  id(level: number, position: number): number {
    if (level === 0) return position;
    return 2 * this.size[0]! - 1 - (this.first[level]! - this.size[0]! + position);
  }

  radix(level: number, index: number): number {
    return index < level ? this.shape.up[index]! : this.shape.down[index]!;
  }

  /** Digit `index` of the label of a node. Labels count up with the position; the first digit changes fastest. */
  digit(level: number, position: number, index: number): number {
    let rest = position;
    for (let i = 0; i < index; i++) rest = Math.floor(rest / this.radix(level, i));
    return rest % this.radix(level, index);
  }

  /**
   * Takes the label of node `position` of level `from`, replaces digit `index`, and returns the position of the node of
   * `level` with that label.
   */
  withDigit(level: number, position: number, index: number, digit: number, from: number): number {
    let rest = position;
    let place = 1;
    let result = 0;
    for (let i = 0; i < this.height; i++) {
      const radix = this.radix(from, i);
      result += (i === index ? digit : rest % radix) * place;
      rest = Math.floor(rest / radix);
      place *= this.radix(level, i);
    }
    return result;
  }
}

/** Numbers in the names of a tree's limiter links, in the order of these links: hosts, then switches level by level. */
export function* limiterIds(shape: FatTreeShape): Generator<number> {
  const tree = new FatTreeLevels(shape);
  for (let level = 0; level <= tree.height; level++) {
    for (let node = 0; node < tree.size[level]!; node++) yield tree.id(level, node);
  }
}
