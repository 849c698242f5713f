import { quote } from '../../base/problem.ts';
import type { Context } from './pnml-context.ts';
import type { ArcRecord, At, PnmlDocument } from './pnml-document.ts';

/** The two ends of an arc, with references resolved. */
export interface Ends {
  readonly place: string;
  readonly transition: string;
  readonly takes: boolean;
}

/** The nodes of a document by id. Reports duplicate ids and dangling references. O(nodes). */
export class Nodes {
  readonly #ctx: Context;
  readonly #kinds = new Map<string, 'place' | 'transition'>();
  /** The target of each reference; '' if it is invalid. */
  readonly #targets = new Map<string, string>();

  constructor(ctx: Context, document: PnmlDocument) {
    this.#ctx = ctx;
    const taken = new Set<string>();
    const once = ({ id, line, column }: At & { readonly id: string }): void => {
      if (taken.has(id) && id !== '') ctx.report('PNML008', `duplicate id ${quote(id)}`, { line, column });
      taken.add(id);
    };
    for (const p of document.places) {
      once(p);
      this.#kinds.set(p.id, 'place');
    }
    for (const t of document.transitions) {
      once(t);
      this.#kinds.set(t.id, 'transition');
    }
    for (const r of document.references) once(r);
    this.#repeatedArcs(document);
    this.#follow(document);
  }

  /** Nothing refers to an arc, so its id need not be unique; a repeated arc may still be a mistake. */
  #repeatedArcs({ arcs }: PnmlDocument): void {
    const known = new Map<string, ArcRecord>();
    for (const arc of arcs) {
      const first = arc.id === '' ? undefined : known.get(arc.id);
      if (first === undefined) known.set(arc.id, arc);
      else if (first.source === arc.source && first.target === arc.target) {
        this.#ctx.warn(
          `the arc ${quote(arc.id)} from ${quote(arc.source)} to ${quote(arc.target)} occurs more than once: the weights are added`,
        );
        return;
      }
    }
  }

  /** @returns undefined if an end is invalid, which was reported */
  ends(arc: ArcRecord): Ends | undefined {
    const [source, target] = [this.#end(arc, 'source'), this.#end(arc, 'target')];
    if (source === undefined || target === undefined) return undefined;
    const [from, to] = [this.#kinds.get(source), this.#kinds.get(target)];
    if (from === to) {
      const message = `the arc ${quote(arc.id)} goes from a ${from} to a ${to}: expected an arc between a place and a transition`;
      this.#ctx.report('PNML011', message, arc);
      return undefined;
    }
    return from === 'place'
      ? { place: source, transition: target, takes: true }
      : { place: target, transition: source, takes: false };
  }

  #end(arc: ArcRecord, end: 'source' | 'target'): string | undefined {
    const id = this.#targets.get(arc[end]) ?? arc[end];
    if (this.#kinds.has(id)) return id;
    // Empty ids and invalid references were already reported.
    if (id !== '') {
      const message = `the ${end} ${quote(id)} of the arc ${quote(arc.id)} is not there.`;
      this.#ctx.report('PNML010', `${message}${this.#ctx.near(id, [...this.#kinds.keys()])}`, arc);
    }
    return undefined;
  }

  /** Resolves chains of references, each reference once. */
  #follow({ references }: PnmlDocument): void {
    const byId = new Map(references.map((r) => [r.id, r]));
    for (const start of references) {
      const chain: string[] = [];
      const seen = new Set<string>();
      let id = start.id;
      while (!this.#targets.has(id) && !seen.has(id)) {
        const next = byId.get(id);
        if (next === undefined) break;
        seen.add(id);
        chain.push(id);
        id = next.ref;
      }
      const target = this.#targets.get(id) ?? (seen.has(id) ? undefined : id);
      const found = target !== undefined && this.#kinds.get(target) === start.of ? target : '';
      for (const link of chain) this.#targets.set(link, found);
      if (found !== '' || chain.length === 0) continue;
      const what = `the reference ${quote(start.id)}`;
      if (target === undefined)
        this.#ctx.report('PNML012', `${what} refers to itself: ${[...chain, id].slice(0, 10).join(' → ')}`, start);
      else if (target !== '' && this.#kinds.has(target))
        this.#ctx.report('PNML011', `${what} must target a ${start.of}; ${quote(target)} is not one`, start);
      else if (target !== '')
        this.#ctx.report(
          'PNML010',
          `${what} has an unknown target ${quote(id)}.${this.#ctx.near(id, [...this.#kinds.keys()])}`,
          start,
        );
    }
  }
}
