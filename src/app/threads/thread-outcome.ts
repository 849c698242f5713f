import { InputError } from '../../base/problem.ts';
import type { NetRun } from '../../engine/compile.ts';
import type { ThreadNet } from '../../models/threads/net/thread-net.ts';
import { objectName, operationName } from '../../models/threads/program/operation-name.ts';
import { strandName } from '../../models/threads/program/rows.ts';
import type { ThreadStates } from '../../models/threads/thread-states.ts';
import type { BlockedRank } from '../../report/prediction.ts';
import { fromHere } from '../predict/model-figures.ts';

type Marking = Pick<NetRun, 'tokens'>;

/** The values of the tokens of a place by field; none if the net does not have the place. */
function tokensIn(net: ThreadNet, game: Marking, name: string): Readonly<Record<string, number>>[] {
  const place = net.net.places.find((p) => p.name === name);
  if (place === undefined) return [];
  return game
    .tokens(name)
    .map(({ values }) => Object.fromEntries(place.fields.map((field, k) => [field.name, values[k]!])));
}

/** THR009: a strand has released what it does not hold. */
export function threadFault(net: ThreadNet, game: Marking): InputError | undefined {
  const [token] = tokensIn(net, game, 'faults');
  if (token === undefined) return undefined;
  const { program } = net;
  const { s, at } = token as { s: number; at: number };
  const message = `${operationName(program, at)}: it is not held, in ${strandName(program, s)}`;
  return new InputError([{ code: 'THR009', message, place: program.sites[program.rows.site[at]!]!.place }]);
}

/**
 * The strands that are blocked at the end of a run whose program has not ended: each with its line, the object it waits for,
 * and the strand that holds it.
 */
export function blockedStrands(net: ThreadNet, game: Marking, states: ThreadStates): BlockedRank[] {
  const { program } = net;
  const { rows, sites } = program;
  const told = (s: number, w: number, at: number, waitsFor: readonly number[], object?: string): BlockedRank => {
    const { file = '', line = 0 } = sites[rows.site[at]!]!.place;
    return {
      rank: s,
      operation: operationName(program, at),
      file: fromHere(file),
      line,
      waitsFor,
      since: states.waitsSince(w, s),
      strand: strandName(program, s),
      worker: w,
      ...(object === undefined ? {} : { object }),
    };
  };
  const blocked = tokensIn(net, game, 'waiting').map(({ o, w, s, at }) => {
    const holder = states.objects.holder[o!]!;
    return told(s!, w!, at!, holder < 0 ? [] : [holder], objectName(program, o!));
  });
  return blocked.sort((a, b) => a.rank - b.rank);
}
