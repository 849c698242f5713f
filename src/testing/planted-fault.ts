import type { Operation, Operations } from './program-operations.ts';

/** Kinds of faults: an operation removed; its tag or its peer changed; two consecutive operations swapped. */
export type FaultKind = 'removed' | 'tag' | 'peer' | 'swapped';
/** All kinds of faults. */
export const FAULT_KINDS: readonly FaultKind[] = ['removed', 'tag', 'peer', 'swapped'];

/** A fault and its position: the index of an operation of a rank. */
export interface PlantedFault {
  /** Decides how the operation is changed. */
  readonly kind: FaultKind;
  /** The rank whose operations are changed. */
  readonly rank: number;
  /** Index of the operation in the fault-free program, from 0. */
  readonly at: number;
}

const isMessage = ({ op }: Operation): boolean => op !== 'compute' && op !== 'barrier';

/** The positions at which a fault of a kind can be planted, ordered by rank and operation. */
export function faultPlaces(operations: Operations, kind: FaultKind): readonly PlantedFault[] {
  return operations.flatMap((own, rank) =>
    own.flatMap((o, at) => {
      if (!isMessage(o)) return [];
      if (kind === 'peer' && operations.length < 3) return [];
      const next = own[at + 1];
      if (kind === 'swapped' && (next === undefined || !isMessage(next) || same(o, next))) return [];
      return [{ kind, rank, at }];
    }),
  );
}

export function planted(operations: Operations, { kind, rank, at }: PlantedFault): Operations {
  return operations.map((own, r) => {
    if (r !== rank) return own;
    const o = own[at]!;
    switch (kind) {
      case 'removed':
        return own.filter((_, k) => k !== at);
      case 'swapped':
        return own.map((x, k) => (k === at ? own[at + 1]! : k === at + 1 ? o : x));
      default:
        return own.map((x, k) => (k === at ? changed(x, kind, rank, operations.length) : x));
    }
  });
}

function changed(o: Operation, kind: 'tag' | 'peer', rank: number, ranks: number): Operation {
  if (o.op === 'compute' || o.op === 'barrier') return o;
  if (kind === 'tag') return { ...o, tag: o.tag + 1 };
  const other = (peer: number): number => {
    const next = (peer + 1) % ranks;
    return next === rank ? (next + 1) % ranks : next;
  };
  return 'to' in o ? { ...o, to: other(o.to) } : { ...o, from: other(o.from) };
}

function same(a: Operation, b: Operation): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
