import type { Section } from './sections.ts';

/**
 * A decoded marking: for each section, runs of equal tokens from `start[section]` to `end[section]`; `ids` are their colours,
 * `counts` their numbers. In a bag, runs ascend by colour; in a queue, groups ascend, and runs within a group are in order of
 * leaving.
 */
export class Marking {
  readonly sections: readonly Section[];
  readonly start: Int32Array;
  readonly end: Int32Array;
  ids: Int32Array = new Int32Array(64);
  counts: Int32Array = new Int32Array(64);
  /** Non-empty sections that steps may change, ascending; the first `markedCount` entries are valid. */
  readonly marked: Int32Array;
  markedCount = 0;
  /** By position in `marked`: byte range of the section's content, and whether it is a single token. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly single: Uint8Array;
  bytes: Uint8Array = new Uint8Array(0);
  /** Number of tokens in the net's places, without timed firings. */
  tokens = 0;
  /** Changes with every decoded marking. */
  #serial = 0;
  /** Number of runs, and of tokens, of the sections that no step changes; they are stored before the others. */
  #fixedRuns = 0;
  #fixedTokens = 0;

  constructor(sections: readonly Section[]) {
    this.sections = sections;
    this.start = new Int32Array(sections.length);
    this.end = new Int32Array(sections.length);
    this.marked = new Int32Array(sections.length);
    this.from = new Int32Array(sections.length);
    this.to = new Int32Array(sections.length);
    this.single = new Uint8Array(sections.length);
  }

  /** Sets the runs of a section that no step changes. Call before any `decode`. */
  fix(section: Section, ids: Int32Array, counts: Int32Array, length: number): void {
    const from = this.#fixedRuns;
    if (this.ids.length < from + length) this.#grow(from + length);
    this.start[section.number] = from;
    for (let run = 0; run < length; run++) {
      this.ids[from + run] = ids[run]!;
      this.counts[from + run] = counts[run]!;
      this.#fixedTokens += counts[run]!;
    }
    this.#fixedRuns = from + length;
    this.end[section.number] = this.#fixedRuns;
    this.tokens = this.#fixedTokens;
  }

  /** Version of a section's content: differs between markings whose content may differ. */
  serial(section: Section): number {
    return section.fixed ? 1 : this.#serial;
  }

  /** Decodes the bytes written by an encoder. O(length). */
  decode(bytes: Uint8Array, at: number, length: number): void {
    const { sections, start, end, marked, from, to, single } = this;
    for (let k = 0; k < this.markedCount; k++) end[marked[k]!] = start[marked[k]!] = 0;
    this.#serial++;
    this.bytes = bytes;
    let n = 0;
    let runs = this.#fixedRuns;
    let tokens = this.#fixedTokens;
    let section = -1;
    let p = at;
    const last = at + length;
    while (p < last) {
      let head = bytes[p++]!;
      if (head >= 128) {
        let shift = 7;
        head &= 127;
        let b: number;
        do {
          b = bytes[p++]!;
          head += (b & 127) << shift;
          shift += 7;
        } while (b >= 128);
      }
      section += head >> 1;
      const { kind, colours, queue } = sections[section]!;
      marked[n] = section;
      from[n] = p;
      start[section] = runs;
      if (this.ids.length < runs + 1) this.#grow(runs + 1);
      let sum = 1;
      const plain = colours.width === 0;
      if ((head & 1) === 1) {
        single[n] = 1;
        let id = 0;
        if (!plain) {
          this.#at = p;
          id = this.#word();
          p = this.#at;
        }
        this.ids[runs] = id;
        this.counts[runs++] = 1;
      } else {
        single[n] = 0;
        this.#at = p;
        if (plain) {
          sum = this.#word();
          this.ids[runs] = 0;
          this.counts[runs++] = sum;
        } else {
          const many = this.#word();
          if (this.ids.length < runs + many) this.#grow(runs + many);
          let id = 0;
          sum = 0;
          for (let k = 0; k < many; k++) {
            const word = this.#word();
            id = queue === undefined ? id + (word >> 1) : word >> 1;
            const count = (word & 1) === 0 ? 1 : this.#word();
            this.ids[runs] = id;
            this.counts[runs++] = count;
            sum += count;
          }
        }
        p = this.#at;
      }
      to[n++] = p;
      end[section] = runs;
      if (kind !== 'busy') tokens += sum;
    }
    this.markedCount = n;
    this.tokens = tokens;
  }

  #at = 0;

  #word(): number {
    const { bytes } = this;
    let b = bytes[this.#at++]!;
    if (b < 128) return b;
    let word = b & 127;
    let scale = 128;
    do {
      b = bytes[this.#at++]!;
      word += (b & 127) * scale;
      scale *= 128;
    } while (b >= 128);
    return word;
  }

  /** True if arcs that consume or read can see a run: it is the first of its group (S3). */
  visible(section: Section, run: number): boolean {
    const { queue } = section;
    if (queue === undefined || run === this.start[section.number]!) return true;
    return queue.group(this.ids[run]!) !== queue.group(this.ids[run - 1]!);
  }

  /** The visible run of a colour; −1 if not found. O(log runs). */
  find(section: Section, colour: number): number {
    const { queue } = section;
    let low = this.start[section.number]!;
    const end = this.end[section.number]!;
    let high = end;
    const wanted = queue === undefined ? colour : queue.group(colour);
    while (low < high) {
      const middle = (low + high) >> 1;
      const id = this.ids[middle]!;
      if ((queue === undefined ? id : queue.group(id)) < wanted) low = middle + 1;
      else high = middle;
    }
    return low < end && this.ids[low] === colour ? low : -1;
  }

  /** Number of tokens in a section. */
  sum(section: number): number {
    let sum = 0;
    for (let run = this.start[section]!; run < this.end[section]!; run++) sum += this.counts[run]!;
    return sum;
  }

  #grow(runs: number): void {
    const length = Math.max(2 * this.ids.length, runs);
    for (const name of ['ids', 'counts'] as const) {
      const more = new Int32Array(length);
      more.set(this[name]);
      this[name] = more;
    }
  }
}
