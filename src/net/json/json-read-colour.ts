import { COLOUR_MEMBERS, kindsOf } from '../kinds.ts';
import type { ColourSet } from '../net.ts';
import type { PartsReader } from './json-read-parts.ts';

const KINDS = kindsOf(COLOUR_MEMBERS);

/** Reads a colour set. */
export function readColour(parts: PartsReader): ColourSet | undefined {
  const { cursor: c } = parts;
  const at = c.place();
  const m = c.members(
    {
      name: () => c.string(),
      kind: () => c.oneOf(KINDS),
      low: () => c.integer(),
      high: () => c.integer(),
      values: () => parts.strings(),
      parts: () => parts.strings(),
      fields: () => parts.fields(),
    },
    ['name', 'kind'],
  );
  if (m?.kind === undefined || !c.fits(m.kind, COLOUR_MEMBERS[m.kind], m, at)) return undefined;
  const { kind, name = '' } = m;
  switch (kind) {
    case 'range':
      return { kind, name, low: m.low ?? 0, high: m.high ?? 0 };
    case 'enum':
      return { kind, name, values: m.values! };
    case 'product':
      return { kind, name, parts: m.parts! };
    case 'record':
      return { kind, name, fields: m.fields! };
    default:
      return { kind, name };
  }
}
