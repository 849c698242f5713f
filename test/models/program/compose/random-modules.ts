import * as fc from 'fast-check';
import {
  compose,
  counter,
  type Interface,
  type Label,
  type Parameters,
  type ProgramModel,
  phase,
  range,
  receives,
  resource,
  sends,
  spmd,
} from '../../../../src/models.ts';

/** A step that one or several modules take part in. */
export type Step =
  | { readonly kind: 'compute'; readonly module: number; readonly flops: number }
  | { readonly kind: 'hold'; readonly module: number; readonly before: number; readonly flops: number }
  | { readonly kind: 'phase'; readonly modules: readonly number[] }
  | {
      readonly kind: 'message';
      readonly from: number;
      readonly to: number;
      /** Rank i of the sender sends to rank (stride · i + shift) of the receiver, modulo its size. */
      readonly stride: number;
      readonly shift: number;
      readonly bytes: number;
      readonly value: number;
    };

/** Modules with their sizes, the steps in a global order, and modules whose own steps are reversed: these may deadlock. */
export interface Spec {
  readonly sizes: readonly number[];
  readonly steps: readonly Step[];
  readonly reversed: readonly number[];
}

// biome-ignore lint/suspicious/noExplicitAny: modules are made from lists of steps
type Any = any;

export const specs = ({
  mayDeadlock,
  steps = 5,
  size = 3,
}: {
  readonly mayDeadlock: boolean;
  readonly steps?: number;
  /** Maximum number of ranks of a module. */
  readonly size?: number;
}): fc.Arbitrary<Spec> =>
  fc.array(fc.integer({ min: 1, max: size }), { minLength: 2, maxLength: 3 }).chain((sizes) => {
    const module = fc.nat(sizes.length - 1);
    const flops = fc.double({ min: 1e5, max: 1e8, noNaN: true });
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record({ kind: fc.constant('compute' as const), module, flops }),
      fc.record({ kind: fc.constant('hold' as const), module, before: flops, flops }),
      fc.record({
        kind: fc.constant('phase' as const),
        modules: fc.subarray([...sizes.keys()], { minLength: 2 }),
      }),
      fc.record({
        kind: fc.constant('message' as const),
        from: module,
        to: module,
        stride: fc.integer({ min: 1, max: 2 }),
        shift: fc.nat(2),
        bytes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200_000 })),
        value: fc.nat(2),
      }),
    );
    return fc.record({
      sizes: fc.constant(sizes),
      steps: fc.array(step, { minLength: 1, maxLength: steps }),
      reversed: mayDeadlock ? fc.subarray([...sizes.keys()]) : fc.constant([]),
    });
  });

/** The steps of a module in its own order, with their numbers. */
function ownSteps({ steps, reversed }: Spec, module: number): (readonly [number, Step])[] {
  const own = [...steps.entries()].filter(([, s]) => partsOf(s).includes(module));
  return reversed.includes(module) ? own.reverse() : own;
}

const partsOf = (s: Step): readonly number[] =>
  s.kind === 'phase' ? s.modules : s.kind === 'message' ? [s.from, s.to] : [s.module];

type Message = Extract<Step, { kind: 'message' }>;
const target = ({ stride, shift }: Message, rank: number, size: number): number => (stride * rank + shift) % size;
/** Number of messages that a rank of the receiver gets. */
const expected = (s: Message, { sizes }: Spec, rank: number): number =>
  Array.from({ length: sizes[s.from]! }, (_, i) => target(s, i, sizes[s.to]!)).filter((to) => to === rank).length;

const VARS = { k: counter(4), v: range(0, 2) };

/** A module with a label for each step that others take part in. */
export function moduleOf(spec: Spec, module: number): ProgramModel<Any, Any, Any> {
  const own = ownSteps(spec, module);
  const labels: Record<string, Label> = {};
  for (const [n, s] of own)
    if (s.kind === 'phase') labels[`p${n}`] = phase();
    else if (s.kind === 'hold') labels['unit'] = resource(1);
    else if (s.kind === 'message') {
      if (s.from === module) labels[`out${n}`] = sends('v');
      if (s.to === module) labels[`in${n}`] = receives('v');
    }
  return spmd({
    name: `m${module}`,
    vars: VARS,
    interface: labels as Interface,
    build(m: Any) {
      for (const [n, s] of own) {
        if (s.kind === 'compute') m.compute({ flops: s.flops });
        else if (s.kind === 'hold') {
          m.compute({ flops: s.before });
          m.hold('unit', () => m.compute({ flops: s.flops }));
        } else if (s.kind === 'phase') m.meet(`p${n}`);
        else {
          const partners = (label: string): number => m.partners(label);
          if (s.from === module)
            m.isend({
              label: `out${n}`,
              to: ({ rank }: Any) => target(s, rank, s.to === module ? m.size : partners(`out${n}`)),
              bytes: s.bytes,
              carry: { v: s.value },
            });
          if (s.to === module)
            m.loop(
              'k',
              ({ rank }: Any) => expected(s, spec, rank),
              () => m.recv({ label: `in${n}`, into: { carry: ['v'] } }),
            );
        }
      }
    },
  });
}

/** Connections of the modules `which`; labels that others use, too, are offered under their own names. */
export function composed(
  spec: Spec,
  which: readonly number[],
  models: readonly ProgramModel<Any, Any, Any>[] = which.map((k) => moduleOf(spec, k)),
  name?: string,
): ProgramModel<Parameters> {
  const paths = models.flatMap((model) =>
    Object.keys(model.interface).map((label) => [label, `${model.name}.${label}`]),
  );
  const groups = new Map<string, { users: Set<number>; paths: string[]; label: string }>();
  for (const [n, s] of spec.steps.entries()) {
    const group = s.kind === 'hold' ? 'unit' : `${n}`;
    const users = new Set(
      spec.steps.flatMap((x) => (x === s || (s.kind === 'hold' && x.kind === 'hold') ? partsOf(x) : [])),
    );
    const names = s.kind === 'hold' ? ['unit'] : [`p${n}`, `out${n}`, `in${n}`];
    const found = paths.filter(([label]) => names.includes(label!));
    if (found.length > 0) groups.set(group, { users, paths: found.map(([, path]) => path!), label: found[0]![0]! });
  }
  const synchronise: string[][] = [];
  const expose: Record<string, string> = {};
  for (const { users, paths: ends, label } of groups.values()) {
    if (ends.length > 1) synchronise.push(ends);
    // A resource of one module stays open.
    if ([...users].some((k) => !which.includes(k)) || (ends.length === 1 && label === 'unit')) expose[label] = ends[0]!;
  }
  return compose(
    models.map((model) => ({ model, ranks: model.ranks ?? spec.sizes[which[models.indexOf(model)]!]! })),
    { synchronise, expose, ...(name === undefined ? {} : { name }) },
  );
}

/** The same program written as one model: absolute ranks, a tag for each message, groups made by `split`. */
export function whole(spec: Spec): ProgramModel<Any, Any, Any> {
  const { sizes } = spec;
  const first = sizes.map((_, k) => sizes.slice(0, k).reduce((a, b) => a + b, 0));
  const moduleAt = (rank: number): number => first.findLastIndex((f) => f <= rank);
  return spmd({
    name: 'whole',
    vars: VARS,
    interface: { unit: resource(1) },
    build(m: Any) {
      const groups = spec.steps.map((s) =>
        s.kind === 'phase'
          ? m.split({ color: ({ rank }: Any) => (s.modules.includes(moduleAt(rank)) ? 0 : null) })
          : undefined,
      );
      for (const module of sizes.keys()) {
        const base = first[module]!;
        m.when(
          ({ rank }: Any) => moduleAt(rank) === module,
          () => {
            for (const [n, s] of ownSteps(spec, module)) {
              if (s.kind === 'compute') m.compute({ flops: s.flops });
              else if (s.kind === 'hold') {
                m.compute({ flops: s.before });
                m.hold('unit', () => m.compute({ flops: s.flops }));
              } else if (s.kind === 'phase') m.barrier({ comm: groups[n] });
              else {
                if (s.from === module)
                  m.isend({
                    to: ({ rank }: Any) => first[s.to]! + target(s, rank - base, sizes[s.to]!),
                    tag: n,
                    bytes: s.bytes,
                    carry: { v: s.value },
                  });
                if (s.to === module) {
                  const single = sizes[s.from] === 1 ? { from: first[s.from]! } : { from: ANY_SOURCE };
                  m.loop(
                    'k',
                    ({ rank }: Any) => (moduleAt(rank) === module ? expected(s, spec, rank - base) : 0),
                    () => m.recv({ ...single, tag: n, into: { carry: ['v'] } }),
                  );
                }
              }
            }
          },
        );
      }
    },
  });
}

const ANY_SOURCE = Symbol.for('foretoken.any');
