import type { Distribution } from '../distribution.ts';
import type { Form, Parameter } from '../distributions/form.ts';
import { LAWS } from '../distributions/laws.ts';
import { DISTRIBUTION_MEMBERS, kindsOf } from '../kinds.ts';
import type { Delay } from '../net.ts';
import { NOTHING } from './json-read-expression.ts';
import type { PartsReader } from './json-read-parts.ts';

const KINDS = kindsOf(DISTRIBUTION_MEMBERS);
/** The members of all distributions: which of them belong together is known after `dist`, which may come last. */
const MEMBERS: Form = Object.assign({}, ...Object.values(LAWS).map(({ form }) => form));

/** Reads a delay: an expression, or an object that is a distribution. */
export function readDelay(parts: PartsReader): Delay {
  if (parts.cursor.kind() !== 'an object') return parts.expression();
  return parts.located(() => readDistribution(parts)) ?? NOTHING;
}

function readDistribution(parts: PartsReader): Distribution | undefined {
  const { cursor: c } = parts;
  const at = c.place();
  const readers: Record<string, () => unknown> = Object.fromEntries(
    Object.entries(MEMBERS).map(([name, form]) => [name, readerOf(parts, form)]),
  );
  const m = c.members({ dist: () => c.oneOf(KINDS), ...readers } as { dist: () => Distribution['dist'] }, ['dist']);
  if (m?.dist === undefined || !c.fits(m.dist, DISTRIBUTION_MEMBERS[m.dist], m, at)) return undefined;
  const read: Readonly<Record<string, unknown>> = m;
  const own = DISTRIBUTION_MEMBERS[m.dist].map((name) => [name, read[name]]);
  return { dist: m.dist, ...Object.fromEntries(own) } as Distribution;
}

function readerOf(parts: PartsReader, form: Form[string]): () => unknown {
  if (form.kind === 'samples') return () => [...parts.numbers.read().values];
  if (form.kind === 'parameter') return () => readParameter(parts, form);
  const names = Object.keys(form.members);
  const readers = Object.fromEntries(names.map((name) => [name, () => readParameter(parts, form.members[name]!)]));
  return () =>
    parts.items(() => {
      const m = parts.cursor.members(readers, names);
      return m && Object.fromEntries(names.map((name) => [name, m[name] ?? (form.members[name]!.known ? 0 : NOTHING)]));
    });
}

const readParameter = ({ cursor, expressions }: PartsReader, { known }: Parameter): unknown =>
  known ? cursor.number() : expressions.read();
