import type { Code } from '../../base/codes.ts';
import type { Form, Kinds, MemberOf, ObjectForm } from '../../base/form.ts';
import { didYouMean, nearest, quote, shown } from '../../base/problem.ts';
import { quantity } from '../../base/units.ts';

/** Path to a part of a document: names of members and indexes of items. */
export type Path = readonly (string | number)[];

/** Reports a problem of a part of a document; `at` is `key` if the problem is the part's key, not its value. */
export type Report = (code: Code, message: string, path: Path, at?: 'key' | 'value') => void;

/**
 * Reads a value of a form. Reports MACH005 (unknown member), MACH006 (missing member), MACH007 (value of another type), MACH008
 * (out of range), MACH009 (unknown word), UNIT001 to UNIT003 (no quantity).
 *
 * @returns undefined if a problem was reported
 */
export function readForm<T>(form: Form<T>, value: unknown, path: Path, report: Report): T | undefined {
  return read(form, value, path, report) as T | undefined;
}

function read(form: Form, value: unknown, path: Path, report: Report): unknown {
  const wrong = (code: Code, message: string): undefined => void report(code, message, path);
  const isNumber = typeof value === 'number' && !Number.isNaN(value);
  switch (form.kind) {
    case 'amount': {
      const found = quantity(form.dimension, value, form.from);
      return typeof found === 'number' ? found : wrong(found.code, found.message);
    }
    case 'count':
      if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= form.max) return value;
      return wrong(
        typeof value === 'number' ? 'MACH008' : 'MACH007',
        `expected an integer from 1 to ${form.max}, got ${shown(value)}`,
      );
    case 'fraction':
      // Adding 0 turns −0 into 0.
      if (isNumber && value >= 0 && value <= form.max) return value + 0;
      return wrong(isNumber ? 'MACH008' : 'MACH007', `expected a number from 0 to ${form.max}, got ${shown(value)}`);
    case 'text':
      if (typeof value !== 'string') return wrong('MACH007', `expected a string, got ${shown(value)}`);
      if (form.rule === undefined || new RegExp(form.rule.pattern).test(value)) return value;
      return wrong('MACH009', `expected ${form.rule.words}; got ${quote(value)}`);
    case 'word':
      return form.word;
    case 'list': {
      const { items, min, max } = form;
      if (!Array.isArray(value)) return wrong('MACH007', `expected a list, got ${shown(value)}`);
      if (value.length < min || value.length > max)
        return wrong(
          'MACH008',
          `expected a list of ${min === max ? min : `${min} to ${max}`} items, got ${value.length}`,
        );
      const all = value.map((item, k) => read(items, item, [...path, k], report));
      return all.includes(undefined) ? undefined : all;
    }
    case 'words': {
      const { words } = form;
      if (typeof value !== 'string') return wrong('MACH007', `expected ${words.join(' or ')}, got ${shown(value)}`);
      if (words.includes(value)) return value;
      return wrong('MACH009', `expected ${words.join(' or ')}, got ${quote(value)}.${didYouMean(value, words)}`);
    }
    case 'object':
      return readObject(form, value, path, report);
    case 'kinds':
      return readKind(form, value, path, report);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readObject(form: ObjectForm<Form>, value: unknown, path: Path, report: Report): unknown {
  const { what, members } = form;
  const names = Object.keys(members);
  if (!isObject(value)) {
    report('MACH007', `expected an object with ${names.join(', ')}; got ${shown(value)}`, path);
    return undefined;
  }
  let sound = true;
  const wrong: Report = (...problem) => {
    sound = false;
    report(...problem);
  };
  const found: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(value)) {
    if (given === undefined) continue;
    const at = [...path, name];
    if (Object.hasOwn(members, name)) found[name] = read(members[name]!.form, given, at, wrong);
    else wrong('MACH005', `${what} has no ${quote(name)}.${instead(name, form)}`, at, 'key');
  }
  for (const [name, member] of Object.entries(members))
    if (member.required && (!Object.hasOwn(value, name) || value[name] === undefined))
      wrong('MACH006', `${what} lacks ${quote(name)}${exampleOf(name, member)}`, path);
  return sound ? found : undefined;
}

/** The second half of a message about an unknown member: the one meant, at this place or within another member, and all members. */
function instead(name: string, { members, otherWords = {} }: ObjectForm<Form>): string {
  const names = Object.keys(members);
  const meant = Object.hasOwn(otherWords, name) ? [otherWords[name]!] : pathsTo(name, members);
  const suggestion =
    meant.length === 0 ? nearest(name, names) : ` Did you mean ${meant.map((path) => quote(path)).join(' or ')}?`;
  return `${suggestion} Known: ${names.join(', ')}.`;
}

/** Where the members of an object have a member of this name: `link.latency`, `network.latency` for `latency`. */
function pathsTo(name: string, members: ObjectForm<Form>['members']): string[] {
  return Object.entries(members)
    .filter(([, { form }]) => {
      const objects = form.kind === 'kinds' ? Object.values(form.forms) : form.kind === 'object' ? [form] : [];
      return objects.some((inner) => Object.hasOwn(inner.members, name));
    })
    .map(([outer]) => `${outer}.${name}`);
}

/** The end of a message about a missing member: an example. */
export function exampleOf(name: string, { example }: MemberOf<Form>): string {
  return example === undefined ? '' : `, for instance ${name}: ${example}`;
}

function readKind(form: Kinds<Form>, value: unknown, path: Path, report: Report): unknown {
  const { what, tag, forms, words } = form;
  const known = Object.keys(forms);
  const written = isObject(value);
  const word = written ? value[tag] : value;
  const at = written ? [...path, tag] : path;
  if (typeof word !== 'string') {
    if (written && word === undefined) report('MACH006', `${what} lacks ${quote(tag)}: ${known.join(', ')}`, path);
    else report('MACH007', `expected one of ${known.join(', ')}; got ${shown(word)}`, at);
    return undefined;
  }
  const own = Object.hasOwn(forms, word) ? forms[word]! : undefined;
  if (own === undefined) {
    report('MACH009', `${what} cannot be ${quote(word)}.${didYouMean(word, known)}`, at);
    return undefined;
  }
  if (!written && !words.includes(word))
    report('MACH009', `${quote(word)} requires parameters: write { ${tag}: ${word}, … }`, at);
  return read(own, written ? value : { [tag]: word }, path, report);
}
