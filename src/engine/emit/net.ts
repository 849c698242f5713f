/*
 * Sample:
 * const p = place('p'), q = place('q'); fires((t) => t.put(q, t.take(p)));
 * →
 *   const STRIDE = 4;
 *   …
 *   function new0(f0: int): int {
 *   …
 *   function ex0(s) {
 *   …
 *   function fire0(s) {
 *   …
 *   function advance(…): int {
 */
import type { Column, Integers, Net, Place, Table } from '../../net/net.ts';
import { emitDeferred, emitExamine, emitMulti } from './bindings/examine.ts';
import { emitLoop } from './bindings/loop.ts';
import { emitCounters } from './capacity.ts';
import { Emission, type EmitOptions } from './emission.ts';
import { emitChecks, emitTransition } from './firing/firing.ts';
import { keptWidth } from './firing/kept-values.ts';
import { emitPassThrough } from './firing/pass-through.ts';
import { chooseGroupIndex, type PlaceLayout } from './layout.ts';
import { isCounted } from './max-min/link-arrays.ts';
import { profileCount } from './max-min/profiles.ts';
import { emitMeasures } from './measure.ts';
import { emitPlace } from './place.ts';
import { emitPrelude } from './prelude.ts';
import { emitAgenda } from './queue/agenda.ts';
import { emitQueue } from './queue/queue.ts';
import { emitRaces } from './services/race.ts';
import { emitPut, emitService } from './services/service.ts';
import { rowsOf, shapeOfRows } from './table-rows.ts';

/** The code of a net, and the net as the code generator sees it. */
export interface NetCode {
  readonly source: string;
  readonly emission: Emission;
}

/** Per place: the storage of its tokens that was determined while generating the code. */
type Found = readonly Pick<PlaceLayout, 'indexes' | 'groupIndex'>[];

/** The most recent codes by their keys: the scenarios of a study are many nets with the same code. */
const known = new Map<string, { readonly source: string; readonly found: Found }>();
const MAX_KNOWN = 8;
/** Maximum length of a key that is kept, in characters. */
const LONGEST_KEY = 2 ** 22;

/** As {@link emitNet}, but reuses the code of a recent net with the same key ({@link codeKey}): O(size of the structure). */
export function codeOf(net: Net, options: EmitOptions): NetCode {
  const key = codeKey(net, options);
  const before = known.get(key);
  known.delete(key);
  if (before !== undefined) {
    known.set(key, before);
    const emission = new Emission(net, options);
    for (const [k, { indexes, groupIndex }] of before.found.entries()) {
      emission.layouts[k]!.indexes.push(...indexes);
      emission.layouts[k]!.groupIndex = groupIndex;
    }
    return { source: before.source, emission };
  }
  const made = emitNet(net, options);
  if (key.length <= LONGEST_KEY)
    known.set(key, {
      source: made.source,
      found: made.emission.layouts.map(({ indexes, groupIndex }) => ({ indexes, groupIndex })),
    });
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  return made;
}

/**
 * Generates the kernel code of a net: per place, the records of its tokens, functions that add and remove one, and the candidates
 * that a new token may enable; per transition, its firing; and the main loop of docs/semantics.md. Only numbers enter the code,
 * never names or strings of the net.
 */
export function emitNet(net: Net, options: EmitOptions): NetCode {
  const e = new Emission(net, options);
  // Joins request indexes while they are generated; the code of places and rows comes after them because it needs all indexes.
  const examined = e.layouts.map((l) => emitExamine(e, l));
  const transitions = e.plans.map((p) => emitTransition(e, p));
  const races = emitRaces(e);
  const services = e.services.map((l, k) => emitService(e, l, k));
  for (const l of e.layouts) chooseGroupIndex(l);
  const multi = e.layouts.map((l) => emitMulti(e, l));
  const places = e.layouts.map((l, k) => emitPlace(e, l, examined[k] !== ''));
  const passThrough = e.layouts.map((l) => emitPassThrough(e, l));
  const puts = e.layouts.map((l) => emitPut(e, l));
  const parts = [
    emitPrelude(e),
    emitMeasures(e),
    emitQueue(keptWidth(e)),
    emitCounters(e),
    emitAgenda(e),
    ...places,
    ...passThrough,
    ...puts,
    ...services,
    ...examined,
  ];
  const source = [...parts, ...multi, emitDeferred(e), ...transitions, races, emitChecks(e), emitLoop(e)].join('\n');
  return { source, emission: e };
}

/**
 * A string of everything that the code of a net depends on: nets with equal keys have the same code. It omits the numbers in
 * tables and the capacities of links, which the code receives at start, and initial tokens; of very long tables, it has the number of
 * bits. O(size of the net without its tables).
 */
function codeKey(net: Net, options: EmitOptions): string {
  const { places, tables, functions = [], colours, transitions } = net;
  const { observed, logged, counted, timed, lastAge, measures, coloured = [], conflicts = false } = options;
  const watched = [[...observed], [...logged], [...counted], [...timed], lastAge, measures, [...coloured], conflicts];
  const names = functions.map((f) => f.name);
  return JSON.stringify(
    [
      colours,
      transitions,
      places.map(shapeOfPlace),
      tables.map(shapeOfTable),
      shapeOfRows(rowsOf(tables)),
      names,
      watched,
    ],
    plain,
  );
}

/** Infinities and NaN as strings, since JSON cannot represent them. */
function plain(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function shapeOfPlace({ initial: _, service, ...place }: Place): unknown {
  if (service?.kind !== 'max-min') return { ...place, service };
  const { links, follow: _follow, ...rest } = service;
  const shape = { links: links.length, counted: isCounted(links), profiles: profileCount(links) };
  return { ...place, service: { ...rest, ...shape } };
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
const shiftOf = (column: Integers | Column<Float64Array>): number | undefined =>
  'pages' in column ? column.shift : undefined;
