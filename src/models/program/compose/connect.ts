import type { Code } from '../../../base/codes.ts';
import { isAs } from '../../../base/options.ts';
import { didYouMean, knownText, nearestOf, quote, shown } from '../../../base/problem.ts';

/** Options of `compose` that name labels. */
interface Given {
  readonly synchronise?: readonly (string | readonly string[])[];
  readonly expose?: Readonly<Record<string, string>>;
}

export type Report = (code: Code, message: string) => void;

/** A label of a module, of whatever kind the module is. */
export interface LabelEnd {
  readonly part: { readonly name: string };
  readonly label: string;
}

/** The rules for labels of one kind of modules. */
export interface LabelRules<E> {
  /** The label's declaration, for messages: `receives(kind: one of "frame", "end")`. */
  readonly text: (end: E) => string;
  /** The reason why labels cannot be connected; undefined if they fit. */
  readonly misfit: (ends: readonly E[]) => string | undefined;
  /** True if two labels alone can be connected, for proposals. */
  readonly fits: (a: E, b: E) => boolean;
  /** True if any number of labels can be connected with this one, so that modules of an outer composition can join. */
  readonly isOpen: (end: E) => boolean;
}

/** Labels that are connected, and those that an outer composition gets, by their new names. */
export interface Connected<E> {
  readonly groups: readonly (readonly E[])[];
  /** One label, or the labels of a group, to which an outer composition adds others. */
  readonly exposed: ReadonlyMap<string, readonly E[]>;
}

/** `reader.frames` */
export const pathOf = ({ part, label }: LabelEnd): string => `${part.name}.${label}`;

/**
 * The connections that a composition names, checked: every label is met by labels that fit, and once; a group of any number of
 * labels can be offered, too. All problems are reported. O(labels of all modules).
 */
export function connect<E extends LabelEnd>(
  all: readonly E[],
  { synchronise = [], expose = {} }: Given,
  rules: LabelRules<E>,
  report: Report,
): Connected<E> {
  /** `blur.source, receives(kind: one of "frame", "end")` */
  const described = (end: E): string => `${pathOf(end)}, ${rules.text(end)}`;
  const met = new Map<string, string>();
  const meet = (end: E, where: string): void => {
    const before = met.get(pathOf(end));
    if (before !== undefined)
      report(
        'MODEL040',
        `label ${quote(pathOf(end))} is met twice: in ${before} and in ${where}. ${once(end, where, rules)}`,
      );
    met.set(pathOf(end), where);
  };
  const misfits: { readonly ends: readonly E[]; readonly text: string }[] = [];
  /** Labels that a refused entry means: not reported again as met by nobody. */
  const meant = new Set<string>();
  const groups = list(synchronise, report).flatMap((given): (readonly E[])[] => {
    const where = typeof given === 'string' ? quote(given) : `[${given.map((path) => shown(path)).join(', ')}]`;
    if (typeof given !== 'string' && new Set(given).size < given.length) {
      const twice = given.find((path, k) => given.indexOf(path) < k);
      report(
        'MODEL040',
        `${where}: label ${shown(twice)} is listed twice in this connection: expected labels of different modules`,
      );
      for (const path of given) meant.add(path);
      return [];
    }
    const ends =
      typeof given === 'string'
        ? endsNamed(given, all, meant, report)
        : given.flatMap((path) => endAt(path, all, meant, report));
    for (const end of ends) meet(end, where);
    const expected = typeof given === 'string' ? undefined : given.length;
    if (ends.length === 0 || (expected !== undefined && ends.length < expected)) return [];
    const reason = rules.misfit(ends);
    if (reason === undefined) return [ends];
    misfits.push({ ends, text: `${where}: ${reason}: ${ends.map(described).join('; ')}` });
    return [];
  });
  // Now all labels that are met elsewhere are known; those that do not fit there are free.
  const free = new Set(misfits.flatMap(({ ends }) => ends));
  for (const { ends, text } of misfits) {
    const open = ends.flatMap((end) => {
      const fitting = all.filter(
        (one) => one.part !== end.part && rules.fits(end, one) && (free.has(one) || !met.has(pathOf(one))),
      );
      return fitting.map((one) => [pathOf(end), pathOf(one)].sort());
    });
    report('MODEL037', `${text}${pairs('. These fit: ', open)}`);
  }
  const exposed = new Map<string, readonly E[]>();
  const offered = new Set<readonly E[]>();
  const isRecord = isAs(expose, 'an object');
  if (!isRecord)
    report(
      'MODEL001',
      `expose: expected new names of labels with their paths, { name: 'module.label' }, got ${shown(expose)}`,
    );
  for (const [name, path] of isRecord ? Object.entries(expose) : []) {
    if (!/^[A-Za-z_]\w*$/.test(name)) report('MODEL001', `expose: ${quote(name)} is not a valid name of a label`);
    for (const end of endAt(path, all, meant, report)) {
      const group = groups.find((ends) => ends.includes(end));
      if (group === undefined || offered.has(group) || !rules.isOpen(end)) meet(end, `expose: { ${name} }`);
      if (group !== undefined) offered.add(group);
      exposed.set(name, group ?? [end]);
    }
  }
  for (const end of all)
    if (!met.has(pathOf(end)) && !meant.has(pathOf(end))) {
      const fitting = all.filter((one) => one.part !== end.part && rules.fits(end, one));
      report(
        'MODEL038',
        `nobody meets label ${described(end)}. ${proposal(end, fitting, met, free)} Connect it in synchronise, or offer it in expose`,
      );
    }
  return { groups, exposed };
}

/** The nearest alternative to a label that is met twice. */
function once<E extends LabelEnd>(end: E, where: string, { isOpen }: LabelRules<E>): string {
  if (!isOpen(end)) return `Leave one of them out, or give module ${quote(end.part.name)} another label`;
  return where.startsWith('expose')
    ? 'Offer it once: modules of an outer composition join all its ends'
    : 'Connect all its ends in one list';
}

function list(synchronise: unknown, report: Report): (string | string[])[] {
  const isEntry = (x: unknown): boolean => typeof x === 'string' || (Array.isArray(x) && x.length > 0);
  if (Array.isArray(synchronise) && synchronise.every(isEntry)) return synchronise as (string | string[])[];
  report(
    'MODEL001',
    `synchronise: expected a list of labels, or of lists [module.label, …], got ${shown(synchronise)}`,
  );
  return [];
}

/** All labels of a name. */
function endsNamed<E extends LabelEnd>(name: string, all: readonly E[], meant: Set<string>, report: Report): E[] {
  const ends = all.filter(({ label }) => label === name);
  if (ends.length > 0) return ends;
  if (name.includes('.')) {
    meant.add(name);
    report(
      'MODEL039',
      `synchronise: ${quote(name)} is one end: expected a label's name, or a list of ends, [${quote(name)}, …]`,
    );
    return ends;
  }
  const labels = [...new Set(all.map(({ label }) => label))];
  const near = nearestOf(name, labels);
  for (const end of all) if (end.label === near) meant.add(pathOf(end));
  report('MODEL039', `synchronise: no module has a label ${quote(name)}.${suggested(name, labels)}`);
  return ends;
}

/** The nearest name and a list of all; says so if no name is known. */
const suggested = (name: string, known: readonly string[]): string =>
  known.length === 0 ? ' No module has an interface.' : didYouMean(name, known);

/** The label of a path, `module.label`; none if it does not exist. */
function endAt<E extends LabelEnd>(path: unknown, all: readonly E[], meant: Set<string>, report: Report): E[] {
  const end = all.find((one) => pathOf(one) === path);
  if (end !== undefined) return [end];
  const paths = all.map(pathOf);
  // `out` for `reader.out`
  const ofModules = all.filter(({ label }) => label === path).map(pathOf);
  const near = nearestOf(String(path), paths);
  for (const one of ofModules.length > 0 ? ofModules : near === undefined ? [] : [near]) meant.add(one);
  const text =
    ofModules.length > 0
      ? ` Did you mean ${ofModules
          .slice(0, MAX_PROPOSALS)
          .map((one) => quote(one))
          .join(' or ')}?${knownText(paths)}`
      : suggested(String(path), paths);
  report('MODEL039', `no module has the label ${shown(path)}.${text}`);
  return [];
}

/** The labels of other modules that would fit one that nobody meets; those that are met elsewhere if no other does. */
function proposal(
  end: LabelEnd,
  fitting: readonly LabelEnd[],
  met: ReadonlyMap<string, string>,
  free: ReadonlySet<LabelEnd>,
): string {
  const open = fitting.filter((one) => free.has(one) || !met.has(pathOf(one)));
  if (open.length > 0)
    return `${pairs(
      'It fits ',
      open.map((one) => [pathOf(end), pathOf(one)]),
    )}.`;
  const [taken] = fitting;
  return taken === undefined
    ? 'No other module has a label that fits.'
    : `It fits ${pathOf(taken)}, which is met already, in ${met.get(pathOf(taken))}.`;
}

/** A string with at most three different pairs, as `… ["a.x", "b.x"] or ["a.x", "c.x"]`; empty without pairs. */
function pairs(before: string, all: readonly (readonly string[])[]): string {
  const texts = [...new Set(all.map((paths) => `[${paths.map((path) => quote(path)).join(', ')}]`))];
  const more = texts.length > MAX_PROPOSALS ? `, or ${texts.length - MAX_PROPOSALS} others` : '';
  return texts.length === 0 ? '' : `${before}${texts.slice(0, MAX_PROPOSALS).join(' or ')}${more}`;
}

const MAX_PROPOSALS = 3;
