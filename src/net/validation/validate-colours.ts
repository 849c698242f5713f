import type { Code } from '../../base/codes.ts';
import type { ColourSet } from '../net.ts';
import { COLOUR, kindsOf } from '../net-form.ts';
import type { ColourFault } from './column-index.ts';
import type { Context } from './validate-context.ts';

const KINDS = kindsOf(COLOUR);

/** Checks colour sets: values, parts, field names. Values are never enumerated, so a range of 10⁹ values is cheap. */
export function validateColours(ctx: Context): void {
  for (const c of ctx.net.colours) {
    ctx.look(c);
    colourSet(ctx, c);
  }
  for (const f of ctx.columnIndex.faults) {
    ctx.look(f.set);
    ctx.report(...described(ctx, f));
  }
}

function colourSet(ctx: Context, c: ColourSet): void {
  const part = `colour set ${c.name}`;
  if (!ctx.known(part, 'kind', c.kind, KINDS)) return;
  if (c.kind === 'range') {
    if (!Number.isSafeInteger(c.low) || !Number.isSafeInteger(c.high))
      ctx.report('NET006', part, `bounds: expected integers below 2^53, got ${c.low} … ${c.high}`);
    else if (c.low > c.high) ctx.report('NET006', part, `is empty: ${c.low} … ${c.high}, expected low <= high`);
  }
  if (c.kind === 'enum') {
    if (c.values.length === 0) ctx.report('NET006', part, 'has no values: expected at least one');
    const twice = firstTwice(c.values);
    if (twice !== undefined) ctx.report('NET006', part, `duplicate value "${twice}"`);
  }
  if (c.kind !== 'record') return;
  const names = c.fields.map((f) => f.name);
  const twice = firstTwice(names);
  if (twice !== undefined) ctx.report('NET002', part, `duplicate field "${twice}"`);
  for (const name of names) {
    if (name === '') ctx.report('NET001', part, 'the name of a field must not be empty');
    ctx.notReserved(part, 'field', name);
    if (name.includes('.'))
      ctx.report('NET010', part, `field "${name}": expected a name without ".", the separator in column paths`);
  }
}

function described(ctx: Context, f: ColourFault): [code: Code, part: string, message: string] {
  const part = `colour set ${f.set.name}`;
  switch (f.fault) {
    case 'unknown part':
      return ['NET011', part, `unknown colour set "${f.part}".${ctx.nearIn(f.part, ctx.colours)}`];
    case 'cycle':
      return ['NET009', part, `contains itself: ${f.chain.join(' → ')}`];
    case 'size':
      return ['NET009', part, f.message];
  }
}

/** The first duplicate name. */
export function firstTwice(names: readonly string[]): string | undefined {
  if (names.length < 2) return undefined;
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}
