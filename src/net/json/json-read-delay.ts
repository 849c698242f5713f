import type { Branch, Distribution, Phase } from '../distribution.ts';
import type { Expression } from '../expression.ts';
import { DISTRIBUTION_MEMBERS, kindsOf } from '../kinds.ts';
import type { Delay } from '../net.ts';
import type { JsonCursor } from './json-cursor.ts';
import { NOTHING } from './json-read-expression.ts';
import type { PartsReader } from './json-read-parts.ts';

const KINDS = kindsOf(DISTRIBUTION_MEMBERS);

/** Reads a delay: an expression, or an object that is a distribution. */
export function readDelay(parts: PartsReader): Delay {
  if (parts.cursor.kind() !== 'an object') return parts.expression();
  return parts.located(() => readDistribution(parts)) ?? NOTHING;
}

function readDistribution(parts: PartsReader): Distribution | undefined {
  const { cursor: c } = parts;
  const at = c.place();
  const e = (): Expression => parts.expressions.read();
  const m = c.members(
    {
      dist: () => c.oneOf(KINDS),
      rate: e,
      shape: e,
      scale: e,
      low: e,
      mode: e,
      high: e,
      mean: e,
      deviation: e,
      branches: () => parts.items(() => readBranch(c, e)),
      phases: () => parts.items(() => readPhase(c, e)),
      values: () => parts.items(() => readValue(c)),
      samples: () => [...parts.numbers.read().values],
    },
    ['dist'],
  );
  if (m?.dist === undefined || !c.fits(m.dist, DISTRIBUTION_MEMBERS[m.dist], m, at)) return undefined;
  const { dist } = m;
  switch (dist) {
    case 'exponential':
      return { dist, rate: m.rate! };
    case 'erlang':
      return { dist, shape: m.shape!, rate: m.rate! };
    case 'hyper-exponential':
      return { dist, branches: m.branches! };
    case 'cox':
      return { dist, phases: m.phases! };
    case 'uniform':
      return { dist, low: m.low!, high: m.high! };
    case 'triangular':
      return { dist, low: m.low!, mode: m.mode!, high: m.high! };
    case 'normal':
    case 'lognormal':
      return { dist, mean: m.mean!, deviation: m.deviation! };
    case 'weibull':
    case 'gamma':
      return { dist, shape: m.shape!, scale: m.scale! };
    case 'discrete':
      return { dist, values: m.values! };
    case 'empirical':
      return { dist, samples: m.samples! };
  }
}

function readBranch(c: JsonCursor, e: () => Expression): Branch | undefined {
  const m = c.members({ probability: e, rate: e }, ['probability', 'rate']);
  return m && { probability: m.probability ?? NOTHING, rate: m.rate ?? NOTHING };
}

function readPhase(c: JsonCursor, e: () => Expression): Phase | undefined {
  const m = c.members({ rate: e, onward: e }, ['rate', 'onward']);
  return m && { rate: m.rate ?? NOTHING, onward: m.onward ?? NOTHING };
}

function readValue(c: JsonCursor): { value: number; weight: number } | undefined {
  const m = c.members({ value: () => c.number(), weight: () => c.number() }, ['value', 'weight']);
  return m && { value: m.value ?? 0, weight: m.weight ?? 0 };
}
