import { didYouMean, InputError, type Problem, quote, shown } from '../../../base/problem.ts';
import { hide } from '../../../net/merge/close.ts';
import { merge } from '../../../net/merge/merge.ts';
import { columnColours, variablesIn } from '../../../net/merge/merge-variables.ts';
import { qualify, rename } from '../../../net/merge/rename.ts';
import type { Net } from '../../../net/net.ts';
import type { Site } from '../../site.ts';
import { checkChoices } from './choices.ts';
import { connect, type LabelEnd, pathOf, type Report } from './connect.ts';
import { choicesOfNet, withChoices } from './net-choices.ts';

/** A module: the nets with equal labels that it may be, the first one by default. */
export interface NetPart {
  readonly name: string;
  readonly choices: readonly Net[];
}

/** A net with the name of its module. */
interface ChosenNet {
  readonly name: string;
  readonly net: Net;
}

/** Options of a composition of nets, not yet checked. */
export interface NetComposition {
  readonly name: string;
  readonly synchronise?: readonly (string | readonly string[])[];
  readonly expose?: Readonly<Record<string, string>>;
  readonly share?: readonly (readonly string[])[];
}

/** A label of a net, with the colour sets of the variables that its transitions export. */
interface NetEnd extends LabelEnd {
  readonly part: ChosenNet;
  /** `(from: Process, size: Bytes)`, sorted by name; several if its transitions differ. */
  readonly colours: readonly string[];
}

/**
 * The merge of nets whose nodes are named `module.node`; connected labels are hidden. Every net of a choice is merged once, so that what does
 * not fit is found. O(size of the results).
 */
export function composeNets(parts: readonly NetPart[], options: NetComposition, site: Site): Net {
  const problems: Problem[] = [];
  for (const { name, choices } of parts)
    checkChoices(
      { name, choices: choices.map((net) => ({ name: net.name, params: {}, interface: labelsOf(net) })) },
      String,
      (code, message) => problems.push({ code, message, place: site.place }),
    );
  if (problems.length > 0) throw new InputError(problems);
  const models = new Map(parts.flatMap(modelsOf));
  const made = (chosen: Readonly<Record<string, string>>): Net =>
    mergedNets(
      parts.map((part) => chosenNet(part, chosen)),
      options,
      site,
    );
  for (const [module, [, ...others]] of models)
    for (const name of others)
      try {
        made({ [module]: name });
      } catch (e) {
        if (!(e instanceof InputError)) throw e;
        const text = (message: string): string => `with ${module} ${quote(name)}: ${message}`;
        throw new InputError(e.problems.map((problem) => ({ ...problem, message: text(problem.message) })));
      }
  return withChoices(made({}), { models, with: made });
}

/** The models of a module and of the modules inside it, by their names in the composition. */
function modelsOf({ name, choices }: NetPart): [string, readonly string[]][] {
  const own = choices.map((net) => net.name);
  const inside = choices.flatMap((net) => [...(choicesOfNet(net)?.models ?? [])]);
  return [
    ...(own.length > 1 ? [[name, own] as [string, readonly string[]]] : []),
    ...inside.map(([module, models]): [string, readonly string[]] => [`${name}.${module}`, models]),
  ];
}

function chosenNet({ name, choices }: NetPart, chosen: Readonly<Record<string, string>>): ChosenNet {
  const net = choices.find((one) => one.name === chosen[name]) ?? choices[0]!;
  const inside = choicesOfNet(net);
  if (inside === undefined) return { name, net };
  const own = [...inside.models.keys()].flatMap((module) => {
    const model = chosen[`${name}.${module}`];
    return model === undefined ? [] : [[module, model] as const];
  });
  return { name, net: own.length === 0 ? net : inside.with(Object.fromEntries(own)) };
}

/** The labels of a net with what their transitions export. */
const labelsOf = (net: Net): Readonly<Record<string, string>> =>
  Object.fromEntries(endsOf({ name: net.name, net }).map((end) => [end.label, text(end)]));

function mergedNets(parts: readonly ChosenNet[], options: NetComposition, { place }: Site): Net {
  const problems: Problem[] = [];
  const report: Report = (code, message) => problems.push({ code, message, place });
  const ends = parts.flatMap(endsOf);
  const { groups, exposed } = connect(ends, options, { text, misfit, fits, isOpen: () => true }, report);
  const fused = fusedPlaces(parts, options.share ?? [], report);
  if (problems.length > 0) throw new InputError(problems);

  const labels = new Map<string, string>();
  // A dot keeps these names distinct from those of exposed labels.
  const joints = new Set<string>();
  const offered = new Set(exposed.values());
  for (const group of groups) {
    if (offered.has(group)) continue;
    const joint = group.map(pathOf).join('=');
    joints.add(joint);
    for (const end of group) labels.set(pathOf(end), joint);
  }
  for (const [name, group] of exposed) for (const end of group) labels.set(pathOf(end), name);
  const nets = parts.map(({ name, net }) =>
    rename(qualify(net, name), {
      labels: Object.fromEntries(
        ends.filter(({ part }) => part.name === name).map((end) => [end.label, labels.get(pathOf(end))!]),
      ),
      places: Object.fromEntries([...fused].filter(([path]) => path.startsWith(`${name}.`))),
    }),
  );
  return hide(merge(nets, { name: options.name }), [...joints]);
}

function endsOf(part: ChosenNet): NetEnd[] {
  const columns = columnColours(part.net.colours, part.net.places);
  const found = new Map<string, Set<string>>();
  for (const t of part.net.transitions) {
    if (t.label === undefined) continue;
    const { bound, free } = variablesIn(t, columns);
    const exports = Object.entries(t.label.exports).map(
      ([name, v]) => `${name}: ${bound.get(v) ?? free.get(v) ?? '?'}`,
    );
    const own = found.get(t.label.name) ?? new Set();
    found.set(t.label.name, own.add(`(${exports.sort().join(', ')})`));
  }
  return [...found].map(([label, colours]) => ({ part, label, colours: [...colours] }));
}

const text = ({ colours }: NetEnd): string => colours.join(' or ');

function misfit(ends: readonly NetEnd[]): string | undefined {
  if (ends.length < 2) return 'expected two modules or more with this label, got one';
  // Transitions of one net are alternatives: they never fire together.
  if (new Set(ends.map(({ part }) => part)).size < ends.length) return 'expected labels of different modules';
  const all = new Set(ends.flatMap(({ colours }) => colours));
  return all.size === 1 ? undefined : 'the exported variables or their colour sets differ';
}

const fits = (a: NetEnd, b: NetEnd): boolean => new Set([...a.colours, ...b.colours]).size === 1;

/** New names of shared places: the path of the first one, by the path of each. All problems are reported. */
function fusedPlaces(parts: readonly ChosenNet[], share: unknown, report: Report): Map<string, string> {
  const fused = new Map<string, string>();
  const isEntry = (x: unknown): boolean =>
    Array.isArray(x) && x.length > 1 && x.every((path) => typeof path === 'string');
  if (!Array.isArray(share) || !share.every(isEntry)) {
    report('MODEL001', `share: expected a list of lists [module.place, module.place, …], got ${shown(share)}`);
    return fused;
  }
  const homes: ReadonlyMap<string, ChosenNet> = new Map(
    parts.flatMap((part) => part.net.places.map((p) => [`${part.name}.${p.name}`, part] as const)),
  );
  for (const paths of share as string[][]) {
    for (const path of paths) {
      if (!homes.has(path))
        report('MODEL039', `share: no module has the place ${quote(path)}.${didYouMean(path, homes.keys())}`);
      else if (fused.has(path)) report('MODEL040', `share: place ${quote(path)} is shared twice`);
      fused.set(path, paths[0]!);
    }
    const known = paths.filter((path) => homes.has(path));
    if (new Set(known.map((path) => homes.get(path))).size < known.length)
      report(
        'MODEL037',
        `share: [${paths.map((path) => quote(path)).join(', ')}]: expected places of different modules`,
      );
  }
  return fused;
}
