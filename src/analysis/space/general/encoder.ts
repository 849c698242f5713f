import type { Edit, Edits } from './edits.ts';
import type { Marking } from './marking.ts';
import type { Section } from './sections.ts';

/** Maximum bytes per word. */
const WORD = 5;

/**
 * Encodes a marking with the changes of a step as a byte string; equal markings give equal bytes. Sections that no step changes
 * are omitted. Each non-empty section starts with a word: gap to the previous section × 2, + 1 if it holds a single token. Next
 * comes, without colours, the number of tokens; for a single coloured token, its colour; otherwise the number of runs, and for
 * each run its colour × 2 (in a bag the difference to the previous colour), + 1 if a count follows. Words are variable-length
 * with 7 bits per byte.
 */
export class Encoder {
  bytes: Uint8Array = new Uint8Array(256);
  length = 0;
  #section = -1;

  write(marking: Marking, edits: Edits): void {
    this.length = 0;
    this.#section = -1;
    const { marked, markedCount, from, to, single, bytes, sections } = marking;
    const { touched, touchedCount } = edits;
    let k = 0;
    let e = 0;
    while (k < markedCount || e < touchedCount) {
      const section = k < markedCount ? marked[k]! : sections.length;
      const changed = e < touchedCount ? touched[e]! : sections.length;
      if (changed <= section) {
        this.#runs(sections[changed]!, edits.get(changed)!);
        e++;
        if (changed === section) k++;
        continue;
      }
      const [start, end] = [from[k]!, to[k]!];
      this.#reserve(WORD + end - start);
      this.#head(section, single[k]!);
      for (let p = start; p < end; p++) this.bytes[this.length++] = bytes[p]!;
      k++;
    }
  }

  #runs(section: Section, edit: Edit): void {
    const { ids, counts, length } = edit;
    if (length === 0 || section.fixed) return;
    this.#reserve((2 * length + 2) * WORD);
    const plain = section.colours.width === 0;
    if (length === 1 && counts[0] === 1) {
      this.#head(section.number, 1);
      if (!plain) this.#word(ids[0]!);
      return;
    }
    this.#head(section.number, 0);
    if (plain) {
      this.#word(counts[0]!);
      return;
    }
    this.#word(length);
    let before = 0;
    for (let run = 0; run < length; run++) {
      const id = ids[run]!;
      const count = counts[run]!;
      this.#word(2 * (id - before) + (count > 1 ? 1 : 0));
      if (count > 1) this.#word(count);
      if (section.queue === undefined) before = id;
    }
  }

  #head(section: number, single: number): void {
    this.#word(2 * (section - this.#section) + single);
    this.#section = section;
  }

  #word(word: number): void {
    let rest = word;
    while (rest >= 128) {
      this.bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  #reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const bytes = new Uint8Array(2 * (this.length + more));
    bytes.set(this.bytes);
    this.bytes = bytes;
  }
}
