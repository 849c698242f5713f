import { fail, InputError, shown } from '../base/problem.ts';
import type { CollectiveSelector } from '../models/collectives/expand.ts';
import { TraceEncoder } from '../models/trace-encoder.ts';
import type { BlockedRank } from '../report/prediction.ts';
import { readTiTrace, type TiTrace } from '../trace/ti/read.ts';
import type { MachineOptions } from './target.ts';

/** A trace and the encoder that numbered its actions. */
export interface ReadTrace {
  readonly trace: TiTrace;
  readonly encoder: TraceEncoder;
}

/**
 * Reads a time-independent trace for replay. The caller closes it, and passes the ranks that the replay leaves blocked to
 * {@link assertCutOff}.
 *
 * @throws InputError TI026 if `derivedTypeBytes` is not an integer from 0, and all problems of the trace
 */
export function readTrace(
  path: string,
  collectives: CollectiveSelector,
  { ranks, derivedTypeBytes }: Pick<MachineOptions, 'ranks' | 'derivedTypeBytes'>,
): ReadTrace {
  if (derivedTypeBytes !== undefined && !(Number.isSafeInteger(derivedTypeBytes) && derivedTypeBytes >= 0))
    fail('TI026', `bytes of derived datatypes: expected an integer >= 0, got ${shown(derivedTypeBytes)}`);
  let encoder: TraceEncoder | undefined;
  const trace = readTiTrace(
    path,
    (count) => {
      encoder = new TraceEncoder(count, collectives);
      return encoder;
    },
    {
      replayed: true,
      ...(ranks === undefined ? {} : { ranks }),
      ...(derivedTypeBytes === undefined ? {} : { derivedTypeBytes }),
    },
  );
  return { trace, encoder: encoder! };
}

/** True if these blocked ranks explain why the trace was cut off: they include all its ranks without `finalize`. */
export function explainsCutOff({ cutOff }: Pick<TiTrace, 'cutOff'>, blocked: readonly BlockedRank[]): boolean {
  if (cutOff === undefined) return true;
  const stuck = new Set(blocked.map(({ rank }) => rank));
  return cutOff.ranks.every((rank) => stuck.has(rank));
}

/**
 * Rejects a trace whose ranks make different collective calls, unless the replay explains it by a deadlock.
 *
 * @param blocked the permanently blocked ranks at the end of the replay
 * @throws InputError TI032
 */
export function assertCutOff(trace: Pick<TiTrace, 'cutOff'>, blocked: readonly BlockedRank[]): void {
  if (!explainsCutOff(trace, blocked)) throw new InputError(trace.cutOff!.problems);
}
