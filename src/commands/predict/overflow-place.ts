import { entryAt } from '../../base/columns.ts';
import { InputError, type Place, quote } from '../../base/problem.ts';
import { OP } from '../../models/operations.ts';
import type { ProgramNet } from '../../models/program/net/program-net.ts';
import type { TraceNet } from '../subjects/read-trace.ts';
import { fromHere } from './model/model-figures.ts';

/** Problem codes of runs that end because a time or an amount is too large. */
const OVERFLOWS: readonly string[] = ['RUN004', 'RUN006'];

/**
 * Adds a place in the input to an engine error about a delay or an amount, which names only a part of the net.
 *
 * @param placeOf maps the transition or place named by the error to a place in the input
 */
export function withPlace(error: unknown, placeOf: (part: string) => Place | undefined): unknown {
  if (!(error instanceof InputError)) return error;
  return new InputError(
    error.problems.map((problem) => {
      if (!OVERFLOWS.includes(problem.code) || problem.place?.file !== undefined) return problem;
      return { ...problem, place: { ...problem.place, ...placeOf(problem.place?.part ?? '') } };
    }),
  );
}

/**
 * The trace line at which the computing and sleeping time of a rank, or the flops of its host, first exceed the range of a
 * double, in rank order; otherwise the line with the largest amount. O(actions).
 */
export function traceOverflow({ trace, operations, target, placed }: TraceNet): Place {
  const { op, more, size } = operations;
  const { hosts } = target.platform;
  const flops = new Float64Array(hosts.length);
  let largest = { amount: -1, position: trace.start[0]! };
  const placeOf = (position: number): Place => {
    const { file, line, text } = trace.locate(position);
    return { file, line, part: quote(text) };
  };
  for (let rank = 0; rank < trace.ranks; rank++) {
    const host = placed.placement[rank]!;
    let seconds = 0;
    for (let i = trace.start[rank]!; i < trace.end[rank]!; i++) {
      for (let o = entryAt(trace.code, i), last = false; !last; o++) {
        last = more[o] !== 1;
        if (op[o] !== OP.compute && op[o] !== OP.sleep) continue;
        const amount = size[o]! < 0 ? entryAt(trace.amount, i) : size[o]!;
        seconds += op[o] === OP.sleep ? amount : amount / hosts[host]!.speed;
        if (op[o] === OP.compute) flops[host]! += amount;
        if (!Number.isFinite(seconds) || !Number.isFinite(flops[host]!)) return placeOf(i);
        if (amount > largest.amount) largest = { amount, position: i };
      }
    }
  }
  return placeOf(largest.position);
}

/**
 * The model line of the statement whose transition or place an error names; otherwise that of the computation or sleep with
 * the largest constant amount, or of the first one.
 */
export function modelOverflow({ world }: ProgramNet, part = ''): Place | undefined {
  const name = part.replace(/^(transition|place) /, '');
  const named =
    world.infos.get(name)?.statement ??
    world.statements.find(({ label }) => name === label || name.startsWith(`${label} `));
  const amount = (value: unknown): number => (typeof value === 'number' ? value : 0);
  const lasting = world.statements.flatMap((info) => {
    const { statement } = info;
    if (statement.kind === 'sleep') return [{ info: info, most: amount(statement.seconds) }];
    if (statement.kind !== 'compute') return [];
    const { flops, bytes, seconds } = statement;
    return [{ info: info, most: Math.max(amount(flops), amount(bytes), amount(seconds)) }];
  });
  const largest = lasting.sort((a, b) => b.most - a.most)[0]?.info;
  const place = (named ?? largest)?.statement.site.place;
  if (place === undefined) return undefined;
  return place.file === undefined ? place : { ...place, file: fromHere(place.file) };
}
