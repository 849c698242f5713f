import type { Link } from './platform.ts';
import type { Cables } from './topology/zones/cables.ts';

/** Up to this number of cables, the links of a network are stored: reading a stored link is faster. */
const STORED = 1 << 16;

/**
 * The links of a platform while its file is read. The links of a network with many cables are computed at each access, so
 * that memory grows with the file and not with the numbers in it.
 */
export class LinkList {
  readonly #stored: Link[] = [];
  /** Ranges of computed links, in ascending order. */
  readonly #ranges: { readonly first: number; readonly end: number; readonly cables: Cables }[] = [];
  /** Links that were given profiles afterwards, by index. */
  readonly #replaced = new Map<number, Link>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Appends a link and returns its index. */
  add(link: Link): number {
    this.#stored.push(link);
    return this.#length++;
  }

  /** Replaces the link of this index. */
  set(index: number, link: Link): void {
    this.#replaced.set(index, link);
  }

  /** Appends the links of all cables of a network. O(1) for many cables. */
  addCables(cables: Cables): void {
    if (cables.count <= STORED) for (const link of cables.links()) this.add(link);
    else {
      const first = this.#length;
      this.#length += cables.linkCount;
      this.#ranges.push({ first, end: this.#length, cables });
    }
  }

  /** The link of this index. O(computed ranges). */
  at(index: number): Link | undefined {
    if (!(index >= 0 && index < this.#length)) return undefined;
    const replaced = this.#replaced.get(index);
    if (replaced !== undefined) return replaced;
    let before = 0;
    for (const { first, end, cables } of this.#ranges) {
      if (index < first) break;
      if (index < end) return cables.link(index - first);
      before += end - first;
    }
    return this.#stored[index - before];
  }

  *names(): Generator<string> {
    for (let index = 0; index < this.#length; index++) yield this.at(index)!.name;
  }

  /** All links as a list, whose elements are computed at each access if there are many cables. */
  list(): readonly Link[] {
    if (this.#ranges.length === 0 && this.#replaced.size === 0) return this.#stored;
    if (this.#ranges.length === 0) return this.#stored.map((link, index) => this.#replaced.get(index) ?? link);
    return computed(this.#length, (index) => this.at(index)!);
  }
}

/** The links with `change` applied to each; computed at each access if there are many. */
export function mapLinks(links: readonly Link[], change: (link: Link) => Link): readonly Link[] {
  return links.length <= 2 * STORED ? links.map(change) : computed(links.length, (index) => change(links[index]!));
}

/** An array whose elements are computed at each access. */
function computed(length: number, at: (index: number) => Link): readonly Link[] {
  const target: Link[] = [];
  target.length = length;
  return new Proxy(target, {
    get: (_, key) => (isIndex(key) ? (Number(key) < length ? at(Number(key)) : undefined) : Reflect.get(target, key)),
    has: (_, key) => (isIndex(key) ? Number(key) < length : Reflect.has(target, key)),
  });
}

/** True for an index; no other member of an array begins with a digit. */
function isIndex(key: string | symbol): key is string {
  if (typeof key !== 'string') return false;
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57;
}
