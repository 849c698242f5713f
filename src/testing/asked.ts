import { parseProperty } from '../analysis/properties/parse-property.ts';
import type { Formula, Property } from '../analysis/properties/property.ts';
import { verify } from '../app/verify/verify.ts';
import type { GivenProperty } from '../app/verify/verify-questions.ts';
import { fail, quote, shown } from '../base/problem.ts';
import type { Net } from '../net/net.ts';
import type { Answer } from './answer.ts';
import { repeatLines } from './repeat.ts';
import { finalText, type Subject } from './subject.ts';
import { type Result, witnessLines } from './witness-text.ts';

/** A property to verify, and its required value (`toNeverReach` requires false). */
export interface Demand {
  readonly words: string;
  readonly property: GivenProperty;
  readonly wanted?: boolean;
}

/**
 * Verifies one property.
 *
 * @throws InputError PROP…, and TEST003 for a property whose value is a number
 */
export function asked(subject: Subject, { words, property, wanted = true }: Demand, test: string): Answer {
  const [result] = results(subject, [property]);
  const { verdict } = result!;
  if (typeof verdict === 'number' || verdict === 'unbounded')
    fail(
      'TEST003',
      `${quote(result!.property)} is ${verdict === 'unbounded' ? verdict : `a number, ${verdict}`}: expected a property that is true or false`,
    );
  return {
    holds: verdict === null ? undefined : verdict === wanted,
    words: subject.words,
    demand: words,
    found: foundLines(result!, subject),
    again: () => repeatLines(subject.net, test, (file) => verifyArguments(file, subject, [result!.property])),
  };
}

/** Verifies several properties in one exploration. */
export function results(subject: Subject, properties: readonly GivenProperty[]): readonly Result[] {
  const { net, final, limits } = subject;
  return verify(net, [...properties], { ...limits, ...(final === undefined ? {} : { final }) }).properties;
}

/** Arguments of the command line that verifies the properties again. */
export function verifyArguments(file: string, subject: Subject, properties: readonly string[]): string[] {
  const { limits } = subject;
  const final = properties.some((p) => p.includes('deadlock')) ? finalText(subject) : undefined;
  return [
    'verify',
    file,
    ...properties.flatMap((p) => ['--property', p]),
    ...(final === undefined ? [] : ['--final', final]),
    '--max-states',
    String(limits.maxStates),
    ...(limits.seconds === undefined ? [] : ['--seconds', String(limits.seconds)]),
    ...(limits.memory === undefined ? [] : ['--memory', String(limits.memory)]),
  ];
}

/** Maximum number of failing parts listed. */
const MAX_NAMES = 8;

/** The result of a property, as lines. */
export function foundLines(
  { property, verdict, reason, states, failing, witness, certificate }: Result,
  { limits }: Subject,
): string[] {
  const text = property.length > 200 ? `${property.slice(0, 200)}…` : property;
  if (verdict === null)
    return [
      `${text}: ${reason}, after ${states} markings (maxStates ${limits.maxStates}${
        limits.seconds === undefined ? '' : `, seconds ${limits.seconds}`
      }); higher limits decide a net with finitely many markings, but perhaps not an unbounded net`,
    ];
  const named = failing === undefined ? [] : failing.slice(0, MAX_NAMES);
  const more =
    failing !== undefined && failing.length > named.length ? `, and ${failing.length - named.length} more` : '';
  return [
    `${text} is ${verdict}, ${groundOf(certificate, states)}`,
    ...(named.length === 0 ? [] : [`violated: ${named.join(', ')}${more}`]),
    ...(witness === undefined ? [] : witnessLines(witness)),
  ];
}

/**
 * A formula given as text or as an object.
 *
 * @throws InputError TEST003 for another kind of property; PROP… for an invalid formula
 */
export function formulaGiven(matcher: string, net: Net, formula: unknown): Formula {
  const given = typeof formula === 'string' ? parseProperty(formula, net) : (formula as Property | Formula | null);
  if (typeof given === 'object' && given !== null) {
    if ('op' in given) return given;
    if (given.kind === 'formula') return given.formula;
    fail('TEST003', `${quote(given.kind)} is not a formula of markings: use toSatisfy for other properties`, {
      part: matcher,
    });
  }
  return fail('TEST003', `expected a formula, such as 'tokens(p) >= 2', got ${shown(formula)}`, {
    part: matcher,
  });
}

/** The basis of a verdict: the structure of the net, a reduced net, coverability, or the markings explored. */
function groundOf(certificate: Result['certificate'], states: number): string {
  if (certificate?.kind === 'structure') return `by ${certificate.by}: ${certificate.because}`;
  if (certificate?.kind === 'reduced space')
    return `by ${certificate.states} marking${certificate.states === 1 ? '' : 's'} of a reduced net`;
  if (certificate?.kind === 'coverability') return `by coverability: ${certificate.because}`;
  return `by ${states} marking${states === 1 ? '' : 's'}`;
}
