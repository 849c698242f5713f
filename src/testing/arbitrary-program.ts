import * as fc from 'fast-check';
import { didYouMean, fail, shown } from '../base/problem.ts';
import type { ProgramModel } from '../models/program/model-object.ts';
import { checkMembers, integerOption, shownAs } from './arbitrary-net.ts';
import { FAULT_KINDS, type FaultKind, faultPlaces, type PlantedFault, planted } from './planted-fault.ts';
import { type Operation, type Operations, operationsModel, operationText } from './program-operations.ts';

/** Options of {@link arbitraryProgram}. */
export interface ArbitraryProgramOptions {
  /** Maximum number of ranks, default 4; programs have at least two. */
  readonly ranks?: number;
  /** Maximum number of messages, computations and barriers together, default 10. */
  readonly events?: number;
  /** Also generate non-blocking sends and receives. Default true. */
  readonly nonBlocking?: boolean;
  /** Plants a fault of any kind (`true`) or of the given kind; default false. Programs where it cannot occur are unchanged. */
  readonly mutated?: boolean | FaultKind;
}

/** A random program, as a list of operations and as a model. */
export interface RandomProgram {
  /** Number of ranks. */
  readonly ranks: number;
  /** The operations of each rank, in order. */
  readonly operations: Operations;
  /** The program as a model, which the matchers accept; its `verifyWith` gives the number of ranks. */
  readonly model: ProgramModel;
  /** The fault planted, if any. */
  readonly fault: PlantedFault | undefined;
}

const SIZES = [8, 0, 1000, 100_000, 1_000_000];

/** kind, rank, offset to the other rank, tag, index of the size, mode of the send, mode of the receive */
type EventNumbers = readonly [number, number, number, number, number, number, number];

/**
 /**
  * Programs in which all messages match. Events are generated in a global order that is consistent with all blocking
  * operations: the send and the receive of a message are adjacent in it. Hence a program cannot deadlock under any send
  * protocol, receives every message, and ends. With `mutated`, one fault is planted: an operation removed, its tag or peer
  * changed, or two consecutive operations swapped. Shrinking removes events one by one, towards blocking operations and small
  * messages.
  *
  * @throws InputError TEST002 for invalid options
  */
export function arbitraryProgram(options: ArbitraryProgramOptions = {}): fc.Arbitrary<RandomProgram> {
  const part = 'arbitraryProgram';
  checkMembers(part, options, ['ranks', 'events', 'nonBlocking', 'mutated']);
  const { nonBlocking = true, mutated = false } = options;
  const ranks = integerOption(part, 'ranks', options.ranks ?? 4, 2, 64);
  const events = integerOption(part, 'events', options.events ?? 10, 1, 1000);
  if (typeof mutated !== 'boolean' && !FAULT_KINDS.includes(mutated))
    fail('TEST002', `unknown fault ${shown(mutated)} in mutated.${didYouMean(String(mutated), FAULT_KINDS)}`, { part });
  const event = fc.tuple(
    fc.nat({ max: 9 }),
    fc.nat({ max: ranks - 1 }),
    fc.nat({ max: ranks - 2 }),
    fc.nat({ max: 2 }),
    fc.nat({ max: SIZES.length - 1 }),
    fc.nat({ max: nonBlocking ? 2 : 0 }),
    fc.nat({ max: nonBlocking ? 2 : 0 }),
  );
  return fc
    .record({
      ranks: fc.nat({ max: ranks - 2 }),
      events: fc.array(event, { maxLength: events }),
      fault: fc.nat({ max: FAULT_KINDS.length - 1 }),
      place: fc.nat({ max: 1000 }),
    })
    .map((n) => {
      const matched = operationsOf(2 + n.ranks, n.events);
      const kind = mutated === true ? FAULT_KINDS[n.fault]! : mutated;
      const places = kind === false ? [] : faultPlaces(matched, kind);
      const fault = places[n.place % Math.max(1, places.length)];
      return randomProgram(fault === undefined ? matched : planted(matched, fault), fault);
    });
}

/** A program with its model, which is built on first access. */
export function randomProgram(operations: Operations, fault?: PlantedFault): RandomProgram {
  let model: ProgramModel | undefined;
  const program = {
    ranks: operations.length,
    operations,
    fault,
    get model(): ProgramModel {
      model ??= operationsModel('random', operations);
      return model;
    },
  };
  return shownAs(program, () =>
    [
      ...operations.map((own, rank) => `rank ${rank}: ${own.map(operationText).join('; ') || 'nothing'}`),
      ...(fault === undefined ? [] : [`fault: ${fault.kind}, rank ${fault.rank}, operation ${fault.at}`]),
    ].join('\n'),
  );
}

function operationsOf(ranks: number, events: readonly EventNumbers[]): Operations {
  const operations: Operation[][] = Array.from({ length: ranks }, () => []);
  for (const [kind, a, b, tag, size, sent, received] of events) {
    const from = a % ranks;
    if (kind === 9) for (const own of operations) own.push({ op: 'barrier' });
    else if (kind === 8) operations[from]!.push({ op: 'compute', flops: 1e6 * (1 + tag) });
    else {
      const to = (from + 1 + (b % (ranks - 1))) % ranks;
      operations[from]!.push({ op: sent === 2 ? 'isend' : 'send', to, tag, bytes: SIZES[size]! });
      operations[to]!.push({ op: received === 2 ? 'irecv' : 'recv', from, tag });
    }
  }
  return operations;
}
