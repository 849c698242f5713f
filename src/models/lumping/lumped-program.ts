import type { MessagePassingMachine, MessagePassingProgram, Protocol } from '../message-passing-parts.ts';
import { OP, type Operations } from '../operations.ts';
import { stepAt } from '../transfer-parts.ts';
import type { ProvenClasses } from './proof.ts';
import type { LumpedNetwork, RouteKind } from './routes.ts';
import { receives } from './shapes.ts';

/** The program of one rank of each class, on a machine with one link of each class of links. */
export interface LumpedProgram {
  readonly program: MessagePassingProgram;
  readonly machine: MessagePassingMachine;
  /** By link of the machine: its class of links, and the bytes that each link of the class carries until all ranks have ended. */
  readonly linkClass: readonly number[];
  readonly carried: readonly number[];
}

/**
 * One rank for each class. Each send has its own channel, which only the receive of its partner's row takes, and its own
 * costs. On a link it uses the coefficients of all messages of its class, whose rates are equal. Work is in seconds, at
 * speed 1.
 */
export function lumpedProgram(
  { classes, links: linkClasses }: ProvenClasses,
  network: LumpedNetwork,
  protocol: Protocol,
): LumpedProgram {
  const base: number[] = [];
  let count = 0;
  for (const { shape } of classes) {
    base.push(count);
    count += shape.count + 1;
  }
  const column = (): Int32Array => new Int32Array(count);
  const [op, rank, peer, channel] = [column(), column(), column(), column()];
  const [pair, request, named] = [column(), column(), column()];
  const size = new Float64Array(count);
  /** By send: the classes of its ends, and its cost. */
  const sent: { readonly from: number; readonly to: number; readonly cost: RouteKind }[] = [];
  const start = [0];
  const link: number[] = [];
  const coefficient: number[] = [];
  const linkClass: number[] = [];
  const carried: number[] = [];
  const numbers = new Map<number, number>();
  const linkOf = (own: number): number => {
    const known = numbers.get(own) ?? linkClass.push(own) - 1;
    numbers.set(own, known);
    return known;
  };
  classes.forEach(({ shape, messages }, c) => {
    const first = base[c]!;
    for (let row = 0; row < shape.count; row++) {
      const at = first + row;
      op[at] = shape.op[row]!;
      rank[at] = c;
      size[at] = shape.size[row]!;
      if (op[at] === OP.wait) request[at] = first + shape.request[row]!;
      if (op[at] === OP.isend || op[at] === OP.irecv) [request[at], named[at]] = [at, 1];
    }
    op[first + shape.count] = OP.end;
    rank[first + shape.count] = c;
    for (const { row, peerClass, cost, uses } of messages) {
      const at = first + row;
      peer[at] = peerClass;
      if (cost === undefined) continue;
      pair[at] = sent.length;
      channel[at] = sent.length;
      sent.push({ from: c, to: peerClass, cost });
      const wire = shape.size[row]! + protocol.envelope;
      const amount = wire / stepAt(protocol.bandwidthFactor, wire);
      for (const [own, used] of uses!) {
        const l = linkOf(own);
        link.push(l);
        coefficient.push(used.coefficient);
        carried[l] = (carried[l] ?? 0) + amount * used.total;
      }
      start.push(link.length);
    }
  });
  classes.forEach(({ messages, shape }, c) => {
    for (const { row, peerClass, peerRow } of messages)
      if (receives(shape.op[row]!)) channel[base[c]! + row] = channel[base[peerClass]! + peerRow]!;
  });
  const pairs = { from: Int32Array.from(sent, (m) => m.from), to: Int32Array.from(sent, (m) => m.to) };
  const none = column();
  const operations: Operations = {
    ...{ count, op, more: none, size, rank, peer, channel, channels: sent.length, tag: none, tags: 0 },
    ...{ wildcard: none, pair, pairs, request, requests: count, named, tests: false },
  };
  const routes = {
    start: Int32Array.from(start),
    link: Int32Array.from(link),
    coefficient: Float64Array.from(coefficient),
  };
  return {
    program: {
      name: 'lumped',
      ranks: classes.length,
      start: Int32Array.from(base),
      operations,
      code: Int32Array.from({ length: count }, (_, k) => k),
      amount: new Float64Array(count),
    },
    machine: {
      speed: new Float64Array(classes.length).fill(1),
      links: linkClass.map((own) => {
        const { name, bandwidth, fatpipe } = network.links[linkClasses[own]!.first]!;
        return { name, capacity: bandwidth, fatpipe };
      }),
      latency: Float64Array.from(sent, ({ cost }) => cost.latency),
      weight: Float64Array.from(sent, ({ cost }) => cost.weight),
      bound: Float64Array.from(sent, ({ cost }) => cost.bound),
      routes,
      protocol,
    },
    linkClass,
    carried,
  };
}
