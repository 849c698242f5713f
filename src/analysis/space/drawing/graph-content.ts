import { andMore } from '../../../base/listing.ts';
import { fail } from '../../../base/problem.ts';
import { drawn } from '../../../net/drawing/svg-text.ts';
import { counted } from '../../../net/text/text-terms.ts';
import type { Components } from '../../petri/components.ts';
import { type FinalMarkings, finalStates } from '../degrees.ts';
import { MarkingTokens } from '../marking-tokens.ts';
import type { StateSpace } from '../state-space.ts';

export interface DrawnState {
  readonly state: number;
  /** Label: its number, then its marking, shortened if long. */
  readonly lines: readonly string[];
  /** The whole marking, one line per place. */
  readonly about: readonly string[];
  readonly initial: boolean;
  /** True if no step is enabled. */
  readonly dead: boolean;
  /** True if it is dead and final (a program has ended). */
  readonly final: boolean;
  /** Number of steps to states that are not stored. */
  readonly cut: number;
  /** Index of its component if that has several states, counted from 0 in state order. */
  readonly component: number | undefined;
  /** True if no edge leaves its component. */
  readonly bottom: boolean;
}

/** All steps from one state to another, drawn as one edge. */
export interface DrawnEdge {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
  readonly about: readonly string[];
}

/** Content of a drawing of a state space. */
export interface GraphContent {
  readonly title: string;
  readonly states: readonly DrawnState[];
  readonly edges: readonly DrawnEdge[];
}

/** Maximum number of lines of a state and of an edge; target line length in characters. */
const MAX_LINES = 8;
const MAX_STEPS = 4;
const LONG = 32;
/** Maximum number of edges per state of the limit. */
const EDGES_PER_STATE = 4;

/** @throws InputError EXPL003 if the space has more than `limit` states */
export function checkStates({ states, complete }: StateSpace, limit: number): void {
  if (states > limit) tooLarge(`${states} states${complete ? '' : ' or more'}`, limit);
}

function tooLarge(found: string, limit: number): never {
  return fail(
    'EXPL003',
    `has ${found}: a drawing has at most ${limit} states and ${EDGES_PER_STATE * limit} edges. --max-states draws the part around the initial state; a .dot file, which Graphviz lays out, may have more`,
    { part: 'graph' },
  );
}

/**
 * Content of a drawing of a space, in state order.
 *
 * @throws InputError EXPL003 for more states than the limit, or more than four times as many edges
 */
export function graphContent(
  space: StateSpace,
  components: Components | undefined,
  final: FinalMarkings | undefined,
  limit: number,
): GraphContent {
  checkStates(space, limit);
  const words = new MarkingTokens(space.net);
  const shown = new Map<number, number>();
  const edges: DrawnEdge[] = [];
  const states = Array.from({ length: space.states }, (_, state): DrawnState => {
    const firings = space.firings(state);
    const steps = new Map<number, string[]>();
    for (const firing of firings) {
      const list = steps.get(firing.target) ?? [];
      list.push(words.step(firing));
      steps.set(firing.target, list);
    }
    const cut = steps.get(-1)?.length ?? 0;
    steps.delete(-1);
    for (const [to, about] of steps) edges.push({ from: state, to, lines: some(about, MAX_STEPS), about });
    if (edges.length > EDGES_PER_STATE * limit) tooLarge(`more than ${EDGES_PER_STATE * limit} edges`, limit);
    const about = words.lines(space.marking(state));
    const component = components?.of[state];
    const several = component !== undefined && components!.sizes[component]! > 1;
    if (several && !shown.has(component)) shown.set(component, shown.size);
    return {
      state,
      lines: [String(state), ...some(about.flatMap(folded), MAX_LINES)],
      about,
      initial: state === 0,
      dead: firings.length === 0,
      final: firings.length === 0 && isFinal(space, final, state),
      cut,
      component: several ? shown.get(component) : undefined,
      bottom: component !== undefined && components!.bottom[component] === 1,
    };
  });
  return { title: titleOf(space), states, edges };
}

function isFinal(space: StateSpace, final: FinalMarkings | undefined, state: number): boolean {
  return final !== undefined && finalStates(space, final, state, state + 1)[0] === 1;
}

/** Breaks a long line between tokens. */
function folded(line: string): string[] {
  const lines: string[] = [];
  for (const word of line.split(/ (?=[^ ]*\()/)) {
    const before = lines.at(-1);
    if (before !== undefined && before.length + word.length < LONG) lines[lines.length - 1] = `${before} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function some(lines: readonly string[], max: number): string[] {
  const few = lines.length <= max ? lines : [...lines.slice(0, max - 1), andMore(lines.length - max + 1)];
  return few.map(drawn);
}

function titleOf({ net, states, edges, complete }: StateSpace): string {
  return `State space of ${net.name}: ${counted(states, 'state')}, ${counted(edges, 'edge')}, ${complete ? 'complete' : 'truncated'}`;
}
