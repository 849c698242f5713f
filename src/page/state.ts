import { type Signal, signal } from '@preact/signals';
import { shown } from '../base/problem.ts';
import { type Content, documentOf } from './content.ts';
import { type Chosen, PageRecord, type Range, rowAt } from './record/page-record.ts';

/** Current state of a page. Part of it is kept in the fragment of the address, so that a place can be linked. */
export interface PageState {
  readonly content: Content;
  readonly record: PageRecord | undefined;
  /** Begin and end of the run. */
  readonly run: Range;
  /** The shown part of the time axis. */
  readonly shown: Signal<Range>;
  /** The instant of the cursor. */
  readonly time: Signal<number>;
  readonly chosen: Signal<Chosen | undefined>;
  /** The part of the run to which tables refer; undefined: the whole run. */
  readonly range: Signal<Range | undefined>;
  readonly search: Signal<string>;
  /** The part of the page that the reader uses; empty before the first. */
  readonly panel: Signal<string>;
  /** Key of the interval or call that the tables of intervals show; empty: the program. */
  readonly interval: Signal<string>;
  /** The token game as text: as the address gives it, then as it is played. */
  readonly game: Signal<string>;
  /** The firing sequence that the page steps through, and how many of its steps have been taken. */
  readonly witness: Signal<{ readonly id: string; readonly position: number } | undefined>;
  /** Parts of the address that the page cannot show, as sentences. */
  readonly refused: Signal<readonly string[]>;
  /** True when messages and calls are there, too. */
  readonly isWhole: Signal<boolean>;
  readonly problems: Signal<readonly string[]>;
}

/** The state of a page that has just been opened; a record that cannot be read becomes a problem. */
export function pageState(content: Content): PageState {
  const problems = [...content.faults];
  let record: PageRecord | undefined;
  if (content.record !== undefined)
    try {
      record = new PageRecord(content.record, content.about.part);
    } catch (error) {
      problems.push(`The run record of this page cannot be read: ${(error as Error).message}`);
    }
  const run = { from: beginOf(content, record), to: record?.end.time ?? runTimeOf(content) };
  return {
    content,
    record,
    run,
    shown: signal<Range>(run),
    time: signal(run.from),
    chosen: signal<Chosen | undefined>(undefined),
    range: signal<Range | undefined>(undefined),
    search: signal(''),
    panel: signal(''),
    interval: signal(''),
    game: signal(''),
    witness: signal<{ readonly id: string; readonly position: number } | undefined>(undefined),
    refused: signal<readonly string[]>([]),
    isWhole: signal(record === undefined),
    problems: signal<readonly string[]>(problems),
  };
}

/** A simulated run begins at 0; a part of a run, and a recorded run, with its first span. */
function beginOf(content: Content, record: PageRecord | undefined): number {
  if (record === undefined) return 0;
  const isPart = documentOf(content, 'profile')?.window !== undefined;
  return record.head.origin === 'simulated' && !isPart ? Math.min(0, record.begin) : record.begin;
}

/** Reads messages and calls, after the first picture. */
export async function completeState({ content, record, isWhole, problems }: PageState): Promise<void> {
  if (record === undefined) return;
  try {
    record.complete(await content.later());
    isWhole.value = true;
  } catch (error) {
    problems.value = [...problems.value, `Messages and calls are not shown: ${(error as Error).message}`];
  }
}

/** Shows a part of a process in the timeline, with some time around it, and selects the span at its start. */
export function showSpan(
  { run, shown, time, chosen }: PageState,
  { spans }: PageRecord,
  { process, start, end }: { readonly process: number; readonly start: number; readonly end: number },
): void {
  const of = spans[process];
  if (of === undefined) return;
  const margin = Math.max(end - start, (run.to - run.from) * 1e-6);
  shown.value = { from: Math.max(run.from, start - margin), to: Math.min(run.to, end + margin) };
  time.value = start;
  const at = rowAt(of, start);
  if (at >= 0) chosen.value = { process, row: of.row[at]! };
}

function runTimeOf({ documents }: Content): number {
  for (const { figures } of documents) {
    const { runTime } = (figures ?? {}) as { readonly runTime?: { readonly value?: unknown } };
    if (typeof runTime?.value === 'number') return runTime.value;
  }
  return 0;
}

/**
 * Keeps time, selection, shown part, token game and the position in a witness in the fragment, and follows a fragment that the user enters.
 *
 * @returns brings the fragment up to date at once
 */
export function bindFragment(state: PageState, window: Window): () => void {
  const read = (): void => {
    const given = new URLSearchParams(window.location.hash.slice(1));
    const refused: string[] = [];
    const number = (name: string): number | undefined => {
      const text = given.get(name);
      const value = Number(text);
      if (text === null) return undefined;
      if (text.trim() !== '' && Number.isFinite(value)) return value;
      refused.push(`The address of this page has ${name}=${shown(text)}: expected a number. It is left out.`);
      return undefined;
    };
    const { run } = state;
    const inside = (time: number): number => Math.max(run.from, Math.min(run.to, time));
    const instant = (name: string): number | undefined => {
      const time = number(name);
      if (time !== undefined && inside(time) !== time)
        refused.push(
          `The address of this page has ${name}=${time}: expected seconds from ${run.from} to ${run.to}. The nearest is shown.`,
        );
      return time;
    };
    const [from, to, time] = [instant('from'), instant('to'), instant('time')];
    const [rangeFrom, rangeTo] = [instant('rangeFrom'), instant('rangeTo')];
    if (from !== undefined && to !== undefined && from < to) state.shown.value = { from: inside(from), to: inside(to) };
    if (time !== undefined) state.time.value = inside(time);
    if (rangeFrom !== undefined && rangeTo !== undefined && rangeFrom < rangeTo)
      state.range.value = { from: inside(rangeFrom), to: inside(rangeTo) };
    const [process, row] = [number('process'), number('row')];
    if (process !== undefined && row !== undefined && row < (state.record?.rows ?? 0))
      state.chosen.value = { process, row };
    const search = given.get('search');
    if (search !== null) state.search.value = search;
    state.interval.value = given.get('interval') ?? '';
    state.panel.value = given.get('panel') ?? '';
    const game = given.get('game') ?? '';
    if (game !== '' && state.content.net === undefined)
      refused.push('The address of this page has a token game, and this page has no net: the game is left out.');
    else state.game.value = game;
    const [witness, position] = [given.get('witness'), number('step') ?? 0];
    const own = state.content.net?.witnesses.find(({ id }) => id === witness);
    if (own !== undefined) {
      const last = own.loop === undefined ? own.steps.length : Number.POSITIVE_INFINITY;
      const near = Math.max(0, Math.min(last, Math.floor(position)));
      if (near !== position)
        refused.push(
          `The address of this page has step=${position}: expected a number of steps${last === Number.POSITIVE_INFINITY ? '' : ` from 0 to ${last}`}. The nearest is shown.`,
        );
      state.witness.value = { id: own.id, position: near };
    } else if (witness !== null)
      refused.push(
        `The address of this page has witness=${shown(witness)}, and this page has no such witness: if it was loaded from a file, load it again.`,
      );
    state.refused.value = refused;
  };
  read();
  let last = window.location.hash;
  window.addEventListener('hashchange', () => {
    if (window.location.hash !== last) read();
  });
  let isPending = false;
  const write = (): void => {
    isPending = false;
    const { run, shown, time, range, chosen, search, game, witness, interval, panel } = state;
    const parts = new URLSearchParams();
    if (shown.value.from !== run.from || shown.value.to !== run.to) {
      parts.set('from', String(shown.value.from));
      parts.set('to', String(shown.value.to));
    }
    if (time.value !== run.from) parts.set('time', String(time.value));
    if (range.value !== undefined) {
      parts.set('rangeFrom', String(range.value.from));
      parts.set('rangeTo', String(range.value.to));
    }
    if (chosen.value !== undefined) {
      parts.set('process', String(chosen.value.process));
      parts.set('row', String(chosen.value.row));
    }
    if (search.value !== '') parts.set('search', search.value);
    if (game.value !== '') parts.set('game', game.value);
    if (witness.value !== undefined) {
      parts.set('witness', witness.value.id);
      parts.set('step', String(witness.value.position));
    }
    if (interval.value !== '') parts.set('interval', interval.value);
    if (panel.value !== '') parts.set('panel', panel.value);
    const hash = parts.toString();
    last = hash === '' ? '' : `#${hash}`;
    window.history.replaceState(undefined, '', hash === '' ? window.location.href.split('#')[0] : last);
  };
  const { time, range, chosen, search, game, witness, interval, panel } = state;
  for (const part of [state.shown, time, range, chosen, search, game, witness, interval, panel])
    part.subscribe(() => {
      // Browsers limit how often an address may change.
      if (!isPending) window.setTimeout(write, 300);
      isPending = true;
    });
  return write;
}
