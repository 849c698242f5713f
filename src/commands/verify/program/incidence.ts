import { checkShapes, type ShapeFinding, turnsText } from '../../../analysis/structure/shapes/check-shapes.ts';
import type { Channel } from '../../../models/program/per-rank/channels.ts';
import { type ResolvedNet, resolvedNet } from '../../../models/program/per-rank/resolved-net.ts';
import type { Recorded } from '../../../models/program/record/recorder.ts';
import type { StatementInfo } from '../../../models/program/resolve/world.ts';
import type { Choice, Unmatched } from '../../predict/unmatched.ts';
import type { FindingOperation, IncidenceFinding, ProgramIncidence, ProgramInstance } from './program-verification.ts';

/** A suspected error, with a test that recognises it among the unmatched operations of a dead marking. */
interface Suspicion extends Pick<IncidenceFinding, 'kind' | 'places' | 'transitions' | 'what' | 'at'> {
  readonly proved: boolean;
  shows(left: Unmatched): boolean;
}

/** Suspected errors found in the incidence matrix of a program's control net, before any run. */
export interface Suspicions {
  /** Sizes of the control net; `undefined` if it would be too large. */
  readonly size: Pick<ProgramIncidence, 'places' | 'transitions' | 'open'> | undefined;
  readonly all: readonly Suspicion[];
}

/**
 * Builds the control net of the programs, resolved by rank, and compares it with the expected shapes of its nodes. This is
 * the first step of program verification.
 *
 * @param describe describes a statement for the report
 * @complexity as {@link resolvedNet}
 */
export function suspicions(
  programs: readonly Recorded[],
  statements: readonly StatementInfo[],
  describe: (one: StatementInfo) => Choice,
): Suspicions {
  const of = new Map(statements.map((one) => [one.statement, one]));
  const resolved = resolvedNet(programs, (s) => of.get(s)!.label);
  if (resolved === undefined) return { size: undefined, all: [] };
  const { net, shapes, operations, channels } = resolved;
  const report = checkShapes(net, shapes);
  // A rank that misses a collective lacks its arrival and its departure; report only the arrival.
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
    return [...found].map(([one, ranks]) => ({ ...describe(one), ranks: [...ranks].sort((a, b) => a - b) }));
  };
  return {
    size: { places: net.places.length, transitions: net.transitions.length, open: report.open.length },
    all: findings.map((f): Suspicion => {
      // Leftover messages do not contain their communicator: channels shared by two communicators confirm nothing.
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

/** True if another communicator has messages of the same ranks and tag. */
function others(channel: Channel, all: Iterable<Channel>): boolean {
  const same = (a: number | undefined, b: number | undefined): boolean => a === undefined || b === undefined || a === b;
  return [...all].some(
    (c) => c.comm !== channel.comm && same(c.from, channel.from) && same(c.to, channel.to) && same(c.tag, channel.tag),
  );
}

/** True if an unmatched send or receive at the end belongs to a suspected channel. */
function isLeftOver(channel: Channel, { kind }: ShapeFinding, { kind: left, rank, peer, tag }: Unmatched): boolean {
  if (kind !== (left === 'send' ? 'lost message' : 'receive that nothing sends to')) return false;
  const [from, to] = left === 'send' ? [rank, peer] : [peer, rank];
  return fits(channel.from, from) && fits(channel.to, to) && fits(channel.tag, tag);
}

/** A wildcard in the finding matches only a wildcard in the leftover operation, which may otherwise belong to another channel. */
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
 * Settles suspicions by the results of the verification. Refuted: all properties hold, so every run ends without unmatched
 * operations. Confirmed: the state equation has no solution in which all ranks end and nothing is unmatched, or the
 * suspected message or receive is unmatched in a dead marking.
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
  const findings = all.map(({ proved, shows, ...finding }): IncidenceFinding => {
    if (holds) return { ...finding, status: 'refuted', by: method };
    if (proved) return { ...finding, status: 'confirmed', by: 'state equation' };
    if (unmatched.some(shows)) return { ...finding, status: 'confirmed', by: method };
    const reason = unknown?.reason ?? 'the explored runs fail earlier or in another way';
    return { ...finding, status: 'suspected', reason };
  });
  return { ...size, findings };
}
