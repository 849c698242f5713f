import { didYouMean, fail } from '../../base/problem.ts';
import { assertIs, assertMembers } from '../members.ts';
import type { Place, Service, Tokens } from '../net.ts';
import { constant, INTEGER, isForeign, positionIn, shown, termOf, variable } from '../term.ts';
import { Block } from './block.ts';
import type { Fields, Fn, MaxMinTerms, PlaceOptions, ServiceTerms, TermsOf } from './builder-types.ts';
import { byColumn, columnNames, nestedFields } from './composite.ts';
import type { Functions } from './functions.ts';

/** A place from its fields and options. Callbacks receive a token's variables, named like its columns. */
export function buildPlace<F extends Fields>(
  name: string,
  fields: F,
  options: PlaceOptions<F>,
  net: object,
  functions: Functions,
): Place {
  const block = new Block(`place ${name}`, net);
  return block.run(() => placeOf(block, name, fields, options, functions));
}

function placeOf<F extends Fields>(
  block: Block,
  name: string,
  fields: F,
  options: PlaceOptions<F>,
  functions: Functions,
): Place {
  assertMembers(block.part, 'options', options, ['kind', 'order', 'service', 'capacity', 'initial', 'owner']);
  const token = nestedFields(fields, (column, set) => variable(column, set, block.owner)) as TermsOf<F>;
  const fn = functions.of(block, name);
  const { kind, service, capacity, owner } = options;
  const order = orderOf(block, fields, options, token, fn);
  const served = block.close(typeof service === 'function' ? service(token, fn) : service);
  return {
    name,
    ...(kind === undefined ? {} : { kind }),
    fields: Object.entries(fields).map(([f, colour]) => ({ name: f, colour: colour.set.name })),
    ...order,
    ...(service === undefined ? {} : { service: serviceOf(block, served) }),
    ...(capacity === undefined ? {} : { capacity }),
    initial: initialOf(block.part, fields, options.initial ?? []),
    ...(owner === undefined ? {} : { owner }),
  };
}

function orderOf<F extends Fields>(
  block: Block,
  fields: F,
  { order = 'bag' }: PlaceOptions<F>,
  token: TermsOf<F>,
  fn: Fn,
): Pick<Place, 'order' | 'key' | 'priority'> {
  // A field of composite colour expands to all its columns.
  const columns = (name: string, key: readonly string[]): string[] => {
    assertIs(block.part, `order: ${name}`, key, 'a list of strings', "['x']");
    return key.flatMap((f) => (Object.hasOwn(fields, f) ? columnNames({ [f]: fields[f]! }) : [f]));
  };
  if (typeof order === 'string') return { order, key: [] };
  assertMembers(block.part, 'order', order, ['fifo', 'priority', 'key']);
  if ('fifo' in order) return { order: 'fifo', key: columns('fifo', order.fifo) };
  if (typeof order.priority !== 'function')
    fail('NET040', `order: expected a key or a priority, got ${shown(order)}`, { part: block.part });
  const priority = block.own(constant(order.priority(token, fn)));
  return { order: 'priority', key: columns('key', order.key ?? []), priority };
}

function serviceOf(block: Block, service: ServiceTerms | undefined): Service {
  if (typeof service !== 'object' || service === null || !('kind' in service || 'routes' in service))
    fail('NET040', `service: expected a station or max-min sharing, got ${shown(service)}`, { part: block.part });
  if (!('kind' in service)) return maxMin(block, service);
  block.ownDelay(service.time, 'service: time');
  if (service.kind === 'priority') block.own(service.priority);
  return service;
}

function maxMin(block: Block, s: MaxMinTerms): Service {
  assertMembers(block.part, 'service', s, [
    ...['links', 'amount', 'weight', 'bound', 'routes', 'route'],
    ...['latency', 'latencyFactor', 'follow', 'solver'],
  ]);
  if (isForeign(s.routes, block.net))
    fail('NET046', `table "${s.routes.name}" belongs to another net`, { part: block.part });
  return {
    kind: 'max-min',
    links: s.links,
    amount: block.own(constant(s.amount)),
    weight: block.own(constant(s.weight)),
    bound: block.own(constant(s.bound)),
    routes: s.routes.name,
    route: block.own(termOf(s.route, INTEGER)),
    ...(s.latency === undefined ? {} : { latency: block.own(constant(s.latency)) }),
    ...(s.latencyFactor === undefined ? {} : { latencyFactor: block.own(constant(s.latencyFactor)) }),
    ...(s.follow === undefined ? {} : { follow: s.follow }),
    ...(s.solver === undefined ? {} : { solver: s.solver }),
  };
}

function initialOf(part: string, fields: Fields, initial: number | readonly unknown[]): Tokens[] {
  const columns = columnNames(fields);
  if (typeof initial === 'number') {
    if (columns.length > 0)
      fail('NET045', `${initial} initial tokens: expected a list of tokens with ${columns.join(', ')}`, { part });
    return initial === 0 ? [] : [{ values: [], count: initial }];
  }
  if (!Array.isArray(initial)) fail('NET040', `expected a list of initial tokens, got ${shown(initial)}`, { part });
  return initial.map((given) => {
    const [token, count] = Array.isArray(given) ? given : [given, 1];
    const at = `${part}, initial token`;
    const values = byColumn(at, fields, token, (value, set, column) => {
      if (set === undefined) fail('NET017', `unknown column "${column}".${didYouMean(column, columns)}`, { part: at });
      if (typeof value === 'string' && set.kind === 'enum') return positionIn(set, value, at);
      if (typeof value !== 'number' && typeof value !== 'boolean')
        fail('NET040', `${column}: expected a plain value of ${set.name}, got ${shown(value)}`, { part: at });
      return Number(value);
    });
    // A missing value becomes NaN, which validation rejects.
    return { values: columns.map((c) => (Object.hasOwn(values, c) ? values[c]! : Number.NaN)), count };
  });
}
