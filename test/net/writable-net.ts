import * as fc from 'fast-check';
import type { Label, Net, Transition } from '../../src/net/net.ts';
import { arbitraryNet } from '../engine/random-net.ts';

const MODULES = [[], ['left'], ['right'], ['left', 'right'], ['a "b"', 'left']];

/** Random serialisable nets: without functions of the host language, and with attributes that engines ignore. */
export const writableNet: fc.Arbitrary<Net> = fc
  .tuple(
    arbitraryNet.filter((net) => net.functions === undefined),
    fc.infiniteStream(fc.nat({ max: 99 })),
  )
  .map(([net, numbers]) => adorned(net, (n) => (numbers.next().value as number) % n));

function adorned(net: Net, next: (n: number) => number): Net {
  const modules = (): { modules?: string[] } => (next(2) === 0 ? {} : { modules: MODULES[next(MODULES.length)]! });
  return {
    ...net,
    places: net.places.map((p) => ({ ...p, ...modules(), ...(next(3) === 0 ? { owner: `node ${next(3)}` } : {}) })),
    transitions: net.transitions.map((t) => ({
      ...t,
      ...modules(),
      ...(next(2) === 0 ? { label: label(t, next) } : {}),
      ...(next(3) === 0 ? { kind: (['compute', 'communicate', 'control'] as const)[next(3)]! } : {}),
    })),
  };
}

/** A label that exports some of the variables. */
function label(t: Transition, next: (n: number) => number): Label {
  const bound = t.inputs
    .filter((a) => a.kind === 'take' || a.kind === 'read')
    .flatMap((a) => Object.values(a.pattern).flatMap((e) => (e.op === 'var' ? [e.name] : [])));
  const variables = [...bound, ...(t.free ?? []).map((f) => f.name)].filter(() => next(2) === 0);
  return { name: `go ${next(2)}`, exports: Object.fromEntries(variables.map((v) => [`shared ${v}`, v])) };
}
