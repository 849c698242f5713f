import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { labelOf, unitOf } from '../../src/report/labels.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** A member of a result document: keys from the document; names of the user are `*`. */
interface Member {
  readonly path: readonly string[];
  readonly description: string;
  readonly isNumber: boolean;
  readonly isRow: boolean;
}

/** Members that pages do not list: they describe the file, or have curves and tables of their own. */
const LEFT_OUT = /^(?:format|version|kind|product|inputs|options|warnings|notes|machine|scaling|elasticity|methods)$/;
const DEEP = /^(?:inputs|options)$/;
/** Descriptions of numbers whose unit depends on their row. */
const SEVERAL_UNITS = /(?:\bor|;) .*per second/;
const INPUTS = /^(?:machine|net|collectives|run-line|profile)\.schema/;

/** All members of a kind of result documents. */
function membersOf(schema: Schema): Member[] {
  const found: Member[] = [];
  const visit = (
    own: Schema,
    path: readonly string[],
    description: string,
    around: readonly Schema[],
    isRow: boolean,
  ): void => {
    const reference = own.$ref === undefined ? own : schema.$defs![own.$ref.split('/').at(-1)!]!;
    const text = description || (own.description ?? reference.description ?? '');
    if (around.includes(reference)) return;
    if (reference.$ref !== undefined) {
      visit(reference, path, text, around, isRow);
      return;
    }
    for (const one of reference.anyOf ?? []) visit(one, path, text, [...around, reference], isRow);
    const members = reference.properties ?? {};
    if ('value' in members && 'unit' in members && isNumber(members['value']!)) return;
    if (path.length > 0 && reference.anyOf === undefined)
      found.push({ path, description: text, isNumber: isNumber(reference), isRow });
    if (reference.items !== undefined) visit(reference.items, path, '', [...around, reference], true);
    if (typeof reference.additionalProperties === 'object')
      visit(reference.additionalProperties, [...path, '*'], '', [...around, reference], false);
    for (const [key, one] of Object.entries(members))
      if (!(path.length > 0 ? DEEP : LEFT_OUT).test(key)) visit(one, [...path, key], '', [...around, reference], false);
  };
  visit(schema, [], '', [], false);
  return found;
}

const isNumber = ({ type }: Schema): boolean => [type].flat().includes('number');

const KINDS = readdirSync('schema')
  .filter((file) => !INPUTS.test(file))
  .map(
    (file) => [file.split('.')[0]!, membersOf(JSON.parse(readFileSync(`schema/${file}`, 'utf8')) as Schema)] as const,
  );

describe.each(KINDS)('members of a document of kind %s', (kind, members) => {
  it('have labels in words, and names of the user unchanged', () => {
    const odd = members.flatMap(({ path }) => {
      const label = labelOf(path);
      if (path.includes('*'))
        return path.at(-1) === '*' && path.length > 1 && label !== '*' ? [`${path.join('.')}: ${label}`] : [];
      return /[._]|[a-z][A-Z]|^[a-z]|^$/.test(label) || /\b(?:cv|sccs|max|min)\b/i.test(label)
        ? [`${path.join('.')}: ${label}`]
        : [];
    });
    expect(odd.filter((line) => !/(?:^figures|figures\.\*|differences\.\*)/.test(line))).toEqual([]);
  });

  it('have labels that differ from those of their neighbours', () => {
    const seen = new Map<string, string>();
    const twice = members.flatMap(({ path }) => {
      const of = `${path.slice(0, -1).join('.')}: ${labelOf(path)}`;
      const other = seen.get(of);
      seen.set(of, path.join('.'));
      return other === undefined || other === path.join('.')
        ? []
        : [`${other} and ${path.join('.')}: ${labelOf(path)}`];
    });
    expect(twice).toEqual([]);
  });

  it('have the units that their descriptions name', () => {
    const wrong = members.flatMap(({ path, description, isNumber, isRow }) => {
      if (!isNumber || isRow || SEVERAL_UNITS.test(description)) return [];
      const unit = unitOf([kind, ...path]);
      const named = /square seconds/.test(description)
        ? 's²'
        : /per second/i.test(description)
          ? '1/s'
          : /in seconds|\(s\)|^(?:Worker-)?seconds\b|^Mean seconds|^Time\b(?!.*share)/i.test(description)
            ? 's'
            : /in bytes/.test(description)
              ? 'B'
              : undefined;
      return named === undefined || named === unit ? [] : [`${path.join('.')}: ${unit}, not ${named}: ${description}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe('a label', () => {
  it.each([
    [['verdicts', 'oneSafe'], 'Verdicts, one-safe'],
    [['values', 'machine.speed'], 'machine.speed'],
    [['figures', 'maxTokensInPlace'], 'Most equal tokens in a place'],
    [['places', 'endTime', 'a'], 'Places, end time, A'],
    [['classes', 'state_machine'], 'Classes, state machine'],
  ])('of %j is %s', (path, label) => {
    expect(labelOf(path)).toBe(label);
  });
});
