import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseProperty } from '../analysis/properties/parse-property.ts';
import type { Formula, Property } from '../analysis/properties/property.ts';
import { andMore, listing } from '../base/listing.ts';
import { fail, InputError, quote, shown } from '../base/problem.ts';
import { commandLine, runner } from '../base/shell-words.ts';
import { verify } from '../commands/verify/net/verify.ts';
import type { GivenProperty } from '../commands/verify/net/verify-questions.ts';
import { netToJson } from '../net/json/json.ts';
import type { Net } from '../net/net.ts';
import type { Answer } from './answer.ts';
import { finalText, type Subject } from './subject.ts';

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
  const named = listing(failing ?? [], { max: MAX_NAMES });
  return [
    `${text} is ${verdict}, ${groundOf(certificate, states)}`,
    ...(named === '' ? [] : [`violated: ${named}`]),
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
  if (certificate?.kind === 'structure') return `proved by ${certificate.by}: ${certificate.because}`;
  if (certificate?.kind === 'reduced space')
    return `decided by exploring ${certificate.states} marking${certificate.states === 1 ? '' : 's'} of a reduced net`;
  if (certificate?.kind === 'coverability') return `decided by the coverability graph: ${certificate.because}`;
  return `decided by exploring ${states} marking${states === 1 ? '' : 's'}`;
}

/** Temporary folder of this process for the nets of failed matchers; it is not deleted. */
let folder: string | undefined;

/**
 * Instructions to reproduce a failure, by lines: writes the net to a file and gives the command line. There is one file per test
 * and net name, so that after shrinking the file holds the last and smallest counter-example.
 *
 * @param word the beginning of the line
 */
export function repeatLines(
  net: Net,
  test: string,
  command: (file: string) => readonly string[],
  word = 'reproduce with',
): string[] {
  let text: string;
  try {
    text = netToJson(net);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return [`${word} this test: the net cannot be written to a file: ${e.problems[0]!.message}`];
  }
  try {
    folder ??= mkdtempSync(join(tmpdir(), 'foretoken-failures-'));
    const plain = net.name.replaceAll(/[^\w-]+/g, '-').slice(0, 40);
    const key = createHash('sha256').update(`${test}\n${net.name}`).digest('hex').slice(0, 8);
    const file = join(folder, `${plain}-${key}.json`);
    writeFileSync(file, text);
    return [`${word}: ${installedHere() ? runner() : ''}${commandLine(['foretoken', ...command(file)])}`];
  } catch (e) {
    return [`${word} this test: the net could not be written to a file: ${(e as Error).message}`];
  }
}

/** True if the command is found through a `.bin` folder that npm added to the path; a user's shell would not find it. */
function installedHere(): boolean {
  const { PATH = '' } = process.env;
  return PATH.split(delimiter).some((dir) => /[\\/]\.bin$/.test(dir) && existsSync(join(dir, 'foretoken')));
}

type Document = ReturnType<typeof verify>;
export type Result = Document['properties'][number];
type Witness = NonNullable<Result['witness']>;
type WitnessStep = Witness['steps'][number];

/** Maximum number of steps shown; of longer witnesses the first and the last ones. */
const MAX_STEPS = 40;

const WORDS = { fire: '', start: 'start of ', end: 'end of ', serve: 'served in ' } as const;

/** A witness as lines: `  2. take (x=3): buffer −1, hand[3] +1`. */
function witnessLines({ steps, loop, shows, shortest, delays }: Witness): string[] {
  const length = `${steps.length} step${steps.length === 1 ? '' : 's'}`;
  const head =
    steps.length === 0
      ? 'in the initial marking'
      : `after ${length}${shortest ? ' (a shortest sequence)' : ''}${
          loop === undefined ? '' : `, of which those from step ${loop + 1} repeat forever`
        }`;
  const lines = steps.map((step, k) => `  ${k + 1}. ${stepText(step)}`);
  const cut =
    lines.length <= MAX_STEPS
      ? lines
      : [
          ...lines.slice(0, MAX_STEPS / 2),
          `  … ${andMore(lines.length - MAX_STEPS, 'step')}`,
          ...lines.slice(-MAX_STEPS / 2),
        ];
  return [`${head}: ${shows}`, ...cut, ...(delays === undefined ? [] : [delaysText(delays)])];
}

/** Verdict of the delays on this order of steps; other orders may reach the same marking. */
function delaysText({ permitted, reason }: NonNullable<Witness['delays']>): string {
  if (permitted === 'no') return `the delays rule out this order: ${reason}; another order may still be possible`;
  return `the delays ${permitted === 'yes' ? 'permit' : 'may or may not permit'} this order: ${reason}`;
}

/** A step with the changes it makes. */
export function stepText({ kind, node, binding, changes }: WitnessStep): string {
  const values = Object.entries(binding).map(([name, value]) => `${name}=${value}`);
  const given = values.length === 0 ? '' : ` (${values.join(', ')})`;
  const changed = changes.map(
    ({ place, colour, by }) =>
      `${place}${colour.length === 0 ? '' : `[${colour.join(', ')}]`} ${by > 0 ? '+' : '−'}${Math.abs(by)}`,
  );
  return `${WORDS[kind]}${node}${given}${changed.length === 0 ? '' : `: ${changed.join(', ')}`}`;
}
