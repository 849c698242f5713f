import { type Communicator, RangeCommunicator } from './communicator.ts';

/** A part of coupled models with its consecutive ranks of the world. */
export interface ModelPart {
  readonly name: string;
  readonly first: number;
  readonly size: number;
}

/** Models that run together. */
export interface Coupling {
  readonly parts: readonly ModelPart[];
  /** Communicator of all ranks of all parts. */
  readonly everyone: Communicator;
  /** World rank of the first of these ranks, and their number. */
  readonly first: number;
  readonly size: number;
  /** Number of ranks of the world: more than `size` if the coupled models are a part themselves. */
  readonly total: number;
  /** A number for a new communicator. */
  number(): number;
}

/** Connection of a label: the communicator of a message or phase, or the shared resource. */
export type Link =
  | {
      readonly kind: 'messages';
      readonly comm: Communicator /** Paths of both labels. */;
      readonly ends: readonly string[];
    }
  | { readonly kind: 'phase'; readonly comm: Communicator }
  | { readonly kind: 'resource'; readonly resource: Resource };

/** Units of the same kind that ranks hold. */
export interface Resource {
  /** Name in the net and in messages. */
  readonly name: string;
  readonly units: number;
}

/** Where a program stands among coupled models. */
export interface Position {
  /** Name of the program in results and messages. */
  readonly name: string;
  /** Begins the names of the program's parts and resources. */
  readonly prefix: string;
  /** World rank of the program's rank 0. */
  readonly first: number;
  readonly coupling: Coupling;
  /** By label of the program; a label without a link is open: its partner is always ready. */
  readonly links: ReadonlyMap<string, Link>;
}

/** The position of a program that runs alone. */
export function alone(name: string, size: number): Position {
  let numbers = 0;
  const everyone = new RangeCommunicator(0, 0, size);
  const parts = [{ name, first: 0, size }];
  const coupling = { parts, everyone, first: 0, size, total: size, number: () => ++numbers };
  return { name, prefix: '', first: 0, coupling, links: new Map() };
}
