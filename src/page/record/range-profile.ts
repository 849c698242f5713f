import { ProfileMeter } from '../../analysis/efficiency/profile-meter.ts';
import type { WaitSink, WaitState } from '../../analysis/efficiency/wait-states.ts';
import { assembleProfile, MAX_SPANS, type MeasuredProfile } from '../../commands/profile/assemble.ts';
import type { ProfileDocument } from '../../commands/profile/profile-document.ts';
import { documentJson } from '../../report/document-json.ts';
import type { AnyDocument } from '../../report/page-parts.ts';
import { RunWindow, type Window } from '../../trace/run/run-window.ts';
import type { PageRecord, Range } from './page-record.ts';

/**
 * The figures of `profile --from --to` for a part of the run: the same code measures it. Node states keep no spans, because the page
 * reads them from the record. O(rows of the record).
 */
export const profileRange = (record: PageRecord, { from, to }: Range): MeasuredProfile =>
  assembleProfile(measured(record, 0, { from, to, isLast: to === record.end.time }), {});

function measured(record: PageRecord, maxSpans: number, window: Window | undefined): ProfileMeter {
  const run = (stays?: ProfileMeter['stays']): ProfileMeter => {
    const meter = new ProfileMeter({
      maxSpans,
      ...(window === undefined ? {} : { window }),
      ...(stays === undefined ? {} : { stays }),
    });
    record.replay(window === undefined ? meter : new RunWindow(meter, window));
    return meter;
  };
  const meter = run();
  const several = new Map([...meter.stays].filter(([, list]) => list.length > 1));
  return several.size > 0 ? run(several) : meter;
}

/** Seconds that calls lose in wait states, by the row of the call: in all, they are those of the profile. O(rows of the record). */
export function waitsOfCalls(record: PageRecord): ReadonlyMap<number, ReadonlyMap<WaitState, number>> {
  const { calls, head } = record;
  const [processes, starts] = ['process', 'start'].map((name) => calls.column(name)) as [Int32Array, Float64Array];
  const rows = head.nodeOf.map((): number[] => []);
  for (let k = 0; k < calls.count; k++) rows[processes[k]!]!.push(k);
  for (const own of rows) own.sort((a, b) => starts[a]! - starts[b]! || a - b);
  /** The last call of a process that begins at an instant or before it. */
  const callAt = (process: number, time: number): number | undefined => {
    const own = rows[process]!;
    let low = 0;
    for (let high = own.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (starts[own[middle]!]! <= time) low = middle + 1;
      else high = middle;
    }
    return own[low - 1];
  };
  const found = new Map<number, Map<WaitState, number>>();
  const waited: WaitSink = (state, process, _interval, seconds, start) => {
    const row = callAt(process, start);
    if (row === undefined) return;
    const sums = found.get(row) ?? new Map<WaitState, number>();
    sums.set(state, (sums.get(state) ?? 0) + seconds);
    found.set(row, sums);
  };
  record.replay(new ProfileMeter({ maxSpans: 0, waited }));
  return found;
}

/**
 * The text of a document as `--json` prints it: a page has the spans of a profile only in its record, unless this is one of some processes.
 */
export function savedText(document: AnyDocument, text: string, record: PageRecord | undefined): string {
  if (document.kind !== 'profile' || record === undefined || record.processes !== undefined) return text;
  const profile = document as unknown as ProfileDocument;
  const { window, nodes } = profile;
  const isLast = window?.to === record.end.time;
  const meter = measured(record, MAX_SPANS, window === undefined ? undefined : { ...window, isLast });
  const listed = nodes.flatMap(({ processes }) => processes.map(({ process }) => process));
  const restored = assembleProfile(meter, { processes: listed.sort((a, b) => a - b) }).nodes;
  return documentJson({ ...profile, nodes: restored }, Object.keys(profile) as (keyof ProfileDocument)[]);
}
