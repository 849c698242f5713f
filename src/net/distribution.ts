import { didYouMean } from '../base/problem.ts';
import type { Parameter } from './distributions/form.ts';
import { type Distribution, formOf, LAWS } from './distributions/laws.ts';
import type { Expression } from './expression.ts';
import { shown } from './term.ts';

export type { Distribution } from './distributions/laws.ts';

/** True if the delay is drawn from a distribution. */
export function isDistribution(delay: Expression | Distribution): delay is Distribution {
  return 'dist' in delay;
}

/** The fault of a value that is neither an expression nor a distribution with the members of its form; untyped callers pass such. */
export function delayFault(delay: unknown): string | undefined {
  if (typeof delay !== 'object' || delay === null)
    return `expected seconds, an expression or a distribution, got ${shown(delay)}`;
  if (!('dist' in delay)) return undefined;
  const { dist } = delay;
  if (typeof dist !== 'string' || !Object.hasOwn(LAWS, dist))
    return `unknown distribution ${shown(dist)}.${didYouMean(String(dist), Object.keys(LAWS))}`;
  for (const [name, form] of Object.entries(formOf(delay as Distribution))) {
    const value = (delay as Readonly<Record<string, unknown>>)[name];
    const isList = form.kind !== 'parameter';
    if (isList && !Array.isArray(value)) return `${dist}: ${name}: expected a list, got ${shown(value)}`;
    const parts = form.kind === 'parts' ? (value as readonly unknown[]) : [];
    for (const part of parts)
      if (typeof part !== 'object' || part === null)
        return `${dist}: ${name}: expected an object for each ${form.kind === 'parts' ? form.one : ''}, got ${shown(part)}`;
  }
  return undefined;
}

/** The expressions of a distribution's parameters, in order. */
export function parametersOf(d: Distribution): Expression[] {
  const found: Expression[] = [];
  withParameters(d, (value, { known }) => {
    if (!known) found.push(value as Expression);
    return value;
  });
  return found;
}

/** The distribution with every parameter replaced: an expression, or a number that is known. Samples are scaled as times. */
export function withParameters<D extends Distribution>(
  d: D,
  change: (value: Expression | number, parameter: Parameter) => Expression | number,
  sample?: (seconds: number) => number,
): D {
  const given = d as unknown as Readonly<Record<string, unknown>>;
  type Part = Readonly<Record<string, Expression | number>>;
  const members = Object.entries(formOf(d)).map(([name, form]) => {
    const value = given[name];
    if (form.kind === 'samples') {
      const all = value as readonly number[];
      return [name, sample === undefined ? all : all.map(sample)];
    }
    if (form.kind === 'parameter') return [name, change(value as Expression | number, form)];
    const inside = (part: Part): Part =>
      Object.fromEntries(Object.entries(form.members).map(([own, p]) => [own, change(part[own]!, p)]));
    return [name, (value as readonly Part[]).map(inside)];
  });
  return { dist: d.dist, ...Object.fromEntries(members) } as D;
}
