import { didYouMean, fail, InputError, type Problem } from '../../base/problem.ts';
import { assertGiven, assertIs } from '../members.ts';
import type { Net } from '../net.ts';
import { assertNet } from '../validation/validate-shape.ts';
import { partsOfName } from './merge-partners.ts';
import { type NewNames, substituteInNet } from './substitute.ts';

/** New name by old name, for each kind of part; parts that are not listed keep their name. */
export interface Renames {
  /** New names of places. */
  readonly places?: Readonly<Record<string, string>>;
  /** New names of transitions. */
  readonly transitions?: Readonly<Record<string, string>>;
  /** Two labels may become one: their transitions are then alternatives. */
  readonly labels?: Readonly<Record<string, string>>;
  /** New names of colour sets. */
  readonly colours?: Readonly<Record<string, string>>;
  /** New names of tables. */
  readonly tables?: Readonly<Record<string, string>>;
  /** New names of functions. */
  readonly functions?: Readonly<Record<string, string>>;
}

/** The kinds in messages. */
const KINDS: Readonly<Record<keyof Renames, string>> = {
  places: 'place',
  transitions: 'transition',
  labels: 'label',
  colours: 'colour set',
  tables: 'table',
  functions: 'function',
};

/** A correct call, quoted in messages. */
const EXAMPLE = "rename(net, { places: { old: 'new' } })";

/**
 * Renames parts of a net. All names change at once, so two can be swapped. Two labels may become one; their transitions
 * are then alternatives. Recorded modules are unchanged. O(size of the net).
 *
 * @throws InputError with every problem: NET075 for an unknown name, NET076 for a new name that is empty or taken;
 * NET037, NET040 if an argument is not a net or not an object of names
 */
export function rename(net: Net, renames: Renames): Net {
  assertNet(net);
  assertIs('rename', 'new names', renames, 'an object', EXAMPLE);
  const problems: Problem[] = [];
  const names: { -readonly [K in keyof NewNames]: NewNames[K] } = {};
  const kinds = Object.keys(KINDS);
  for (const kind of Object.keys(renames))
    if (!kinds.includes(kind)) problems.push(unknownName('names of kind', kind, kinds));
  for (const kind of Object.keys(KINDS) as (keyof Renames)[]) {
    const given = renames[kind];
    if (given === undefined) continue;
    assertIs('rename', kind, given, 'an object', EXAMPLE);
    for (const [old, name] of Object.entries(given)) assertIs(`${KINDS[kind]} ${old}`, 'new name', name, 'a string');
    const news = new Map(Object.entries(given));
    problems.push(...renameProblems(kind, namesIn(net, kind), news));
    names[kind] = (name) => news.get(name) ?? name;
  }
  if (problems.length > 0) throw new InputError(problems);
  return substituteInNet(net, names);
}

function namesIn(net: Net, kind: keyof Renames): string[] {
  if (kind === 'labels') return labelsOf(net);
  return (net[kind] ?? []).map((part) => part.name);
}

/** The distinct labels of a net, sorted. */
export function labelsOf(net: Net): string[] {
  return [...new Set(net.transitions.flatMap((t) => t.label?.name ?? []))].sort();
}

export function unknownName(kind: string, name: string, known: Iterable<string>): Problem {
  return {
    code: 'NET075',
    message: `unknown name.${didYouMean(name, known)}`,
    place: { part: `${kind} ${name}` },
  };
}

function renameProblems(kind: keyof Renames, known: readonly string[], news: ReadonlyMap<string, string>): Problem[] {
  const problems: Problem[] = [];
  const report = (old: string, message: string): void => {
    problems.push({ code: 'NET076', message, place: { part: `${KINDS[kind]} ${old}` } });
  };
  const has = new Set(known);
  const taken = new Map(known.filter((name) => !news.has(name)).map((name) => [name, name]));
  for (const [old, name] of news) {
    if (!has.has(old)) {
      problems.push(unknownName(KINDS[kind], old, known));
      continue;
    }
    if (name === '') report(old, 'the new name is empty');
    const other = taken.get(name);
    if (other !== undefined && kind !== 'labels')
      report(old, `the new name "${name}" is ${other === name ? 'taken' : `also given to "${other}"`}`);
    taken.set(name, old);
  }
  return problems;
}

/** Options of {@link qualify}. */
export interface QualifyOptions {
  /**
   * Names to keep: of places to fuse with other modules and, with `data`, of shared colour sets, tables and functions.
   */
  readonly keep?: readonly string[];
  /** True to qualify colour sets, tables and functions, too; default false. */
  readonly data?: boolean;
}

/**
 * Makes a net a module: places and transitions `name` become `module.name`; `a+b` becomes `module.a+module.b`, so that
 * merging and qualifying commute. Labels are unchanged. Every node records the module; a node with modules records
 * `module.inner`. O(size of the net).
 *
 * @throws InputError NET075 for an unknown name in `keep`, NET076 for an empty module name; NET037 if the value is not
 * a net; NET040, NET058 for invalid options
 */
export function qualify(net: Net, module: string, options: QualifyOptions = {}): Net {
  assertNet(net);
  assertGiven('qualify', 'options', options, { keep: 'a list of strings', data: 'a boolean' });
  assertIs('qualify', 'module', module, 'a string');
  if (module === '') fail('NET076', 'the name of a module is empty', { part: `net ${net.name}` });
  const keep = new Set(options.keep ?? []);
  const data = options.data === true ? [...net.colours, ...net.tables, ...(net.functions ?? [])] : [];
  const known = new Set([...net.places, ...data].map((part) => part.name));
  const unknown = [...keep].filter((name) => !known.has(name));
  if (unknown.length > 0) throw new InputError(unknown.map((name) => unknownName('name to keep', name, known)));

  const qualified = (name: string): string => (keep.has(name) ? name : `${module}.${name}`);
  const named = substituteInNet(net, {
    places: qualified,
    transitions: (name) =>
      partsOfName(name)
        .map((part) => `${module}.${part}`)
        .join('+'),
    ...(options.data === true ? { colours: qualified, tables: qualified, functions: qualified } : {}),
  });
  const inside = <T extends { readonly modules?: readonly string[] }>(node: T): T => ({
    ...node,
    modules: node.modules?.map((inner) => `${module}.${inner}`) ?? [module],
  });
  return {
    ...named,
    name: module,
    places: named.places.map(inside),
    transitions: named.transitions.map(inside),
  };
}
