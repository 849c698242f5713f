import type { Code } from '../../base/codes.ts';
import { didYouMean, type Place as Position, type Problem } from '../../base/problem.ts';
import type { ColourSet, ScalarSet } from '../colour.ts';
import type { Net, NetFunction, Place, Table } from '../net.ts';
import { ColumnIndex } from './column-index.ts';

/** Maximum number of problems with a name suggestion. */
const MAX_GUESSES = 20;
/** Maximum names compared for suggestions, over all problems; one comparison takes about 1 µs. */
const MAX_COMPARED = 2 ** 20;
/** Column maps of places with more columns than this are cached. */
const FEW = 8;

/** The columns of a place by name. */
export type Columns = ReadonlyMap<string, ScalarSet>;

/** State shared by all rules: the net's parts by name, the current position, and the problems found so far. */
export class Context {
  readonly net: Net;
  readonly problems: Problem[] = [];
  readonly colours: ReadonlyMap<string, ColourSet>;
  readonly tables: ReadonlyMap<string, Table>;
  readonly places: ReadonlyMap<string, Place>;
  readonly functions: ReadonlyMap<string, NetFunction>;
  readonly columnIndex: ColumnIndex;
  readonly #positions: ReadonlyMap<object, Position>;
  readonly #wide = new Map<Place, Columns>();
  readonly #links = new Map<Table, { low: number; high: number }>();
  /** The part being checked, and the transition or place that contains it. */
  #part: object | undefined;
  #whole: object | undefined;
  #guesses = 0;
  #compared = 0;

  constructor(net: Net, positions: ReadonlyMap<object, Position>) {
    this.net = net;
    this.#positions = positions;
    this.colours = this.#byName('colour set', net.colours);
    this.tables = this.#byName('table', net.tables);
    this.places = this.#byName('place', net.places);
    this.functions = this.#byName('function', net.functions ?? []);
    this.#byName('transition', net.transitions);
    this.columnIndex = new ColumnIndex(this.colours, net.places);
  }

  /** Sets the part that the next problems belong to. */
  look(whole: object): void {
    this.#part = this.#whole = whole;
  }

  /** Narrows the position to a part of the current one, if given. */
  lookAt(part: object | undefined): void {
    this.#part = part ?? this.#whole;
  }

  /** Adds a problem at the current position; `part` names the location in the message. */
  report(code: Code, part: string, message: string): void {
    const position = this.#positions.get(this.#part ?? this.net) ?? this.#positions.get(this.#whole ?? this.net);
    this.problems.push({ code, message, place: { ...position, part } });
  }

  /**
   * The nearest known name, as a suggestion. Limited to the first problems, because problems and names may both be
   * many.
   */
  near(name: string, known: Iterable<string>, size: number): string {
    if (this.#guesses >= MAX_GUESSES || this.#compared > MAX_COMPARED) return '';
    this.#guesses++;
    this.#compared += size;
    return didYouMean(name, known);
  }

  /** As {@link near}, for the names of a map. */
  nearIn(name: string, known: ReadonlyMap<string, unknown>): string {
    return this.near(name, known.keys(), known.size);
  }

  unknownPlace(name: string): string {
    return `unknown place "${name}".${this.nearIn(name, this.places)}`;
  }

  /** Rejects names that every JavaScript object has: bindings and patterns are looked up by name. */
  notReserved(part: string, what: string, name: string): void {
    if (name in OBJECT) this.report('NET008', part, `${what} "${name}": this name is reserved, choose another`);
  }

  /** Checks a word of a closed list. Files are checked when read, but a net may come from JavaScript. */
  known(part: string, what: string, word: string, words: readonly string[]): boolean {
    if (words.includes(word)) return true;
    this.report('NET019', part, `unknown ${what} "${word}".${this.near(String(word), words, words.length)}`);
    return false;
  }

  /** As {@link known}, for an optional word. */
  knownIfGiven(part: string, what: string, word: string | undefined, words: readonly string[]): boolean {
    return word === undefined || this.known(part, what, word, words);
  }

  /** Module names must be sorted and unique, so that equal nets have equal canonical text. */
  modules(part: string, modules: readonly string[] | undefined): void {
    if (modules === undefined) return;
    modules.forEach((m, k) => {
      if (m === '') this.report('NET001', part, 'the name of a module must not be empty');
      if (k === 0 || modules[k - 1]! < m) return;
      const why = modules[k - 1] === m ? 'is listed twice' : `comes after "${modules[k - 1]}"`;
      this.report('NET036', part, `module "${m}" ${why}: expected distinct modules in order of their names`);
    });
  }

  /** The columns of a place; undefined if the colour set of a field is invalid, which is reported elsewhere. */
  columnsOf(p: Place): Columns | undefined {
    const kept = this.#wide.get(p);
    if (kept !== undefined) return kept;
    const columns = this.columnIndex.columns(p.fields);
    if (columns === undefined) return undefined;
    const map = new Map(columns.map((c) => [c.name, c.colour]));
    if (map.size > FEW) this.#wide.set(p, map);
    return map;
  }

  /** Smallest and largest link in a routes table; 0 and −1 if it has no links. */
  linksOf(routes: Table & { kind: 'routes' }): { readonly low: number; readonly high: number } {
    let extent = this.#links.get(routes);
    if (extent === undefined) {
      extent = { low: 0, high: -1 };
      for (const l of routes.link) {
        if (l < extent.low) extent.low = l;
        if (l > extent.high) extent.high = l;
      }
      this.#links.set(routes, extent);
    }
    return extent;
  }

  #byName<T extends { readonly name: string }>(what: string, items: readonly T[]): Map<string, T> {
    const map = new Map<string, T>();
    for (const item of items) {
      this.look(item);
      if (item.name === '') this.report('NET001', what, 'a name must not be empty');
      if (map.has(item.name)) this.report('NET002', `${what} ${item.name}`, 'duplicate name');
      map.set(item.name, item);
    }
    return map;
  }
}

const OBJECT = {};
