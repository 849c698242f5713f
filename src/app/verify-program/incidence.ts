import { checkShapes, type ShapeFinding, turnsText } from '../../analysis/structure/shapes/check-shapes.ts';
import type { Recorded } from '../../models/program/recorder.ts';
import type { Channel } from '../../models/program/resolved/channels.ts';
import { type ResolvedNet, resolvedNet } from '../../models/program/resolved/resolved-net.ts';
import type { StatementInfo } from '../../models/program/world.ts';
import type {
  Choice,
  FindingOperation,
  IncidenceFinding,
  ProgramIncidence,
  ProgramInstance,
  Unmatched,
} from '../../report/program-verification.ts';

/** A suspicion, and what would show it in a marking in which nothing more can happen. */
interface Suspicion extends Pick<IncidenceFinding, 'kind' | 'places' | 'transitions' | 'what' | 'at'> {
  readonly proved: boolean;
  shows(left: Unmatched): boolean;
}

/** What the incidence matrix of a program's control net says, before any run. */
export interface Suspicions {
  /** Sizes of the net; undefined where it would be too large. */
  readonly size: Pick<ProgramIncidence, 'places' | 'transitions' | 'open'> | undefined;
  readonly all: readonly Suspicion[];
}

/**
 * The control net of programs, resolved by rank, compared with the shapes of its nodes: the first step of the method.
 *
 * @param told how statements are told
 * @complexity as {@link resolvedNet}
 */
export function suspicions(
  programs: readonly Recorded[],
  statements: readonly StatementInfo[],
  told: (one: StatementInfo) => Choice,
): Suspicions {
  const of = new Map(statements.map((one) => [one.statement, one]));
  const resolved = resolvedNet(programs, (s) => of.get(s)!.label);
  if (resolved === undefined) return { size: undefined, all: [] };
  const { net, shapes, operations, channels } = resolved;
  const report = checkShapes(net, shapes);
  // Who does not arrive does not leave either: that is told once.
  const uneven = new Set(report.findings.flatMap((f) => resolved.meetings.get(f.places[0]!) ?? []));
  const findings = report.findings.filter((f) => f.places.length > 1 || !uneven.has(f.places[0]!));
  const operationsOf = (transitions: readonly string[]): FindingOperation[] => {
    const found = new Map<StatementInfo, Set<number>>();
    for (const t of transitions) {
      const { rank, statement } = operations.get(t) ?? {};
      if (statement === undefined) continue;
      const one = of.get(statement)!;
      found.set(one, (found.get(one) ?? new Set<number>()).add(rank!));
    }
    return [...found].map(([one, ranks]) => ({ ...told(one), ranks: [...ranks].sort((a, b) => a - b) }));
  };
  return {
    size: { places: net.places.length, transitions: net.transitions.length, open: report.open.length },
    all: findings.map((f): Suspicion => {
      // What is left over does not tell its communicator: where two have such messages, it shows nothing.
      const meant = f.places.flatMap((p) => channels.get(p) ?? []).filter((c) => !others(c, channels.values()));
      return {
        kind: f.kind,
        places: f.places,
        transitions: f.transitions,
        what: whatOf(f, resolved),
        at: operationsOf(f.transitions),
        proved: f.proved,
        shows: (left) => meant.some((c) => isLeftOver(c, f, left)),
      };
    }),
  };
}

/** Whether another communicator has messages of the same ranks and tag. */
function others(channel: Channel, all: Iterable<Channel>): boolean {
  const same = (a: number | undefined, b: number | undefined): boolean => a === undefined || b === undefined || a === b;
  return [...all].some(
    (c) => c.comm !== channel.comm && same(c.from, channel.from) && same(c.to, channel.to) && same(c.tag, channel.tag),
  );
}

/** Whether a send or receive that is left over at the end is one of those that were suspected to be. */
function isLeftOver(channel: Channel, { kind }: ShapeFinding, { kind: left, rank, peer, tag }: Unmatched): boolean {
  if (kind !== (left === 'send' ? 'lost message' : 'receive that nothing sends to')) return false;
  const [from, to] = left === 'send' ? [rank, peer] : [peer, rank];
  return fits(channel.from, from) && fits(channel.to, to) && fits(channel.tag, tag);
}

/** Where a finding leaves open who it is, what is left over must do so, too: it may belong to something else. */
function fits(suspected: number | undefined, left: number | null): boolean {
  return (suspected ?? null) === left;
}

function whatOf(
  { kind, places, produced, consumed, expected, found }: ShapeFinding,
  { channels }: ResolvedNet,
): string {
  const [first] = places;
  const channel = channels.get(first!);
  if (channel === undefined) return `${first}: ${found} (${expected})`;
  const whose =
    places.length === 1
      ? channelText(channel)
      : `messages of ${places.length} kinds, the first ${channelText(channel).replace(/^messages /, '')}`;
  if (produced === undefined || consumed === undefined) return `${whose}: ${found}`;
  if (kind === 'lost message') return `${whose}: ${turnsText(produced)} sent, none received`;
  if (kind === 'receive that nothing sends to') return `${whose}: ${turnsText(consumed)} received, none sent`;
  return `${whose}: ${turnsText(produced)} sent, ${turnsText(consumed)} received`;
}

function channelText({ comm, from, to, tag }: Channel): string {
  const end = (rank: number | undefined): string => (rank === undefined ? 'any rank' : `rank ${rank}`);
  const tagged = tag === undefined ? '' : `, tag ${tag}`;
  return `messages from ${end(from)} to ${end(to)}${tagged}${comm === 0 ? '' : `, communicator ${comm}`}`;
}

/**
 * What became of the suspicions in what can happen. Refuted: all that can happen ends with nothing left over. Confirmed:
 * the state equation has no solution in which all ranks end and nothing is left over, or that very message or receive is
 * left over where nothing can happen any more.
 */
export function settledIncidence(
  { size, all }: Suspicions,
  { properties, unmatched, method }: Pick<ProgramInstance, 'properties' | 'unmatched' | 'method'>,
): ProgramIncidence {
  if (size === undefined)
    return { places: 0, transitions: 0, open: 0, findings: [], reason: 'the control net would be too large' };
  const asked = properties.filter((p) => p.id !== 'buffer');
  const holds = asked.every((p) => p.verdict === true);
  const unknown = asked.find((p) => p.verdict === null);
  const findings = all.map(({ proved, shows, ...told }): IncidenceFinding => {
    if (holds) return { ...told, status: 'refuted', by: method };
    if (proved) return { ...told, status: 'confirmed', by: 'state equation' };
    if (unmatched.some(shows)) return { ...told, status: 'confirmed', by: method };
    const reason = unknown?.reason ?? 'the explored runs fail earlier or in another way';
    return { ...told, status: 'suspected', reason };
  });
  return { ...size, findings };
}
