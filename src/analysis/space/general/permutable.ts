import type { Edits } from './edits.ts';
import type { Section, Sections } from './sections.ts';

/**
 * Processes that a net does not distinguish: if their numbers are permuted in a reachable marking, the marking is reachable, and
 * can do the same. Each place has at most one column with such a number, so that tokens determine the state of one process.
 */
export interface Permutable {
  /** Processes 0 … count − 1. */
  readonly count: number;
  /** By name of a place: the column with the number of the process. */
  readonly columns: ReadonlyMap<string, number>;
  /**
   * Columns with positions in a list of the process, of which only the differences matter: by name of the place. The first
   * column of `origin` has the smallest position of each process.
   */
  readonly positions: ReadonlyMap<string, readonly number[]>;
  readonly origin?: string;
}

/** A section with the numbers of processes. */
interface Numbered {
  readonly section: Section;
  readonly column: number;
  readonly positions: readonly number[];
}

/**
 * Replaces markings by one representative of all permutations of the processes (Clarke, Enders, Filkorn & Jha, FMSD 9, 1996;
 * Ip & Dill, ibid.): the states of the processes are sorted. Tokens of different processes have no relation other than their
 * order in queues, which is part of the states; so the representative is the same for all permutations.
 * O(tokens × log tokens) per marking.
 */
export class Representative {
  readonly #numbered: readonly Numbered[];
  readonly #origin: Numbered | undefined;
  readonly #count: number;

  constructor(sections: Sections, places: readonly { readonly name: string }[], permutable: Permutable) {
    const { columns, positions, origin, count } = permutable;
    this.#count = count;
    this.#numbered = places.flatMap(({ name }, node) => {
      const column = columns.get(name);
      return column === undefined
        ? []
        : [{ section: sections.store(node), column, positions: positions.get(name) ?? [] }];
    });
    this.#origin = this.#numbered.find(({ section }) => places[section.node]!.name === origin);
  }

  /** Changes the edits of a step so that they lead to the representative of its target. */
  replace(edits: Edits): void {
    const shift = this.#shifts(edits);
    const states: number[][] = Array.from({ length: this.#count }, () => []);
    const all = this.#numbered.map((one, k) => {
      const { ids, counts, length } = edits.of(one.section.number);
      const tokens = Array.from({ length }, (_, run) => {
        const row = one.section.colours.row(ids[run]!);
        const process = row[one.column]!;
        for (const p of one.positions) row[p]! -= shift[process]!;
        row[one.column] = 0;
        return { row, process, count: counts[run]! };
      });
      // In a queue, the position of a token is part of the state of its process.
      const isQueue = one.section.queue !== undefined;
      const listed = tokens.map((token, run) => ({ token, run: isQueue ? run : -1 }));
      if (!isQueue) listed.sort((a, b) => compare(a.token.row, b.token.row));
      for (const { token, run } of listed) states[token.process]!.push(k, run, token.count, ...token.row);
      return { one, tokens };
    });
    // Descending: processes without work, whose tokens are in early places of most nets, get the last numbers.
    const order = states.map((_, process) => process).sort((a, b) => compare(states[b]!, states[a]!));
    const numberOf = new Int32Array(this.#count);
    order.forEach((process, number) => {
      numberOf[process] = number;
    });
    for (const { one, tokens } of all) {
      const { section, column } = one;
      const renamed = tokens.map(({ row, process, count }) => {
        row[column] = numberOf[process]!;
        return { id: section.colours.add(row), count };
      });
      if (section.queue === undefined) renamed.sort((a, b) => a.id - b.id);
      const edit = edits.of(section.number);
      renamed.forEach(({ id, count }, run) => {
        edit.ids[run] = id;
        edit.counts[run] = count;
      });
    }
  }

  /** The smallest position of each process. */
  #shifts(edits: Edits): Float64Array {
    const shift = new Float64Array(this.#count);
    if (this.#origin === undefined) return shift;
    const { section, column, positions } = this.#origin;
    const { ids, length } = edits.of(section.number);
    for (let run = 0; run < length; run++)
      shift[section.colours.value(ids[run]!, column)] = section.colours.value(ids[run]!, positions[0]!);
    return shift;
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  const n = Math.min(a.length, b.length);
  for (let k = 0; k < n; k++) if (a[k] !== b[k]) return a[k]! - b[k]!;
  return a.length - b.length;
}
