import { fail, InputError } from '../../base/problem.ts';
import { assertGiven, assertIs } from '../members.ts';
import type { Net } from '../net.ts';
import { assertNet } from '../validation/validate-shape.ts';
import { partsOfName } from './merge-partners.ts';
import { unknownName } from './rename.ts';
import { substituteInNet } from './substitute.ts';

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
