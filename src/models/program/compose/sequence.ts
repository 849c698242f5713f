import { isAs } from '../../../base/options.ts';
import { didYouMean, fail, InputError, type Problem, quote, shown } from '../../../base/problem.ts';
import { guarded, type Parameters } from '../../parameters.ts';
import { Site } from '../../site.ts';
import type { ThreadModel } from '../../threads/program/threads.ts';
import { internal, modelOf, type ProgramModel } from '../model-object.ts';
import { checkRequests } from '../record/check-requests.ts';
import { type ColouredInterface, labelText, sameColours } from '../record/labels.ts';
import type { Recorded } from '../record/recorder.ts';
import { type Block, mapStatements, type Request, type Statement, statementsIn } from '../record/statement.ts';
import { sameVariable, type Variable, valueIn } from '../record/variables.ts';
import { type Alternatives, checkChoices, choicesAt, chosen, parametersOf, verifiedParameters } from './choices.ts';
import type { ThreadModule } from './compose.ts';
import { sequenceThreads, type ThreadPart } from './compose-threads.ts';
import { kindOf, sequenceParts, threadParts } from './modules.ts';

// biome-ignore lint/suspicious/noExplicitAny: models of other types are not assignable to each other
type AnyModel = ProgramModel<any, any, any>;

/** A module of a sequence: a model, a model with another name, or several with the same interface of which a parameter chooses one. */
export type SequencePart =
  | AnyModel
  | { readonly model: AnyModel; readonly as?: string }
  | { readonly choose: readonly AnyModel[]; readonly as: string };

type Part = Alternatives<ProgramModel>;

/**
 * Modules that follow each other on the same ranks, each with its own variables and parameters (`module.parameter`), and as
 * an interval of its name. A rank begins a module as soon as it has ended the one before. Labels of one name are one label.
 *
 * @throws InputError MODEL001 for invalid options and for a module that is a composition itself, MODEL037 for labels of one
 *   name that differ, MODEL041 for models that cannot replace each other
 */
export function sequence(
  modules: readonly SequencePart[],
  options?: { readonly name?: string },
): ProgramModel<Parameters>;
/**
 * Thread models that follow each other on one main strand, each with its own parameters (`module.parameter`) and names. A
 * module begins when the tasks of the one before have ended. Objects of one name in the interfaces are one object.
 *
 * @throws InputError MODEL001 for invalid options, MODEL037 for objects of one name that differ
 */
export function sequence(
  modules: readonly ThreadModule[],
  options?: { readonly name?: string },
): ThreadModel<Parameters>;
export function sequence(
  modules: readonly (SequencePart | ThreadModule)[],
  options: { readonly name?: string } = {},
): ProgramModel<Parameters> | ThreadModel<Parameters> {
  const site = new Site(sequence);
  const kind = kindOf('sequence', modules, site);
  if (!isAs(options, 'an object')) fail('MODEL001', `sequence: expected options, got ${shown(options)}`, site.place);
  for (const key of Object.keys(options))
    if (key !== 'name')
      fail('MODEL001', `sequence has no option ${quote(key)}.${didYouMean(key, ['name'])}`, site.place);
  if (kind === 'net')
    fail(
      'MODEL001',
      'sequence: expected programs or thread models, got nets. Connect an end with a start by `compose(nets, { share })`',
      site.place,
    );
  const parts = kind === 'thread model' ? threadParts(modules, site) : sequenceParts(modules, site);
  const { name = parts.map((part) => part.name).join('+') } = options;
  if (typeof name !== 'string' || name === '')
    fail('MODEL001', `name: expected a non-empty string, got ${shown(name)}`, site.place);
  return kind === 'thread model'
    ? sequenceThreads(parts as ThreadPart[], name, site)
    : sequencePrograms(parts as Part[], name, site);
}

function sequencePrograms(parts: readonly Part[], name: string, site: Site): ProgramModel<Parameters> {
  const problems: Problem[] = [];
  for (const part of parts)
    checkChoices(part, labelText, (code, message) => problems.push({ code, message, place: site.place }));
  if (problems.length > 0) throw new InputError(problems);
  return modelOf<Parameters, never, never>({
    name,
    params: parametersOf(parts, site),
    verifyWith: verifyWithOf(parts),
    place: site.place,
    interface: labelsOf(parts, site),
    choices: (param) => choicesAt(parts, param),
    refusal: (ranks, values) => {
      const wrong = parts.find((part) => !chosen(part, values).allows(ranks));
      if (wrong === undefined) return undefined;
      return `model ${quote(name)} does not run on ${ranks} rank${ranks === 1 ? '' : 's'}: its part ${quote(wrong.name)} does not`;
    },
    ranksOf: (_, size, __, first) => [{ first, size }],
    record: (ranks, values, position) => {
      const recorded = parts.map((part) => {
        const programs = internal(chosen(part, values)).recordAt(ranks, position);
        if (programs.length === 1) return { part, program: programs[0]! };
        return fail(
          'MODEL001',
          `module ${quote(part.name)} of a sequence has parts on separate ranks: expected a model of spmd or sequence`,
          site.place,
        );
      });
      const program = joined(recorded, { name: position.name, params: values, site });
      checkRequests(program);
      return [program];
    },
  });
}

/** The most ranks that a module is verified with, and the parameters of all. */
function verifyWithOf(parts: readonly Part[]): Record<string, unknown> {
  const ranks = parts.flatMap(({ choices }) => (choices[0]!.verifyWith['ranks'] as number | undefined) ?? []);
  return { ...verifiedParameters(parts), ...(ranks.length === 0 ? {} : { ranks: Math.max(...ranks) }) };
}

function labelsOf(parts: readonly Part[], { place }: Site): ColouredInterface {
  const found: Record<string, ColouredInterface[string]> = {};
  for (const { name, choices } of parts)
    for (const [key, label] of Object.entries(choices[0]!.interface)) {
      const known = found[key];
      if (known !== undefined && (known.kind !== label.kind || !sameColours(known, label)))
        fail(
          'MODEL037',
          `label ${quote(key)} is ${labelText(label)} in module ${quote(name)} and ${labelText(known)} in one before`,
          place,
        );
      found[key] = label;
    }
  return found;
}

/** One program that runs the bodies one after the other. */
function joined(
  recorded: readonly { readonly part: Part; readonly program: Recorded }[],
  whole: { readonly name: string; readonly params: Parameters; readonly site: Site },
): Recorded {
  const variables: Record<string, Variable> = {};
  const statements: Statement[] = [];
  let requests = 0;
  for (const { part, program } of recorded) {
    const names = new Map<string, string>();
    const resets: Statement[] = [];
    for (const [name, variable] of Object.entries(program.variables)) {
      let own = name;
      if (isShared(variables[name], variable)) resets.push(resetOf(name, variable, whole.site));
      else while (Object.hasOwn(variables, own)) own = `${part.name.replace(/\W/g, '_')}_${own}`;
      names.set(name, own);
      variables[own] = variable;
    }
    checkCarried(part.name, program.body, names, whole.site);
    const body = mapStatements(program.body, inScope(names, guarded(program.name, program.params), requests));
    requests += program.requests;
    statements.push(intervalOf(part.name, { statements: [...resets, ...body.statements] }, whole.site));
  }
  const [{ program: first }] = recorded as [(typeof recorded)[number]];
  return {
    name: whole.name,
    size: first.size,
    first: first.first,
    params: whole.params,
    variables,
    body: { statements },
    requests,
    communicators: [...new Set(recorded.flatMap(({ program }) => program.communicators))],
  };
}

/**
 * True if two modules use one variable, which the later one resets: messages know variables by name. Excludes counters whose
 * bound follows from their loops: a statement that sets them would hide it.
 */
const isShared = (known: Variable | undefined, own: Variable): boolean =>
  known !== undefined && sameVariable(known, own) && (own.kind !== 'counter' || own.high !== undefined);

const resetOf = (variable: string, of: Variable, site: Site): Statement => ({
  kind: 'let',
  variable,
  value: valueIn(of, of.low ?? 0),
  site,
});

/** @throws InputError MODEL037 if messages carry a variable that has another name in the sequence */
function checkCarried(module: string, body: Block, names: ReadonlyMap<string, string>, { place }: Site): void {
  for (const s of statementsIn(body))
    for (const name of 'into' in s ? s.into.carry : s.kind === 'send' ? Object.keys(s.carry) : [])
      if (names.get(name) !== name)
        fail(
          'MODEL037',
          `messages of module ${quote(module)} carry ${quote(name)}, which has other values in a module before: expected equal values, or another name`,
          place,
        );
}

function intervalOf(name: string, body: Block, site: Site): Statement {
  return {
    kind: 'interval',
    name,
    interval: undefined,
    operation: undefined,
    phase: undefined,
    expression: undefined,
    iterations: undefined,
    copies: undefined,
    body,
    site,
  };
}

/** Members of statements that name a variable. */
const NAMING = ['variable', 'index', 'done', 'count'] as const;

/**
 * Gives a statement the variables of a sequence, and its functions a view of the state with the module's own variables and
 * parameters. Requests are numbered from `before`.
 */
function inScope(names: ReadonlyMap<string, string>, p: Parameters, before: number): (s: Statement) => Statement {
  const named = (name: string): string => names.get(name) ?? name;
  const view = (state: object): object =>
    new Proxy(state, {
      get: (target, key): unknown =>
        key === 'p' ? p : Reflect.get(target, typeof key === 'string' ? named(key) : key),
    });
  const value = (x: unknown): unknown =>
    typeof x === 'function' ? (state: object): unknown => (x as (s: object) => unknown)(view(state)) : x;
  const request = (r: Request): Request => ({ ...r, number: r.number + before });
  const values = (of: object, name: (key: string) => string): object =>
    Object.fromEntries(Object.entries(of).map(([key, x]) => [name(key), value(x)]));
  return (s) => {
    const changed: Record<string, unknown> = values(s, (key) => key) as Record<string, unknown>;
    for (const key of NAMING) if (typeof changed[key] === 'string') changed[key] = named(changed[key]);
    if ('into' in s) {
      const { source, tag, carry } = s.into;
      changed['into'] = {
        ...(source === undefined ? {} : { source: named(source) }),
        ...(tag === undefined ? {} : { tag: named(tag) }),
        carry: carry.map(named),
      };
    }
    if (s.kind === 'send') changed['carry'] = values(s.carry, named);
    if (s.kind === 'collective') changed['args'] = values(s.args, (key) => key);
    if ('request' in s && s.request !== undefined) changed['request'] = request(s.request);
    if ('requests' in s) changed['requests'] = s.requests.map(request);
    return changed as unknown as Statement;
  };
}
