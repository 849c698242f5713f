import type { Kinds } from '../../base/form.ts';
import { inMemory, type NetForm, type NetMember, type NetMembers, type NetObject } from '../form.ts';
import type { MarkedPlace } from '../net.ts';
import { DISTRIBUTION, SERVERS } from '../net-form.ts';
import type { JsonCursor } from './json-cursor.ts';
import { NOTHING } from './json-read-expression.ts';
import type { Numbers } from './json-read-numbers.ts';
import type { PartsReader } from './json-read-parts.ts';

/** Reads the next value; undefined if it is invalid, which is reported. */
type Read = () => unknown;

/**
 * Reads parts of a net by their forms. The readers of a form are made once, however often it occurs. A part with an invalid
 * or missing member gets a placeholder, so that reading goes on and finds more problems.
 */
export class FormReader {
  readonly #parts: PartsReader;
  readonly #c: JsonCursor;
  readonly #tokens: Read;
  readonly #readers = new Map<NetForm, Read>();

  /** @param tokens reads an initial marking */
  constructor(parts: PartsReader, tokens: Read) {
    this.#parts = parts;
    this.#c = parts.cursor;
    this.#tokens = tokens;
  }

  reader(form: NetForm): Read {
    let read = this.#readers.get(form);
    if (read === undefined) {
      read = this.#made(form);
      this.#readers.set(form, read);
    }
    return read;
  }

  #made(form: NetForm): Read {
    const c = this.#c;
    const parts = this.#parts;
    switch (form.kind) {
      case 'text':
        return () => c.string();
      case 'boolean':
        return () => c.boolean();
      case 'integer':
        return () => c.integer();
      case 'number':
        return () => c.number();
      case 'word':
        return () => c.oneOf([form.word]);
      case 'words':
        return () => c.oneOf(form.words);
      case 'servers':
        return () => (c.kind() === 'a number' ? c.integer() : c.oneOf(SERVERS));
      case 'expression':
        return () => parts.expressions.read();
      case 'located':
        return () => parts.expression();
      case 'delay': {
        const distribution = this.reader(DISTRIBUTION) as () => object | undefined;
        return () => (c.kind() === 'an object' ? (parts.located(distribution) ?? NOTHING) : parts.expression());
      }
      case 'integers':
      case 'reals':
        return () => parts.numbers.read();
      case 'samples':
        return () => [...parts.numbers.read().values];
      case 'tokens':
        return this.#tokens;
      case 'marking':
        return () => this.#marking();
      case 'by name': {
        const read = this.reader(form.values);
        const none = placeholder(form.values);
        return () => parts.byName(() => read() ?? none);
      }
      case 'list': {
        const read = this.reader(form.items);
        if (form.items.kind === 'text') return () => parts.strings();
        return () => parts.items(read as () => object | undefined);
      }
      case 'object':
        return this.#object(form);
      case 'kinds':
        return this.#kinds(form);
    }
  }

  /** A reader of each member. */
  readers(members: NetMembers): Map<string, Read> {
    return new Map(
      Object.entries(members).map(([name, { form }]) => {
        const read = this.reader(form) as () => object | undefined;
        const isPart = form.kind === 'object' || form.kind === 'kinds';
        return [name, isPart ? () => this.#parts.located(read) : read];
      }),
    );
  }

  #object({ members }: NetObject): Read {
    const readers = this.readers(members);
    const needed = neededOf(members);
    const made = this.#maker(members);
    return () => {
      const given = this.#c.members(readers, needed);
      return given && made(given);
    };
  }

  /** Reads the members of all kinds: which of them belong together is known after the tag, which may come last. */
  #kinds({ tag, forms }: Kinds<NetForm>): Read {
    const c = this.#c;
    const objects = Object.values(forms);
    const all: Record<string, NetMember> = {};
    for (const required of [true, false])
      for (const { members } of objects)
        for (const [name, member] of Object.entries(members)) if (member.required === required) all[name] ??= member;
    const readers = this.readers(all);
    const words = Object.keys(forms);
    readers.set(tag, () => c.oneOf(words));
    const common = Object.keys(all).filter((name) => objects.every(({ members }) => Object.hasOwn(members, name)));
    const kinds = new Map(
      Object.entries(forms).map(([kind, { members }]) => {
        const own = neededOf(members).filter((name) => !common.includes(name));
        return [kind, { own, known: new Set(Object.keys(members)), made: this.#maker(members) }];
      }),
    );
    return () => {
      const at = c.place();
      const given = c.members(readers, common);
      const kind = given?.[tag] as string | undefined;
      if (given === undefined || kind === undefined) return undefined;
      const { own, known, made } = kinds.get(kind)!;
      return c.fits(kind, own, known, given, at) ? made(given) : undefined;
    };
  }

  /** Makes a part of the values of its members. */
  #maker(members: NetMembers): (given: Readonly<Record<string, unknown>>) => object {
    const all = inMemory(members).map(([name, { form, required, preset }]) => {
      const none = required ? placeholder(form) : undefined;
      return { name, kind: form.kind, absent: preset ?? (() => none) };
    });
    return (given) => {
      const part: Record<string, unknown> = {};
      for (const { name, kind, absent } of all) {
        const value = given[name] ?? absent();
        if (kind === 'reals') part[name] = (value as Numbers).values;
        else if (kind === 'integers') part[name] = this.#integers(value as Numbers);
        else if (value !== undefined) part[name] = value;
      }
      return part;
    };
  }

  #integers({ values, odd }: Numbers): Int32Array {
    if (odd !== undefined) this.#c.report('NET108', `expected a 32-bit integer, got ${odd.value}`, odd.place);
    return Int32Array.from(values);
  }

  #marking(): MarkedPlace[] {
    const marked: MarkedPlace[] = [];
    this.#c.object((place) => {
      const count = this.#c.integer();
      if (count !== undefined) marked.push({ place, count });
    });
    return marked;
  }
}

const neededOf = (members: NetMembers): string[] => Object.keys(members).filter((name) => members[name]!.required);

/** The value used instead of one that could not be read. */
function placeholder(form: NetForm): unknown {
  switch (form.kind) {
    case 'text':
      return '';
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 0;
    case 'word':
      return form.word;
    case 'words':
      return form.words[0];
    case 'list':
      return [];
    case 'integers':
    case 'reals':
      return { values: new Float64Array(), odd: undefined } satisfies Numbers;
    case 'expression':
    case 'located':
    case 'delay':
      return NOTHING;
    default:
      return undefined;
  }
}
