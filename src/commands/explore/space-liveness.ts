import { COMPONENT_BYTES, components } from '../../analysis/petri/components.ts';
import type { Findings } from '../../analysis/space/findings.ts';
import { livenessLevels } from '../../analysis/space/liveness.ts';
import { type Explored, numberedAlone, stepsTo } from '../exact/space-parallelism.ts';
import type { TransitionLiveness } from './space.ts';

/** The liveness level of each transition, in the order of the net. */
export function spaceLiveness(
  { space, named, graph, memory, stop }: Explored,
  found: Pick<Findings, 'components' | 'missing'>,
  stopped: () => string,
): TransitionLiveness[] {
  const own = numberedAlone(space, named);
  const edges = own === space ? graph : connected(own, memory, stop);
  const parts = own === space ? found.components : edges && components(edges, stop);
  const levels = livenessLevels(own, { graph: edges, components: parts, missing: found.missing, stop, stopped });
  const lost = levels.flatMap(({ lostFrom }) => lostFrom ?? []);
  const paths = stepsTo(own, lost, edges ?? memory, stop);
  let next = 0;
  return levels.map(({ level, because, lostFrom }, t) => ({
    transition: own.net.transitions[t]!.name,
    level: level ?? null,
    because,
    witness: lostFrom === undefined ? null : { state: lostFrom, steps: paths[next++]! },
  }));
}

/** The edges of a complete space, if they and its components fit into the memory. */
function connected(space: Explored['space'], memory: number, stop: () => boolean): Explored['graph'] {
  const left = memory - COMPONENT_BYTES * space.states;
  return space.complete && left > 0 ? space.graph(left, stop) : undefined;
}
