import { quote } from '../../base/problem.ts';
import type { IntervalPath, IntervalStep } from './run-schema.ts';

/** Maximum depth of nested intervals. */
export const MAX_INTERVAL_DEPTH = 64;

const STEP = /^(?<name>(?:[^\\/[\]#]|\\.)+)(?:\[(?<expression>-?\d{1,15})\])?(?:#(?<execution>\d{1,15}))?$/s;

/** `solve/iteration[1]#3`; the characters `\ / [ ] #` of a name are escaped by a backslash. */
export function formatPath(path: IntervalPath): string {
  return path.map(formatStep).join('/');
}

function formatStep({ name, expression, execution }: IntervalStep): string {
  const escaped = name.replace(/[\\/[\]#]/g, '\\$&');
  return `${escaped}${expression === undefined ? '' : `[${expression}]`}${execution === undefined ? '' : `#${execution}`}`;
}

/** The path that {@link formatPath} writes, or an error message. */
export function parsePath(text: string): IntervalPath | string {
  const parts = text.match(/(?:[^\\/]|\\.)+|(?<=^|\/)(?=\/|$)/gs) ?? [];
  if (parts.length > MAX_INTERVAL_DEPTH)
    return `expected at most ${MAX_INTERVAL_DEPTH} nested intervals, got ${parts.length}`;
  const path: IntervalStep[] = [];
  for (const part of parts) {
    const { name, expression, execution } = STEP.exec(part)?.groups ?? {};
    if (name === undefined)
      return `expected an interval as name, name[expression] or name#execution, got ${quote(part)}`;
    path.push({
      name: name.replace(/\\(.)/gs, '$1'),
      ...(expression === undefined ? {} : { expression: Number(expression) }),
      ...(execution === undefined ? {} : { execution: Number(execution) }),
    });
  }
  return path.length === 0 ? 'expected an interval, got an empty path' : path;
}
