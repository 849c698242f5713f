import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/problem.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';

/** Missing and wrong arguments of the builder, as JavaScript allows them: each is accepted or an InputError. */

// biome-ignore lint/suspicious/noExplicitAny: passes values that the types reject
type Untyped = any;
const build = (...args: readonly unknown[]): Untyped => new (NetBuilder as Untyped)(...args);

/** The problem of a call; undefined if it is accepted. Other errors are thrown. */
function said(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

const OF_NETS: Readonly<Record<string, (b: Untyped) => unknown>> = {
  place1: (b) => b.place('a'),
  place0: (b) => b.place(),
  placeNull: (b) => b.place('a', null),
  placeStr: (b) => b.place('a', 'x'),
  placeOpt: (b) => b.place('a', {}, null),
  placeOpt5: (b) => b.place('a', {}, 5),
  unit: (b) => b.unit(),
  range: (b) => b.range(),
  range1: (b) => b.range('r'),
  rangeS: (b) => b.range('r', 'a', 'b'),
  integer: (b) => b.integer(),
  bool: (b) => b.bool(5),
  enum0: (b) => b.enumeration(),
  enum1: (b) => b.enumeration('e'),
  enumArr: (b) => b.enumeration('e', ['a']),
  enumNum: (b) => b.enumeration('e', 1),
  enumIs: (b) => b.enumeration('e', 'a').is(),
  enumIs5: (b) => b.enumeration('e', 'a').is(5),
  product0: (b) => b.product(),
  product1: (b) => b.product('p'),
  productN: (b) => b.product('p', null),
  productStr: (b) => b.product('p', 'x'),
  record0: (b) => b.record(),
  record1: (b) => b.record('r'),
  recordN: (b) => b.record('r', null),
  recordS: (b) => b.record('r', 'x'),
  recordL: (b) => b.record('r', []),
  int0: (b) => b.intTable(),
  int1: (b) => b.intTable('t'),
  intN: (b) => b.intTable('t', null),
  int5: (b) => b.intTable('t', 5),
  intArr: (b) => b.intTable('t', [1, 2]),
  intB: (b) => b.intTable('t', new Int32Array(1), null),
  intB2: (b) => b.intTable('t', new Int32Array(1), 5),
  intAt: (b) => b.intTable('t', new Int32Array(1)).at(),
  intAtN: (b) => b.intTable('t', new Int32Array(1)).at(null),
  real0: (b) => b.realTable(),
  real1: (b) => b.realTable('t'),
  realN: (b) => b.realTable('t', null),
  realArr: (b) => b.realTable('t', [1]),
  realAt: (b) => b.realTable('t', new Float64Array(1)).at('x'),
  step0: (b) => b.stepTable(),
  step1: (b) => b.stepTable('t'),
  step2: (b) => b.stepTable('t', new Float64Array(1)),
  stepL: (b) => b.stepTable('t', [0], [1]),
  stepOf: (b) => b.stepTable('t', new Float64Array(1), new Float64Array(1)).of(),
  routes0: (b) => b.routesTable(),
  routes1: (b) => b.routesTable('r'),
  routesL: (b) => b.routesTable('r', [0], [1], [1]),
  tr0: (b) => b.transition(),
  tr1: (b) => b.transition('t'),
  trN: (b) => b.transition('t', null),
  tr5: (b) => b.transition(5, () => {}),
  trObj: (b) => b.transition({}, () => {}),
  proc0: (b) => b.processes(),
  proc1: (b) => b.processes(b.range('r', 0, 1)),
  procN: (b) => b.processes(null, null),
  procObj: (b) => b.processes({ set: {} }, null),
  sym: (b) => b.place(Symbol('x'), {}),
  symT: (b) => b.transition(Symbol('x'), () => {}),
  symC: (b) => b.unit(Symbol('x')),
  placeNested: (b) => b.place('a', { x: null }),
  placeNested2: (b) => b.place('a', { x: { set: null } }),
  placeMap: (b) => b.place('a', new Map()),
  placeArr: (b) => b.place('a', [b.bool('b')]),
  initN: (b) => b.place('a', {}, { initial: null }),
  initS: (b) => b.place('a', {}, { initial: 'x' }),
  initT: (b) => b.place('a', { x: b.bool('b') }, { initial: [null] }),
  initP: (b) => b.place('a', { x: b.bool('b') }, { initial: [[null]] }),
  initE: (b) => b.place('a', { x: b.bool('b') }, { initial: [[]] }),
  orderN: (b) => b.place('a', {}, { order: null }),
  orderF: (b) => b.place('a', {}, { order: { fifo: 5 } }),
  orderFN: (b) => b.place('a', {}, { order: { fifo: null } }),
  orderP: (b) => b.place('a', {}, { order: { priority: 5 } }),
  orderPN: (b) => b.place('a', {}, { order: { priority: () => null } }),
  orderPK: (b) => b.place('a', {}, { order: { priority: () => 1, key: 5 } }),
  orderX: (b) => b.place('a', {}, { order: 5 }),
  servN: (b) => b.place('a', {}, { service: null }),
  serv5: (b) => b.place('a', {}, { service: 5 }),
  servK: (b) => b.place('a', {}, { service: { kind: 'fcfs' } }),
  servK2: (b) => b.place('a', {}, { service: { kind: 'x' } }),
  servK3: (b) => b.place('a', {}, { service: { kind: 'priority', time: { op: 'const', value: 1 } } }),
  servR: (b) => b.place('a', {}, { service: { routes: null } }),
  servR2: (b) => b.place('a', {}, { service: { routes: { name: 'x' } } }),
  servF: (b) => b.place('a', {}, { service: () => null }),
  servKN: (b) => b.place('a', {}, { service: { kind: null } }),
  servKTN: (b) => b.place('a', {}, { service: { kind: 'fcfs', servers: 1, time: null } }),
  optExtra: (b) => b.place('a', {}, { capacity: 'x' }),
  kind: (b) => b.place('a', {}, { kind: null }),
  owner: (b) => b.place('a', {}, { owner: 5 }),
  ctor: () => build(),
  ctor2: () => build('x', null),
  ctor3: () => build('x', { tableLimit: 'a' }),
};
const OF_TRANSITIONS: Readonly<Record<string, (t: Untyped, q: Untyped, s: Untyped, c: Untyped) => unknown>> = {
  take0: (t) => t.take(),
  takeN: (t) => t.take(null),
  takeS: (t) => t.take('q'),
  takeP: (t, q) => t.take(q, null),
  takeP5: (t, q) => t.take(q, 5),
  takePX: (t, q) => t.take(q, { x: null }),
  takePS: (t, q) => t.take(q, { x: {} }),
  takeC: (t, q) => t.take(q, {}, null),
  takeCS: (t, q) => t.take(q, {}, 'x'),
  takeFake: (t) => t.take({ name: 'x' }),
  read0: (t) => t.read(),
  inh0: (t) => t.inhibit(),
  inhP: (t, q) => t.inhibit(q, 5),
  reset0: (t) => t.reset(),
  resetP: (t, q) => t.reset(q, null),
  put0: (t) => t.put(),
  put1: (t, q) => t.put(q),
  put1s: (t, _q, s) => t.put(s),
  putN: (t, q) => t.put(q, null),
  putX: (t, q) => t.put(q, { x: null }),
  putC: (t, q) => t.put(q, { x: 1 }, null),
  putCo: (t, q) => t.put(q, { x: 1 }, {}),
  putU: (t, q) => t.put(q, { x: undefined }),
  free0: (t) => t.free(),
  free1: (t) => t.free('v'),
  freeN: (t) => t.free('v', null),
  freeNum: (t, _q, _s, c) => t.free(5, c),
  freeSym: (t, _q, _s, c) => t.free(Symbol('a'), c),
  freeU: (t, _q, _s, c) => t.free(undefined, c),
  guard0: (t) => t.guard(),
  guardN: (t) => t.guard(null),
  guardS: (t) => t.guard('x'),
  guardF: (t) => t.guard(() => true),
  prio0: (t) => t.priority(),
  prioN: (t) => t.priority(null),
  prioS: (t) => t.priority('x'),
  weight0: (t) => t.weight(),
  weightN: (t) => t.weight(null),
  weightO: (t) => t.weight({}),
  delay0: (t) => t.delay(),
  delayN: (t) => t.delay(null),
  delayO: (t) => t.delay({}),
  delayD: (t) => t.delay({ dist: 'exponential' }),
  delayD2: (t) => t.delay({ dist: 'x' }),
  delayDN: (t) => t.delay({ dist: null }),
  delayS: (t) => t.delay('1s'),
  delayHE: (t) => t.delay({ dist: 'hyper-exponential', branches: null }),
  delayHE2: (t) => t.delay({ dist: 'hyper-exponential', branches: [null] }),
  delayEmp: (t) => t.delay({ dist: 'empirical' }),
  race0: (t) => t.race(),
  raceN: (t) => t.race(null),
  raceE: (t) => t.race({}),
  raceD: (t) => t.race({ delay: null }),
  raceS: (t) => t.race({ delay: 1, servers: 5 }),
  label0: (t) => t.label(),
  labelN: (t) => t.label('l', null),
  labelS: (t) => t.label('l', 'x'),
  labelU: (t) => t.label('l', { x: undefined }),
  label5: (t) => t.label(5),
  labelNest: (t) => t.label('l', { x: { y: undefined } }),
  kind0: (t) => t.kind(),
  kind5: (t) => t.kind(5),
  process0: (t) => t.process(),
  processN: (t) => t.process(null),
  processS: (t) => t.process('x'),
  fn0: (t) => t.fn(),
  fn1: (t) => t.fn({}),
  fnN: (t) => t.fn(null, () => 1),
  fn5: (t) => t.fn(5, () => 1),
  fnF: (t) => t.fn({}, 5),
  fnU: (t) => t.fn({ x: undefined }, () => 1),
  fnX: (t) => t.fn({ x: 1 }, () => 1),
  fnR: (t) => t.fn({}, () => null),
  fnT: (t) =>
    t.fn({}, () => {
      throw new TypeError('own');
    }),
};

describe('no call of the builder ends in a raw error', () => {
  it.each(Object.entries(OF_NETS))('net: %s', (_, call) => {
    said(() => {
      const b = build('n');
      call(b);
      b.place('last');
      b.build();
    });
  });

  it.each(Object.entries(OF_TRANSITIONS))('transition: %s', (_, call) => {
    said(() => {
      const b = build('n');
      const c = b.range('c', 0, 3);
      const [q, s] = [b.place('q', { x: c }), b.place('s')];
      b.transition('t', (t: Untyped) => {
        call(t, q, s, c);
      });
      b.build();
    });
  });
});

it('a place without fields needs none', () => {
  const b = new NetBuilder('n');
  const a = b.place('a');
  b.transition('t', (t) => {
    t.take(a);
    t.put(a, {});
  });
  expect(b.build().places).toMatchObject([{ name: 'a', fields: [] }]);
});

it.each<[(b: Untyped) => unknown, string]>([
  [(b) => b.place(), 'NET040 net n: name of a place: expected a string, got undefined'],
  [(b) => b.place('a', null), 'NET040 place a: fields: expected an object, as in { x: X }, got null'],
  [(b) => b.record('r'), 'NET040 colour set r: parts: expected an object, as in { x: X, y: Y }, got undefined'],
  [
    (b) => b.transition('t'),
    'NET040 transition t: block: expected a function, as in t => { t.take(place); }, got undefined',
  ],
  [(b) => b.intTable('t'), 'NET040 table t: values: expected an Int32Array, got undefined'],
  [
    (b) => b.place('a', {}, { service: { kind: 'fcfs' } }),
    'NET040 place a: service: time: expected seconds, an expression or a distribution, got undefined',
  ],
  [
    (b) => b.transition('t', (t: Untyped) => t.delay({ dist: 'exponental' })),
    'NET040 transition t: delay: unknown distribution "exponental". Did you mean "exponential"? Known: ',
  ],
])('%s is refused with %s', (call, expected) => {
  const message = said(() => call(build('n')));
  expect(message?.slice(0, expected.length)).toBe(expected);
});
