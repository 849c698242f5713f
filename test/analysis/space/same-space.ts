import type { StateSpace } from '../../../src/analysis/space/state-space.ts';

/** A marking as a string, sorted to be independent of token order. */
function markingText(space: StateSpace, state: number): string {
  const { places, busy } = space.marking(state);
  const tokens = places.flatMap(({ place, tokens: list }) =>
    list.map(({ values, count, where }) => `${space.net.places[place]!.name}/${where}(${values.join()})=${count}`),
  );
  const lasting = busy.map((b) => `${space.net.transitions[b.transition]!.name}${bindingText(b.binding)}=${b.count}`);
  return [...tokens, ...lasting].sort().join(' ');
}

function bindingText(binding: Readonly<Record<string, number>>): string {
  const parts = Object.entries(binding).map(([name, value]) => `${name}=${value + 0}`);
  return `[${parts.sort().join()}]`;
}

/** The whole space as strings that do not depend on state numbers. */
export function spaceText(space: StateSpace): string[] {
  const names = Array.from({ length: space.states }, (_, s) => markingText(space, s));
  const lines = names.flatMap((from, s) => [
    from,
    ...space.firings(s).map(({ kind, node, binding, target }) => {
      const name = kind === 'serve' ? space.net.places[node]!.name : space.net.transitions[node]!.name;
      return `${from} -- ${kind} ${name}${bindingText(binding)} → ${names[target] ?? '?'}`;
    }),
  ]);
  return lines.sort();
}

/** Summary figures of a space. */
export function spaceFigures(space: StateSpace): Record<string, unknown> {
  const { states, edges, complete, maxTokensPerMarking, maxTokensInPlace } = space;
  const degrees = space.outDegree(0, states);
  const all = space.net.transitions.map((_, t) => space.enabled([t], 0, states).reduce((a, b) => a + b, 0));
  const sums = space.net.places.map((_, p) => space.tokens([p], 0, states).reduce((a, b) => Math.max(a, b), 0));
  return {
    states,
    edges,
    complete,
    maxTokensPerMarking,
    maxTokensInPlace,
    dead: degrees.filter((d) => d === 0).length,
    degrees: degrees.reduce((a, b) => a + b, 0),
    enabled: all,
    sums,
    levels: space.levels.map((from, k) => (space.levels[k + 1] ?? states) - from),
  };
}
