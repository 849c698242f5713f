import { andMore } from '../../../base/listing.ts';
import { InputError, type Problem } from '../../../base/problem.ts';
import { holdersOf } from '../../../models/program/net/control-net.ts';
import { NOBODY } from '../../../models/program/net/ports.ts';
import type { ProgramNet } from '../../../models/program/net/program-net.ts';
import { valueIn } from '../../../models/program/record/variables.ts';
import { RANK } from '../../../models/program/resolve/state.ts';
import type { StatementInfo } from '../../../models/program/resolve/world.ts';
import type { ProgramStates } from '../../../models/program/run/program-states.ts';
import type { BlockedRank } from '../../inputs/document-parts.ts';
import { fromHere } from './model-figures.ts';
import { stuckStrands } from './stuck-strands.ts';
import { operationIn } from './unmatched-in-model.ts';

interface Marking {
  tokens(place: string): readonly { readonly values: readonly number[] }[];
}

/**
 * The error of the first rank that reached a statement with an invalid argument, with the model's line, the rank and the
 * values of its variables.
 */
export function faultOf(program: ProgramNet, marking: Marking): InputError | undefined {
  const problems = program.world.faults.flatMap(({ place, statement, arguments: args, message }): Problem[] => {
    const token = marking.tokens(place)[0];
    if (token === undefined) return [];
    const owner = ownerOf(program, token.values[0]!);
    const state = stateOf(program, place, token.values);
    const wrong =
      message ??
      args
        .filter((a) => a.mayFail)
        .map((a) => a.problemAt(state))
        .filter((problem) => problem !== undefined)
        .join('; ');
    const values = Object.entries(owner.variables).map(
      ([name, v]) => `${name} = ${JSON.stringify(valueIn(v, state[name]!))}`,
    );
    const at = [`rank ${state[RANK]! - owner.first}`, ...values].join(', ');
    return [
      {
        code: 'MODEL020',
        message: `${wrong ?? 'an invalid argument'}, at ${at}`,
        place: statement.statement.site.place,
      },
    ];
  });
  return problems.length === 0 ? undefined : new InputError(problems.slice(0, 1));
}

function ownerOf(program: ProgramNet, rank: number): ProgramNet['programs'][number] {
  return program.programs.find((p) => rank >= p.first && rank < p.first + p.size)!;
}

/** The values of a rank's token by name. */
function stateOf(program: ProgramNet, place: string, values: readonly number[]): Record<string, number> {
  const fields = program.net.places.find((p) => p.name === place)!.fields;
  return Object.fromEntries(fields.map((f, k) => [f.name, values[k]!]));
}

/** The ranks that have not ended, with the statement each is at. O(places + tokens). */
export function stuckRanks(program: ProgramNet, marking: Marking, states: Pick<ProgramStates, 'since'>): BlockedRank[] {
  const { world } = program;
  const byPlace = new Map<string, StatementInfo>();
  for (const info of world.statements) {
    for (const suffix of ['waits', 'runs', 'loads', 'worked', 'works', 'drained', 'turn', 'inside'])
      byPlace.set(`${info.label} ${suffix}`, info);
    byPlace.set(beforeStatement(info.label), info);
  }
  const waiting = waitsFor(program, marking);
  const strands = stuckStrands(program, marking);
  const places = new Set(program.net.places.map((p) => p.name));
  const stuck: BlockedRank[] = [];
  for (const [place, info] of byPlace) {
    if (!places.has(place)) continue;
    for (const { values } of marking.tokens(place)) {
      const rank = values[0]!;
      const { file = '', line = 0 } = info.statement.site.place;
      const peers = waiting.get(rank);
      stuck.push({
        rank,
        operation: operationOf(info),
        file: fromHere(file),
        line,
        waitsFor: peers === undefined ? [] : peers.has(-1) ? null : [...peers].sort((a, b) => a - b),
        since: states.since[rank]!,
        ...(info.statement.kind === 'threads' && strands.has(rank) ? { strands: strands.get(rank)! } : {}),
      });
    }
  }
  return stuck.sort((a, b) => a.rank - b.rank);
}

/** Name of the place before a statement: its label without the name of its program has no dot. */
function beforeStatement(label: string): string {
  const from = label.lastIndexOf('.') + 1;
  return `${label.slice(0, from)}at ${label.slice(from)}`;
}

function operationOf(info: StatementInfo): string {
  const inside = info.intervals.length === 0 ? '' : ` in ${info.intervals.join(' / ')}`;
  return `${operationIn(info)}${inside}`;
}

/**
 * A warning about messages that were never received. Messages whose sender waits for the receiver are left out: they are
 * part of a deadlock.
 */
export function lostMessages(program: ProgramNet, marking: Marking): Problem[] {
  const ends = program.world.pairEnds();
  const { tags } = program.world;
  const lost = ['sends', 'wildSends'].flatMap((place) => {
    const p = program.net.places.find((x) => x.name === place);
    if (p === undefined) return [];
    const [pair, bytes, tag] = ['p', 'b', 't'].map((name) => p.fields.findIndex((f) => f.name === name));
    return marking.tokens(place).map(({ values }) => ({
      pair: values[pair!]!,
      bytes: values[bytes!]!,
      tag: tags.key(values[tag!]!, 1),
    }));
  });
  const detached = lost.filter(
    ({ bytes }) => bytes < Math.max(program.machine.protocol.detachedBelow, program.machine.protocol.eagerBelow),
  );
  if (detached.length === 0) return [];
  const { pair, bytes, tag } = detached[0]!;
  const more = detached.length === 1 ? '' : `, ${andMore(detached.length - 1)}`;
  return [
    {
      code: 'MODEL031',
      message: `a message of ${bytes} B with tag ${tag} from rank ${ends.from[pair]} to rank ${ends.to[pair]} was never received${more}`,
    },
  ];
}

/** The senders and receivers of the messages that are left in the network. */
export function leftInNetwork(program: ProgramNet, marking: Marking): (readonly [from: number, to: number])[] {
  const place = program.net.places.find(({ name }) => name === 'network');
  const left = place === undefined ? [] : marking.tokens('network');
  if (left.length === 0) return [];
  const pair = place!.fields.findIndex(({ name }) => name === 'p');
  const { from, to } = program.world.pairEnds();
  return left.map(({ values }) => [from[values[pair]!]!, to[values[pair]!]!]);
}

/** For each rank, the ranks that its open sends and receives wait for; −1: any. */
function waitsFor(program: ProgramNet, marking: Marking): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  const ends = program.world.pairEnds();
  const note = (rank: number, peer: number): void => {
    found.set(rank, (found.get(rank) ?? new Set()).add(peer));
  };
  const each = (place: string, visit: (value: (field: string) => number) => void): void => {
    const p = program.net.places.find((x) => x.name === place);
    if (p === undefined) return;
    const at = new Map(p.fields.map((f, k) => [f.name, k]));
    for (const { values } of marking.tokens(place)) visit((field) => values[at.get(field)!]!);
  };
  each('sends', (value) => note(ends.from[value('p')]!, ends.to[value('p')]!));
  each('wildSends', (value) => note(value('s'), value('d')));
  each('receives', (value) => note(ends.to[value('p')]!, ends.from[value('p')]!));
  each('wildReceives', (value) => note(value('d'), value('s')));
  // A failure keeps these in the network; an eager message has left its sender.
  const { detachedBelow, eagerBelow } = program.machine.protocol;
  each('network', (value) => {
    const [from, to] = [ends.from[value('p')]!, ends.to[value('p')]!];
    if (value('a') !== NOBODY) note(to, from);
    if (value('b') >= Math.max(detachedBelow, eagerBelow)) note(from, to);
  });
  each('paired', (value) => note(ends.to[value('p')]!, ends.from[value('p')]!));
  // A rank at a probe waits for the sender of a message.
  for (const { label, statement } of program.world.statements) {
    const place = beforeStatement(label);
    if (statement.kind !== 'probe' || !program.net.places.some(({ name }) => name === place)) continue;
    const { pair, source } = program.arguments.get(statement)!;
    for (const { values } of marking.tokens(place)) {
      const given = (pair ?? source)?.in((variable) => values[variable]!) ?? -1;
      note(values[0]!, given < 0 || pair === undefined ? given : ends.from[given]!);
    }
  }
  // A rank at an `acquire` waits for the holders of the resource.
  for (const { label, statement } of program.world.statements) {
    if (statement.kind !== 'acquire') continue;
    const holders: number[] = [];
    each(holdersOf(statement.resource.name), (value) => holders.push(value('rank')));
    each(beforeStatement(label), (value) => {
      for (const holder of holders) note(value('rank'), holder);
    });
  }
  return found;
}
