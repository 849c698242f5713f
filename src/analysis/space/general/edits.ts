import { fail } from '../../../base/problem.ts';
import type { Marking } from './marking.ts';
import type { Section } from './sections.ts';

/** Numbers of tokens are 32 bits wide. */
export const MOST_TOKENS: number = 2 ** 31 - 1;

/** The runs of a section that a step changes. */
export interface Edit {
  ids: Int32Array;
  counts: Int32Array;
  length: number;
}

/** What a step changes of a marking, section by section. */
export class Edits {
  readonly #marking: Marking;
  readonly #edits: (Edit | undefined)[] = [];
  readonly #stamps: Int32Array;
  /** Numbers of the sections that were changed, ascending. */
  readonly touched: Int32Array;
  touchedCount = 0;
  #stamp = 0;

  constructor(marking: Marking) {
    this.#marking = marking;
    this.#stamps = new Int32Array(marking.sections.length);
    this.touched = new Int32Array(marking.sections.length);
  }

  begin(): void {
    this.touchedCount = 0;
    this.#stamp = (this.#stamp + 1) | 0;
  }

  /** The changed runs of a section; undefined where nothing was changed. */
  get(section: number): Edit | undefined {
    return this.#stamps[section] === this.#stamp ? this.#edits[section] : undefined;
  }

  /** The runs of a section, to be changed. */
  of(section: number): Edit {
    let edit = this.#edits[section];
    if (edit !== undefined && this.#stamps[section] === this.#stamp) return edit;
    if (edit === undefined) {
      edit = { ids: new Int32Array(8), counts: new Int32Array(8), length: 0 };
      this.#edits[section] = edit;
    }
    this.#stamps[section] = this.#stamp;
    let k = this.touchedCount++;
    for (; k > 0 && this.touched[k - 1]! > section; k--) this.touched[k] = this.touched[k - 1]!;
    this.touched[k] = section;
    const { ids, counts, start, end } = this.#marking;
    const from = start[section]!;
    edit.length = end[section]! - from;
    if (edit.ids.length <= edit.length) grow(edit, 2 * edit.length + 1);
    for (let r = 0; r < edit.length; r++) {
      edit.ids[r] = ids[from + r]!;
      edit.counts[r] = counts[from + r]!;
    }
    return edit;
  }

  /** Takes tokens of a colour: of a queue those that leave first. */
  take(section: Section, colour: number, count: number): void {
    const edit = this.of(section.number);
    let run = 0;
    while (edit.ids[run] !== colour) run++;
    edit.counts[run]! -= count;
    if (edit.counts[run] === 0) {
      remove(edit, run);
      join(edit, section);
    }
  }

  /** Removes all tokens whose colour is meant. */
  reset(section: Section, meant: (colour: number) => boolean): void {
    const edit = this.of(section.number);
    let kept = 0;
    for (let run = 0; run < edit.length; run++) {
      if (meant(edit.ids[run]!)) continue;
      edit.ids[kept] = edit.ids[run]!;
      edit.counts[kept++] = edit.counts[run]!;
    }
    edit.length = kept;
    join(edit, section);
  }

  /** Brings tokens of a colour, the youngest of all. */
  add(section: Section, colour: number, count: number): void {
    const edit = this.of(section.number);
    const { queue } = section;
    let run = 0;
    if (queue === undefined) {
      while (run < edit.length && edit.ids[run]! < colour) run++;
      if (run < edit.length && edit.ids[run] === colour) {
        edit.counts[run] = more(section, edit.counts[run]!, count);
        return;
      }
    } else {
      const group = queue.group(colour);
      const priority = queue.priority(colour);
      for (; run < edit.length; run++) {
        const other = queue.group(edit.ids[run]!);
        if (other > group || (other === group && queue.priority(edit.ids[run]!) < priority)) break;
      }
      if (run > 0 && edit.ids[run - 1] === colour) {
        edit.counts[run - 1] = more(section, edit.counts[run - 1]!, count);
        return;
      }
    }
    if (edit.length === edit.ids.length) grow(edit, 2 * edit.length);
    // Runs are few: a loop is faster than copyWithin.
    for (let k = edit.length; k > run; k--) {
      edit.ids[k] = edit.ids[k - 1]!;
      edit.counts[k] = edit.counts[k - 1]!;
    }
    edit.ids[run] = colour;
    edit.counts[run] = more(section, 0, count);
    edit.length++;
  }
}

function more(section: Section, tokens: number, count: number): number {
  const sum = tokens + count;
  return sum <= MOST_TOKENS ? sum : tooManyTokens(section.part);
}

/** @throws InputError RUN013 */
export function tooManyTokens(part: string): never {
  fail('RUN013', `a marking with more than ${MOST_TOKENS} tokens: fewer are expected`, { part });
}

function remove(edit: Edit, run: number): void {
  edit.length--;
  for (let k = run; k < edit.length; k++) {
    edit.ids[k] = edit.ids[k + 1]!;
    edit.counts[k] = edit.counts[k + 1]!;
  }
}

/** Runs of a queue that have come to stand side by side become one. */
function join(edit: Edit, section: Section): void {
  if (section.queue === undefined) return;
  let kept = 0;
  for (let run = 0; run < edit.length; run++) {
    if (kept > 0 && edit.ids[kept - 1] === edit.ids[run]) edit.counts[kept - 1]! += edit.counts[run]!;
    else {
      edit.ids[kept] = edit.ids[run]!;
      edit.counts[kept++] = edit.counts[run]!;
    }
  }
  edit.length = kept;
}

function grow(edit: Edit, length: number): void {
  const ids = new Int32Array(length);
  ids.set(edit.ids);
  edit.ids = ids;
  const counts = new Int32Array(length);
  counts.set(edit.counts);
  edit.counts = counts;
}
