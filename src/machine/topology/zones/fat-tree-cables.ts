import { FatTreeLevels, type FatTreeShape } from '../fat-tree-shape.ts';
import { type CableOptions, Cables } from './cables.ts';

export interface FatTreeCableOptions extends CableOptions {
  /** Number of the first cable in link names; SimGrid continues the numbering across the fat trees of a file. */
  readonly firstNumber: number;
}

/** The cables of a fat tree of a SimGrid platform, named `link_from_LOWER_UPPER_NUMBER`. Look-ups are O(levels). */
export class FatTreeCables extends Cables {
  readonly #tree: FatTreeLevels;
  readonly #firstNumber: number;

  constructor(shape: FatTreeShape, options: FatTreeCableOptions) {
    const tree = new FatTreeLevels(shape);
    super(tree.firstCable.at(-1)!, options);
    this.#tree = tree;
    this.#firstNumber = options.firstNumber;
  }

  name(cable: number): string {
    const { lower, upper } = this.#tree.cable(cable);
    return `link_from_${lower}_${upper}_${this.#firstNumber + cable}`;
  }

  cableOf(name: string): number | undefined {
    const number = /^link_from_\d+_\d+_(\d{1,10})$/.exec(name)?.[1];
    if (number === undefined) return undefined;
    const cable = Number(number) - this.#firstNumber;
    return cable >= 0 && cable < this.count && this.name(cable) === name ? cable : undefined;
  }
}
