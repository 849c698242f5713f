import type { Noise } from '../../../base/random/noise.ts';
import type { Site } from '../../site.ts';
import type { ThreadRegion } from '../../threads/thread-region.ts';
import type { Communicator } from './communicator.ts';
import type { Resource } from './coupling.ts';

/** A value, or a function of a rank's state. */
export type Argument = unknown;

export interface Block {
  readonly statements: readonly Statement[];
}

/** Handle of a non-blocking operation. */
export interface Request {
  /** From 1, in order of creation. */
  readonly number: number;
  /** Where the request was made. */
  readonly site: Site;
}

/**
 * Completion of a send. `standard`: by the machine's protocol. `synchronous`: after the transfer, which needs a posted
 * receive. `buffered`: at once. `ready`: as `standard`.
 */
export type SendMode = 'standard' | 'synchronous' | 'buffered' | 'ready';

/** Variables that take the status of a received message. */
export interface Into {
  readonly source?: string;
  readonly tag?: string;
  readonly carry: readonly string[];
}

export type CollectiveKind =
  | 'barrier'
  | 'bcast'
  | 'reduce'
  | 'allreduce'
  | 'scan'
  | 'exscan'
  | 'gather'
  | 'scatter'
  | 'allgather'
  | 'alltoall'
  | 'gatherv'
  | 'scatterv'
  | 'allgatherv'
  | 'alltoallv'
  | 'reducescatter';

interface Common {
  readonly site: Site;
}

export type Statement = Common &
  (
    | {
        readonly kind: 'compute';
        readonly flops: Argument;
        readonly bytes: Argument;
        readonly seconds: Argument;
        readonly noise: Noise | undefined;
      }
    | { readonly kind: 'sleep'; readonly seconds: Argument; readonly noise: Noise | undefined }
    | {
        readonly kind: 'send';
        readonly to: Argument;
        readonly bytes: Argument;
        readonly tag: Argument;
        readonly mode: SendMode;
        readonly comm: Communicator;
        readonly carry: Readonly<Record<string, Argument>>;
        readonly request: Request | undefined;
      }
    | {
        readonly kind: 'recv';
        readonly from: Argument;
        readonly tag: Argument;
        readonly comm: Communicator;
        readonly into: Into;
        readonly request: Request | undefined;
      }
    | {
        /** With `done` it looks once and does not wait. */
        readonly kind: 'probe';
        readonly from: Argument;
        readonly tag: Argument;
        readonly comm: Communicator;
        readonly into: Into;
        readonly done: string | undefined;
      }
    | { readonly kind: 'wait'; readonly request: Request; readonly into: Into }
    | {
        readonly kind: 'waitAny';
        readonly requests: readonly Request[];
        readonly index: string | undefined;
        readonly into: Into;
      }
    | {
        readonly kind: 'test';
        readonly request: Request;
        readonly done: string;
        readonly into: Into;
        /** The variable that takes `position` if the request is complete. */
        readonly index?: string | undefined;
        readonly position?: number;
        /**
         * The tested condition. `complete` (default): whether the request is complete, or was taken before. `now`: whether it is
         * complete and not yet taken. `over`: whether it was taken before; takes nothing.
         */
        readonly asks?: 'complete' | 'now' | 'over';
      }
    | {
        readonly kind: 'collective';
        readonly call: CollectiveKind;
        readonly args: Readonly<Record<string, Argument>>;
        readonly comm: Communicator;
        readonly request: Request | undefined;
      }
    | {
        readonly kind: 'put' | 'get';
        readonly peer: Argument;
        readonly bytes: Argument;
        readonly comm: Communicator;
        /** The call waits for the arrival of its bytes, as MPI_Accumulate of SMPI. */
        readonly accumulates?: boolean;
      }
    | { readonly kind: 'fence'; readonly comm: Communicator }
    | { readonly kind: 'file'; readonly call: 'readFile' | 'writeFile'; readonly bytes: Argument }
    | { readonly kind: 'threads'; readonly region: ThreadRegion }
    | { readonly kind: 'acquire' | 'release'; readonly resource: Resource }
    | { readonly kind: 'take'; readonly request: Request; readonly count: string | undefined }
    | { readonly kind: 'let'; readonly variable: string; readonly value: Argument }
    | { readonly kind: 'when'; readonly test: Argument; readonly holds: Block; readonly otherwise: Block }
    | { readonly kind: 'chance'; readonly probability: Argument; readonly holds: Block; readonly otherwise: Block }
    | {
        readonly kind: 'loop';
        readonly variable: string | undefined;
        readonly count: Argument;
        readonly body: Block;
      }
    | { readonly kind: 'while'; readonly test: Argument; readonly body: Block }
    | { readonly kind: 'repeat'; readonly probability: Argument; readonly body: Block }
    | {
        readonly kind: 'interval';
        readonly name: string;
        readonly interval: 'sequential' | 'parallel' | undefined;
        readonly operation: string | undefined;
        readonly phase: 'start' | 'wait' | undefined;
        readonly expression: Argument;
        readonly iterations: Argument;
        readonly copies: Argument;
        readonly body: Block;
      }
  );

export function blocksOf(s: Statement): readonly Block[] {
  switch (s.kind) {
    case 'when':
    case 'chance':
      return [s.holds, s.otherwise];
    case 'loop':
    case 'while':
    case 'repeat':
    case 'interval':
      return [s.body];
    default:
      return [];
  }
}

/** A block whose statements are replaced, inner ones first. */
export function mapStatements(block: Block, by: (s: Statement) => Statement): Block {
  const inside = (b: Block): Block => mapStatements(b, by);
  return {
    statements: block.statements.map((s) => {
      if (s.kind === 'when' || s.kind === 'chance')
        return by({ ...s, holds: inside(s.holds), otherwise: inside(s.otherwise) });
      return by('body' in s ? { ...s, body: inside(s.body) } : s);
    }),
  };
}

/** All statements of a block, outer ones before inner ones. */
export function* statementsIn(block: Block): Generator<Statement> {
  for (const s of block.statements) {
    yield s;
    for (const inner of blocksOf(s)) yield* statementsIn(inner);
  }
}
