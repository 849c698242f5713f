import { NetBuilder } from '../net/builder/builder.ts';
import type { Net } from '../net/net.ts';
import { and, constant, lt, not, type Term } from '../net/terms.ts';
import { knownValid } from '../net/validation/validate.ts';
import { type CallTimes, callTimes } from './call-costs.ts';
import { addComputation } from './computation.ts';
import { isDetached, isEager } from './eager-threshold.ts';
import type { MessagePassingMachine, MessagePassingProgram, Protocol } from './message-passing-parts.ts';
import { addPosting, matches, type Unmatched, unmatchedPlaces } from './posting.ts';
import { addRanks, type RankSteps } from './rank-steps.ts';
import { addFinish, addWaits, type Requests, requestPlaces } from './requests.ts';
import { addTransfers, type Ends, type Messages } from './transfers.ts';

/**
 * The net of a message-passing program on a machine, folded by rank. A rank's token in `at` carries its position in the
 * program and its current operation; guards, delays and amounts are looked up in tables. Sends and receives are matched
 * per channel (source, destination, tag) in posting order, or by scanning if wildcards are used. A transfer is its
 * latency, followed by a token in the max-min place `network`. The number of transitions, about two dozen, does not
 * depend on the program's length.
 */
export function messagePassingNet(program: MessagePassingProgram, machine: MessagePassingMachine): Net {
  const { operations } = program;
  const { protocol } = machine;
  const n = new NetBuilder(program.name);
  const steps = addRanks(n, program);
  const calls = machine.calls === undefined ? undefined : callTimes(n, machine.calls, protocol);
  const requests = requestPlaces(n, steps, operations, calls?.receives === true, program.ranks);
  const unmatched = unmatchedPlaces(n, steps, operations);
  addComputation(n, steps, machine);
  const { eagerFlight } = unmatched.hasMessages
    ? addTransfers(n, machine, messagesOf(steps, requests, unmatched, protocol, calls))
    : {};
  addPosting(n, steps, requests, unmatched, { protocol, eagerFlight, ...(calls?.sends === true ? { calls } : {}) });
  if (calls !== undefined) addFinish(n, steps, requests, calls);
  addWaits(n, steps, requests, operations, protocol.testSleep);
  n.processes(steps.Rank, steps.ended);
  return knownValid(n.build());
}

/** The messages of a trace: a send is an operation `o` at position `i` with `b` bytes, a receive `p` at position `j`. */
function messagesOf(
  { Operation, Position, Partner, Bytes, tables, is, goOn }: RankSteps,
  requests: Requests,
  unmatched: Unmatched,
  protocol: Protocol,
  calls: CallTimes | undefined,
): Messages {
  const { pair, rank, mode } = tables;
  return {
    send: { o: Operation, i: Position, b: Bytes },
    receive: { p: Operation, j: Partner },
    pair: ({ o }) => pair.at(o!),
    ...(protocol.eagerBelow > 0 || requests.expose !== undefined
      ? { eager: ({ o, b }) => isEager(protocol, b!, mode?.at(o!), requests.expose !== undefined) }
      : {}),
    // `j` = −1 marks an eager message that travels before its receive; `p` then repeats `o`.
    nobody: ({ o }) => ({ p: o!, j: constant(-1) }),
    isNobody: ({ j }) => lt(j!, 0),
    matches: matches(unmatched),
    sent: (t, send) => {
      const { o, i, b } = send as Ends['send'] & Record<'o' | 'i' | 'b', Term<number>>;
      const waits = not(isDetached(protocol, b, mode?.at(o)));
      goOn(t, { r: rank.at(o), i, o }, and(is(o, 'send'), waits));
      requests.complete(t, 'isend', o, i, constant(-1), waits);
    },
    received: (t, receive, { o, b }) => {
      const { p, j } = receive as Ends['receive'] & Record<'p' | 'j', Term<number>>;
      const billed = requests.billed ? calls!.billed(b!, mode?.at(o!)) : undefined;
      const { finishing } = requests;
      if (finishing === undefined) goOn(t, { r: rank.at(p), i: j, o: p }, is(p, 'recv'));
      else t.put(finishing, { r: rank.at(p), i: j, o: p, b: billed! }, is(p, 'recv'));
      requests.complete(t, 'irecv', p, j, billed);
      if (requests.expose !== undefined) requests.complete(t, 'expose', p, j, billed);
    },
  };
}
