import { TIME_WORDS, type TimeQuantity } from '../../../base/time-words.ts';
import { FCFS } from '../../../machine/network-model.ts';
import { clipped } from '../../../report/text.ts';
import { formatSeconds, formatShare } from '../../../report/units.ts';
import type { Doubled, LimitKind } from '../improvement-figures.ts';
import { doublingText } from '../limit/doublings.ts';
import type { PredictionDocument, ResourceFigures } from '../prediction.ts';
import { activeSeconds, type Losses, lossesOf } from './losses.ts';

/** Losses below this share of rank time are not mentioned. */
const NOTABLE = 0.03;
/** From this share of the run on, it is mentioned that at most one rank computes. */
const NOTABLE_SERIAL = 0.25;
/** From this share of rank time on, the program is limited by computing. */
const COMPUTING = 0.8;
/** From this utilisation on, a link, memory or host counts as saturated. */
const SATURATED = 0.9;

/** Explains in plain sentences the run time (`why`) and its bottleneck (`limit`). All figures in them come from the document. */
export interface Explanation {
  readonly why: string;
  readonly limit: string;
}

/**
 * Explains a prediction by the following rules. For models with memory, the text says "work" for computing plus memory.
 *
 * *Why*:
 * - the shares of rank time
 * - the ranks that never compute, which the balance leaves out
 * - the ranks that compute longer than the mean, if this costs at least 3 % of rank time; "while the others wait" is added
 *   only if the median blocked time of these ranks is less than half that of the others (the document does not name the ranks
 *   they wait for)
 * - from four ranks on: the shares of the run in which no rank computes and only one, if they are at least 25 % together and
 *   anything is computed
 *
 * *Limit*:
 * - the resource whose doubling gains most, with the gain of the second run, and the next one ({@link limitText})
 * - for a limit that is no resource, or was not determined, what takes most time: memory or computing, if the two take 80 % of
 *   rank time or the hosts are utilised to 80 %; else the largest loss of {@link lossesOf}, where ranks that never compute and
 *   uneven work among the others are separate losses
 * - the busiest link or memory, if it is about these; in any case, each shared link, memory or host that is utilised to 90 %
 */
export function explain(document: PredictionDocument): Explanation | undefined {
  const losses = lossesOf(document);
  if (losses === undefined) return undefined;
  const why = [
    sharesSentence(losses),
    inactiveSentence(losses),
    heavySentence(document, losses),
    serialSentence(document, losses),
  ];
  const limit = [
    limitText(document, 'rank', factsOf(document, losses)),
    busySentence(document, losses),
    saturationSentence(document, losses),
  ];
  const text = (sentences: (string | undefined)[]): string => sentences.filter((s) => s !== undefined).join(' ');
  return { why: text(why), limit: text(limit) };
}

function sharesSentence({ shares }: Losses): string {
  const { computing, memory, communicating, waiting, blocked, idle } = shares;
  return timeSentence('rank', [
    ['computing', computing],
    ...(memory > 0 ? ([['memory', memory]] as const) : []),
    ...(communicating === null || waiting === null
      ? ([['communicatingOrWaiting', blocked]] as const)
      : ([
          ['communicating', communicating],
          ['waiting', waiting],
        ] as const)),
    ['idle', idle],
  ]);
}

/** The shares of the time of all ranks, workers or threads. */
export function timeSentence(one: string, parts: readonly (readonly [TimeQuantity, number])[]): string {
  const texts = parts.map(([word, share]) => `${TIME_WORDS[word].label} ${formatShare(share)}`);
  return `The ${one}s' time: ${texts.join(', ')}.`;
}

function inactiveSentence(losses: Losses): string | undefined {
  const { inactive } = losses;
  if (inactive.length === 0) return undefined;
  const one = inactive.length === 1;
  const who = one ? `Rank ${inactive[0]} does` : `${rankList(inactive)} do`;
  return `${who} not ${verb(losses)} and ${one ? 'is' : 'are'} excluded from the balance.`;
}

/** Loss due to uneven work among the ranks that do any work. */
function unevenLoss({ imbalance, inactiveLoss }: Losses): number {
  return Math.max(0, imbalance - inactiveLoss);
}

function heavySentence({ ranks, figures }: PredictionDocument, losses: Losses): string | undefined {
  if (unevenLoss(losses) < NOTABLE || losses.meanWorking === 0) return undefined;
  const { heaviest, maxActive, meanWorking, inactive } = losses;
  const heavy = new Set(heaviest);
  const left = new Set(inactive);
  const more = formatShare(maxActive / meanWorking - 1);
  const blocked = (of: typeof ranks): number =>
    median(of.map((rank) => figures.runTime.value - activeSeconds(rank) - rank.idle));
  const rest = ranks.filter((rank) => !heavy.has(rank.rank) && !left.has(rank.rank));
  const othersWait = blocked(ranks.filter((rank) => heavy.has(rank.rank))) < blocked(rest) / 2;
  const one = heaviest.length === 1;
  const others = rest.length === 1 ? 'the other waits' : 'the others wait';
  const who = one ? `Rank ${heaviest[0]} ${verb(losses)}s` : `${rankList(heaviest)} ${verb(losses)}`;
  return `${who} ${more} longer than the mean${othersWait ? ` while ${others}` : ''}.`;
}

/** Shares of the run in which no rank works, and one. Of the run itself, not of the bins of the plot. */
function serialSentence({ ranks, figures }: PredictionDocument, losses: Losses): string | undefined {
  const none = figures.parallelism?.none?.value ?? 0;
  const one = figures.parallelism?.one?.value ?? 0;
  if (ranks.length < 4 || losses.maxActive === 0 || none + one < NOTABLE_SERIAL) return undefined;
  const unit = ranks.some(({ threads = 1 }) => threads > 1) ? 'thread' : 'rank';
  const parts = [
    ...(none >= NOTABLE ? [`no ${unit} ${verb(losses)}s during ${formatShare(none)} of the run`] : []),
    ...(one >= NOTABLE ? [`only one during ${formatShare(one)}`] : []),
  ];
  const text =
    parts.length === 1 && none < NOTABLE
      ? `only one ${unit} ${verb(losses)}s during ${formatShare(one)} of the run`
      : parts.join(', ');
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** The largest loss, or the largest share of time. A fact about the run, not the gain of a change. */
function factsOf(document: PredictionDocument, losses: Losses): string {
  const { shares, transfer, order, heaviest, maxActive, meanWorking, inactive, inactiveLoss } = losses;
  const balance = formatShare(document.figures.loadBalance?.value ?? 1);
  if (shares.active >= COMPUTING && shares.memory > shares.computing) return memorySentence(document, losses);
  if (shares.active >= COMPUTING) {
    const beside = shares.memory > 0 ? ` (memory: another ${formatShare(shares.memory)})` : '';
    return `Computing takes ${formatShare(shares.computing)} of the ranks' time${beside}, balance ${balance}.${givenSeconds(document)}`;
  }
  const used = hostsUsed(document);
  if (used >= COMPUTING) return `All hosts together have a utilisation of ${formatShare(used)}.`;
  const uneven = unevenLoss(losses);
  const largest = Math.max(uneven, inactiveLoss, transfer, order);
  if (inactiveLoss === largest && inactiveLoss > uneven)
    return `Ranks that do not ${verb(losses)}: ${inactive.length} of ${document.ranks.length}, ${formatShare(inactiveLoss)} of the ranks' time; balance of the others ${balance}.`;
  if (uneven === largest) {
    const one = heaviest.length === 1;
    return `Load imbalance, ${formatShare(uneven)} of the ranks' time: ${one ? `rank ${heaviest[0]} ${verb(losses)}s` : `${heaviest.length} ranks ${verb(losses)}`} ${formatSeconds(maxActive)}, the mean is ${formatSeconds(meanWorking)} (balance ${balance}).`;
  }
  if (transfer === largest)
    return `Message transfer, ${formatShare(transfer)} of the ranks' time.${transferSentences(document)}`;
  const beside =
    uneven >= NOTABLE
      ? ', in addition to the load imbalance'
      : maxActive > 0
        ? `, although the balance of ${shares.memory > 0 ? 'work' : 'computing'} is ${balance}`
        : '';
  const share = `${formatShare(order)} of the ranks' time${beside}`;
  return orderSentence(shares, order, share);
}

/** The loss to order is named by a state only if the ranks spend that much time in it; otherwise it is in several. */
function orderSentence({ waiting, blocked, idle }: Losses['shares'], order: number, share: string): string {
  const isWithin = (time: number): boolean => order <= 1.01 * time;
  if (waiting !== null && idle > waiting && isWithin(idle)) return `Idle ranks (sleeping or finished), ${share}.`;
  const inTurn = `${share}: the ranks depend on each other in turn.`;
  if (waiting === null) return `Communicating${isWithin(blocked) ? ' or waiting' : ', waiting or idle'}, ${inTurn}`;
  return `${isWithin(waiting) ? 'Waiting for partners' : 'Waiting or idle'}, ${inTurn}`;
}

/** Computing that a faster core does not shorten is given in seconds. */
function givenSeconds({ limit, figures }: PredictionDocument): string {
  if (limit?.kind !== 'dependencies') return '';
  const speed = limit.tried.find(({ name }) => name === 'machine.speed');
  if (speed === undefined || Math.abs(speed.gain) >= NOTABLE * figures.runTime.value) return '';
  return ' It does not depend on the speed of the cores: the work is given in seconds.';
}

function memorySentence(document: PredictionDocument, { shares }: Losses): string {
  const balance = formatShare(document.figures.loadBalance?.value ?? 1);
  return `Memory takes ${formatShare(shares.memory)} of the ranks' time (computing: another ${formatShare(shares.computing)}), balance ${balance}.`;
}

/** The shares of latency and bandwidth in the time of transfers. */
function transferSentences({ figures, machine, options }: PredictionDocument): string {
  if (figures.transfer === undefined) return '';
  const latency = figures.transfer.latency.value;
  const also = [
    ...(Number(machine?.gap ?? 0) > 0 ? ['the gap between messages lasts'] : []),
    ...(options['networkModel'] === FCFS ? ['messages wait for links'] : []),
  ];
  const moving = also.length === 0 ? 'bytes move' : `${['bytes move', ...also].join(', or ')},`;
  return ` Latency takes ${formatShare(latency)} of that time; ${moving} during ${formatShare(1 - latency)}.`;
}

/** The busiest memory or link if the limit or the facts are about it, and whatever is saturated. */
function busySentence(document: PredictionDocument, { shares, transfer, order }: Losses): string | undefined {
  const { limit, resources } = document;
  const kind = limit?.kind;
  // Without a limit, the facts decide.
  const open = kind === undefined || kind === 'dependencies' || kind === 'unknown';
  const network = open ? shares.active < COMPUTING && transfer >= order : kind === 'bandwidth' || kind === 'latency';
  const loads = open ? shares.active >= COMPUTING && shares.memory > shares.computing : kind === 'memory';
  const named = network ? busiest(resources, 'link') : loads ? busiest(resources, 'memory') : undefined;
  if (named === undefined || named.utilisation >= SATURATED) return undefined;
  return `The busiest ${named.kind}, ${short(named.name)}, has a utilisation of ${formatShare(named.utilisation)}.`;
}

function saturationSentence({ resources }: PredictionDocument, { shares }: Losses): string | undefined {
  const link = busiest(resources, 'link');
  const memory = busiest(resources, 'memory');
  const host = busiest(resources, 'host');
  const full = [
    ...(link !== undefined && link.utilisation >= SATURATED ? [link] : []),
    ...(memory !== undefined && memory.utilisation >= SATURATED ? [memory] : []),
    ...(host !== undefined && host.utilisation >= SATURATED && shares.computing < COMPUTING ? [host] : []),
  ];
  if (full.length === 0) return undefined;
  return full
    .map((r) => `The ${r.kind} ${short(r.name)} has a utilisation of ${formatShare(r.utilisation)}.`)
    .join(' ');
}

/** The busiest resource of a kind that is shared. */
function busiest(resources: readonly ResourceFigures[], kind: ResourceFigures['kind']): ResourceFigures | undefined {
  let fullest: ResourceFigures | undefined;
  for (const resource of resources) {
    if (resource.kind !== kind || resource.fatpipe === true) continue;
    if (fullest === undefined || resource.utilisation > fullest.utilisation) fullest = resource;
  }
  return fullest;
}

/** Utilisation of all hosts together: their mean, weighted by capacity. */
function hostsUsed({ resources }: PredictionDocument): number {
  let used = 0;
  let all = 0;
  for (const { kind, utilisation, capacity } of resources) {
    if (kind !== 'host') continue;
    used += utilisation * capacity.value;
    all += capacity.value;
  }
  return all > 0 ? used / all : 0;
}

/** Verb for active ranks; "work" includes loading and storing. */
function verb({ shares }: Losses): string {
  return shares.memory > 0 ? 'work' : 'compute';
}

/** A name, cut to 40 columns. */
function short(name: string): string {
  return clipped(name, 40, '..');
}

/** The upper median. */
function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}

/** `Ranks 1, 2 and 5` up to four, else `12 ranks (0, 1, 2, ...)`. */
function rankList(ranks: readonly number[]): string {
  if (ranks.length > 4) return `${ranks.length} ranks (${ranks.slice(0, 3).join(', ')}, ...)`;
  return `Ranks ${ranks.slice(0, -1).join(', ')} and ${ranks.at(-1)}`;
}

const LIMITS: Readonly<Record<LimitKind, string>> = {
  computing: 'Computing',
  cores: 'Cores',
  memory: 'Memory',
  bandwidth: 'Bandwidth',
  latency: 'Latency',
  overhead: 'Message overhead',
  gap: 'Gap between messages',
  storage: 'Storage',
  scheduler: 'Operations of threads',
  workers: 'Workers',
  dependencies: 'Dependencies',
};

/** A second resource is named from this share of the run time on. */
const NOTABLE_GAIN = 0.01;

/**
 * The limit that second runs found, in sentences.
 *
 * @param facts sentences about the run, for a limit that is no resource
 */
export function limitText(
  { limit, figures }: PredictionDocument,
  one: 'rank' | 'worker' | 'thread',
  facts: string,
): string {
  if (limit === undefined) return facts;
  if (limit.kind === 'unknown') return `Not determined: ${limit.because}. ${facts}`;
  const time = figures.runTime.value;
  const gain = ({ gain: seconds }: Doubled): string => `${formatSeconds(seconds)} (${formatShare(seconds / time)})`;
  const { kind, name, tried } = limit;
  if (kind === 'dependencies') {
    const what =
      tried.length === 0
        ? `the ${one}s use no resource of the machine for long`
        : `no resource gains 1 % when doubled (${tried.map((t) => t.name.replace(/^machine\./, '')).join(', ')})`;
    return `${LIMITS.dependencies}: ${what}. ${facts}`;
  }
  const next = tried.filter((t) => t.name !== name && t.gain >= NOTABLE_GAIN * time).sort((a, b) => b.gain - a.gain)[0];
  const others = next === undefined ? '' : ` Next: ${doublingText(next.name)}, ${gain(next)}.`;
  return `${LIMITS[kind]}: ${doublingText(limit.name)} would gain ${gain(limit)}.${others}`;
}
