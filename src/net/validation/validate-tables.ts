import type { Table } from '../net.ts';
import { kindsOf, TABLE } from '../net-form.ts';
import type { Context } from './validate-context.ts';

const KINDS = kindsOf(TABLE);

/** Checks tables in memory; pages are checked when loaded (`table-page.ts`). O(entries). */
export function validateTables(ctx: Context): void {
  for (const t of ctx.net.tables) {
    ctx.look(t);
    const part = `table ${t.name}`;
    if (!ctx.known(part, 'kind', t.kind, KINDS)) continue;
    for (const message of wrongs(t)) ctx.report('NET007', part, message);
    if (t.kind === 'int' && t.colour !== undefined) enumerated(ctx, part, t, t.colour);
  }
}

/** Checks that the entries fit the enumeration. */
function enumerated(ctx: Context, part: string, t: Table & { kind: 'int' }, colour: string): void {
  const c = ctx.colours.get(colour);
  if (c?.kind !== 'enum') {
    ctx.report('NET011', part, `unknown enumeration "${colour}".${ctx.nearIn(colour, ctx.colours)}`);
  } else if (t.low < 0 || t.high >= c.values.length) {
    const last = c.values.length - 1;
    ctx.report('NET007', part, `has entries ${t.low} … ${t.high}: values of enumeration "${colour}" are 0 … ${last}`);
  }
}

function wrongs(t: Table): string[] {
  switch (t.kind) {
    case 'int':
      return integers(t);
    case 'real':
      return !('pages' in t.values) && t.values.some(Number.isNaN) ? ['an entry is not a number'] : [];
    case 'step':
      return steps(t);
    case 'routes':
      return routes(t);
  }
}

function integers(t: Table & { kind: 'int' }): string[] {
  if (!(Number.isSafeInteger(t.low) && Number.isSafeInteger(t.high)))
    return [`bounds: expected integers below 2^53, got ${t.low} … ${t.high}`];
  if ('pages' in t.values)
    return t.low > t.high && t.values.length > 0 ? [`no entry fits its bounds ${t.low} … ${t.high}`] : [];
  const outside = t.values.find((v) => v < t.low || v > t.high);
  return outside === undefined ? [] : [`entry ${outside} is outside its bounds ${t.low} … ${t.high}`];
}

function steps({ from, values }: Table & { kind: 'step' }): string[] {
  const out: string[] = [];
  if (from.length !== values.length || from.length === 0)
    out.push(`has ${from.length} thresholds and ${values.length} values`);
  if (values.some(Number.isNaN) || Number.isNaN(from[0])) out.push('an entry is not a number');
  const falls = from.findIndex((x, k) => k > 0 && !(x > from[k - 1]!));
  if (falls >= 0) out.push(`threshold ${from[falls]} is not in ascending order`);
  return out;
}

function routes({ start, link, coefficient }: Table & { kind: 'routes' }): string[] {
  const n = start.length - 1;
  let ok = n >= 0 && start[0] === 0 && start[n] === link.length && link.length === coefficient.length;
  for (let k = 0; k < n; k++) ok &&= start[k]! <= start[k + 1]!;
  const out = ok ? [] : ['its starts, links and coefficients are inconsistent'];
  if (coefficient.some((c) => !(c > 0 && c < Number.POSITIVE_INFINITY)))
    out.push('a coefficient is not a positive number');
  return out;
}
