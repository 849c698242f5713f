import type { Site } from '../../site.ts';
import type { Frame, Own } from './frames.ts';
import { foreignRelease, ROW, type RowWriter, releaseMode, type SyncObject } from './rows.ts';

/** Locks by the names of their modes: what releases them. */
const RELEASED_BY: ReadonlyMap<string, string> = new Map([
  ['lock', 'unlock'],
  ['readLock', 'readUnlock'],
  ['writeLock', 'writeUnlock'],
]);
const RELEASES: ReadonlySet<string> = new Set(RELEASED_BY.values());

/** How often a strand holds a lock. `count` is undefined if that depends on tries; then `memory` is the object that has the number. */
interface Held {
  readonly object: number;
  readonly count: number | undefined;
  readonly memory?: number;
}
type HeldByKey = ReadonlyMap<string, Held>;
const NONE: HeldByKey = new Map();

/**
 * Locks that strands hold at the rows written so far. A lock belongs to the strand that takes it: a release by any other one is
 * a fault, whatever the lock is then. After a try whose blocks differ in the locks held at their ends, strands count the locks they
 * hold in separate objects. Chunks that are assigned at run time belong to no strand: they may release locks of others.
 */
export class HeldLocks {
  readonly #rows: RowWriter;
  readonly #objects: SyncObject[];
  /** By strand, or by chunk. */
  readonly #held = new Map<number | Own, HeldByKey>();

  constructor(rows: RowWriter, objects: SyncObject[]) {
    this.#rows = rows;
    this.#objects = objects;
  }

  of(f: Frame): HeldByKey {
    return this.#held.get(ownerOf(f)) ?? NONE;
  }

  restore(f: Frame, held: HeldByKey): void {
    if (held.size === 0) this.#held.delete(ownerOf(f));
    else this.#held.set(ownerOf(f), held);
  }

  /** The strand has acquired an object in a mode. */
  takes(f: Frame, mode: string, object: number, site: Site): void {
    const name = RELEASED_BY.get(mode);
    if (name === undefined) return;
    const { count, memory } = this.#get(f, name, object);
    // Only readers take a lock twice.
    this.#set(f, name, { object, count: name === 'readUnlock' ? more(count, 1) : 1, ...remembered(memory) });
    if (memory !== undefined) this.#rows.add(ROW.note, site, memory, 1);
  }

  /** Writes the row of a release in a mode. */
  release(f: Frame, name: string, object: number, site: Site): void {
    if (!RELEASES.has(name)) {
      this.#rows.add(ROW.release, site, object, releaseMode(name));
      return;
    }
    const foreign = f.strand < 0 ? releaseMode(name) : foreignRelease(name);
    const { count, memory } = this.#get(f, name, object);
    if (count === 0) {
      this.#rows.add(ROW.release, site, object, foreign);
      return;
    }
    if (count === undefined) {
      const test = this.#rows.add(ROW.test, site, memory!);
      this.#rows.amounts(test, 0, 1, 0, 0);
      this.#rows.add(ROW.release, site, object, foreign);
      this.#rows.setB(test, this.#rows.count);
    }
    this.#rows.add(ROW.release, site, object, releaseMode(name));
    if (memory !== undefined) this.#rows.add(ROW.note, site, memory, -1);
    const left = count === undefined && name !== 'readUnlock' ? 0 : more(count, -1);
    this.#set(f, name, { object, count: left, ...remembered(memory) });
  }

  /** The strand waits for a condition, with a mutex: without it, it stops at the row before its wait. */
  assertHeld(f: Frame, mutex: number, site: Site): void {
    if (f.strand < 0) return;
    const { count, memory } = this.#get(f, 'unlock', mutex);
    if (count !== undefined && count > 0) return;
    const test = count === undefined ? this.#rows.add(ROW.test, site, memory!) : undefined;
    this.#rows.add(ROW.release, site, mutex, foreignRelease('unlock'));
    if (test === undefined) return;
    this.#rows.amounts(test, 0, 1, 0, 0);
    this.#rows.setB(test, this.#rows.count);
  }

  /**
   * Two blocks meet, of which the strand has executed one: that without the object of a try, which ends with the locks `failed`
   * and the jump at row `jump`, or that of which the rows have just been written.
   */
  meet(f: Frame, failed: HeldByKey, jump: number, site: Site): void {
    const held = this.of(f);
    const notes: { readonly memory: number; readonly here: number; readonly there: number }[] = [];
    for (const key of new Set([...held.keys(), ...failed.keys()])) {
      const [a, b] = [held.get(key), failed.get(key)];
      const object = (a ?? b)!.object;
      const [here, there] = [a === undefined ? 0 : a.count, b === undefined ? 0 : b.count];
      const known = a?.memory ?? b?.memory;
      if (here === there && a?.memory === b?.memory) continue;
      const memory = known ?? this.#remember(key, object);
      // An object that only one block has made is 0 in the other one.
      const note = (one: Held | undefined, count: number | undefined): number =>
        one?.memory === memory ? 0 : (count ?? 0);
      notes.push({ memory, here: note(a, here), there: note(b, there) });
      this.restore(f, new Map(this.of(f)).set(key, { object, count: here === there ? here : undefined, memory }));
    }
    const write = (which: 'here' | 'there'): void => {
      for (const one of notes) if (one[which] !== 0) this.#rows.add(ROW.note, site, one.memory, one[which]);
    };
    write('here');
    if (!notes.some(({ there }) => there !== 0)) {
      this.#rows.setB(jump, this.#rows.count);
      return;
    }
    const over = this.#rows.add(ROW.jump, site);
    this.#rows.setB(jump, this.#rows.count);
    write('there');
    this.#rows.setB(over, this.#rows.count);
  }

  #remember(key: string, object: number): number {
    const { site } = this.#objects[object]!;
    return this.#objects.push({ kind: 'latch', name: key, index: 0, initial: 0, site, isMemory: true }) - 1;
  }

  #get(f: Frame, name: string, object: number): Held {
    return this.of(f).get(`${name} ${object}`) ?? { object, count: 0 };
  }

  #set(f: Frame, name: string, held: Held): void {
    const all = new Map(this.of(f));
    if (held.count === 0 && held.memory === undefined) all.delete(`${name} ${held.object}`);
    else all.set(`${name} ${held.object}`, held);
    this.restore(f, all);
  }
}

const ownerOf = ({ strand, own }: Frame): number | Own => (strand >= 0 ? strand : own);
const more = (count: number | undefined, by: number): number | undefined =>
  count === undefined ? undefined : count + by;
const remembered = (memory: number | undefined): { readonly memory?: number } =>
  memory === undefined ? {} : { memory };
