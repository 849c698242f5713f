import { quote } from '../../../base/problem.ts';
import type { Parameters } from '../../parameters.ts';
import type { Site } from '../../site.ts';
import { type RankRule, ruleAllows } from '../allowed-ranks.ts';
import { internal, modelOf, type ProgramModel } from '../model-object.ts';
import { LinkCommunicator, RangeCommunicator, type RankRange, unionOf } from '../record/communicator.ts';
import type { Coupling, Link, ModelPart, Position } from '../record/coupling.ts';
import type { ColouredInterface, LabelKind } from '../record/labels.ts';
import type { Variables } from '../record/variables.ts';
import { type Alternatives, choicesAt, chosen, parametersOf } from './choices.ts';
import { pathOf } from './connect.ts';

/** One part of coupled models. */
export interface Part extends Alternatives<ProgramModel> {
  /** Number of ranks, or all remaining ones. */
  readonly ranks: number | 'rest';
}

/** A label of a part. */
export interface End {
  readonly part: Part;
  readonly label: string;
}

/** Labels that are connected. */
export interface Join {
  readonly kind: LabelKind;
  /** For messages: the sending and the receiving end. */
  readonly ends: readonly End[];
  readonly units: number;
}

/** Parts, and the connections between their labels. */
export interface CoupledOptions {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly joins: readonly Join[];
  /** Labels of parts that the model offers, by their new names; several are those of one join. */
  readonly exposed: ReadonlyMap<string, readonly End[]>;
  readonly rule?: RankRule | undefined;
  readonly verifyWith: Readonly<Record<string, unknown>>;
  readonly site: Site;
}

/** A model of parts on consecutive ranks. Its parameters are named `part.parameter`. */
export function coupled<P extends Parameters = Parameters>(options: CoupledOptions): ProgramModel<P> {
  const { name, parts, rule, site, exposed } = options;
  const fixed = parts.reduce((sum, { ranks }) => sum + (ranks === 'rest' ? 0 : ranks), 0);
  const hasRest = parts.some(({ ranks }) => ranks === 'rest');
  const sizeOf = ({ ranks }: Part, all: number): number => (ranks === 'rest' ? all - fixed : ranks);
  const shares = (all: number, first: number): ModelPart[] => {
    let next = first;
    return parts.map((part) => {
      const size = sizeOf(part, all);
      next += size;
      return { name: part.name, first: next - size, size };
    });
  };
  return modelOf<P, Variables, never>({
    name,
    params: parametersOf(parts, site),
    verifyWith: options.verifyWith,
    ranks: hasRest ? undefined : fixed,
    place: site.place,
    interface: exposedOf(exposed),
    choices: (param) => choicesAt(parts, param),
    refusal: (ranks, values) => {
      const not = `model ${quote(name)} does not run on ${ranks} rank${ranks === 1 ? '' : 's'}`;
      if (hasRest ? ranks - fixed < 1 : ranks !== fixed)
        return `${not}: its parts need ${hasRest ? `at least ${fixed + 1}` : fixed}`;
      const wrong = parts.find((part) => !chosen(part, values).allows(sizeOf(part, ranks)));
      if (wrong !== undefined) return `${not}: its part ${quote(wrong.name)} does not run on ${sizeOf(wrong, ranks)}`;
      return rule === undefined || ruleAllows(rule, name, ranks, values, site.place) ? undefined : not;
    },
    ranksOf: (label, ranks, values, first) => {
      const all = shares(ranks, first);
      return exposed.get(label)!.flatMap(({ part, label: inner }) => {
        const share = all[parts.indexOf(part)]!;
        return internal(chosen(part, values)).ranksOf(inner, share.size, share.first);
      });
    },
    record: (ranks, values, position) => {
      const all = shares(ranks, position.first);
      const models = new Map(parts.map((part) => [part, chosen(part, values)]));
      const coupling = couplingOf(position, all, ranks);
      const links = linksOf(options, position, coupling, ({ part, label }) => {
        const share = all[parts.indexOf(part)]!;
        return internal(models.get(part)!).ranksOf(label, share.size, share.first);
      });
      return parts.flatMap((part, k) => {
        const { first, size } = all[k]!;
        const own = `${position.prefix}${part.name}`;
        const at = { name: own, prefix: `${own}.`, first, coupling, links: links.get(part) ?? new Map() };
        return internal(models.get(part)!).recordAt(size, at);
      });
    },
  });
}

function exposedOf(exposed: CoupledOptions['exposed']): ColouredInterface {
  return Object.fromEntries([...exposed].map(([name, [end]]) => [name, end!.part.choices[0]!.interface[end!.label]!]));
}

function couplingOf({ first, coupling }: Position, parts: readonly ModelPart[], size: number): Coupling {
  const isWorld = size === coupling.total;
  const everyone = isWorld ? coupling.everyone : new RangeCommunicator(coupling.number(), first, size);
  return { ...coupling, parts, everyone, first, size };
}

/** By part: what its labels are connected with, by the joins and, for exposed labels, by an outer composition. */
function linksOf(
  { joins, exposed }: CoupledOptions,
  position: Position,
  coupling: Coupling,
  ranksOf: (end: End) => readonly RankRange[],
): Map<Part, Map<string, Link>> {
  const links = new Map<Part, Map<string, Link>>();
  const connect = ({ part, label }: End, link: Link): void => {
    const own = links.get(part) ?? new Map<string, Link>();
    links.set(part, own.set(label, link));
  };
  for (const { kind, ends, units } of joins) {
    const ranges = ends.flatMap(ranksOf);
    const { part, label } = ends[0]!;
    const link: Link =
      kind === 'resource'
        ? { kind, resource: { name: `${position.prefix}${part.name}.${label}`, units } }
        : kind === 'phase'
          ? { kind, comm: unionOf(coupling.number(), ranges, coupling.total) }
          : {
              kind: 'messages',
              comm: new LinkCommunicator(coupling.number(), [ranges[0]!, ranges[1]!]),
              ends: ends.map((end) => `${position.prefix}${pathOf(end)}`),
            };
    for (const end of ends) connect(end, link);
  }
  // An outer link takes the place of the join: it has its ranks and those of the outer modules.
  for (const [name, ends] of exposed) {
    const outer = position.links.get(name);
    if (outer !== undefined) for (const end of ends) connect(end, outer);
  }
  return links;
}
