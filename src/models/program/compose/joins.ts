import type { Code } from '../../../base/codes.ts';
import { didYouMean, quote, shown } from '../../../base/problem.ts';
import { type ColouredLabel, labelText, sameColours } from '../record/labels.ts';
import type { End, Join, Part } from './coupled.ts';

/** Options of `compose` that name labels. */
interface Given {
  readonly synchronise?: readonly (string | readonly string[])[];
  readonly expose?: Readonly<Record<string, string>>;
}

type Report = (code: Code, message: string) => void;

const labelOf = ({ part, label }: End): ColouredLabel => part.choices[0]!.interface[label]!;
const pathOf = ({ part, label }: End): string => `${part.name}.${label}`;
/** `blur.source, receives(kind: one of "frame", "end")` */
const described = (end: End): string => `${pathOf(end)}, ${labelText(labelOf(end))}`;

/**
 * The connections of a composition's labels, checked: every label is met by labels that fit, and once. All problems are
 * reported. O(labels of all modules).
 */
export function joinsOf(
  parts: readonly Part[],
  { synchronise = [], expose = {} }: Given,
  report: Report,
): { readonly joins: readonly Join[]; readonly exposed: ReadonlyMap<string, End> } {
  for (const part of parts) checkChoices(part, report);
  const all = parts.flatMap((part) => Object.keys(part.choices[0]!.interface).map((label): End => ({ part, label })));
  const met = new Map<string, string>();
  const meet = (end: End, where: string): void => {
    const before = met.get(pathOf(end));
    if (before !== undefined)
      report('MODEL040', `label ${quote(pathOf(end))} is met twice: in ${before} and in ${where}`);
    met.set(pathOf(end), where);
  };
  const joins = list(synchronise, report).flatMap((given): Join[] => {
    const where = typeof given === 'string' ? quote(given) : `[${given.map((path) => shown(path)).join(', ')}]`;
    const ends =
      typeof given === 'string' ? endsNamed(given, all, report) : given.flatMap((path) => endAt(path, all, report));
    for (const end of ends) meet(end, where);
    const expected = typeof given === 'string' ? undefined : given.length;
    if (ends.length === 0 || (expected !== undefined && ends.length < expected)) return [];
    return joinOf(ends, where, report);
  });
  const exposed = new Map<string, End>();
  for (const [name, path] of Object.entries(expose)) {
    if (!/^[A-Za-z_]\w*$/.test(name)) report('MODEL001', `expose: ${quote(name)} is not a valid name of a label`);
    for (const end of endAt(path, all, report)) {
      meet(end, `expose: { ${name} }`);
      exposed.set(name, end);
    }
  }
  for (const end of all)
    if (!met.has(pathOf(end)))
      report(
        'MODEL038',
        `nobody meets label ${described(end)}. ${partnersOf(end, all, met)} Connect it in synchronise, or offer it in expose`,
      );
  return { joins, exposed };
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
function endsNamed(name: string, all: readonly End[], report: Report): End[] {
  if (name.includes('.')) {
    report(
      'MODEL039',
      `synchronise: ${quote(name)} is one end: expected a label's name, or a list of ends, [${quote(name)}, …]`,
    );
    return [];
  }
  const ends = all.filter(({ label }) => label === name);
  if (ends.length === 0)
    report(
      'MODEL039',
      `synchronise: no module has a label ${quote(name)}.${didYouMean(name, [
        ...new Set([...new Set(all.map(({ label }) => label))]),
      ])}`,
    );
  return ends;
}

/** The label of a path, `module.label`; none if it does not exist. */
function endAt(path: unknown, all: readonly End[], report: Report): End[] {
  const end = all.find((one) => pathOf(one) === path);
  if (end !== undefined) return [end];
  report('MODEL039', `no module has the label ${shown(path)}.${didYouMean(String(path), all.map(pathOf))}`);
  return [];
}

/** A connection of labels that fit; none if they do not. */
function joinOf(ends: readonly End[], where: string, report: Report): Join[] {
  const kinds = ends.map((end) => labelOf(end).kind);
  const refuse = (what: string): Join[] => {
    report('MODEL037', `${where}: ${what}: ${ends.map(described).join('; ')}`);
    return [];
  };
  const [kind] = kinds as [Join['kind']];
  if (kind === 'phase' || kind === 'resource') {
    if (kinds.some((other) => other !== kind)) return refuse('labels of different kinds');
    if (ends.length < 2) return refuse('expected two modules or more with this label, got one');
  } else {
    if (ends.length !== 2) return refuse(`expected one sender and one receiver, got ${ends.length} labels`);
    if (!kinds.includes('sends') || !kinds.includes('receives')) return refuse('expected a sender and a receiver');
  }
  const other = ends.find((end) => !sameColours(labelOf(end), labelOf(ends[0]!)));
  if (other !== undefined)
    return refuse(kind === 'resource' ? 'different numbers of units' : 'the carried values differ');
  const sorted = kind === 'receives' ? [...ends].reverse() : ends;
  return [{ kind, ends: sorted, units: labelOf(ends[0]!).units }];
}

/** The labels of other modules that would fit one that nobody meets. */
function partnersOf(end: End, all: readonly End[], met: ReadonlyMap<string, string>): string {
  const own = labelOf(end);
  const opposite = { sends: 'receives', receives: 'sends', phase: 'phase', resource: 'resource' }[own.kind];
  const fitting = all.filter((one) => {
    const label = labelOf(one);
    return one.part !== end.part && !met.has(pathOf(one)) && label.kind === opposite && sameColours(label, own);
  });
  return fitting.length === 0
    ? 'No other module has a label that fits.'
    : `It fits ${fitting.map((one) => `[${quote(pathOf(end))}, ${quote(pathOf(one))}]`).join(' or ')}.`;
}

/** Models that can take each other's place have the same labels. */
function checkChoices({ name, choices }: Part, report: Report): void {
  const [first, ...others] = choices;
  const names = choices.map((model) => model.name);
  const twice = names.find((one, k) => names.indexOf(one) < k);
  if (twice !== undefined) report('MODEL041', `module ${quote(name)}: two models are called ${quote(twice)}`);
  for (const other of others) {
    const labels = [...new Set([...Object.keys(first!.interface), ...Object.keys(other.interface)])];
    const text = (model: typeof other, label: string): string => {
      const own = model.interface[label];
      return own === undefined ? 'no such label' : labelText(own);
    };
    for (const label of labels)
      if (text(first!, label) !== text(other, label))
        report(
          'MODEL041',
          `module ${quote(name)}: label ${quote(label)} is ${text(first!, label)} in ${quote(first!.name)} and ${text(other, label)} in ${quote(other.name)}`,
        );
  }
}
