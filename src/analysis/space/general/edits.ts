import { MAX_TOKENS, tooManyTokens } from '../check-limits.ts';
import type { Marking } from './marking.ts';
import type { Section } from './sections.ts';

/** The runs of one section after a step. */
export interface Edit {
  ids: Int32Array;
  counts: Int32Array;
  length: number;
}

/** Changes of a step to a marking, by section. */
export class Edits {
  readonly #marking: Marking;
  readonly #edits: (Edit | undefined)[] = [];
  readonly #stamps: Int32Array;
  /** Numbers of the changed sections, ascending; the first `touchedCount` entries are valid. */
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

  /** The changed runs of a section; undefined if unchanged. */
  get(section: number): Edit | undefined {
    return this.#stamps[section] === this.#stamp ? this.#edits[section] : undefined;
  }

  /** The runs of a section for modification; copied from the marking on first use. */
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

  /** Removes tokens of a colour; in a queue, the first ones to leave. */
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

  /** Removes all tokens whose colour matches. */
  reset(section: Section, matches: (colour: number) => boolean): void {
    const edit = this.of(section.number);
    let kept = 0;
    for (let run = 0; run < edit.length; run++) {
      if (matches(edit.ids[run]!)) continue;
      edit.ids[kept] = edit.ids[run]!;
      edit.counts[kept++] = edit.counts[run]!;
    }
    edit.length = kept;
    join(edit, section);
  }

  /** Adds tokens of a colour as the youngest ones. */
  add(section: Section, colour: number, count: number): void {
    const edit = this.of(section.number);
    const { queue } = section;
    // From the end: the tokens of an initial marking come in ascending order, and may be many.
    let run = edit.length;
    if (queue === undefined) while (run > 0 && edit.ids[run - 1]! > colour) run--;
    else {
      const group = queue.group(colour);
      const priority = queue.priority(colour);
      for (; run > 0; run--) {
        const other = queue.group(edit.ids[run - 1]!);
        if (other < group || (other === group && queue.priority(edit.ids[run - 1]!) >= priority)) break;
      }
    }
    if (run > 0 && edit.ids[run - 1] === colour) {
      edit.counts[run - 1] = more(section, edit.counts[run - 1]!, count);
      return;
    }
    if (edit.length === edit.ids.length) grow(edit, 2 * edit.length);
    // Runs are short, so a loop is faster than copyWithin.
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
  return sum <= MAX_TOKENS ? sum : tooManyTokens(section.part);
}

function remove(edit: Edit, run: number): void {
  edit.length--;
  for (let k = run; k < edit.length; k++) {
    edit.ids[k] = edit.ids[k + 1]!;
    edit.counts[k] = edit.counts[k + 1]!;
  }
}

/** Merges adjacent runs of equal colour in a queue. */
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
