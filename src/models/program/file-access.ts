import { constant, floor } from '../../net/terms.ts';
import type { Argument } from './argument.ts';
import type { ControlNet, Point } from './control-net.ts';
import type { Shaped } from './shape.ts';
import { RANK } from './state.ts';

/**
 * Net of a file access: the latency of the storage, then the transfer at a bandwidth shared by all ranks that access
 * files. Takes no time on a machine without storage.
 */
export function emitFileAccess(
  control: ControlNet,
  shaped: Shaped,
  label: string,
  bytes: Argument,
  at: Point,
  next: Point,
): void {
  const { machine, ports } = control.parts;
  control.fault(shaped, at, [bytes]);
  const { storage } = machine;
  if (storage === undefined) {
    control.step(label, at, next, (t, state) => {
      control.guardValid(t, [bytes], state);
      return undefined;
    });
    return;
  }
  const waits = control.point(`${label} waits`);
  control.step(label, at, waits, (t, state) => {
    control.guardValid(t, [bytes], state);
    t.delay(storage.latency);
    t.put(ports.storage(), { rank: state[RANK]!, k: constant(0), w: floor(bytes.term(t, state)) } as never);
    return undefined;
  });
  control.describe(label, { statement: shaped, during: 'overhead' });
  control.step(`${label} done`, waits, next, (t, state) => {
    t.take(ports.storage(), { rank: state[RANK]!, k: 0 } as never);
    return undefined;
  });
  control.describe(`${label} done`, { statement: shaped, before: 'overhead' });
}
