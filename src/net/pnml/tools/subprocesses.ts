import { quote } from '../../../base/problem.ts';
import type { Context } from '../pnml-context.ts';
import type { ArcRecord, PlaceRecord, PnmlDocument, Subprocess, TransitionRecord } from '../pnml-document.ts';

/**
 * Replaces each transition that is a subprocess (WoPeD) by the net of its page. The nested net repeats the place before
 * and the place after the transition: these are the same places, and the transition and its two arcs are removed.
 * Reports a subprocess that is not of this form, for which WoPeD defines no refinement. O(size).
 */
export function withSubprocesses(document: PnmlDocument, ctx: Context): PnmlDocument {
  const { subprocesses } = document;
  if (subprocesses.length === 0) return document;
  const replaced = new Set<string>();
  const touching = new Map<string, ArcRecord[]>();
  const ids = new Set(subprocesses.map((s) => s.id));
  for (const arc of document.arcs)
    for (const end of [arc.source, arc.target])
      if (ids.has(end)) touching.set(end, [...(touching.get(end) ?? []), arc]);
  for (const subprocess of subprocesses) {
    const wrong = mismatch(document, subprocess, touching);
    if (wrong !== undefined)
      ctx.report('PNML005', `the net in page ${quote(subprocess.id)} is not a subprocess: ${wrong}`, subprocess);
    else {
      ctx.warn(`transition ${quote(subprocess.id)} is replaced by the net of its page (a subprocess of WoPeD)`);
      replaced.add(subprocess.id);
    }
  }
  return {
    ...document,
    places: mergedPlaces(document.places, ctx),
    transitions: document.transitions.filter((t) => !replaced.has(t.id)),
    arcs: document.arcs.filter((a) => !replaced.has(a.source) && !replaced.has(a.target)),
  };
}

/** The reason for which a page cannot replace a transition; undefined if it can. */
function mismatch(
  { places, transitions }: PnmlDocument,
  { id, scope, inner }: Subprocess,
  touching: ReadonlyMap<string, readonly ArcRecord[]>,
): string | undefined {
  const outer = transitions.filter((t: TransitionRecord) => t.id === id);
  if (outer.length !== 1 || outer[0]!.scope !== scope)
    return 'expected one transition with the id of the page in the net around it';
  const arcs = touching.get(id) ?? [];
  const before = arcs.filter((a) => a.target === id);
  const after = arcs.filter((a) => a.source === id);
  const plain = arcs.every((a) => (a.weight?.value ?? 1) === 1 && (a.kind ?? 'take') === 'take');
  if (before.length !== 1 || after.length !== 1 || !plain)
    return `expected one arc of weight 1 to and from transition ${quote(id)}, found ${before.length} to and ${after.length} from it`;
  const within = new Set(places.filter((p) => p.scope === inner).map((p) => p.id));
  const missing = [before[0]!.source, after[0]!.target].find((place) => !within.has(place));
  return missing === undefined ? undefined : `it does not contain place ${quote(missing)} next to the transition`;
}

/** Places without the copies in nested nets. */
function mergedPlaces(places: readonly PlaceRecord[], ctx: Context): PlaceRecord[] {
  // The place of the outermost net comes first, wherever it is in the document.
  const ordered = [...places].sort((a, b) => (a.scope?.depth ?? 0) - (b.scope?.depth ?? 0));
  const known = new Map<string, PlaceRecord>();
  const copies = new Set<PlaceRecord>();
  for (const place of ordered) {
    const first = known.get(place.id);
    if (first === undefined) known.set(place.id, place);
    else if (first.scope !== place.scope && encloses(first.scope, place.scope)) {
      copies.add(place);
      const tokens = place.tokens?.value ?? 0;
      if (tokens > 0 && tokens !== (first.tokens?.value ?? 0))
        ctx.report('PNML008', `place ${quote(place.id)} has two initial markings`, place.tokens!);
    }
  }
  return places.filter((p) => !copies.has(p));
}

const encloses = (outer: PlaceRecord['scope'], inner: PlaceRecord['scope']): boolean => {
  for (let scope = inner; scope !== undefined; scope = scope.parent) if (scope === outer) return true;
  return outer === undefined;
};
