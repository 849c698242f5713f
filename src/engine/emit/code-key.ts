import type { Column, Net, Place, Table } from '../../net/net.ts';
import type { EmitOptions } from './emission.ts';

/**
 * A string of everything that the code of a net depends on: nets with equal keys have the same code. It omits the numbers in
 * tables and the capacities of links, which the code receives at start, and initial tokens. O(size of the net without its
 * tables).
 */
export function codeKey(net: Net, options: EmitOptions): string {
  const { places, tables, functions = [], colours, transitions } = net;
  const { observed, logged, counted, timed, lastAge } = options;
  const watched = [[...observed], [...logged], [...counted], [...timed], lastAge];
  const names = functions.map((f) => f.name);
  return JSON.stringify(
    [colours, transitions, places.map(shapeOfPlace), tables.map(shapeOfTable), names, watched],
    plain,
  );
}

/** Infinities and NaN as strings, since JSON cannot represent them. */
function plain(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function shapeOfPlace({ initial: _, service, ...place }: Place): unknown {
  if (service?.kind !== 'max-min') return { ...place, service };
  return { ...place, service: { ...service, links: service.links.length } };
}

function shapeOfTable(t: Table): unknown {
  switch (t.kind) {
    case 'routes':
      return [t.kind, t.name, t.start.length];
    case 'step':
      return [t.kind, t.name, t.from.length];
    case 'real':
      return [t.kind, t.name, t.values.length, shiftOf(t.values)];
    case 'int':
      return [t.kind, t.name, t.values.length, shiftOf(t.values), t.low, t.high];
  }
}

/** The binary logarithm of a column's page size; `undefined` if the column has no pages. */
const shiftOf = (column: Column<Int32Array> | Column<Float64Array>): number | undefined =>
  'pages' in column ? column.shift : undefined;
