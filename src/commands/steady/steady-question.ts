import { parseReward } from '../../analysis/properties/parse-property.ts';
import type { Budget } from '../../analysis/space/budget.ts';
import { fail, quote } from '../../base/problem.ts';
import { type SpaceInput, spaceInput } from '../explore/explore-input.ts';
import type { InputOf } from '../inputs/input.ts';
import type { KindsOf } from '../inputs/option-rows.ts';
import type { ThreadModelNet } from '../predict/threads/thread-model-net.ts';
import { reachFormula } from './passage-figures.ts';
import type { MappedNode, Question, ServedResource, SteadyOptions } from './steady-options.ts';

/**
 * Reads the net of an input, or maps a model to one, and the figures that the options ask for.
 *
 * @throws InputError all problems of reading, and of rewards
 */
export function questionOf(
  input: InputOf<KindsOf<'steady'>>,
  options: SteadyOptions,
  budget: Budget,
): { readonly subject: SpaceInput; readonly question: Question } {
  const { rewards = {}, progress: _, simulated: __, cancelled: ___, ...plain } = options;
  const subject = spaceInput(input, options, undefined, { slices: true });
  const { net, activity, threads, final } = subject;
  const isProgram = subject.built !== undefined || threads !== undefined;
  if (threads?.drawsTimes === true) refuseDrawnTimes(threads);
  const reach = options.reach === undefined ? undefined : reachFormula(options.reach, net);
  const isAgain = input.path !== undefined && typeof options.machine !== 'object';
  const question: Question = {
    net,
    rewards: Object.entries(rewards).map(([name, reward]) => [
      name,
      typeof reward === 'function' ? { kind: 'function', name, of: reward } : parseReward(reward, net),
    ]),
    ...(reach === undefined ? {} : { reach }),
    options: threads === undefined ? options : withoutPool(options),
    budget,
    isLimited: [options.maxStates, options.memory, options.seconds].some((limit) => limit !== undefined),
    // A program is always restarted.
    isRestarted: isProgram || options.restart === true,
    ...(isProgram && final !== undefined && 'places' in final
      ? { ended: { place: final.places[0]!, tokens: final.tokens } }
      : {}),
    ...(activity === undefined ? {} : { activity }),
    ...nodesOf(subject),
    served: servedOf(subject),
    ...(isAgain ? { again: { file: input.path, options: { ...plain, rewards } } } : {}),
  };
  return { subject, question };
}

/** @throws InputError STAT003 */
function refuseDrawnTimes({ model }: ThreadModelNet): never {
  fail(
    'STAT003',
    `the times of model ${quote(model.name)} are drawn before each run (noise), so that its long run is not that of one net. The nearest alternative: predict with --replications gives the mean run time and its interval`,
    model.file === undefined ? { part: 'steady' } : { file: model.file },
  );
}

/** Workers of a thread model are those of its pool, not threads of the simulation. */
function withoutPool({ workers: _, ...options }: SteadyOptions): SteadyOptions {
  return options;
}

/** The nodes of a program that have ranks; the node of a thread model with its workers. */
function nodesOf({ built, threads }: SpaceInput): { readonly nodes?: readonly MappedNode[] } {
  if (threads !== undefined) {
    const { node, net } = threads;
    const workers = new Set(Array.from({ length: net.carriers }, (_, w) => w));
    // Threads that share cores may be more than these.
    return { nodes: [{ name: node.name, ranks: workers, ...(net.shared ? {} : { cores: node.machine.cores }) }] };
  }
  if (built === undefined) return {};
  const { target, placed, program } = built;
  const { hosts } = target.platform;
  // A rank that computes keeps one core busy; with threads, transfers or shared cores it may be more or less.
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
function servedOf({ net, built, threads }: SpaceInput): ServedResource[] {
  const hosts = (built ?? threads)?.target.platform.hosts;
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
      const of = built === undefined ? service.links.map(() => 0) : built.program.machine.cores!.hostOf;
      const host = hosts[of[link] ?? -1];
      if (host === undefined) return [];
      // A socket is named as its link.
      const sockets = of.filter((h) => h === of[link]).length;
      return [
        { place, link, rate, name: sockets === 1 ? host.name : name, kind: 'host', capacity: host.cores / sockets },
      ];
    });
  });
}
