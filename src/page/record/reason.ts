import { formatSeconds } from '../../report/units.ts';
import { RUN_STATES } from '../../trace/run/run-schema.ts';
import type { PageRecord, SpanFacts } from './page-record.ts';

/** Why a process is in a state, in words. */
export function reasonOf({ state, collective, peer, process, start, end }: SpanFacts, record: PageRecord): string {
  if (state === RUN_STATES[0] || state === 'memory') return 'it computes';
  if (state === 'overhead') return 'it is in the message system, or in a scheduler';
  if (state === 'idle') return 'it has nothing to do, or sleeps';
  if (state === 'io') return 'input or output is under way';
  if (collective !== undefined) return `the collective operation ${collective} is not completed by all its processes`;
  if (state === 'communicating')
    return peer === undefined ? 'a transfer is under way' : `a transfer with process ${peer} is under way`;
  const { messages } = record;
  const [source, destination, sent] = ['source', 'destination', 'sent'].map((name) => messages.column(name));
  for (let k = 0; k < messages.count; k++) {
    // The transfer that ends the wait begins when the later partner is there.
    if (!(sent![k]! > start && sent![k] === end)) continue;
    const [from, to] = [source![k]!, destination![k]!];
    const partner = to === process ? from : from === process ? to : undefined;
    if (partner === undefined || (peer !== undefined && peer !== partner)) continue;
    return `process ${partner} ${to === process ? 'sends' : 'receives'} only at ${formatSeconds(end)}`;
  }
  return peer === undefined ? 'its partner is not there yet' : `process ${peer} is not there yet`;
}
