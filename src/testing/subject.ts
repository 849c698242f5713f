import { checkFinal } from '../analysis/properties/formula-of.ts';
import type { Formula } from '../analysis/properties/property.ts';
import { formulaText } from '../analysis/properties/property-text.ts';
import { given } from '../base/given.ts';
import { fail, InputError, quote, shown } from '../base/problem.ts';
import { PRODUCT } from '../base/version.ts';
import { finalMarkingsOf, finalText as textOfFinal } from '../commands/exact/explorable.ts';
import { spaceInput } from '../commands/explore/explore-input.ts';
import { byKind, type InputOf, inputOf, type ValueKind } from '../commands/inputs/input.ts';
import { checkProgram } from '../commands/predict/model/program-fault.ts';
import type { MappedModel } from '../commands/predict/model/stages.ts';
import { verifyOnMachine } from '../commands/verify/program/model-subject.ts';
import type { ProgramInstance, ProgramVerificationDocument } from '../commands/verify/program/program-verification.ts';
import { renderProgramVerification } from '../commands/verify/program/program-verify-view.ts';
import type { Net } from '../net/net.ts';
import { netHash } from '../net/net-hash.ts';
import { assertValid } from '../net/validation/validate.ts';
import { markingFormula } from './marking-formula.ts';
import { type Final, MAX_STATES, type MatcherOptions } from './matcher-options.ts';

/** The object of a matcher: a net, or the net of a program model. */
export interface Subject {
  readonly net: Net;
  /** `net "buffer"`, `model "ring" on 3 ranks, turns 2`. */
  readonly words: string;
  /** Formula of the final markings, if known. */
  readonly final: Formula | undefined;
  /** The final markings as given. */
  readonly givenFinal: Final | undefined;
  /** For models: true if the final marking is the model's default. */
  readonly isOwnFinal?: boolean;
  /** For models: names of its programs; empty for nets. */
  readonly programs: readonly string[];
  /** For models: the data its net was built from, and results shared by its matchers. */
  readonly model?: { readonly built: MappedModel; readonly shared: Shared };
  readonly limits: { readonly maxStates: number; readonly memory?: number; readonly seconds?: number };
}

/** A model with its default final marking (all ranks have ended); it is verified as by `foretoken verify`. */
export type ModelSubject = Subject & Required<Pick<Subject, 'model'>>;

/** True for a model with its default final marking. */
export function isModelSubject(subject: Subject): subject is ModelSubject {
  return subject.model !== undefined && subject.isOwnFinal === true;
}

/**
 * The subject of a matcher.
 *
 * @throws InputError TEST001 for anything but a net or model; NET… for an invalid net; all problems of building a model's net
 */
export function subjectOf(matcher: string, received: unknown, options: MatcherOptions): Subject {
  const input = inputOf(received);
  const net = (): Subject => ofNet(netOf(matcher, received), options);
  return input === undefined
    ? net()
    : byKind<ValueKind, [], Subject>({ model: (model) => ofModel(model, options), 'thread model': net, net }, input);
}

const limitsOf = (options: MatcherOptions): Subject['limits'] => ({
  maxStates: MAX_STATES,
  ...given(options, ['maxStates', 'memory', 'seconds']),
});

function ofModel(received: InputOf<'model'>, options: MatcherOptions): Subject {
  const { set = {}, final: givenFinal } = options;
  const { model } = received;
  const { ranks: verifyRanks, ...verifyParams } = model.verifyWith;
  const ranks = options.ranks ?? (typeof verifyRanks === 'number' ? verifyRanks : undefined);
  const chosen = { ...(verifyParams as typeof set), ...set };
  let shared: Shared | undefined;
  const input = spaceInput(
    received,
    {
      ...given(options, ['machine', 'hostfile', 'placement', 'oversubscribe', 'networkModel', 'collectives']),
      ...(ranks === undefined ? {} : { ranks }),
      set: chosen,
    },
    (program) => {
      shared = sharedWork(model, program.net);
      return shared('checked', () => checkProgram(program));
    },
  );
  const { net, final } = input;
  const all = Number(input.options['ranks']);
  const built = input.built!;
  const programs = built.program.programs.map((p) => p.name);
  const ended = givenFinal ?? (final === undefined ? undefined : textOfFinal(net, final));
  const values = Object.entries(input.options).flatMap(([key, value]) =>
    key.startsWith('model.') ? [`, ${key.slice('model.'.length)} ${value}`] : [],
  );
  return {
    net,
    words: `model ${quote(model.name)} on ${all} rank${all === 1 ? '' : 's'}${values.join('')}`,
    final: finalOf(net, ended),
    givenFinal: ended,
    isOwnFinal: givenFinal === undefined,
    programs,
    model: { built, shared: shared! },
    limits: limitsOf(options),
  };
}

function ofNet(net: Net, options: MatcherOptions): Subject {
  const { final: givenFinal } = options;
  const ended = givenFinal ?? ownFinal(net);
  return {
    net,
    words: `net ${quote(net.name)}`,
    final: finalOf(net, ended),
    givenFinal: ended,
    programs: [],
    limits: limitsOf(options),
  };
}

/** The final markings declared in a net, in the form of the `final` option. */
function ownFinal(net: Net): Final | undefined {
  const [one, ...more] = net.finalMarkings ?? [];
  if (one !== undefined && more.length === 0) {
    const counts = new Map(one.map((p) => [p.place, p.count]));
    return Object.fromEntries(net.places.map((p) => [p.name, counts.get(p.name) ?? 0]));
  }
  const final = finalMarkingsOf(net);
  return final === undefined ? undefined : textOfFinal(net, final);
}

function finalOf(net: Net, final: Final | undefined): Formula | undefined {
  if (final === undefined) return undefined;
  const given = typeof final === 'string' || isFormula(final) ? final : markingFormula(net, 'final', final, '=');
  try {
    return checkFinal(net, given);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    throw new InputError(e.problems.map((p) => ({ ...p, place: { ...p.place, part: 'final' } })));
  }
}

/** True if final markings are given by a formula object, not by numbers of tokens. */
export function isFormula(final: Final): final is Formula {
  return typeof final === 'object' && final !== null && typeof (final as { readonly op?: unknown }).op === 'string';
}

/** The final markings as text for the command line. */
export const finalText = ({ final }: Subject): string | undefined =>
  final === undefined ? undefined : formulaText(final);

/**
 * Checks that the value is a net.
 *
 * @throws InputError TEST001, NET…
 */
export function netOf(matcher: string, received: unknown): Net {
  const part = `argument of ${matcher}`;
  const refuse = (what: string): never => fail('TEST001', `expected a net or a model of a program, ${what}`, { part });
  if (typeof received === 'string') refuse(`got the string ${quote(received)} (netFromJson and readPnml read nets)`);
  if (typeof received !== 'object' || received === null) refuse(`got ${shown(received)}`);
  const value = received as Readonly<Record<string, unknown>>;
  if (typeof value['build'] === 'function') refuse('got a builder: call build() first');
  if (typeof value['then'] === 'function') refuse('got a promise: await it first');
  if (typeof value['start'] === 'function' && value['net'] !== undefined) refuse('got a compiled net: give its net');
  if (typeof value['net'] === 'object') refuse('got an object with the member "net": give that');
  const missing = ['name', 'colours', 'tables', 'places', 'transitions'].filter((key) => value[key] === undefined);
  if (missing.length > 0) refuse(`got an object without ${missing.join(', ')}`);
  assertValid(received as Net);
  return received as Net;
}

/** Step limit of a run, after which the result is unknown; as in `foretoken verify`. */
const MAX_STEPS = 1e8;
/** Width of the explanation in a message, in columns. */
const WIDTH = 100;

/** The verdict of `foretoken verify` for the ranks, parameters and machine of a matcher, and its explanation. */
interface ProgramVerdict {
  readonly instance: ProgramInstance;
  /** The output of `foretoken verify`. */
  readonly lines: readonly string[];
}

/**
 * Verifies a model on its machine; matchers with equal limits share the result.
 *
 * @throws InputError MODEL020, MODEL027, MODEL033 for a faulty program
 */
export function programVerdict({ model: { built, shared }, limits }: ModelSubject): ProgramVerdict {
  return shared(`verified ${JSON.stringify(limits)}`, () => {
    const warnings: string[] = [];
    const warn = ({ code, message }: { readonly code: string; readonly message: string }): void =>
      void warnings.push(`${code} ${message}`);
    const instance = verifyOnMachine(built, { maxSteps: MAX_STEPS, ...limits, warn });
    const document: ProgramVerificationDocument = {
      format: 'foretoken',
      version: 1,
      kind: 'program-verification',
      product: PRODUCT,
      complete: instance.properties.every((p) => p.verdict !== null),
      inputs: {},
      options: { program: built.model.name, sends: 'machine', maxStates: limits.maxStates },
      instances: [instance],
      refused: [],
      seconds: instance.seconds,
      warnings,
    };
    const view = renderProgramVerification(document, { width: WIDTH, colour: false, unicode: true });
    return { instance, lines: [...view.trimEnd().split('\n'), ...warnings.map((w) => `warning: ${w}`)] };
  });
}

/** Number of nets per model whose results are kept; the least recently used are dropped. */
const MAX_NETS = 4;

const known = new WeakMap<object, Map<string, Map<string, unknown>>>();

/** Returns the result of a piece of work by name; runs it on first use. */
type Shared = <T>(work: string, make: () => T) => T;

/**
 * A cache of results shared by the matchers of one model. Keyed by the content of the net, which every matcher builds anew,
 * because data that the model uses may have changed in between. Nets with functions of the host language are not cached:
 * their content does not determine their behaviour. Results live as long as the model, for its 4 most recently used nets.
 */
export function sharedWork(model: object, net: Net): Shared {
  if ((net.functions ?? []).length > 0) return (_, make) => make();
  const nets = known.get(model) ?? new Map<string, Map<string, unknown>>();
  known.set(model, nets);
  const hash = netHash(net);
  const results = nets.get(hash) ?? new Map<string, unknown>();
  // Move to the end of the map: the first entry is the least recently used.
  nets.delete(hash);
  nets.set(hash, results);
  if (nets.size > MAX_NETS) nets.delete(nets.keys().next().value!);
  return <T>(work: string, make: () => T): T => {
    if (!results.has(work)) results.set(work, make());
    return results.get(work) as T;
  };
}
