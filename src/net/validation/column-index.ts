import { type ColourSet, type Column, columnsOf, type Field, MAX_DEPTH } from '../colour.ts';
import { COLOUR } from '../net-form.ts';

/** Maximum columns of one colour set. */
const MAX_SET_COLUMNS: number = 2 ** 10;
/** Maximum columns of all composite fields of a net together. */
export const MAX_NET_COLUMNS: number = 2 ** 22;

/** An error in a composite colour set. */
export type ColourFault =
  | { readonly set: ColourSet; readonly fault: 'unknown part'; readonly part: string }
  | { readonly set: ColourSet; readonly fault: 'cycle'; readonly chain: readonly string[] }
  | { readonly set: ColourSet; readonly fault: 'size'; readonly message: string };

/** Column count and nesting depth of a set. */
export interface SetSize {
  readonly columns: number;
  readonly height: number;
}

/** The error message for a set of this size, if it exceeds a limit. */
export function sizeFault({ columns, height }: SetSize): string | undefined {
  if (height > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH}`;
  return columns > MAX_SET_COLUMNS ? `has ${columns} columns: expected at most ${MAX_SET_COLUMNS}` : undefined;
}

/** Maximum names listed for a cycle. */
const LONGEST_CHAIN = 12;

/** Depth-first search frame: a set whose parts are being measured. */
interface Frame {
  readonly set: ColourSet;
  readonly parts: readonly string[];
  next: number;
  columns: number;
  height: number;
  sound: boolean;
  /** True if it belongs to a cycle already reported. */
  named: boolean;
}

/**
 * Measures colour sets that may be invalid: unknown, cyclic, too deep, or so wide that a short file would exhaust
 * memory. Nothing is expanded before its size is known. O(colour sets and their parts).
 */
export class ColumnIndex {
  readonly faults: ColourFault[] = [];
  readonly #colours: ReadonlyMap<string, ColourSet>;
  /** Sizes of composite sets; undefined if the set or one of its parts is invalid. */
  readonly #sizes = new Map<string, SetSize | undefined>();
  readonly #tooMany: boolean;

  constructor(colours: ReadonlyMap<string, ColourSet>, places: readonly { readonly fields: readonly Field[] }[]) {
    this.#colours = colours;
    for (const set of colours.values()) if (isComposite(set)) this.#measure(set);
    this.#tooMany = this.#compositeColumns(places) > MAX_NET_COLUMNS;
  }

  /** True if all places together have more columns than {@link MAX_NET_COLUMNS}. */
  get tooMany(): boolean {
    return this.#tooMany;
  }

  /** True if the set is known and not scalar. */
  isComposite(colour: string): boolean {
    const set = this.#colours.get(colour);
    return set !== undefined && (set.kind === 'unit' || isComposite(set));
  }

  /** The columns of a place's fields; undefined if a colour set is invalid or the net has too many columns. */
  columns(fields: readonly Field[]): Column[] | undefined {
    if (this.#tooMany || !fields.every((f) => this.#width(f.colour) !== undefined)) return undefined;
    return columnsOf(fields, this.#colours);
  }

  #compositeColumns(places: readonly { readonly fields: readonly Field[] }[]): number {
    // Shortcut for nets without composite sets.
    if (this.#sizes.size === 0) return 0;
    let total = 0;
    for (const p of places) for (const f of p.fields) total += this.#sizes.get(f.colour)?.columns ?? 0;
    return total;
  }

  #width(colour: string): number | undefined {
    const set = this.#colours.get(colour);
    if (set === undefined || !Object.hasOwn(COLOUR.forms, set.kind)) return undefined;
    if (set.kind === 'unit') return 0;
    return isComposite(set) ? this.#sizes.get(colour)?.columns : 1;
  }

  /** Depth-first without recursion: a chain of sets may be as long as the file. */
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
      if (set !== undefined && isComposite(set) && begin === undefined && !this.#sizes.has(part)) {
        open.set(part, stack.length);
        stack.push(frame(set));
        continue;
      }
      top.next++;
      if (set === undefined) this.#fault(top, { set: top.set, fault: 'unknown part', part });
      else if (begin !== undefined) this.#cycle(stack, begin);
      else if (isComposite(set)) add(top, this.#sizes.get(part));
      else {
        const columns = this.#width(part);
        add(top, columns === undefined ? undefined : { columns, height: 0 });
      }
    }
  }

  /** The last set on the stack contains the one at `begin`. Each set is reported in at most one cycle. */
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

function isComposite(set: ColourSet): boolean {
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
