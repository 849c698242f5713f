import * as fc from 'fast-check';
import type { Delay, InputArc, Label, Net, OutputArc, Place, Transition } from '../../src/net/net.ts';
import { label, net, num, place, put, range, transition, v } from './merge-nets.ts';

/** Exported variable names with their colour sets; `x` is also used for private variables. */
const SHARED: Readonly<Record<string, string>> = { u: 'Two', x: 'Two', w: 'Three' };
const COLOURS = [range('Two', 0, 1), range('Three', 0, 2)];

/**
 * Three labelled nets, decoded from a tape of numbers so that a shorter or lower tape gives smaller nets. `fuse`: the nets
 * share places. `spoil`: about one of `spoil` attributes is changed so that the nets may be incompatible (0: none).
 */
export const arbitraryNets = ({ fuse = true, spoil = 80 } = {}): fc.Arbitrary<readonly [Net, Net, Net]> =>
  fc
    .noBias(fc.array(fc.nat({ max: 9999 }), { minLength: 300, maxLength: 500 }))
    .map((tape) => decode(tape, fuse, spoil));

function decode(tape: readonly number[], fuse: boolean, most: number): readonly [Net, Net, Net] {
  let at = 0;
  const next = (n: number): number => (tape[at++] ?? 0) % n;
  const pick = <T>(...of: readonly T[]): T => of[next(of.length)]!;
  const spoil = (): boolean => most > 0 && next(most) === 1;

  const sharedPlace = (name: string, fields: Readonly<Record<string, string>>, owner: boolean): Place => {
    const values = Object.values(fields).map(() => 1);
    const capacity = pick(undefined, undefined, 2, 3);
    return place(name, fields, {
      initial: (owner && next(2) === 0) || spoil() ? [{ values, count: 1 }] : [],
      ...(capacity === undefined ? {} : { capacity }),
      ...(next(4) === 0 ? { kind: 'data' } : spoil() ? { kind: 'message' } : {}),
      ...(next(4) === 0 ? { owner: 'node' } : {}),
    });
  };

  const one = (k: number): Net => {
    const places: Place[] = [];
    if (fuse && next(2) === 0) places.push(sharedPlace('s0', { a: 'Two' }, k === 0));
    if (fuse && next(2) === 0) places.push(sharedPlace('s1', {}, k === 1));
    for (let n = 1 + next(2); n >= 0; n--) {
      const fields = pick<Record<string, string>>({}, { a: 'Two' }, { a: 'Two', b: 'Three' });
      const values = Object.values(fields).map((colour) => next(colour === 'Two' ? 2 : 3));
      places.push(place(`n${k}p${n}`, fields, { initial: [{ values, count: next(4) }] }));
    }
    const transitions = Array.from({ length: 1 + next(3) }, (_, n) => one1(`n${k}t${n}`, places));
    return net(pick('a', 'b', 'c') + k, { colours: COLOURS.slice(0, spoil() ? 1 : 2), places, transitions });
  };

  const one1 = (name: string, places: readonly Place[]): Transition => {
    const colours = new Map<string, string>();
    const inputs: InputArc[] = [];
    for (let n = 1 + next(2); n > 0; n--) {
      const from = pick(...places);
      const kind = inputs.length === 0 ? 'take' : pick('take', 'take', 'read', 'inhibit', 'reset');
      const pattern = Object.fromEntries(
        from.fields.flatMap((f) => {
          const variable = pick('x', 'y', 'z');
          const known = colours.get(variable);
          if (kind === 'take' || kind === 'read' ? known !== undefined && known !== f.colour : known !== f.colour)
            return next(2) === 0 ? [] : [[f.name, num(next(2))]];
          if (kind === 'take' || kind === 'read') colours.set(variable, f.colour);
          return [[f.name, v(variable)]];
        }),
      );
      inputs.push({ kind, place: from.name, pattern, count: kind === 'take' && next(6) === 0 ? 2 : 1 });
    }
    const free = next(5) === 0 && !colours.has('z') ? [{ name: 'z', colour: 'Two' }] : [];
    for (const f of free) colours.set(f.name, f.colour);
    const of = (colour: string): string[] => [...colours].filter(([, c]) => c === colour).map(([x]) => x);
    const value = (colour: string) => {
      const variables = of(colour);
      if (variables.length > 0 && next(3) > 0) return v(pick(...variables));
      return variables.length > 0 && next(2) === 0
        ? ({ op: 'sub', a: num(1), b: { op: 'min', a: v(variables[0]!), b: num(1) } } as const)
        : num(next(2));
    };
    const outputs: OutputArc[] = Array.from({ length: next(3) }, () => {
      const to = pick(...places);
      return put(to.name, Object.fromEntries(to.fields.map((f) => [f.name, value(f.colour)])), num(1 + next(2)));
    });
    const timed = next(3) === 0;
    const delay: Delay | undefined = !timed
      ? undefined
      : spoil()
        ? { dist: 'exponential', rate: num(1) }
        : { op: 'mul', a: value('Two'), b: num(2) };
    const exports = labelled(colours);
    return transition(spoil() ? 'same' : name, inputs, outputs, {
      ...(free.length === 0 ? {} : { free }),
      ...(next(4) === 0 ? { guard: { op: 'le', a: value('Two'), b: num(next(2)) } } : {}),
      ...(next(3) === 0 ? { priority: next(4) - 1 } : {}),
      ...(next(4) === 0 ? { weight: { op: 'add', a: value('Two'), b: num(1 + next(3)) } } : {}),
      ...(delay === undefined ? {} : { delay }),
      ...(timed && spoil() ? { timing: 'race' } : {}),
      ...(next(5) === 0 ? { kind: spoil() ? 'control' : 'communicate' } : {}),
      ...(exports === undefined ? {} : { label: exports }),
    });
  };

  const labelled = (colours: ReadonlyMap<string, string>): Label | undefined => {
    const name = pick(undefined, 'go', 'go', 'stop', 'rare');
    if (name === undefined) return undefined;
    const exports: Record<string, string> = {};
    for (const [variable, colour] of colours)
      for (const [shared, wanted] of Object.entries(SHARED))
        if (exports[shared] === undefined && (wanted === colour || spoil()) && next(2) === 0) {
          exports[shared] = variable;
          break;
        }
    return label(name, exports);
  };

  return [one(0), one(1), one(2)];
}
