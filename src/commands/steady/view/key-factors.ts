import { ranges } from '../../../base/listing.ts';
import { heading } from '../../../report/heading.ts';
import type { Style } from '../../../report/style.ts';
import { table } from '../../../report/table.ts';
import { counted } from '../../../report/units.ts';
import type { Interval } from '../../exact/exact-parts.ts';
import { figureColumns, processWord, rest } from '../../exact/figure-text.ts';
import { QUEUES } from '../../predict/model/model-figures.ts';
import type { SteadyDocument } from '../steady-result.ts';

/** Maximum number of fragments, of nodes and of queues listed. */
const MAX_ROWS = 20;

/** A line of the table of key factors. */
interface Factor {
  readonly part: string;
  readonly name: string;
  readonly value: number;
  readonly interval: Interval;
}

/** The key factors of the method: those of the application, of each node, of its resources, and of the network. */
export function keyFactors(document: SteadyDocument, style: Style): string[] {
  const all = [...ofApplication(document), ...ofNodes(document), ...ofNetwork(document)];
  if (all.length === 0) return [];
  return [
    heading('Key factors', '', style),
    ...table(
      [
        { head: 'of', cells: all.map(({ part }) => part) },
        { head: 'factor', cells: all.map(({ name }) => name) },
        ...figureColumns(
          'value',
          all.map((f) => [f.value, f.interval]),
          document,
          style,
        ),
      ],
      style,
    ),
  ];
}

function ofApplication({ runTime, parallelism, balance, options }: SteadyDocument): Factor[] {
  const part = options.model === undefined ? 'net' : 'application';
  return [
    ...(runTime === undefined ? [] : [{ part, name: 'run time, s', value: runTime.mean, interval: runTime }]),
    ...(parallelism === undefined
      ? []
      : [{ part, name: 'degree of parallelism', value: parallelism.mean, interval: parallelism }]),
    ...(balance === undefined ? [] : [{ part, name: 'balance of nodes', value: balance.value, interval: balance }]),
  ];
}

function ofNodes({ nodes = [], resources = [], options }: SteadyDocument): Factor[] {
  const loads = nodes.slice(0, MAX_ROWS).map((node) => ({
    part: `node ${node.name}`,
    name: `load, of ${counted(node.ranks, processWord(options))}`,
    value: node.load,
    interval: node,
  }));
  const used = resources.slice(0, MAX_ROWS).map((resource) => ({
    part: resource.kind === 'host' ? `node ${resource.name}` : `${resource.kind} ${resource.name}`,
    name: `utilisation, of ${resource.capacity}`,
    value: resource.utilisation,
    interval: resource,
  }));
  return [...loads, ...used];
}

/** Queues of a program that are not those of a node. */
function ofNetwork({ places, options }: SteadyDocument): Factor[] {
  if (options.model === undefined) return [];
  return places.flatMap((place) => {
    const name = Object.hasOwn(QUEUES, place.name) ? QUEUES[place.name] : undefined;
    return name === undefined ? [] : [{ part: 'network', name, value: place.mean, interval: place }];
  });
}

/** The sets of processes that are active together. */
export function fragments(document: SteadyDocument, style: Style): string[] {
  const { fragments: all = [] } = document;
  if (all.length === 0) return [];
  const shown = all.slice(0, MAX_ROWS);
  return [
    heading('Fragments', ': processes that are active together', style),
    ...table(
      [
        { head: 'processes', cells: shown.map(({ processes }) => ranges(processes) || 'none') },
        ...figureColumns(
          'probability',
          shown.map((f) => [f.probability, f]),
          document,
          style,
        ),
      ],
      style,
    ),
    ...rest(all.length - shown.length, 'fragment'),
  ];
}

/** Places as queues, by Little's law. */
export function queues(document: SteadyDocument, style: Style): string[] {
  const all = document.places.flatMap(({ name, arrivals, response }) =>
    arrivals === undefined || response === undefined || response.value === 0 ? [] : [{ name, arrivals, response }],
  );
  if (all.length === 0) return [];
  const shown = all.slice(0, MAX_ROWS);
  return [
    ...table(
      [
        { head: 'tokens of', cells: shown.map(({ name }) => name) },
        ...figureColumns(
          'arrivals/s',
          shown.map(({ arrivals }) => [arrivals.value, arrivals]),
          document,
          style,
        ),
        ...figureColumns(
          'stay, s',
          shown.map(({ response }) => [response.value, response]),
          document,
          style,
        ),
      ],
      style,
    ),
    ...rest(all.length - shown.length, 'place'),
  ];
}
