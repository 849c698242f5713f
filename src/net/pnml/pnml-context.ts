import type { Code } from '../../base/codes.ts';
import type { Problems } from '../../base/problem.ts';
import { didYouMean, type Place } from '../../base/problem.ts';
import type { At, Element } from './pnml-document.ts';

/** Thrown after a problem was reported, to abandon the current label. */
export class GivenUp extends Error {}

/** Collects problems, and limits the parts generated from the document. */
export class Context {
  readonly warnings: string[];
  readonly #file: string;
  readonly #problems: Problems;
  #parts = 0;
  #compared = 0;

  constructor(file: string, problems: Problems, warnings: string[]) {
    this.#file = file;
    this.#problems = problems;
    this.warnings = warnings;
  }

  place({ line, column }: At): Place {
    return { file: this.#file, line, column };
  }

  report(code: Code, message: string, at: At): void {
    this.#problems.add(code, message, this.place(at));
  }

  /** Reports a problem and abandons the label. */
  giveUp(code: Code, message: string, at: At): never {
    this.report(code, message, at);
    return this.abandon();
  }

  /** Abandons the label; the problem was reported elsewhere. */
  abandon(): never {
    throw new GivenUp();
  }

  /** The result, or undefined if the label was abandoned. */
  attempt<T>(run: () => T): T | undefined {
    try {
      return run();
    } catch (e) {
      if (e instanceof GivenUp) return undefined;
      throw e;
    }
  }

  attribute(e: Element, name: string): string {
    return e.attributes[name] ?? this.giveUp('PNML006', `<${e.name}> has no attribute "${name}"`, e);
  }

  /**
   * The nearest known name, as a suggestion. Limited to the first problems, because problems and names may both be
   * many.
   */
  near(name: string, known: readonly string[]): string {
    this.#compared += known.length;
    return this.#compared > MAX_COMPARED ? '' : didYouMean(name, known);
  }

  warn(message: string): void {
    if (!this.warnings.includes(message) && this.warnings.length < MAX_WARNINGS) this.warnings.push(message);
  }

  /**
   * Counts generated colours, tokens and terms that are not written out in the document: a few lines can generate very
   * many.
   */
  grow(parts: number, at: At): void {
    this.#parts += parts;
    if (this.#parts > MAX_PARTS)
      this.giveUp('PNML018', `yields more than ${MAX_PARTS} colours, tokens and arcs in total`, at);
  }
}

const MAX_WARNINGS = 100;
/** Maximum names compared for suggestions; one comparison takes about 1 µs. */
const MAX_COMPARED = 2 ** 20;
export const MAX_PARTS: number = 2 ** 23;
