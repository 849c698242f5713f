import type { PropertyResult } from '../../../src/commands/verify/net/verification.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';

/** Transitions by name: the places they take from and put into, one letter each. `i` is the source. */
export type Arcs = Readonly<Record<string, readonly [into: string, outOf: string]>>;

export function workflow(places: string, arcs: Arcs, delay?: number): Net {
  const n = new NetBuilder('workflow');
  const all = new Map([...places].map((p) => [p, n.place(p, {}, { initial: p === 'i' ? 1 : 0 })]));
  for (const [name, [into, outOf]] of Object.entries(arcs))
    n.transition(name, (t) => {
      for (const p of into) t.take(all.get(p)!);
      for (const p of outOf) t.put(all.get(p)!, {});
      if (delay !== undefined) t.delay(delay);
    });
  return n.build();
}

export const sound = (net: Net): PropertyResult => verify(net, ['sound']).properties[0]!;
