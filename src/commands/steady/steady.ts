import { parseReward } from '../../analysis/properties/parse-property.ts';
import { Budget } from '../../analysis/space/budget.ts';
import { checkLimits } from '../../analysis/space/check-limits.ts';
import { finiteDocument } from '../../base/finite-figures.ts';
import { given } from '../../base/given.ts';
import { PRODUCT } from '../../base/version.ts';
import type { ProgramModel } from '../../models/program/model-object.ts';
import type { Net } from '../../net/net.ts';
import { assertValid } from '../../net/validation/validate.ts';
import { type SpaceInput, spaceInput } from '../explore/explore-input.ts';
import { checkOptions } from '../inputs/check-options.ts';
import { givenInput, type InputOf } from '../inputs/input.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import { filesOfInput } from '../inputs/local-modules.ts';
import { aboutFile } from '../inputs/net-file.ts';
import type { KindsOf, RankedModel } from '../inputs/option-rows.ts';
import { machineFileOf } from '../inputs/target.ts';
import { checkSteadyOptions } from './check-steady-options.ts';
import { answered } from './methods.ts';
import { reachFormula } from './passage-figures.ts';
import {
  type MappedNode,
  SETTINGS,
  type ServedResource,
  STEADY_ROWS,
  type SteadyOptions,
  type SteadyOptionsOf,
} from './steady-options.ts';
import type { SteadyDocument } from './steady-result.ts';

/**
 * The long-run behaviour of a net: mean tokens of places, throughput of transitions, and the share of time in which a transition
 * is enabled, each with its interval. The method is that of the options; by default the Markov chain of a net with immediate and
 * exponential delays, whose intervals are proved to contain the exact value, and else a simulation, whose intervals contain it
 * with probability `confidence`. The net is given directly, or as a file.
 *
 * A program that ends, and a net with the option `restart`, is restarted at each of its ends: its figures are the expected gains of one run over
 * the expected run time.
 *
 * If a limit is reached or an interval stays wide, `complete` is false.
 *
 * @throws InputError CTMC001 … CTMC007 for nets that are not Markov chains with finitely many states, STAT001, STAT002 for options
 * that do not go together, RUN… if a simulation fails, EXPL005, and all problems of reading
 */
export function steady<I extends string | Net | RankedModel>(input: I, options?: SteadyOptionsOf<I>): SteadyDocument;
export function steady(input: string | Net | ProgramModel, options: SteadyOptions = {}): SteadyDocument {
  return steadyInput(givenInput('steady', input), options);
}

/** As {@link steady}, for a file: a net, or a module that exports a model or a net. */
export async function steadyFile(path: string, options: SteadyOptions, load?: Import): Promise<SteadyDocument> {
  return steadyInput(await openInput('steady', path, load), options);
}

function steadyInput(input: InputOf<KindsOf<'steady'>>, options: SteadyOptions): SteadyDocument {
  checkOptions('steady', STEADY_ROWS, input, options);
  checkLimits(options);
  checkSteadyOptions(options);
  const begun = options.begun ?? performance.now();
  const { rewards = {} } = options;
  const subject = spaceInput(input, options);
  const { net, activity } = subject;
  const reach = options.reach === undefined ? undefined : reachFormula(options.reach, net);
  const asked = Object.entries(rewards).map(([name, text]) => [name, parseReward(text, net)] as const);
  const { remarks = [], ...found } = aboutFile(subject.file, () => {
    assertValid(net);
    return answered({
      net,
      rewards: asked,
      ...(reach === undefined ? {} : { reach }),
      options,
      budget: Budget.of({ ...options, begun }),
      // A program is always restarted.
      isRestarted: subject.built !== undefined || options.restart === true,
      ...(activity === undefined ? {} : { activity }),
      ...nodesOf(subject),
      served: servedOf(subject),
    });
  });
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'steady',
    product: PRODUCT,
    ...found,
    inputs: filesOfInput(input.path, { machine: machineFileOf(options) }),
    options: {
      ...subject.options,
      ...given(options, [...SETTINGS, 'memory', 'seconds']),
      ...(options.absorption === true ? { absorption: 1 } : {}),
      ...(options.restart === true ? { restart: 1 } : {}),
      ...Object.fromEntries(Object.entries(rewards).map(([name, text]) => [`reward.${name}`, text])),
    },
    seconds: (performance.now() - begun) / 1000,
    warnings: [...subject.warnings, ...remarks],
  });
}

/** The nodes of a program that have ranks. */
function nodesOf({ built }: SpaceInput): { readonly nodes?: readonly MappedNode[] } {
  if (built === undefined) return {};
  const { target, placed, program } = built;
  const { hosts } = target.platform;
  // A rank that computes keeps a core of its own busy; with threads, transfers or shared cores it may be more or less.
  const { threadParts } = program.world;
  const isPlain =
    threadParts.length === 0 && !program.net.places.some(({ name }) => name === 'memory' || name === 'processor');
  const nodes = [...new Set(placed.placement)].map((host): MappedNode => {
    const ranks = [...placed.placement.keys()].filter((rank) => placed.placement[rank] === host);
    const { name, cores } = hosts[host]!;
    return { name, ranks: new Set(ranks), ...(isPlain ? { cores } : {}) };
  });
  return { nodes };
}

/** Links of services that are shared: of a program, the cores of a node with more ranks than cores, its memory, and links of the network. */
function servedOf({ net, built }: SpaceInput): ServedResource[] {
  const hosts = built?.target.platform.hosts;
  return net.places.flatMap(({ name: place, service }) => {
    if (service?.kind !== 'max-min') return [];
    return service.links.flatMap(({ name, capacity: rate, fatpipe }, link): ServedResource[] => {
      // Each user has a fatpipe alone, so that no share of it is used.
      if (fatpipe) return [];
      if (hosts === undefined || place !== 'processor') {
        const kind = hosts !== undefined && place === 'memory' ? 'memory' : 'link';
        return [{ place, link, rate, name, kind, capacity: rate }];
      }
      // Further links limit threads to the cores of their rank.
      const host = hosts[link];
      return host === undefined ? [] : [{ place, link, rate, name: host.name, kind: 'host', capacity: host.cores }];
    });
  });
}
