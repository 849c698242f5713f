import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { architecture, climbs, type Import, importsOf } from './imports.ts';

/*
 * `npx tsx scripts/walks.ts` prints how far the walks of docs/architecture.md lead through the sources:
 *
 * - stops: files that the walk names, in the order of calls; climbs: steps from a stop to the next one on a higher floor;
 * - rooms: files in the import closure of the stops, without types and without modules that are loaded on demand;
 * - doors: imports between these rooms; up: those that go to a higher floor.
 */

interface Walk {
  readonly name: string;
  readonly stops: readonly string[];
}

/** Paragraphs that begin with a bold name; a file name without a folder is in the folder of the file before it. */
function walksOf(page: string): Walk[] {
  const section = /^## Walks$([\s\S]*?)^## /m.exec(page)![1]!;
  return [...section.matchAll(/^\*\*([^*]+?)\.?\*\*([\s\S]*?)\n\n/gm)].map(([, name, text]) => {
    const stops: string[] = [];
    for (const [, file] of text!.matchAll(/`([\w./-]+\.ts)`/g)) {
      const path = file!.startsWith('src/') ? file! : join(dirname(stops.at(-1) ?? ''), file!);
      if (existsSync(path) && path.startsWith('src/')) stops.push(path);
    }
    return { name: name!, stops };
  });
}

/** Files that the stops load, and the imports between them. */
function closureOf(stops: readonly string[]): { readonly rooms: number; readonly doors: readonly Import[] } {
  const rooms = new Set(stops);
  const doors: Import[] = [];
  for (const room of rooms)
    for (const door of importsOf(room).filter((i) => !i.typeOnly && !i.onDemand)) {
      doors.push(door);
      rooms.add(door.imported);
    }
  return { rooms: rooms.size, doors };
}

const HEAD = ['walk', 'stops', 'climbs', 'rooms', 'doors', 'up'];
const rows = walksOf(architecture()).map(({ name, stops }) => {
  const { rooms, doors } = closureOf(stops);
  const upwards = stops.filter((stop, k) => k > 0 && climbs(stops[k - 1]!, stop)).length;
  return [name, stops.length, upwards, rooms, doors.length, doors.filter((d) => climbs(d.file, d.imported)).length];
});
for (const [name, ...figures] of [HEAD, ...rows])
  process.stdout.write(`${String(name).padEnd(25)}${figures.map((f) => String(f).padStart(8)).join('')}\n`);
