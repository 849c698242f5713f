import { processRange } from '../../analysis/processes.ts';
import { name } from '../../analysis/properties/property-text.ts';
import type { FinalMarking, FinalMarkings } from '../../analysis/space/degrees.ts';
import { type Activity, activityOf } from '../../analysis/space/reachable-fragments.ts';
import type { ProgramNet } from '../../models/program/net/program-net.ts';
import type { ThreadNet } from '../../models/threads/net/thread-net.ts';
import type { Net } from '../../net/net.ts';
import { withFiniteAmounts } from '../inputs/finite-amounts.ts';
import { activityOfProgram, activityOfThreads } from './program-activity.ts';

/** A net whose markings are explored. */
export interface Explorable {
  readonly net: Net;
  /** The final markings of the net; for programs the marking in which all processes have ended. */
  readonly final?: FinalMarkings;
  /** Where its processes are active; absent for a net without processes. */
  readonly activity?: Activity;
}

/** A net, which may be invalid: it is rejected elsewhere. */
export function explorableNet(net: Net): Explorable {
  const [final, activity] = [finalMarkingsOf(net), activityOf(net)];
  return { net, ...(final === undefined ? {} : { final }), ...(activity === undefined ? {} : { activity }) };
}

/** The net of a program, with finitely many amounts. */
export function explorableProgram(program: ProgramNet): Explorable {
  const net = withFiniteAmounts(program.net);
  return {
    net,
    ...allEnded(net),
    activity: activityOfProgram(program, net),
  };
}

/** The net of a thread model; the final marking is that in which its main strand has ended. */
export function explorableThreads(threads: ThreadNet): Explorable {
  const ended = threads.net.places.findIndex(({ name }) => name === 'ended');
  return {
    net: threads.net,
    final: { places: [ended], tokens: threads.program.pools },
    activity: activityOfThreads(threads),
  };
}

/** The marking in which all processes of a net have ended is the final one. Empty for a net without processes. */
function allEnded(net: Net): Pick<Explorable, 'final'> {
  const place = net.places.findIndex((p) => p.name === net.processes?.ended);
  const { count } = processRange(net);
  // An invalid net, which is rejected elsewhere, may have no range of processes.
  return place < 0 || count === 0 ? {} : { final: { places: [place], tokens: count } };
}

/**
 * The final markings that a net lists: the tokens of each listed place, with all other places empty. If it lists none, but declares
 * processes, the marking in which all of these have ended, as for programs. Undefined for other nets. O(final markings × places).
 */
export function finalMarkingsOf(net: Net): FinalMarkings | undefined {
  const { finalMarkings, places } = net;
  if (finalMarkings === undefined || finalMarkings.length === 0) return allEnded(net).final;
  return finalMarkings.map((marking): FinalMarking[] => {
    const counts = new Map(marking.map(({ place, count }) => [place, count]));
    const marked = places.flatMap(({ name }, k) => {
      const tokens = counts.get(name) ?? 0;
      return tokens > 0 ? [{ places: [k], tokens }] : [];
    });
    const empty = places.flatMap(({ name }, k) => ((counts.get(name) ?? 0) > 0 ? [] : [k]));
    return empty.length === 0 ? marked : [...marked, { places: empty, tokens: 0 }];
  });
}

/** The condition of a final marking in the property language. */
export function finalText({ places }: Net, final: FinalMarkings): string {
  const one = ({ places: some, tokens }: FinalMarking): string =>
    `tokens(${some.map((p) => name(places[p]!.name)).join(', ')}) = ${tokens}`;
  if ('places' in final) return one(final);
  const markings = final.map((all) => (all.length === 0 ? 'true' : all.map(one).join(' & ')));
  return markings.length === 1 ? markings[0]! : markings.map((text) => `(${text})`).join(' | ');
}
