import { expressionText } from '../expression.ts';
import type { Place } from '../net.ts';
import { sameData } from './merge-data.ts';
import { byName, disagreement, type Findings, type Part, united } from './merge-part.ts';

/** The places of all nets; those of the same name fuse. O(places and their initial tokens). */
export function mergePlaces(parts: readonly Part<Place>[], findings: Findings): Place[] {
  return [...byName(parts).values()].map((group) => (group.length === 1 ? group[0]!.item : fused(group, findings)));
}

/** Properties that must agree. An undefined kind or owner agrees with any. */
const AGREED: readonly {
  readonly what: string;
  readonly of: (p: Place) => unknown;
  readonly text: (p: Place) => string;
}[] = [
  {
    what: 'fields',
    of: (p) => p.fields,
    text: (p) => `(${p.fields.map((f) => `${f.name}: ${f.colour}`).join(', ')})`,
  },
  { what: 'order', of: (p) => p.order, text: (p) => p.order },
  { what: 'key', of: (p) => p.key, text: (p) => `(${p.key.join(', ')})` },
  {
    what: 'priority',
    of: (p) => p.priority ?? 'none',
    text: (p) => (p.priority === undefined ? 'none' : expressionText(p.priority)),
  },
  { what: 'service', of: (p) => p.service ?? 'none', text: (p) => p.service?.kind ?? 'none' },
  { what: 'kind', of: (p) => p.kind, text: (p) => `${p.kind}` },
  { what: 'owner', of: (p) => p.owner, text: (p) => `${p.owner}` },
];

/** Fuses places of one name. At most one may have initial tokens; the smallest capacity is used. */
function fused(group: readonly Part<Place>[], findings: Findings): Place {
  const part = `place ${group[0]!.item.name}`;
  for (const { what, of, text } of AGREED) {
    const found = disagreement(group, of, sameData);
    if (found === undefined) continue;
    const [a, b] = found.parts;
    const other = text(a.item) === text(b.item) ? 'another ' : '';
    const values = `${text(a.item)} in ${a.home} and ${other}${text(b.item)} in ${b.home}`;
    findings.report('NET064', part, `${what} ${values}: places of the same name are fused and must agree`);
  }
  const marked = group.filter((g) => g.item.initial.some((tokens) => tokens.count > 0));
  if (marked.length > 1) {
    const where = `in ${marked[0]!.home} and in ${marked[1]!.home}`;
    findings.report('NET065', part, `has initial tokens ${where}: only one module may give initial tokens`);
  }
  const kind = group.find((g) => g.item.kind !== undefined)?.item.kind;
  const owner = group.find((g) => g.item.owner !== undefined)?.item.owner;
  const capacities = group.flatMap((g) => g.item.capacity ?? []);
  for (const one of marked) reportOverfull(one, group, part, findings);
  const modules = united(...group.map((g) => g.item.modules ?? []));
  return {
    ...(marked[0] ?? group[0]!).item,
    ...(kind === undefined ? {} : { kind }),
    ...(owner === undefined ? {} : { owner }),
    ...(capacities.length === 0 ? {} : { capacity: Math.min(...capacities) }),
    ...(modules.length === 0 ? {} : { modules }),
  };
}

/** Reports initial tokens within the capacity in their net but above that of another net. */
function reportOverfull(one: Part<Place>, group: readonly Part<Place>[], part: string, findings: Findings): void {
  const tokens = one.item.initial.reduce((sum, t) => sum + t.count, 0);
  if (tokens > (one.item.capacity ?? Number.POSITIVE_INFINITY)) return;
  for (const { item, home } of group)
    if (item.capacity !== undefined && tokens > item.capacity)
      findings.report(
        'NET079',
        part,
        `has ${tokens} initial tokens in ${one.home} and a capacity of ${item.capacity} in ${home}: the smallest capacity applies`,
      );
}
