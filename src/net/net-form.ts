import type { Kinds } from '../base/form.ts';
import type { ColourSet } from './colour.ts';
import type { Form, Parameter } from './distributions/form.ts';
import { type Distribution, LAWS } from './distributions/laws.ts';
import {
  BOOLEAN,
  COUNT,
  COUNT_OR_NONE,
  DELAY,
  EXPRESSION,
  INTEGER,
  INTEGERS,
  inLines,
  kinds,
  LOCATED,
  leaf,
  list,
  may,
  NAME,
  type NetForm,
  type NetMember,
  NOT_NEGATIVE,
  NUMBER,
  need,
  numbersOf,
  object,
  oneUnlessGiven,
  POSITIVE,
  REALS,
  serversOr,
  some,
  someByName,
  TEXT,
  usually,
  words,
} from './form.ts';
import { FORMAT, VERSION } from './json/json-format.ts';
import type { InputArc, Place, PlaceKind, Service, Table, Transition, TransitionKind } from './net.ts';

/* The form of a net, part by part. Members are written in this order, columns of tables last. */

export const PLACE_KINDS: readonly PlaceKind[] = ['operation', 'message', 'synchronisation', 'resource', 'data'];
export const ORDERS: readonly Place['order'][] = ['bag', 'fifo', 'priority'];
export const ARC_KINDS: readonly InputArc['kind'][] = ['take', 'read', 'inhibit', 'reset'];
export const TRANSITION_KINDS: readonly TransitionKind[] = ['compute', 'communicate', 'control'];
export const TIMINGS: readonly NonNullable<Transition['timing']>[] = ['holding', 'race'];
export const SERVERS = ['single', 'infinite'] as const satisfies readonly Transition['servers'][];
export const MEMORIES: readonly NonNullable<Transition['memory']>[] = ['enabling', 'age', 'resampling'];

export const FIELD = object({ name: need(NAME), colour: need(NAME) });
const FIELDS = list(FIELD);
const NAMES = list(NAME);

export const COLOUR = kinds<ColourSet['kind']>(
  'kind',
  {
    unit: {},
    bool: {},
    integer: {},
    range: { low: need(INTEGER), high: need(INTEGER) },
    enum: { values: need(list(TEXT, 1)) },
    product: { parts: need(NAMES) },
    record: { fields: need(FIELDS) },
  },
  { name: need(NAME) },
);

export const TABLE = kinds<Table['kind']>(
  'kind',
  {
    int: { low: need(INTEGER), high: need(INTEGER), values: need({ ...INTEGERS, paged: true }), colour: may(NAME) },
    real: { values: need({ ...REALS, paged: true }) },
    step: { from: need(REALS), values: need(REALS) },
    routes: { start: need(INTEGERS), link: need(INTEGERS), coefficient: need(REALS) },
  },
  { name: need(NAME) },
);

const parameter = ({ known }: Parameter): NetMember => need(known ? NOT_NEGATIVE : EXPRESSION);
const samples = leaf('samples', { ...numbersOf(NOT_NEGATIVE.schema), minItems: 1 });
const mapped = <V>(all: Readonly<Record<string, V>>, of: (value: V) => NetMember): Record<string, NetMember> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, of(value)]));

function distributionMember(form: Form[string]): NetMember {
  if (form.kind === 'parameter') return parameter(form);
  return need(form.kind === 'samples' ? samples : list(object(mapped(form.members, parameter)), 1));
}

export const DISTRIBUTION = kinds<Distribution['dist']>(
  'dist',
  mapped(LAWS, ({ form }) => mapped<Form[string]>(form, distributionMember) as never) as never,
);

const LINK = object({
  name: need(TEXT),
  capacity: need(POSITIVE),
  fatpipe: usually(false, BOOLEAN),
  level: may(BOOLEAN),
  byTokens: may(list(POSITIVE, 1), { description: 'Capacity while 1, 2, … tokens cross the link.' }),
  profiles: may(
    list(
      object({
        of: need(words(['capacity', 'latency', 'state'])),
        times: need(list(NOT_NEGATIVE, 1)),
        values: need(list(NUMBER, 1)),
        period: may(POSITIVE),
        initial: may(NUMBER),
      }),
      1,
    ),
    { description: 'Quantities that change at given times, in seconds.' },
  ),
});

const station = { servers: need(COUNT), time: need(DELAY) };
export const SERVICE = kinds<Service['kind']>('kind', {
  'max-min': {
    links: inLines(need(list(LINK))),
    amount: need(EXPRESSION),
    weight: need(EXPRESSION),
    bound: need(EXPRESSION),
    routes: need(NAME),
    route: need(EXPRESSION),
    latency: may(EXPRESSION),
    latencyFactor: may(EXPRESSION),
    solver: may(words(['lazy'])),
    follow: may(
      object({
        capped: need(BOOLEAN),
        weightByLatency: need(NOT_NEGATIVE),
        weightByCapacity: need(NOT_NEGATIVE),
        boundByLatency: need(NOT_NEGATIVE),
      }),
    ),
  },
  fcfs: station,
  'lcfs-pr': station,
  ps: station,
  is: { time: need(DELAY) },
  priority: { ...station, priority: need(EXPRESSION), preemptive: need(BOOLEAN) },
});

export const PLACE = object({
  name: need(NAME),
  kind: may(words(PLACE_KINDS)),
  fields: need(FIELDS),
  order: usually('bag', words(ORDERS), { default: 'bag' }),
  key: some(NAMES, { description: 'Columns: tokens with equal values in them form a queue.' }),
  priority: may(LOCATED),
  service: inLines(may(SERVICE)),
  capacity: may(COUNT_OR_NONE),
  initial: some(leaf('tokens', { type: 'array', items: { $ref: '#/$defs/tokens' } })),
  owner: may(NAME),
  modules: may(NAMES),
});

const INPUTS = list(
  object({
    kind: need(words(ARC_KINDS)),
    place: need(NAME),
    pattern: someByName(EXPRESSION),
    count: usually(1, COUNT, { default: 1 }),
  }),
);
const COUNTED = object({ name: need(NAME), place: need(NAME), pattern: someByName(EXPRESSION) });
const OUTPUTS = list(object({ place: need(NAME), values: someByName(EXPRESSION), count: oneUnlessGiven }));

export const TRANSITION = object({
  name: need(NAME),
  kind: may(words(TRANSITION_KINDS)),
  process: may(LOCATED),
  inputs: inLines(need(INPUTS)),
  free: may(FIELDS, { description: 'Variables that range over their colour sets.' }),
  guard: may(LOCATED),
  priority: may(INTEGER, { default: 0 }),
  weight: may(LOCATED),
  delay: may(DELAY),
  timing: may(words(TIMINGS), { default: 'holding' }),
  servers: may(serversOr(SERVERS), { description: 'For the timing "race".' }),
  memory: may(words(MEMORIES), { default: 'enabling', description: 'For the timing "race".' }),
  speed: may(LOCATED, { description: 'For the timing "race": work per second.' }),
  counts: inLines(may(list(COUNTED), { description: 'Numbers of tokens, for speed and weight.' })),
  outputs: inLines(need(OUTPUTS)),
  label: may(object({ name: need(NAME), exports: someByName(TEXT) })),
  modules: may(NAMES),
});

export const PROCESSES = object({ colour: need(NAME), ended: need(NAME) });

export const FINAL_MARKINGS = list(leaf('marking', { type: 'object', additionalProperties: COUNT_OR_NONE.schema }));

export const NET = object({
  format: need({ kind: 'word', word: FORMAT }),
  version: need(leaf('number', { const: VERSION })),
  name: need(TEXT),
  colours: need(list(COLOUR)),
  tables: need(list(TABLE)),
  places: need(list(PLACE)),
  transitions: need(list(TRANSITION)),
  processes: may(PROCESSES),
  finalMarkings: may(FINAL_MARKINGS, {
    description: 'Markings in which a run may end: token counts of all colours by place; other places are empty.',
  }),
  untimed: may(BOOLEAN, {
    description:
      'True for a net without delays that has a transition without input; a simulation assumes equal delays.',
  }),
});

/** The kinds of such parts, in the order of declaration. */
export function kindsOf<K extends string>({
  forms,
}: Kinds<NetForm> & { readonly forms: Readonly<Record<K, unknown>> }): K[] {
  return Object.keys(forms) as K[];
}
