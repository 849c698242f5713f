import { spmd } from '../models/program/model.ts';
import type { ProgramModel } from '../models/program/model-object.ts';

/** An operation of a rank in a random program. Sizes in bytes, work in flops. */
export type Operation =
  | { readonly op: 'send'; readonly to: number; readonly tag: number; readonly bytes: number }
  | { readonly op: 'isend'; readonly to: number; readonly tag: number; readonly bytes: number }
  | { readonly op: 'recv' | 'irecv'; readonly from: number; readonly tag: number }
  | { readonly op: 'compute'; readonly flops: number }
  | { readonly op: 'barrier' };

/** The operations of each rank, in order. Every rank has the same number of barriers. */
export type Operations = readonly (readonly Operation[])[];

/** `send to 1, tag 0, 8 B`. */
export function operationText(o: Operation): string {
  switch (o.op) {
    case 'send':
    case 'isend':
      return `${o.op} to ${o.to}, tag ${o.tag}, ${o.bytes} B`;
    case 'recv':
    case 'irecv':
      return `${o.op} from ${o.from}, tag ${o.tag}`;
    case 'compute':
      return `compute ${o.flops} flop`;
    case 'barrier':
      return 'barrier';
  }
}

/**
 * The model of a program in which every rank executes its own operations. Non-blocking operations are completed before the
 * next barrier or the end.
 */
export function operationsModel(name: string, operations: Operations): ProgramModel {
  const parts = operations.map(betweenBarriers);
  return spmd({
    name,
    verifyWith: { ranks: operations.length },
    build(m) {
      for (let k = 0; k < parts[0]!.length; k++) {
        if (k > 0) m.barrier();
        for (const [rank, own] of parts.entries())
          if (own[k]!.length > 0)
            m.when(
              (s) => s.rank === rank,
              () => {
                const open = own[k]!.flatMap((o) => {
                  if (o.op === 'send') m.send({ to: o.to, tag: o.tag, bytes: o.bytes });
                  else if (o.op === 'recv') m.recv({ from: o.from, tag: o.tag });
                  else if (o.op === 'isend') return [m.isend({ to: o.to, tag: o.tag, bytes: o.bytes })];
                  else if (o.op === 'irecv') return [m.irecv({ from: o.from, tag: o.tag })];
                  else if (o.op === 'compute') m.compute({ flops: o.flops });
                  return [];
                });
                if (open.length > 0) m.waitAll(open);
              },
            );
      }
    },
  });
}

function betweenBarriers(operations: readonly Operation[]): Operation[][] {
  const parts: Operation[][] = [[]];
  for (const o of operations) {
    if (o.op === 'barrier') parts.push([]);
    else parts.at(-1)!.push(o);
  }
  return parts;
}
