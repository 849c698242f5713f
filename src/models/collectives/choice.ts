import type { Place } from '../../base/problem.ts';
import type { Collective } from '../../trace/collective.ts';
import { logarithmicNames, logarithmicSelector } from './logarithmic-selector.ts';
import type { NodesSeen } from './nodes.ts';
import { type Rule, ruleFor } from './rules.ts';
import { type AlgorithmNames, SELECTABLE, type Selectable } from './selectors/decision.ts';
import { followsMvapich, impi } from './selectors/impi.ts';
import { mpich } from './selectors/mpich.ts';
import { OF_NODES as MVAPICH_OF_NODES, mvapich2 } from './selectors/mvapich2.ts';
import { ompi } from './selectors/ompi.ts';
import { simgridNonblocking } from './simgrid-nonblocking.ts';
import { smpiAlgorithms } from './smpi/registry.ts';
import { mvapichOfNodes, setUpNodes } from './smpi/two-level.ts';
import type { Steps } from './steps.ts';

/**
 * Sets of collective algorithms: `simgrid` is the default selection of SimGrid 3.32, `ompi` its selector for Open MPI, `mpich`
 * for MPICH, `mvapich2` for MVAPICH2, `impi` for Intel MPI; `logarithmic` uses textbook algorithms.
 */
export const COLLECTIVES = ['simgrid', 'logarithmic', 'ompi', 'mpich', 'mvapich2', 'impi'] as const;
export type CollectiveSelector = (typeof COLLECTIVES)[number];

/**
 * SimGrid's choice without `smpi/coll-selector`: `smpi_default_selector.cpp`, whose alltoall is Open MPI's and whose
 * reducescatter of unequal parts is MPICH's.
 */
const simgrid: AlgorithmNames = {
  barrier: () => 'ompi_basic_linear',
  bcast: () => 'binomial_tree',
  reduce: () => 'default',
  allreduce: () => 'default',
  gather: () => 'default',
  scatter: () => 'default',
  allgather: () => 'default',
  allgatherv: () => 'default',
  alltoall: ompi.alltoall,
  alltoallv: () => 'default',
  reducescatter: () => 'default',
};

/** Selectors of SMPI's algorithms by name. */
const SMPI: { readonly [name in Exclude<CollectiveSelector, 'logarithmic'>]: AlgorithmNames } = {
  simgrid,
  ompi,
  mpich,
  mvapich2,
  impi,
};

/** An algorithm by name, or a selector whose choice is followed. `place`: the rule of a file that names the algorithm. */
export type NamedChoice =
  | { readonly kind: 'algorithm'; readonly name: string; readonly place?: Place }
  | { readonly kind: 'selector'; readonly name: CollectiveSelector };

/** The algorithm of one operation: one for all calls, or rules by ranks and bytes; calls without a rule follow the selector. */
export type OperationChoice =
  | NamedChoice
  | {
      readonly kind: 'rules';
      readonly rules: readonly Rule<NamedChoice>[];
      /** The selector of calls without a rule; default: that of the whole choice. */
      readonly otherwise?: CollectiveSelector;
    };

/** A selector, and operations that have another choice. */
export interface CollectiveChoice {
  readonly selector: CollectiveSelector;
  readonly operations: { readonly [K in Selectable]?: OperationChoice };
  /** The choice as an option: `ompi,bcast=binomial_tree`; a file of rules comes first. */
  readonly text: string;
}

export function selectorChoice(selector: CollectiveSelector): CollectiveChoice {
  return { selector, operations: {}, text: selector };
}

/** An algorithm of one call. */
export interface ChosenAlgorithm {
  readonly name: string;
  /** True if the user named it, so that a number of ranks that it does not allow is an error. */
  readonly named: boolean;
  /** The rule of a file that names it. */
  readonly place?: Place;
  readonly run: (steps: Steps) => void;
}

/** The choice of a call's operation, if it has one: that of the call's rule if there are rules. */
export function choiceFor(choice: CollectiveChoice, collective: Collective, size: number): NamedChoice | undefined {
  const own = choice.operations[collective.kind as Selectable];
  if (own?.kind !== 'rules') return own;
  const { otherwise } = own;
  const rest: NamedChoice | undefined = otherwise === undefined ? undefined : selectorNamed(otherwise);
  return ruleFor(own.rules, collective, size)?.taken ?? rest;
}

const selectorNamed = (name: CollectiveSelector): NamedChoice => ({ kind: 'selector', name });

/** All selectors that some call may follow. */
export function selectorsIn({ selector, operations }: CollectiveChoice): CollectiveSelector[] {
  const all = Object.values(operations).flatMap((own) =>
    own.kind !== 'rules'
      ? [own]
      : [
          ...own.rules.map(({ taken }) => taken),
          ...(own.otherwise === undefined ? [] : [selectorNamed(own.otherwise)]),
        ],
  );
  return [selector, ...all.flatMap((one) => (one.kind === 'selector' ? [one.name] : []))];
}

/** Algorithms that need communicators of nodes. */
const OF_NODES: { readonly [K in Selectable]?: readonly string[] } = {
  bcast: ['SMP_binomial', 'SMP_linear', 'mvapich2_knomial_intra_node'],
  reduce: ['mvapich2_two_level'],
  allreduce: ['mvapich2_two_level', 'smp_binomial'],
  gather: ['mvapich2_two_level'],
};

/** True if a selector asks for the communicators of nodes before it takes an algorithm. */
function asks(selector: CollectiveSelector, kind: Collective['kind']): boolean {
  if (selector === 'mpich') return kind === 'bcast' || kind === 'reduce' || kind === 'allreduce';
  if (selector === 'mvapich2') return kind === 'allgather' || kind === 'scatter' || kind === 'bcast';
  return selector === 'impi' && (SELECTABLE as readonly string[]).includes(kind);
}

/** True if some call may depend on the nodes of the ranks, or set up communicators of them. */
export function needsNodes(choice: CollectiveChoice): boolean {
  const names = Object.values(choice.operations).flatMap((own) =>
    own.kind === 'rules' ? own.rules.map(({ taken }) => taken.name) : [own.name],
  );
  const ofNodes = Object.values(OF_NODES).flat();
  return (
    selectorsIn(choice).some((one) => one !== 'simgrid' && one !== 'logarithmic') ||
    names.some((name) => ofNodes.includes(name))
  );
}

/** The algorithm for a call on P ranks. */
export function chooseAlgorithm(
  choice: CollectiveChoice,
  collective: Collective,
  size: number,
  nonblocking: boolean,
  nodes?: NodesSeen,
): ChosenAlgorithm {
  const { kind } = collective;
  const own = choiceFor(choice, collective, size);
  const selector = own?.kind === 'selector' ? own.name : choice.selector;
  if (nonblocking && choice.selector !== 'logarithmic')
    return { name: 'posted', named: false, run: bound(simgridNonblocking[kind], collective) };
  if (own?.kind === 'algorithm') {
    const { name, place } = own;
    return { ...smpi(name, collective), named: true, ...(place === undefined ? {} : { place }) };
  }
  if (selector === 'logarithmic') {
    const run = bound(logarithmicSelector[kind], collective);
    return { name: logarithmicNames(collective, size), named: false, run };
  }
  const names = SMPI[selector] as Partial<Record<string, (call: Collective, size: number, nodes: NodesSeen) => string>>;
  if (isLeftOut(selector, collective, size, nodes)) {
    // SMPI's impi sets up communicators of nodes before it looks at a call; the other selectors look at its bytes first.
    const run = selector === 'impi' ? setUpNodes : () => undefined;
    return { name: names[kind]!(collective, size, nodes), named: false, run };
  }
  return { ...smpi(names[kind]?.(collective, size, nodes) ?? 'default', collective, selector), named: false };
}

/** An algorithm with its call. The caller ensures that the algorithm is one of the call's kind, which TypeScript cannot see. */
function bound(algorithm: unknown, collective: Collective): (steps: Steps) => void {
  return (steps) => (algorithm as (steps: Steps, collective: Collective) => void)(steps, collective);
}

/** An algorithm by SMPI's name, after the set-up of communicators of nodes if it, or the selector that took it, needs them. */
function smpi(
  name: string,
  collective: Collective,
  selector?: CollectiveSelector,
): Pick<ChosenAlgorithm, 'name' | 'run'> {
  const { kind } = collective;
  const ofNodes = name === MVAPICH_OF_NODES;
  const algorithm = ofNodes ? mvapichOfNodes[kind as Selectable] : smpiAlgorithms[kind][name];
  if (algorithm === undefined) throw new Error(`no algorithm ${name} of a ${kind}`);
  const run = bound(algorithm, collective);
  const needs =
    ofNodes || OF_NODES[kind as Selectable]?.includes(name) || (selector !== undefined && asks(selector, kind));
  if (!needs) return { name, run };
  return {
    name,
    run: (steps) => {
      setUpNodes(steps);
      run(steps);
    },
  };
}

/**
 * True if a call without bytes has no messages under a selector: the libraries leave some of them out. An algorithm by its name has empty
 * messages.
 */
export function isLeftOut(selector: CollectiveSelector, c: Collective, size: number, nodes?: NodesSeen): boolean {
  if (!('bytes' in c) || c.bytes !== 0) return false;
  const { kind } = c;
  if (selector === 'mpich') return kind === 'allreduce';
  if (selector === 'mvapich2') return kind === 'bcast' || kind === 'reduce' || kind === 'allreduce';
  return selector === 'impi' && (kind === 'reduce' || (kind === 'bcast' && followsMvapich(c, size, nodes)));
}
