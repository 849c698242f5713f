import type { Net, Service, Table } from '../../src/net/net.ts';
import { type Case, type Draft, v } from './sound-net.ts';

const service = (n: Draft<Net>, place = 2): Draft<Service & { kind: 'max-min' }> =>
  n.places[place]!.service as Draft<Service & { kind: 'max-min' }>;
const routes = (n: Draft<Net>): Table & { kind: 'routes' } => n.tables[3] as Table & { kind: 'routes' };
/** A string that the types reject in this position. */
const word = (text: string): never => text as never;

/** Tables and functions: violations of every rule, one at a time, with the expected problems. */
export const PROBLEMS_TABLES: readonly Case[] = [
  [
    'NET007 an entry outside the bounds',
    (n) => n.tables.push({ kind: 'int', name: 't', values: Int32Array.of(1, 9, 8), low: 0, high: 7 }),
    ['NET007 table t: entry 9 is outside its bounds 0 … 7'],
  ],
  [
    'NET007 bounds that are none',
    (n) => n.tables.push({ kind: 'int', name: 't', values: Int32Array.of(1), low: Number.NaN, high: 7 }),
    ['NET007 table t: bounds: expected integers below 2^53, got NaN … 7'],
  ],
  [
    'NET007 not a number',
    (n) => n.tables.push({ kind: 'real', name: 't', values: Float64Array.of(1, Number.NaN) }),
    ['NET007 table t: an entry is not a number'],
  ],
  [
    'NET007 thresholds without values',
    (n) => n.tables.push({ kind: 'step', name: 't', from: Float64Array.of(1, 2), values: Float64Array.of(1) }),
    ['NET007 table t: has 2 thresholds and 1 values'],
  ],
  [
    'NET007 a step that is not a number',
    (n) => n.tables.push({ kind: 'step', name: 't', from: Float64Array.of(1), values: Float64Array.of(Number.NaN) }),
    ['NET007 table t: an entry is not a number'],
  ],
  [
    'NET007 thresholds that fall',
    (n) => n.tables.push({ kind: 'step', name: 't', from: Float64Array.of(1, 3, 2), values: new Float64Array(3) }),
    ['NET007 table t: threshold 2 is not in ascending order'],
  ],
  [
    'NET007 routes that do not fit',
    (n) => (routes(n).start[1] = 2),
    ['NET007 table routes: its starts, links and coefficients are inconsistent'],
  ],
  [
    'NET007 a coefficient of nothing',
    (n) => (routes(n).coefficient[0] = 0),
    ['NET007 table routes: a coefficient is not a positive number'],
  ],
  [
    'NET016 an unknown table of routes',
    (n) => (service(n).routes = 'rotes'),
    ['NET016 place wire, service: unknown table "rotes". Did you mean "routes"? Known: steps, times, factor, routes.'],
  ],
  [
    'NET016 routes in a table of another kind',
    (n) => (service(n).routes = 'steps'),
    ['NET016 place wire, service: table "steps" is of kind int: expected a table of kind routes'],
  ],
  [
    'NET016 an unknown table',
    (n) => (n.transitions[0]!.delay = { op: 'at', table: 'time', index: v('slot') }),
    ['NET016 transition move, delay: unknown table "time". Did you mean "times"? Known: steps, times, factor, routes.'],
  ],
  [
    'NET016 a table looked up in the wrong way',
    (n) => (n.transitions[0]!.delay = { op: 'step', table: 'times', index: v('slot') }),
    ['NET016 transition move, delay: table "times" is of kind real and cannot be looked up by "step"'],
  ],
  [
    'NET025 an unknown function',
    (n) => {
      n.functions = [{ name: 'wear', apply: (x) => x! }];
      n.transitions[0]!.delay = { op: 'call', function: 'waer', args: [v('slot')] };
    },
    ['NET025 transition move, delay: unknown function "waer". Did you mean "wear"? Known: wear.'],
  ],
  [
    'NET025 a function that is none',
    (n) => (n.functions = [{ name: 'f', apply: word('x => x') }]),
    ['NET025 function f: "apply" is of type string: expected a function'],
  ],
];
