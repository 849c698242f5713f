import * as fc from 'fast-check';
import type { InputArc, Net, Place, Transition } from '../../../../src/net/net.ts';
import { assertValid } from '../../../../src/net/validation/validate.ts';
import { inhibit, num, read, take, x } from '../../../reference/nets.ts';

const PLACES = 5;
/** Sums of these are exact in doubles. */
const DELAYS = [undefined, 0, 1, 2, 3, 0.5, 5];

const index = fc.nat({ max: PLACES - 1 });
const small = fc.nat({ max: 11 });
const transitionNumbers = fc.record({
  from: fc.tuple(index, small),
  more: fc.option(fc.tuple(index, small)),
  to: fc.array(index, { minLength: 1, maxLength: 2 }),
  delay: small,
  priority: small,
  constant: small,
});
const placeNumbers = fc.record({ red: fc.nat({ max: 2 }), blue: fc.nat({ max: 1 }), form: small });

/**
 * Loop-free nets with constant delays: every transition brings its tokens to later places than those from which it takes. With
 * two colours, queues, services, capacities, read and inhibitor arcs, and priorities.
 */
export const randomTimedNet: fc.Arbitrary<Net> = fc
  .record({
    places: fc.array(placeNumbers, { minLength: PLACES, maxLength: PLACES }),
    transitions: fc.array(transitionNumbers, { minLength: 3, maxLength: 6 }),
  })
  .map(({ places, transitions }) => {
    const net: Net = {
      name: 'random',
      colours: [{ kind: 'range', name: 'Colour', low: 0, high: 1 }],
      tables: [],
      places: places.map(({ red, blue, form }, k): Place => {
        const time = { op: 'add', a: num(1), b: x('c') } as const;
        return {
          name: `p${k}`,
          fields: [{ name: 'c', colour: 'Colour' }],
          order: form === 1 ? 'fifo' : 'bag',
          key: [],
          initial: [
            { values: [0], count: k < 3 ? red : 0 },
            { values: [1], count: k < 3 ? blue : 0 },
          ],
          ...(form === 2 ? { service: { kind: 'is', time } } : {}),
          ...(form === 3 ? { service: { kind: 'fcfs', servers: 1, time } } : {}),
          ...(form === 4 ? { capacity: 3 } : {}),
        };
      }),
      transitions: transitions.map(({ from, more, to, delay, priority, constant }, k): Transition => {
        const first = Math.min(from[0], PLACES - 2);
        const pattern = constant === 0 ? { c: num(from[1] % 2) } : { c: x('c') };
        const inputs: InputArc[] = [take(`p${first}`, pattern)];
        let last = first;
        if (more !== null) {
          const [place, kind] = more;
          if (kind < 2) inputs.push(inhibit(`p${place}`, { c: num(kind) }));
          else if (kind < 4) inputs.push(read(`p${place}`, { c: x('d') }));
          else {
            last = Math.max(first, Math.min(place, PLACES - 2));
            inputs.push(take(`p${Math.min(place, PLACES - 2)}`, { c: x('d') }));
          }
        }
        const colour = constant === 0 ? num(0) : x('c');
        const outputs = [...new Set(to.map((t) => Math.max(last + 1, t)))];
        const seconds = DELAYS[delay % DELAYS.length];
        return {
          name: `t${k}`,
          inputs,
          outputs: outputs.map((p) => ({ place: `p${p}`, values: { c: colour }, count: num(1) })),
          ...(priority < 2 ? { priority } : {}),
          ...(seconds === undefined ? {} : { delay: num(seconds) }),
        };
      }),
    };
    assertValid(net);
    return net;
  });
