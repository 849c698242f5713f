import type { NumberFields } from '../../../net/builder/builder-types.ts';
import type { Net } from '../../../net/net.ts';
import { add, constant, eq, floor, lt, not, sub, type Term } from '../../../net/terms.ts';
import type { Block, Statement } from '../record/statement.ts';
import { type Argument, INVALID } from '../resolve/argument.ts';
import type { Shaped } from '../resolve/shape.ts';
import { RANK } from '../resolve/state.ts';
import { emitCommunication } from './communication.ts';
import { assertWhole, emitComputation } from './computation.ts';
import type { ControlNet, Point } from './control-net.ts';
import { emitThreadRegion } from './emit-threads.ts';
import { emitResource } from './resources.ts';

/** The net of a whole program's control flow: a place before every statement, and transitions for the statements. */
export function controlFlow(control: ControlNet): Net {
  const { net, ports, shape, prefix } = control.parts;
  const start = control.start();
  const end = control.point('end');
  control.step('begin', start, block(control, shape.program.body, end));
  net.transition(`${prefix}end`, (t) => {
    const s = control.take(t, end);
    t.process(s[RANK]!);
    t.put(ports.ended(), { rank: s[RANK]! });
  });
  control.describe('end', { statement: undefined, last: true });
  net.processes(ports.Rank, ports.ended());
  return net.build();
}

/** Adds a block that ends at `exit`; returns its first place. */
function block(control: ControlNet, { statements }: Block, exit: Point): Point {
  let next = exit;
  for (const s of [...statements].reverse()) next = statement(control, s, next);
  return next;
}

/** A step guarded by a test: taken if it holds (1) or if it does not (0). */
function onTest(control: ControlNet, name: string, at: Point, to: Point, test: Argument, value: 0 | 1): void {
  control.step(name, at, to, (t, state) => {
    t.guard(eq(test.term(t, state), value));
    return undefined;
  });
}

/** Adds the net of a statement; returns the place before it. */
function statement(control: ControlNet, s: Statement, next: Point): Point {
  const shaped = control.parts.shape.of.get(s)!;
  const label = shaped.label.slice(control.parts.prefix.length);
  if (s.kind === 'interval') return block(control, s.body, next);
  const at = control.point(`at ${label}`);
  const own = control.parts.arguments.get(s)!;
  const around = control.within(shaped);
  switch (s.kind) {
    case 'let':
      control.step(label, at, next, (t, state) => {
        const value = own['value']!.term(t, state);
        control.guardValid(t, [own['value']!], state);
        return { [s.variable]: value };
      });
      control.fault(shaped, at, [own['value']!]);
      break;
    case 'when': {
      const test = shaped.test!;
      onTest(control, `${label} then`, at, block(control, s.holds, next), test, 1);
      onTest(control, `${label} else`, at, block(control, s.otherwise, next), test, 0);
      control.fault(shaped, at, [test]);
      break;
    }
    case 'chance':
      draw(
        control,
        shaped,
        label,
        own['probability']!,
        at,
        block(control, s.holds, next),
        block(control, s.otherwise, next),
      );
      break;
    case 'while': {
      const test = shaped.test!;
      onTest(control, `${label} turn`, at, block(control, s.body, at), test, 1);
      onTest(control, `${label} done`, at, next, test, 0);
      control.fault(shaped, at, [test]);
      break;
    }
    case 'repeat': {
      const iteration = control.point(`${label} turn`);
      const body = block(control, s.body, iteration);
      control.step(label, at, body);
      draw(control, shaped, label, own['probability']!, iteration, body, next);
      break;
    }
    case 'loop':
      loop(control, shaped, label, at, next);
      break;
    case 'file':
      emitFileAccess(control, shaped, label, own['bytes']!, at, next);
      break;
    case 'acquire':
    case 'release':
      emitResource(control, shaped, label, s, at, next);
      break;
    case 'threads':
      emitThreadRegion(control, shaped, label, s.region, at, next);
      break;
    case 'compute':
    case 'sleep':
      emitComputation(control, shaped, label, own, at, next);
      break;
    default:
      emitCommunication(control, shaped, label, own, at, next);
  }
  control.within(around);
  return at;
}

/**
 * A random choice between two steps, the first with a probability. Choices have a higher priority than the statements,
 * so that their weights do not compete with other steps.
 */
function draw(
  control: ControlNet,
  shaped: Shaped,
  label: string,
  p: Argument,
  at: Point,
  first: Point,
  second: Point,
): void {
  if (p.constant === 0 || p.constant === 1) {
    control.step(`${label} ${p.constant === 1 ? 'yes' : 'no'}`, at, p.constant === 1 ? first : second);
    return;
  }
  const outcome = (name: string, to: Point, weight: (p: Term<number>) => Term<number>): void =>
    control.step(`${label} ${name}`, at, to, (t, state) => {
      const w = weight(p.term(t, state));
      control.guardValid(t, [p], state);
      if (p.constant === undefined) t.guard(lt(0, w));
      t.priority(1);
      t.weight(w);
      return undefined;
    });
  outcome('yes', first, (w) => w);
  outcome('no', second, (w) => sub(1, w));
  control.fault(shaped, at, [p]);
}

function loop(control: ControlNet, shaped: Shaped, label: string, at: Point, next: Point): void {
  const s = shaped.statement as Extract<Statement, { kind: 'loop' }>;
  const count = shaped.test!;
  const variable = s.variable;
  const always = count.constant !== undefined && count.constant > 0;
  const iteration = control.point(`${label} turn`);
  if (variable === undefined) {
    plainLoop(control, shaped, label, at, next, iteration);
    return;
  }
  const body = block(control, s.body, iteration);
  control.step(label, at, body, (t, state) => {
    if (!always) t.guard(lt(0, count.term(t, state)));
    return { [variable]: constant(0) };
  });
  if (!always)
    control.step(`${label} none`, at, next, (t, state) => {
      t.guard(eq(count.term(t, state), 0));
      return { [variable]: constant(0) };
    });
  control.fault(shaped, at, [count]);
  control.step(`${label} again`, iteration, body, (t, state) => {
    t.guard(lt(add(state[variable]!, 1), count.term(t, state)));
    return { [variable]: add(state[variable]!, 1) };
  });
  control.step(`${label} done`, iteration, next, (t, state) => {
    const iterations = count.term(t, state);
    t.guard(not(lt(add(state[variable]!, 1), iterations)));
    if (count.mayFail) t.guard(not(eq(iterations, INVALID)));
    return { [variable]: add(state[variable]!, 1) };
  });
  if (count.reads.some((name) => name !== RANK)) control.fault(shaped, iteration, [count], ' again');
}

/** A loop without a variable: iterations are counted in a separate place. */
function plainLoop(control: ControlNet, shaped: Shaped, label: string, at: Point, next: Point, iteration: Point): void {
  const s = shaped.statement as Extract<Statement, { kind: 'loop' }>;
  const { net, ports, prefix } = control.parts;
  const iterations = shaped.test!.constant!;
  const body = block(control, s.body, iteration);
  const Iteration = net.range(`${prefix}${label}.turn`, 0, Math.max(0, iterations));
  const counted = net.place(`${prefix}${label} count`, { rank: ports.Rank, n: Iteration } as NumberFields, {
    kind: 'data',
  });
  if (iterations === 0) {
    control.step(label, at, next);
    return;
  }
  control.step(label, at, body, (t, state) => {
    t.put(counted, { rank: state[RANK]!, n: 1 });
    return undefined;
  });
  control.step(`${label} again`, iteration, body, (t, state) => {
    const { n } = t.take(counted, { rank: state[RANK]! }) as { n: Term<number> };
    t.guard(lt(n, iterations));
    t.put(counted, { rank: state[RANK]!, n: add(n, 1) });
    return undefined;
  });
  control.step(`${label} done`, iteration, next, (t, state) => {
    t.take(counted, { rank: state[RANK]!, n: iterations });
    return undefined;
  });
}

/**
 * Net of a file access: the latency of the storage, then the transfer at a bandwidth shared by all ranks that access
 * files. Takes no time on a machine without storage.
 */
function emitFileAccess(
  control: ControlNet,
  shaped: Shaped,
  label: string,
  bytes: Argument,
  at: Point,
  next: Point,
): void {
  const { machine, ports } = control.parts;
  control.fault(shaped, at, [bytes]);
  const { storage, separate } = machine;
  if (separate === true) assertWhole(shaped, 'bytes', bytes);
  if (storage === undefined && separate !== true) {
    control.step(label, at, next, (t, state) => {
      control.guardValid(t, [bytes], state);
      return undefined;
    });
    return;
  }
  const waits = control.point(`${label} waits`);
  control.step(label, at, waits, (t, state) => {
    control.guardValid(t, [bytes], state);
    if (separate !== true) t.delay(storage!.latency);
    t.put(ports.storage().asked, { rank: state[RANK]!, k: constant(0), w: floor(bytes.term(t, state)) });
    return undefined;
  });
  control.describe(label, { statement: shaped, during: 'overhead' });
  control.step(`${label} done`, waits, next, (t, state) => {
    t.take(ports.storage().served, { rank: state[RANK]!, k: 0 });
    return undefined;
  });
  control.describe(`${label} done`, { statement: shaped, before: 'overhead' });
}
