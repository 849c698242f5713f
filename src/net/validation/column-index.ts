import { type ColourSet, type Column, columnsOf, type Field, MAX_DEPTH } from '../colour.ts';
import { COLOUR_MEMBERS } from '../kinds.ts';

/** Most columns that one colour set may have. */
const MAX_SET_COLUMNS: number = 2 ** 10;
/** Most columns that the fields of composite colour of a whole net may have. */
export const MAX_NET_COLUMNS: number = 2 ** 22;

/** What is wrong with a composite colour set. */
export type ColourFault =
  | { readonly set: ColourSet; readonly fault: 'unknown part'; readonly part: string }
  | { readonly set: ColourSet; readonly fault: 'cycle'; readonly chain: readonly string[] }
  | { readonly set: ColourSet; readonly fault: 'size'; readonly message: string };

/** How many columns a set has, and how deep its parts of parts go. */
export interface SetSize {
  readonly columns: number;
  readonly height: number;
}

/** What is wrong with a set of this size, in words. */
export function sizeFault({ columns, height }: SetSize): string | undefined {
  if (height > MAX_DEPTH) return `has parts of parts deeper than ${MAX_DEPTH}`;
  return columns > MAX_SET_COLUMNS ? `has ${columns} columns: at most ${MAX_SET_COLUMNS} are expected` : undefined;
}

/** Names of a cycle that are listed. */
const LONGEST_CHAIN = 12;

/** A set on the way down to its parts. */
interface Frame {
  readonly set: ColourSet;
  readonly parts: readonly string[];
  next: number;
  columns: number;
  height: number;
  sound: boolean;
  /** Whether it is part of a cycle that was named. */
  named: boolean;
}

/**
 * Takes colour sets apart that may be wrong in any way: unknown, without end, too deep, or so wide that a short text
 * would ask for all memory. Nothing is expanded before its size is known. O(colour sets and their parts).
 */
export class ColumnIndex {
  readonly faults: ColourFault[] = [];
  readonly #colours: ReadonlyMap<string, ColourSet>;
  /** Of composite sets; undefined for those that are wrong, or have a part that is. */
  readonly #sizes = new Map<string, SetSize | undefined>();
  readonly #tooMany: boolean;

  constructor(colours: ReadonlyMap<string, ColourSet>, places: readonly { readonly fields: readonly Field[] }[]) {
    this.#colours = colours;
    for (const set of colours.values()) if (isTakenApart(set)) this.#measure(set);
    this.#tooMany = this.#compositeColumns(places) > MAX_NET_COLUMNS;
  }

  /** Whether the places together have more columns than {@link MAX_NET_COLUMNS}. */
  get tooMany(): boolean {
    return this.#tooMany;
  }

  /** Whether the set is known and not a single number. */
  isComposite(colour: string): boolean {
    const set = this.#colours.get(colour);
    return set !== undefined && (set.kind === 'unit' || isTakenApart(set));
  }

  /** The columns of a place's fields; undefined where a colour set is wrong or the columns of the net are too many. */
  columns(fields: readonly Field[]): Column[] | undefined {
    if (this.#tooMany || !fields.every((f) => this.#width(f.colour) !== undefined)) return undefined;
    return columnsOf(fields, this.#colours);
  }

  #compositeColumns(places: readonly { readonly fields: readonly Field[] }[]): number {
    // In a net without composite sets there is nothing to count.
    if (this.#sizes.size === 0) return 0;
    let total = 0;
    for (const p of places) for (const f of p.fields) total += this.#sizes.get(f.colour)?.columns ?? 0;
    return total;
  }

  #width(colour: string): number | undefined {
    const set = this.#colours.get(colour);
    if (set === undefined || !Object.hasOwn(COLOUR_MEMBERS, set.kind)) return undefined;
    if (set.kind === 'unit') return 0;
    return isTakenApart(set) ? this.#sizes.get(colour)?.columns : 1;
  }

  /** Depth first and without recursion: a chain of sets may be as long as a file. */
  #measure(root: ColourSet): void {
    if (this.#sizes.has(root.name)) return;
    const stack: Frame[] = [frame(root)];
    const open = new Map<string, number>([[root.name, 0]]);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (top.next === top.parts.length) {
        this.#sizes.set(top.set.name, this.#sizeOf(top));
        open.delete(top.set.name);
        stack.pop();
        continue;
      }
      const part = top.parts[top.next]!;
      const set = this.#colours.get(part);
      const begin = open.get(part);
      if (set !== undefined && isTakenApart(set) && begin === undefined && !this.#sizes.has(part)) {
        open.set(part, stack.length);
        stack.push(frame(set));
        continue;
      }
      top.next++;
      if (set === undefined) this.#fault(top, { set: top.set, fault: 'unknown part', part });
      else if (begin !== undefined) this.#cycle(stack, begin);
      else if (isTakenApart(set)) add(top, this.#sizes.get(part));
      else {
        const columns = this.#width(part);
        add(top, columns === undefined ? undefined : { columns, height: 0 });
      }
    }
  }

  /** The last set of the stack contains the one at `begin`: said once of every set there. */
  #cycle(stack: readonly Frame[], begin: number): void {
    const last = stack.at(-1)!;
    last.sound = false;
    if (stack[begin]!.named) return;
    for (let k = begin; k < stack.length && !stack[k]!.named; k++) stack[k]!.named = true;
    const names = stack.slice(begin, begin + LONGEST_CHAIN).map((f) => f.set.name);
    if (stack.length - begin > LONGEST_CHAIN) names.push('…');
    this.faults.push({ set: stack[begin]!.set, fault: 'cycle', chain: [...names, names[0]!] });
  }

  #sizeOf(f: Frame): SetSize | undefined {
    if (!f.sound) return undefined;
    const message = sizeFault(f);
    if (message !== undefined) this.#fault(f, { set: f.set, fault: 'size', message });
    return f.sound ? { columns: f.columns, height: f.height } : undefined;
  }

  #fault(frame: Frame, fault: ColourFault): void {
    frame.sound = false;
    this.faults.push(fault);
  }
}

function isTakenApart(set: ColourSet): boolean {
  return set.kind === 'product' || set.kind === 'record';
}

function frame(set: ColourSet): Frame {
  const parts = set.kind === 'product' ? set.parts : set.kind === 'record' ? set.fields.map((f) => f.colour) : [];
  return { set, parts, next: 0, columns: 0, height: 1, sound: true, named: false };
}

function add(frame: Frame, part: SetSize | undefined): void {
  if (part === undefined) frame.sound = false;
  else {
    frame.columns += part.columns;
    frame.height = Math.max(frame.height, part.height + 1);
  }
}
