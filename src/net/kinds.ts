import type { ColourSet } from './colour.ts';
import { type Distribution, LAWS } from './distributions/laws.ts';
import type { InputArc, Place, PlaceKind, Service, Table, Transition, TransitionKind } from './net.ts';

/*
 * The words of a net's closed unions, for code that reads unchecked nets: validation, the JSON reader and its schema.
 */

export const PLACE_KINDS: readonly PlaceKind[] = ['operation', 'message', 'synchronisation', 'resource', 'data'];
export const ORDERS: readonly Place['order'][] = ['bag', 'fifo', 'priority'];
export const ARC_KINDS: readonly InputArc['kind'][] = ['take', 'read', 'inhibit', 'reset'];
export const TRANSITION_KINDS: readonly TransitionKind[] = ['compute', 'communicate', 'control'];
export const TIMINGS: readonly NonNullable<Transition['timing']>[] = ['holding', 'race'];
export const CLOCKS: readonly NonNullable<Transition['servers']>[] = ['single', 'infinite'];

/** For each kind, its members other than `name` and `kind`. */
type Members<K extends string> = Readonly<Record<K, readonly string[]>>;

export const COLOUR_MEMBERS: Members<ColourSet['kind']> = {
  unit: [],
  bool: [],
  integer: [],
  range: ['low', 'high'],
  enum: ['values'],
  product: ['parts'],
  record: ['fields'],
};

export const TABLE_MEMBERS: Members<Table['kind']> = {
  int: ['low', 'high', 'values'],
  real: ['values'],
  step: ['from', 'values'],
  routes: ['start', 'link', 'coefficient'],
};

/** Optional members of each kind of table. */
export const TABLE_OPTIONS: Members<Table['kind']> = { int: ['colour'], real: [], step: [], routes: [] };

export const SERVICE_MEMBERS: Members<Service['kind']> = {
  'max-min': ['links', 'amount', 'weight', 'bound', 'routes', 'route'],
  fcfs: ['servers', 'time'],
  'lcfs-pr': ['servers', 'time'],
  ps: ['servers', 'time'],
  is: ['time'],
  priority: ['servers', 'time', 'priority', 'preemptive'],
};

export const DISTRIBUTION_MEMBERS = Object.fromEntries(
  Object.entries(LAWS).map(([dist, { form }]) => [dist, Object.keys(form)]),
) as Record<string, readonly string[]> as Members<Distribution['dist']>;

/** The kinds of such a record, in declaration order. */
export function kindsOf<K extends string>(members: Members<K>): readonly K[] {
  return Object.keys(members) as K[];
}
