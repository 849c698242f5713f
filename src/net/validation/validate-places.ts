import { colourBounds } from '../colour.ts';
import { initialOf } from '../link-profile.ts';
import type { LinkProfile, MaxMinService, Place, Service, ServiceLink } from '../net.ts';
import { kindsOf, ORDERS, PLACE_KINDS, SERVICE } from '../net-form.ts';
import { MAX_NET_COLUMNS } from './column-index.ts';
import { firstTwice } from './validate-colours.ts';
import type { Columns, Context } from './validate-context.ts';
import { checkDelay } from './validate-distribution.ts';
import { checkExpression, type Type, type Types, typeOfColour } from './validate-expression.ts';

const SERVICE_KINDS = kindsOf(SERVICE);

/** Checks places: fields, order, capacity, service and initial marking. */
export function validatePlaces(ctx: Context): void {
  if (ctx.columnIndex.tooMany) {
    ctx.look(ctx.net);
    ctx.report('NET009', 'places', `have more than ${MAX_NET_COLUMNS} columns of composite colour sets in total`);
  }
  for (const p of ctx.net.places) {
    ctx.look(p);
    place(ctx, p, `place ${p.name}`);
  }
}

function place(ctx: Context, p: Place, part: string): void {
  ctx.knownIfGiven(part, 'kind', p.kind, PLACE_KINDS);
  const columns = fields(ctx, p, part) ? ctx.columnsOf(p) : undefined;
  if (ctx.known(part, 'order', p.order, ORDERS)) order(ctx, p, part, columns);
  if (p.owner === '') ctx.report('NET001', part, 'the name of its owner must not be empty');
  ctx.modules(part, p.modules);
  initial(ctx, p, part, columns);
  if (p.service !== undefined) {
    ctx.lookAt(p.service);
    service(ctx, `${part}, service`, p.service, typesOf(columns));
  }
}

/** Checks the fields; returns whether their columns are known. */
function fields(ctx: Context, p: Place, part: string): boolean {
  let sound = true;
  let composite = false;
  for (const f of p.fields) {
    if (f.name === '') ctx.report('NET001', part, 'the name of a field must not be empty');
    ctx.notReserved(part, 'field', f.name);
    if (!ctx.colours.has(f.colour)) {
      sound = false;
      ctx.report('NET011', part, `unknown colour set "${f.colour}".${ctx.nearIn(f.colour, ctx.colours)}`);
    } else if (ctx.columnIndex.isComposite(f.colour)) {
      composite = true;
      if (f.name.includes('.'))
        ctx.report('NET010', part, `field "${f.name}": expected a name without ".", the separator in column paths`);
    }
  }
  const twice = firstTwice(p.fields.map((f) => f.name));
  if (twice !== undefined) ctx.report('NET002', part, `duplicate field "${twice}"`);
  // A scalar field `a.b` collides with column `b` of a composite field `a`.
  const column = composite ? firstTwice(ctx.columnIndex.columns(p.fields)?.map((c) => c.name) ?? []) : undefined;
  if (twice === undefined && column !== undefined) ctx.report('NET002', part, `duplicate column "${column}"`);
  return sound && twice === undefined && column === undefined;
}

function order(ctx: Context, p: Place, part: string, columns: Columns | undefined): void {
  if (columns !== undefined)
    for (const k of p.key)
      if (!columns.has(k)) ctx.report('NET013', part, `unknown column "${k}" in its key.${ctx.nearIn(k, columns)}`);
  const twice = firstTwice(p.key);
  if (twice !== undefined) ctx.report('NET013', part, `duplicate column "${twice}" in its key`);
  if (p.order === 'bag' && p.key.length > 0)
    ctx.report('NET013', part, `a bag has no key: expected an order other than "bag", or no column "${p.key[0]}"`);
  if (p.order !== 'priority') {
    if (p.priority !== undefined)
      ctx.report('NET031', part, `has a priority, but its order is "${p.order}": expected "priority"`);
  } else if (p.priority === undefined)
    ctx.report('NET031', part, 'its order is "priority": expected an expression "priority" of the columns');
  if (p.priority === undefined) return;
  ctx.lookAt(p.priority);
  checkExpression(ctx, `${part}, priority`, p.priority, typesOf(columns), 'real');
  ctx.lookAt(undefined);
}

function initial(ctx: Context, p: Place, part: string, columns: Columns | undefined): void {
  const list = columns === undefined || p.initial.length === 0 ? [] : [...columns];
  let total = 0;
  for (const tokens of p.initial) {
    total += tokens.count;
    if (!Number.isSafeInteger(tokens.count) || tokens.count < 0)
      ctx.report('NET014', part, `initial tokens: expected a count from 0 to 2^53 - 1, got ${tokens.count}`);
    if (columns === undefined) continue;
    if (tokens.values.length !== list.length) {
      ctx.report(
        'NET014',
        part,
        `initial token has ${tokens.values.length} values: expected ${list.length}, one for each column`,
      );
      continue;
    }
    list.forEach(([name, colour], k) => {
      const value = tokens.values[k]!;
      const { low, high } = colourBounds(colour);
      if (!Number.isInteger(value) || value < low || value > high)
        ctx.report('NET014', part, `initial token: ${name} = ${value} is not in ${colour.name} (${low} … ${high})`);
    });
  }
  const { capacity } = p;
  if (capacity === undefined) return;
  // Capacity 0 is valid: a parameter that goes down to 0 closes the place.
  if (!Number.isSafeInteger(capacity) || capacity < 0)
    ctx.report('NET032', part, `a capacity of ${capacity}: expected an integer from 0 to 2^53 - 1`);
  else if (total > capacity)
    ctx.report('NET032', part, `the initial marking has ${total} tokens: expected at most the capacity of ${capacity}`);
}

function service(ctx: Context, part: string, s: Service, types: Types): void {
  if (!ctx.known(part, 'kind', s.kind, SERVICE_KINDS)) return;
  if (s.kind === 'max-min') {
    maxMin(ctx, part, s, types);
    return;
  }
  if (s.kind !== 'is' && !(Number.isSafeInteger(s.servers) && s.servers >= 1))
    ctx.report('NET033', part, `${s.servers} servers: expected an integer >= 1`);
  checkDelay(ctx, `${part}, time`, s.time, types);
  if (s.kind === 'priority') checkExpression(ctx, `${part}, priority`, s.priority, types, 'real');
}

function maxMin(ctx: Context, part: string, s: MaxMinService, types: Types): void {
  for (const what of ['amount', 'weight', 'bound', 'route'] as const)
    checkExpression(ctx, `${part}, ${what}`, s[what], types, what === 'route' ? 'int' : 'real');
  follows(ctx, part, s, types);
  for (const l of s.links) {
    if (!(l.capacity > 0 && l.capacity < Number.POSITIVE_INFINITY))
      ctx.report('NET015', part, `link "${l.name}" has capacity ${l.capacity}: expected a positive number`);
    capacities(ctx, part, l);
    profiles(ctx, part, l);
    if (l.level === true && !l.fatpipe) ctx.report('NET015', part, `link "${l.name}" has a level: expected a fatpipe`);
  }
  const routes = ctx.tables.get(s.routes);
  if (routes === undefined)
    ctx.report('NET016', part, `unknown table "${s.routes}".${ctx.nearIn(s.routes, ctx.tables)}`);
  else if (routes.kind !== 'routes')
    ctx.report('NET016', part, `table "${s.routes}" is of kind ${routes.kind}: expected a table of kind routes`);
  else {
    const { low, high } = ctx.linksOf(routes);
    if (low < 0 || high >= s.links.length)
      ctx.report(
        'NET015',
        part,
        `table "${s.routes}" refers to link ${low < 0 ? low : high}: expected a link from 0 to ${s.links.length - 1}`,
      );
  }
}

/** Members that only links with profiles need. */
function follows(
  ctx: Context,
  part: string,
  { links, latency, latencyFactor, follow, solver }: MaxMinService,
  types: Types,
): void {
  const isLazy = solver === 'lazy';
  const given = Object.entries({ ...(isLazy ? {} : { latency }), latencyFactor, follow }).filter(
    ([, value]) => value !== undefined,
  );
  for (const [name, e] of Object.entries({ latency, latencyFactor }))
    if (e !== undefined) checkExpression(ctx, `${part}, ${name}`, e, types, 'real');
  if (given.length > 0 && links.every((link) => link.profiles === undefined))
    ctx.report('NET015', part, `${given[0]![0]} without a link that has a profile`);
  const changing = links.find(({ profiles, byTokens }) => profiles !== undefined || byTokens !== undefined);
  if (isLazy && changing !== undefined)
    ctx.report('NET015', part, `link "${changing.name}" changes: expected constant capacities with the lazy solver`);
  for (const [name, value] of Object.entries(follow ?? {}))
    if (typeof value === 'number' && !(value >= 0 && value < Number.POSITIVE_INFINITY))
      ctx.report('NET015', part, `${name} is ${value}: expected a number from 0 on`);
}

/** Profiles of a link (S5a). */
function profiles(ctx: Context, part: string, { name, fatpipe, level, profiles: all = [] }: ServiceLink): void {
  const wrong = (message: string): void => ctx.report('NET015', part, `link "${name}" ${message}`);
  if (all.length > 0 && fatpipe && level !== true) wrong('is a fatpipe with a profile: expected level');
  all.forEach((profile, k) => {
    const { of, times, values, period } = profile;
    const at = `has a profile of its ${of}`;
    if (all.findIndex((other) => other.of === of) < k) wrong(`has two profiles of its ${of}`);
    if (times.length === 0 || times.length !== values.length)
      wrong(`${at} with ${times.length} times and ${values.length} values: expected equal numbers, at least one`);
    times.forEach((time, i) => {
      const before = i === 0 ? 0 : times[i - 1]!;
      if (!(time >= before && time < Number.POSITIVE_INFINITY))
        wrong(`${at} with time ${time}: expected a time from ${before} s on`);
    });
    [initialOf(profile), ...values].forEach((value) => {
      const expected = PROFILE_VALUES[of];
      if (!expected.test(value)) wrong(`${at} with value ${value}: expected ${expected.text}`);
    });
    const last = times.at(-1) ?? 0;
    if (period !== undefined && !(period > 0 && period >= last && period < Number.POSITIVE_INFINITY))
      wrong(`${at} with period ${period}: expected more than 0, at least the last time, ${last} s`);
  });
}

const PROFILE_VALUES: Readonly<
  Record<LinkProfile['of'], { readonly test: (v: number) => boolean; readonly text: string }>
> = {
  capacity: { test: (v) => v > 0 && v <= 1, text: 'a factor above 0, at most 1' },
  latency: { test: (v) => Math.abs(v) < Number.POSITIVE_INFINITY, text: 'a finite number of seconds' },
  state: { test: (v) => v === 0 || v === 1, text: '0 or 1' },
};

/** Relative rounding of capacities. */
const ROUNDING = 1e-12;

/** The capacities of a link by the number of its tokens. */
function capacities(ctx: Context, part: string, { name, capacity, fatpipe, byTokens }: ServiceLink): void {
  if (byTokens === undefined) return;
  const wrong = (message: string): void => ctx.report('NET015', part, `link "${name}" ${message}`);
  if (fatpipe) wrong('is a fatpipe with capacities by tokens: expected a shared link');
  if (byTokens.length === 0) wrong('has no capacity by tokens: expected at least one');
  byTokens.forEach((now, k) => {
    if (!(now > 0 && now <= capacity))
      wrong(`has capacity ${now} with ${k + 1} tokens: expected more than 0, at most ${capacity}`);
    else if (k > 0 && now / (k + 1) > (byTokens[k - 1]! / k) * (1 + ROUNDING))
      wrong(
        `has capacity ${now} with ${k + 1} tokens: expected at most ${(byTokens[k - 1]! / k) * (k + 1)}, as much for a token as with ${k}`,
      );
  });
}

function typesOf(columns: Columns | undefined): Types {
  if (columns === undefined) return new Unknown();
  return new Map([...columns].map(([name, colour]) => [name, typeOfColour(colour)]));
}

/** Used if the columns are unknown because of another problem: any variable is accepted. */
class Unknown extends Map<string, Type | undefined> {
  override has(): boolean {
    return true;
  }
}
