import type { Collective } from '../../src/trace/collective.ts';
import type { Mode, Step } from './replay.ts';

/**
 * A simple parser of TI traces for tests, written from `traces/ti/README.md` and independent of `src/trace`. It has no error
 * locations and no limits, and is not fast.
 */
export type Action = Step | SendRecvAction | { readonly op: 'collective'; readonly collective: Collective };

export interface SendRecvAction {
  readonly op: 'sendRecv';
  readonly to: number;
  readonly sendBytes: number;
  readonly from: number | null;
  readonly recvBytes: number;
}

const MODES: Readonly<Record<string, Mode | undefined>> = {
  Ssend: 'synchronous',
  ISsend: 'synchronous',
  bsend: 'buffered',
  ibsend: 'buffered',
};

const typeBytes = [8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8];

const kinds = ['bcast', 'reduce', 'allreduce', 'scan', 'exscan', 'alltoall', 'gather', 'scatter', 'allgather'] as const;
const collectives = new Set<string>([...kinds, 'barrier', 'gatherv', 'scatterv', 'allgatherv', 'alltoallv']);
const ignored = new Set(['init', 'finalize', 'comm_size', 'comm_split', 'comm_dup', 'location']);

/** Actions of every rank. `ranks` is the number of ranks, by default the highest rank in the trace plus one. */
export function parseTi(text: string, ranks?: number): Action[][] {
  const lines = text
    .split('\n')
    .map((line) => line.trim().split(/[ \t]+/))
    .filter((words) => words[0] !== '' && !words[0]!.startsWith('#'));
  const size = ranks ?? 1 + Math.max(...lines.map((words) => Number(words[0])));
  const programs: Action[][] = Array.from({ length: size }, () => []);
  const defaultBytes: number[] = Array.from({ length: size }, () => 1);
  for (const [first, name, ...args] of lines) {
    const rank = Number(first);
    if (name === 'init') defaultBytes[rank] = args.length > 0 ? 8 : 1;
    if (ignored.has(name!)) continue;
    programs[rank]!.push(parseAction(name!, args, rank, size, defaultBytes[rank]!));
  }
  return programs;
}

function parseAction(name: string, args: string[], rank: number, size: number, defaultBytes: number): Action {
  const number = (i: number): number => Number(args[i]);
  const bytesOf = (type: string | undefined): number => (type === undefined ? defaultBytes : typeBytes[Number(type)]!);
  const key = args.slice(0, 3).join(' ');
  const any = (value: number, wildcard: number): number | null => (value === wildcard ? null : value);
  switch (name) {
    case 'compute':
      return { op: 'compute', flops: number(0) };
    case 'sleep':
      return { op: 'sleep', seconds: number(0) };
    case 'send':
    case 'isend':
    case 'Ssend':
    case 'ISsend':
    case 'bsend':
    case 'ibsend': {
      const mode = MODES[name];
      const message = {
        ...(mode === undefined ? {} : { mode }),
        peer: number(0),
        tag: number(1),
        bytes: number(2) * bytesOf(args[3]),
      };
      const request = `${rank} ${args[0]} ${args[1]}`;
      return /^i/i.test(name) ? { op: 'isend', ...message, request } : { op: 'send', ...message };
    }
    case 'recv':
    case 'irecv': {
      const message = { peer: any(number(0), -555), tag: any(number(1), -444), bytes: number(2) * bytesOf(args[3]) };
      const request = `${args[0]} ${rank} ${args[1]}`;
      return name === 'recv' ? { op: 'recv', ...message } : { op: 'irecv', ...message, request };
    }
    case 'sendRecv':
      return {
        op: 'sendRecv',
        to: number(1),
        sendBytes: number(0) * bytesOf(args[4]),
        from: any(number(3), -555),
        recvBytes: number(2) * bytesOf(args[5]),
      };
    case 'wait':
    case 'test':
      return { op: name, request: key };
    case 'waitall':
      return { op: 'waitall' };
  }
  if (collectives.has(name) || name === 'reducescatter') {
    return { op: 'collective', collective: parseCollective(name, args, size, bytesOf) };
  }
  throw new Error(`unknown action ${name}`);
}

function parseCollective(
  name: string,
  args: string[],
  size: number,
  bytesOf: (type: string | undefined) => number,
): Collective {
  const number = (i: number): number => Number(args[i]);
  const root = (i: number): number => Number(args[i] ?? 0);
  const vector = (from: number, type: string | undefined): number[] =>
    args.slice(from, from + size).map((count) => Number(count) * bytesOf(type));
  switch (name) {
    case 'barrier':
      return { kind: 'barrier' };
    case 'bcast':
      return { kind: 'bcast', bytes: number(0) * bytesOf(args[2]), root: root(1) };
    case 'reduce':
      return { kind: 'reduce', bytes: number(0) * bytesOf(args[3]), flops: number(1), root: root(2) };
    case 'allreduce':
    case 'scan':
    case 'exscan':
      return { kind: name, bytes: number(0) * bytesOf(args[2]), flops: number(1) };
    case 'gather':
    case 'scatter':
      return {
        kind: name,
        sendBytes: number(0) * bytesOf(args[3]),
        recvBytes: number(1) * bytesOf(args[4]),
        root: root(2),
      };
    case 'allgather':
    case 'alltoall':
      return { kind: name, sendBytes: number(0) * bytesOf(args[2]), recvBytes: number(1) * bytesOf(args[3]) };
    case 'gatherv': {
      const [sendType, recvType] = args.slice(size + 2);
      return {
        kind: 'gatherv',
        sendBytes: number(0) * bytesOf(sendType),
        recvBytes: vector(1, recvType),
        root: root(size + 1),
      };
    }
    case 'scatterv': {
      const [sendType, recvType] = args.slice(size + 2);
      return {
        kind: 'scatterv',
        sendBytes: vector(0, sendType),
        recvBytes: number(size) * bytesOf(recvType),
        root: root(size + 1),
      };
    }
    case 'allgatherv': {
      // P further words (P ≠ 2) are displacements only; otherwise the first two are types.
      const rest = args.slice(size + 1);
      const [sendType, recvType] = rest.length === size && size !== 2 ? [] : rest;
      return { kind: 'allgatherv', sendBytes: number(0) * bytesOf(sendType), recvBytes: vector(1, recvType) };
    }
    case 'alltoallv': {
      const [sendType, recvType] = args.slice(2 * size + 2);
      return { kind: 'alltoallv', sendBytes: vector(1, sendType), recvBytes: vector(size + 2, recvType) };
    }
    case 'reducescatter':
      return {
        kind: 'reducescatter',
        recvBytes: vector(0, args[size + 1]),
        flops: number(size),
        elementBytes: bytesOf(args[size + 1]),
      };
  }
  throw new Error(`unknown collective ${name}`);
}
