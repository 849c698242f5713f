import type { Code } from '../../base/codes.ts';
import { didYouMean, quote } from '../../base/problem.ts';
import {
  ARC_WORDS,
  type ArcRecord,
  type At,
  type Count,
  type Element,
  type FinalRecord,
  type PipeTiming,
  type PlaceRecord,
  type TransitionRecord,
} from './pnml-document.ts';
import { integer } from './pnml-terms.ts';
import type { StartTag } from './pnml-xml.ts';
import { tokenClasses } from './tools/token-classes.ts';

type Report = (code: Code, message: string, at: At) => void;
type Misplaced = (element: { readonly name: string } & At, known: readonly string[]) => void;

/** Converts labels and attributes of nodes, and reports those that are wrong. */
export class Labels {
  readonly #report: Report;
  readonly #misplaced: Misplaced;

  /** `misplaced` reports an element that is not among the `known` ones. */
  constructor(report: Report, misplaced: Misplaced) {
    this.#report = report;
    this.#misplaced = misplaced;
  }

  /** Reads the attributes of a place as TAPAAL writes them. */
  placeAttributes(record: PlaceRecord, tag: StartTag): void {
    const { initialMarking, capacity, name } = tag.attributes;
    if (name !== undefined && name !== '') record.title = name;
    // TAPAAL writes 0 for coloured places, too.
    const tokens = this.numberOf(tag, 'initialMarking', initialMarking, 0);
    if (tokens !== undefined && tokens.value > 0) record.tokens = tokens;
    const room = this.numberOf(tag, 'capacity', capacity, 0);
    if (room !== undefined) record.capacity = room;
  }

  /** Reads the attributes of a transition as PIPE and TAPAAL keep them. */
  transitionAttributes(record: TransitionRecord, tag: StartTag): void {
    const { name } = tag.attributes;
    if (name !== undefined && name !== '') record.title = name;
    for (const part of TIMING) {
      const value = tag.attributes[part];
      if (value !== undefined) this.timing(record, part, value, tag);
    }
  }

  /** Reads the attributes of an arc as TAPAAL writes them. */
  arcAttributes(record: ArcRecord, tag: StartTag, coloured: boolean): void {
    const { type, weight, inscription } = tag.attributes;
    if (type !== undefined) this.arcKind(record, type, tag);
    const given = this.numberOf(tag, 'weight', weight, 1);
    if (given !== undefined && !coloured) record.weight = given;
    else if (given !== undefined && given.value !== 1)
      this.#report('PNML021', 'the attribute "weight" of an arc of a coloured net: expected an <hlinscription>', tag);
    // In TAPAAL the inscription is an interval of ages; [0,inf) tests nothing.
    if (inscription === undefined || /^\[0,\s*inf\)$/.test(inscription)) return;
    const shown = `the attribute inscription=${quote(inscription, 60)} of <arc>`;
    if (/^[[(]/.test(inscription))
      this.#report('PNML021', `${shown}: tests of the age of tokens (TAPAAL) are not supported`, tag);
    else if (weight === undefined || inscription !== '1') {
      const written = this.numberOf(tag, 'inscription', inscription, 1);
      if (written !== undefined) this.weigh(record, written);
    }
  }

  /** The number in an attribute; undefined if it is missing or wrong, which is reported. */
  numberOf(tag: StartTag, name: string, text: string | undefined, least: number): Count | undefined {
    if (text === undefined) return undefined;
    const value = integer(text, least);
    if (typeof value === 'number') return { value, line: tag.line, column: tag.column };
    this.#report('PNML007', `the attribute "${name}" of <${tag.name}>: ${value.wrong}`, tag);
    return undefined;
  }

  /** Sets the weight of an arc, which an attribute and a label may give. */
  weigh(record: ArcRecord, count: Count): void {
    const { weight } = record;
    if (weight !== undefined && weight.value !== count.value)
      this.#report('PNML008', `the arc ${quote(record.id)} has two weights, ${weight.value} and ${count.value}`, count);
    record.weight = count;
  }

  /** Sets the initial marking of a place, which an attribute and a label may give. */
  mark(record: PlaceRecord, count: Count): void {
    const { tokens } = record;
    if (tokens !== undefined && tokens.value !== count.value)
      this.#report(
        'PNML008',
        `the place ${quote(record.id)} has two initial markings, ${tokens.value} and ${count.value} tokens`,
        count,
      );
    record.tokens = count;
  }

  /** A parameter that replaces the rate of a transition (PIPE). */
  rateParameter(record: TransitionRecord, parameter: string): void {
    record.timing = { ...record.timing, parameter };
  }

  /** Reads one part of the timing of a transition (PIPE). */
  timing(record: TransitionRecord, part: (typeof TIMING)[number], text: string, at: At): void {
    record.timing ??= {};
    const timing: PipeTiming = record.timing;
    const wrong = (expected: string): void =>
      this.#report(
        'PNML007',
        `<${part}> of transition ${quote(record.id)}: expected ${expected}, got ${quote(text)}`,
        at,
      );
    if (part === 'timed' || part === 'infiniteServer') {
      if (text === 'true' || text === 'false') timing[part] = text === 'true';
      else wrong('true or false');
    } else if (part === 'priority') {
      const value = integer(text, 0);
      if (typeof value === 'number') timing.priority = value;
      else wrong('an integer >= 0');
    } else {
      const value = numberIn(text);
      if (value > 0 && Number.isFinite(value)) timing[part] = value;
      else if (Number.isNaN(value) && text !== '') timing.expression = { part, text, line: at.line, column: at.column };
      else wrong('a number > 0');
    }
  }

  count(label: Element, least: number, keep: (count: Count) => void): void {
    const { line, column } = label;
    for (const c of label.children) if (c.name !== 'text' && c.name !== 'value') this.#misplaced(c, ['text', 'value']);
    const text = textOf(label) ?? '';
    // Editors write an empty label for the default.
    if (text === '') return;
    const listed = tokenClasses(text);
    const counts = listed?.map(([name, count]) => [name, integer(count, 0)] as const);
    const wrong = counts?.find(([, count]) => typeof count !== 'number')?.[1];
    const classes = counts as [string, number][] | undefined;
    const value = wrong ?? integer(classes === undefined ? text : String(sumOf(classes)), least);
    if (typeof value === 'number') keep({ value, line, column, ...(classes === undefined ? {} : { classes }) });
    else this.#report('PNML007', `<${label.name}>: ${value.wrong}`, label);
  }

  /** The final markings of ProM and pm4py. */
  finalMarkings(label: Element): FinalRecord[][] {
    const markings: FinalRecord[][] = [];
    for (const marking of label.children) {
      if (marking.name !== 'marking') {
        this.#misplaced(marking, ['marking']);
        continue;
      }
      const marked: FinalRecord[] = [];
      for (const place of marking.children) {
        const { line, column } = place;
        const idref = place.attributes['idref'];
        if (place.name !== 'place') this.#misplaced(place, ['place']);
        else if (idref === undefined)
          this.#report('PNML006', '<place> of a final marking has no attribute "idref"', place);
        else
          this.count(place, 0, ({ value }) => {
            marked.push({ place: idref, count: value, line, column });
          });
      }
      markings.push(marked);
    }
    return markings;
  }

  /** Passes on the single element in a label's structure. A label without text and structure is ignored. */
  structure(label: Element, keep: (e: Element) => void): void {
    for (const c of label.children)
      if (c.name !== 'text' && c.name !== 'structure') this.#misplaced(c, ['text', 'structure']);
    const structures = label.children.filter((c) => c.name === 'structure');
    const [first, ...more] = structures.flatMap((s) => s.children);
    if (more.length > 0)
      this.#report('PNML015', `the structure of <${label.name}> has ${more.length + 1} parts: expected one`, more[0]!);
    else if (first !== undefined) keep(first);
    else if (label.text !== '' || (textOf(label) ?? '') !== '')
      this.#report('PNML019', `<${label.name}> has only <text>: expected a <structure>`, label);
  }

  declarations(label: Element): Element[] {
    const found: Element[] = [];
    for (const structure of label.children) {
      if (structure.name === 'text') continue;
      if (structure.name !== 'structure') this.#misplaced(structure, ['text', 'structure']);
      for (const list of structure.children) {
        if (list.name !== 'declarations') this.#misplaced(list, ['declarations']);
        else for (const d of list.children) found.push(d);
      }
    }
    return found;
  }

  arcKind(arc: ArcRecord, word: string, at: At): void {
    const known = word.toLowerCase();
    const kind = Object.hasOwn(ARC_WORDS, known) ? ARC_WORDS[known as keyof typeof ARC_WORDS] : undefined;
    if (kind === undefined)
      this.#report(
        'PNML020',
        `an arc of kind ${quote(word)} is not supported.${didYouMean(known, Object.keys(ARC_WORDS))}`,
        at,
      );
    else if (arc.kind !== undefined && arc.kind !== kind)
      this.#report('PNML020', `the arc ${quote(arc.id)} has two kinds`, at);
    else arc.kind = kind;
  }
}

/** The value of a decimal number; NaN for other text. */
export function numberIn(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** Parts of the timing of a transition (PIPE), as labels or attributes. */
const TIMING = ['rate', 'weight', 'timed', 'infiniteServer', 'priority'] as const;

/** The text of a label: in `text` as in the standard, or in `value` as in older files. */
export function textOf(label: Element): string | undefined {
  const given = label.children.find((c) => c.name === 'text') ?? label.children.find((c) => c.name === 'value');
  return given?.text ?? (label.text === '' ? undefined : label.text);
}

const sumOf = (classes: readonly (readonly [string, number])[]): number =>
  classes.reduce((sum, [, count]) => sum + count, 0);
