import type { FunctionDeclaration } from './syntax.ts';

/** Characters of the functions that are kept; a character takes about 20 bytes as a tree. */
const MOST = 2 ** 18;

/** A section of a source that may be one function. */
interface Candidate {
  readonly key: string;
  readonly end: number;
  /** The function, if this section was one in a source before. */
  readonly found: FunctionDeclaration | undefined;
}

/**
 * Parsed functions by their text. The tree of a function depends on its text only, and the text on nothing that follows its closing
 * brace: a section that was one function in a source is the same function in every source.
 *
 *     function f(a) {        begins and ends as emitted code does: the candidate ends at the first
 *       return a + 1;        brace that begins a line, or at the end of a single line; the parser
 *     }                      adds only those that end where the function does
 */
export class KnownFunctions {
  /** Those used since the last change of the two maps, and those used before. */
  #recent = new Map<string, FunctionDeclaration>();
  #older = new Map<string, FunctionDeclaration>();
  #length = 0;

  /** The section from `start`, after the word `function`, that may be a function with these marks. O(its length). */
  candidate(text: string, start: number, marks: string): Candidate | undefined {
    const line = text.indexOf('\n', start);
    if (line < 0) return undefined;
    const brace = text[line - 1] === '{' ? text.indexOf('\n}', line) : -1;
    const end = brace < 0 ? line : brace + 2;
    const key = `${marks}${text.slice(start, end)}`;
    const recent = this.#recent.get(key);
    if (recent !== undefined) return { key, end, found: recent };
    const older = this.#older.get(key);
    if (older !== undefined) this.add(key, older);
    return { key, end, found: older };
  }

  add(key: string, declaration: FunctionDeclaration): void {
    if (this.#length + key.length > MOST) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#length = 0;
    }
    this.#recent.set(key, declaration);
    this.#length += key.length;
  }
}
