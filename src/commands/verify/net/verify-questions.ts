import { type Question, questionOf } from '../../../analysis/properties/formula-of.ts';
import { parseProperty } from '../../../analysis/properties/parse-property.ts';
import { type Formula, NAMED, type Property } from '../../../analysis/properties/property.ts';
import { propertyText } from '../../../analysis/properties/property-text.ts';
import { readFormulas } from '../../../analysis/properties/read-formulas.ts';
import { fail, InputError, type Problem, quote, shown } from '../../../base/problem.ts';
import type { Net } from '../../../net/net.ts';

/** A property as a string, or as made by the functions of `property`. */
export type GivenProperty = string | Property | Formula;

/** A property to verify, optionally with a name; the default name is its text. */
export type AskedProperty = GivenProperty | { readonly id: string; readonly property: GivenProperty };

/** A parsed property with its name and text. */
export interface NamedQuestion {
  readonly id: string;
  readonly text: string;
  readonly question: Question;
}

/** Properties that are verified by default. */
const USUAL: readonly Property[] = [{ kind: 'deadlock-free' }, { kind: 'safe' }, { kind: 'bounds' }];

/**
 * Parses the properties in the order given, followed by those of the formulas file. A repeated property with the same name
 * yields the identical object, so that it is decided once.
 *
 * @throws InputError PROP001 to PROP010, PROP020 to PROP023; the problems of all properties together
 */
export function questionsOf(
  net: Net,
  asked: readonly AskedProperty[] | undefined,
  formulas: string | undefined,
): NamedQuestion[] {
  if (asked !== undefined && !Array.isArray(asked))
    fail('PROP009', `properties: expected a list, got ${shown(asked)}`, { part: 'verify' });
  if (asked?.length === 0 && formulas === undefined)
    fail('PROP007', 'the list of properties is empty', { part: 'verify' });
  const usual = asked === undefined && formulas === undefined ? USUAL : [];
  const problems: Problem[] = [];
  const given = [...usual, ...(asked ?? [])];
  const named = given.flatMap((one, k) => collected(problems, () => [namedQuestion(net, one, k)]));
  const read = formulas === undefined ? [] : collected(problems, () => readFormulas(formulas, net));
  const ofFile = read.flatMap(({ id, property }) =>
    collected(problems, () => [{ id, text: propertyText(property), question: questionOf(net, property) }]),
  );
  const byName = new Map<string, NamedQuestion>();
  const all = [...named, ...ofFile].map((one) => {
    const known = byName.get(one.id);
    if (known === undefined) byName.set(one.id, one);
    else if (known.text !== one.text)
      problems.push({
        code: 'PROP010',
        message: `two properties have the name ${quote(one.id)}: ${quote(known.text)} and ${quote(one.text)}`,
        place: { part: 'verify' },
      });
    return known ?? one;
  });
  if (problems.length > 0) throw new InputError(problems);
  return all;
}

/** Returns the result of `run`; if it throws an InputError, adds its problems and returns an empty list. */
function collected<T>(problems: Problem[], run: () => readonly T[]): readonly T[] {
  try {
    return run();
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    problems.push(...e.problems);
    return [];
  }
}

function namedQuestion(net: Net, one: AskedProperty, k: number): NamedQuestion {
  const { id, property } = isNamed(one) ? one : { id: undefined, property: one };
  const parsed = about(id, k, () => propertyOf(net, property));
  const text = about(id, k, () => propertyText(parsed));
  return { id: id ?? text, text, question: about(id, k, () => questionOf(net, parsed)) };
}

function isNamed(asked: AskedProperty): asked is { readonly id: string; readonly property: GivenProperty } {
  return typeof asked === 'object' && asked !== null && 'property' in asked;
}

function propertyOf(net: Net, given: GivenProperty): Property {
  if (typeof given === 'string') return parseProperty(given, net);
  if (typeof given === 'object' && given !== null) {
    if ('kind' in given) return given;
    if ('op' in given) return { kind: 'formula', formula: given };
  }
  return fail('PROP009', `expected a string or one of ${NAMED.join(', ')} …, got ${shown(given)}`);
}

/** Runs `run`; adds the name or number of the property to its problems. */
function about<T>(id: string | undefined, k: number, run: () => T): T {
  try {
    return run();
  } catch (e) {
    if (e instanceof InputError)
      throw new InputError(
        e.problems.map((p) =>
          id === undefined && p.place?.line !== undefined
            ? p
            : { ...p, place: { ...p.place, part: `property ${id === undefined ? k + 1 : quote(id)}` } },
        ),
      );
    // Untyped callers may pass incomplete formula objects.
    if (e instanceof TypeError)
      return fail('PROP009', 'is not a property: a part of it is missing', { part: `property ${k + 1}` });
    throw e;
  }
}
