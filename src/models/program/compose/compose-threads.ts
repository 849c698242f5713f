import { fail, InputError, type Problem, quote } from '../../../base/problem.ts';
import { guarded, type Parameters } from '../../parameters.ts';
import type { Site } from '../../site.ts';
import { SharedObjects, type ThreadInterface, type ThreadPosition } from '../../threads/program/module-scope.ts';
import type { RecordedThreads, Statement } from '../../threads/program/statements.ts';
import { recordedAt, type ThreadModel, threadModelOf } from '../../threads/program/threads.ts';
import {
  type Alternatives,
  assertVerifiable,
  checkChoices,
  choicesAt,
  chosen,
  parametersOf,
  verifiedParameters,
} from './choices.ts';
import { type Connected, connect, type LabelEnd, type LabelRules } from './connect.ts';

/** A thread model with the name of its module. */
export type ThreadPart = Alternatives<ThreadModel>;

/** Options of a composition of thread models, not yet checked. */
export interface ThreadComposition {
  readonly name: string;
  readonly synchronise?: readonly (string | readonly string[])[];
  readonly expose?: Readonly<Record<string, string>>;
  readonly verifyWith?: Readonly<Record<string, unknown>>;
}

interface ThreadEnd extends LabelEnd {
  readonly part: ThreadPart;
}

/** Objects that modules share, and those that an outer composition gets, by their new names. */
type Shares = Connected<ThreadEnd>;

const kindOf = ({ part, label }: ThreadEnd): string => part.choices[0]!.interface[label]!;

const RULES: LabelRules<ThreadEnd> = {
  text: kindOf,
  misfit: (ends) => {
    if (ends.length < 2) return 'expected two modules or more with this label, got one';
    if (new Set(ends.map(({ part }) => part)).size < ends.length) return 'expected labels of different modules';
    return new Set(ends.map(kindOf)).size === 1 ? undefined : 'objects of different kinds';
  },
  fits: (a, b) => kindOf(a) === kindOf(b),
  isOpen: () => true,
};

/** Thread models side by side: each is a task of the main strand. */
export function composeThreads(
  parts: readonly ThreadPart[],
  options: ThreadComposition,
  site: Site,
): ThreadModel<Parameters> {
  const problems: Problem[] = [];
  const report = (code: Problem['code'], message: string): void => {
    problems.push({ code, message, place: site.place });
  };
  for (const part of parts) checkChoices(part, String, report);
  const { groups, exposed } = connect(endsOf(parts), options, RULES, report);
  if (problems.length > 0) throw new InputError(problems);
  const workers = parts.reduce((sum, { choices }) => sum + (workersOf(choices[0]!) ?? 1), 0);
  const model = modelOf(parts, { groups, exposed }, options.name, site, {
    verifyWith: options.verifyWith ?? { ...verifiedParameters(parts), workers: Math.max(2, workers) },
    join: (modules, position): RecordedThreads => {
      const tasks = new Map(modules.flatMap(({ recorded }) => [...recorded.tasks]));
      const statements = modules.map(({ name, body }, k): Statement => {
        const task = `${position.prefix}${name}`;
        tasks.set(task, { name: task, defaults: {}, body: { statements: [body] }, site });
        const future = { number: k + 1, site };
        return { kind: 'spawn', site, task, args: {}, reads: undefined, writes: undefined, future };
      });
      return { body: { statements }, tasks, objects: objectsOf(modules) };
    },
  });
  assertVerifiable(model, options.verifyWith, 'workers', site);
  return model;
}

/**
 * Thread models that follow each other on one main strand; each ends when its tasks have. Labels of one name are one object.
 *
 * @throws InputError MODEL037 for labels of one name with different kinds
 */
export function sequenceThreads(parts: readonly ThreadPart[], name: string, site: Site): ThreadModel<Parameters> {
  const ends = new Map<string, ThreadEnd[]>();
  for (const end of endsOf(parts)) ends.set(end.label, [...(ends.get(end.label) ?? []), end]);
  for (const [label, [first, ...others]] of ends)
    for (const other of others)
      if (kindOf(other) !== kindOf(first!))
        fail(
          'MODEL037',
          `label ${quote(label)} is a ${kindOf(other)} in module ${quote(other.part.name)} and a ${kindOf(first!)} in module ${quote(first!.part.name)}`,
          site.place,
        );
  const workers = parts.flatMap(({ choices }) => workersOf(choices[0]!) ?? []);
  return modelOf(parts, { groups: [...ends.values()], exposed: ends }, name, site, {
    verifyWith: { ...verifiedParameters(parts), ...(workers.length === 0 ? {} : { workers: Math.max(...workers) }) },
    join: (modules) => ({
      body: { statements: modules.flatMap(({ body }): Statement[] => [body, { kind: 'sync', site }]) },
      tasks: new Map(modules.flatMap(({ recorded }) => [...recorded.tasks])),
      objects: objectsOf(modules),
    }),
  });
}

const workersOf = ({ verifyWith }: ThreadModel): number | undefined => verifyWith['workers'] as number | undefined;

const endsOf = (parts: readonly ThreadPart[]): ThreadEnd[] =>
  parts.flatMap((part) => Object.keys(part.choices[0]!.interface).map((label) => ({ part, label })));

/** A module of a recorded composition; `body` has its own parameters. */
interface RecordedModule {
  readonly name: string;
  readonly recorded: RecordedThreads;
  readonly body: Statement;
}

/** How recorded modules become one program. */
interface Joining {
  readonly verifyWith: Readonly<Record<string, unknown>>;
  readonly join: (modules: readonly RecordedModule[], position: ThreadPosition) => RecordedThreads;
}

function modelOf(
  parts: readonly ThreadPart[],
  shares: Shares,
  name: string,
  site: Site,
  { verifyWith, join }: Joining,
): ThreadModel<Parameters> {
  return threadModelOf<Parameters, ThreadInterface>({
    name,
    params: parametersOf(parts, site),
    verifyWith,
    site,
    interface: Object.fromEntries(
      [...shares.exposed].map(([label, [end]]) => [label, end!.part.choices[0]!.interface[end!.label]!]),
    ),
    choices: (param) => choicesAt(parts, param),
    record: (workers, values, position) => {
      const links = linksOf(shares, position);
      const modules = parts.map((part): RecordedModule => {
        const model = chosen(part, values);
        const at = { prefix: `${position.prefix}${part.name}.`, links: links.get(part) ?? new Map() };
        const recorded = recordedAt(model, workers, at);
        const body = { kind: 'module', site, params: guarded(model.name, model.params), body: recorded.body } as const;
        return { name: part.name, recorded, body };
      });
      return join(modules, position);
    },
  });
}

/** By module: the objects that it shares with others, and those of an outer composition. */
function linksOf({ groups, exposed }: Shares, { links }: ThreadPosition): Map<ThreadPart, Map<string, SharedObjects>> {
  const found = new Map<ThreadPart, Map<string, SharedObjects>>();
  const link = (ends: readonly ThreadEnd[], objects: SharedObjects): void => {
    for (const { part, label } of ends)
      found.set(part, (found.get(part) ?? new Map<string, SharedObjects>()).set(label, objects));
  };
  for (const ends of groups) link(ends, new SharedObjects());
  for (const [name, ends] of exposed) {
    const outer = links.get(name);
    if (outer !== undefined) link(ends, outer);
  }
  return found;
}

/** The objects of all modules, shared ones once. */
const objectsOf = (modules: readonly RecordedModule[]): RecordedThreads['objects'] => [
  ...new Set(modules.flatMap(({ recorded }) => recorded.objects)),
];
