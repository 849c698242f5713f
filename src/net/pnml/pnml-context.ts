import { didYouMean, type Place } from '../../base/problem.ts';
import type { Problems } from '../../base/problem-list.ts';
import type { At, Element } from './pnml-document.ts';

/** Thrown where a problem has been said, so that the label it is in is given up. */
export class GivenUp extends Error {}

/** Where problems go, and how much may be made of the document. */
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

  say(code: string, message: string, at: At): void {
    this.#problems.add(code, message, this.place(at));
  }

  /** Says a problem and gives the label up. */
  giveUp(code: string, message: string, at: At): never {
    this.say(code, message, at);
    throw new GivenUp();
  }

  /** The value, or undefined where the label had to be given up. */
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

  /** Proposes the nearest known name, for the first problems: their number and that of the names may both be large. */
  near(name: string, known: readonly string[]): string {
    this.#compared += known.length;
    return this.#compared > MOST_COMPARED ? '' : didYouMean(name, known);
  }

  warn(message: string): void {
    if (!this.warnings.includes(message) && this.warnings.length < MOST_WARNINGS) this.warnings.push(message);
  }

  /** Counts colours, tokens and terms that are made without standing in the document: a few lines can stand for very many. */
  grow(parts: number, at: At): void {
    this.#parts += parts;
    if (this.#parts > MOST_PARTS)
      this.giveUp('PNML018', `makes more than ${MOST_PARTS} colours, tokens and arcs of the net together`, at);
  }
}

const MOST_WARNINGS = 100;
/** Names that guesses are made among: comparing one takes about a microsecond. */
const MOST_COMPARED = 2 ** 20;
export const MOST_PARTS: number = 2 ** 23;
