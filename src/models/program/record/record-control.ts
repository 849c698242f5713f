import { fail, shown } from '../../../base/problem.ts';
import { Site } from '../../site.ts';
import type { Methods, Recording } from './recording.ts';

/** Builder methods for control flow, variables and intervals. */
export function controlMethods(recording: Recording): Methods {
  const methods = {
    let(variable: string, value: unknown): void {
      recording.add({
        kind: 'let',
        variable: recording.variable(variable, methods.let),
        value,
        site: new Site(methods.let),
      });
    },
    when(test: unknown, then: () => unknown, otherwise: () => unknown = () => undefined): void {
      const site = new Site(methods.when);
      recording.add({
        kind: 'when',
        test: recording.function(test, 'when', site),
        holds: recording.block(then, site),
        otherwise: recording.block(otherwise, site),
        site,
      });
    },
    chance(probability: unknown, then: () => unknown, otherwise: () => unknown = () => undefined): void {
      const site = new Site(methods.chance);
      recording.add({
        kind: 'chance',
        probability,
        holds: recording.block(then, site),
        otherwise: recording.block(otherwise, site),
        site,
      });
    },
    loop(...args: readonly unknown[]): void {
      const site = new Site(methods.loop);
      const [variable, count, body] = typeof args[0] === 'string' ? args : [undefined, ...args];
      if (variable !== undefined) recording.variable(variable, methods.loop, 'number');
      recording.add({
        kind: 'loop',
        variable: variable as string | undefined,
        count,
        body: recording.block(body, site),
        site,
      });
    },
    while(test: unknown, body: () => unknown): void {
      const site = new Site(methods.while);
      recording.add({
        kind: 'while',
        test: recording.function(test, 'while', site),
        body: recording.block(body, site),
        site,
      });
    },
    repeat(probability: unknown, body: () => unknown): void {
      const site = new Site(methods.repeat);
      recording.add({ kind: 'repeat', probability, body: recording.block(body, site), site });
    },
    interval(name: string, ...args: readonly unknown[]): void {
      const site = new Site(methods.interval);
      if (typeof name !== 'string' || name === '')
        fail('MODEL012', `expected the name of an interval, got ${shown(name)}`, site.place);
      const [options, body] = args.length > 1 ? args : [{}, args[0]];
      const { kind, expression, iterations, copies, operation, phase } = recording.options(
        'interval',
        options,
        ['kind', 'expression', 'iterations', 'copies', 'operation', 'phase'],
        methods.interval,
      );
      if (kind !== undefined && kind !== 'sequential' && kind !== 'parallel')
        fail('MODEL012', `kind of interval: expected "sequential" or "parallel", got ${shown(kind)}`, site.place);
      if (operation !== undefined && (typeof operation !== 'string' || operation === ''))
        fail('MODEL012', `operation of interval: expected a name, got ${shown(operation)}`, site.place);
      if (phase !== undefined && phase !== 'start' && phase !== 'wait')
        fail('MODEL012', `phase of interval: expected "start" or "wait", got ${shown(phase)}`, site.place);
      if (phase !== undefined && operation === undefined)
        fail('MODEL012', 'phase of interval: expected an operation that it is a phase of', site.place);
      recording.add({
        kind: 'interval',
        name,
        interval: kind,
        operation,
        phase,
        expression,
        iterations,
        copies,
        body: recording.block(body, site),
        site,
      });
    },
  };
  return methods;
}
