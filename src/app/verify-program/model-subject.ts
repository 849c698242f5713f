import type { CollectiveSelector } from '../../models/collectives/expand.ts';
import { ANY } from '../../models/program/builder-types.ts';
import type { ProgramModel } from '../../models/program/model.ts';
import { type ProgramNet, programNet } from '../../models/program/program-net.ts';
import type { Recorded } from '../../models/program/recorder.ts';
import { isWild, labelOf, type Shaped } from '../../models/program/shape.ts';
import { RANK } from '../../models/program/state.ts';
import type { Statement } from '../../models/program/statement.ts';
import type { Told } from '../../models/program/world.ts';
import type { Transition } from '../../net/net.ts';
import type { Choice, Unmatched } from '../../report/program-verification.ts';
import { fromHere } from '../predict/model-figures.ts';
import { faultOf, stuckRanks } from '../predict/model-outcome.ts';
import { type MachineOptions, readTarget } from '../target.ts';
import { type Suspicions, suspicions } from './incidence.ts';
import type { Marking, NamedStep, Playable, Subject } from './subject.ts';
import { type SendProtocol, untimedMachine } from './untimed-machine.ts';

/** Statements that look whether something is complete. */
const LOOKS: ReadonlySet<Statement['kind']> = new Set(['test', 'waitAny', 'take']);
/** Statements that are no operations. */
const CONTROL: ReadonlySet<Statement['kind']> = new Set([
  'let',
  'take',
  'when',
  'chance',
  'loop',
  'while',
  'repeat',
  'interval',
]);

/**
 * A model for a number of ranks, as something to be verified. The machine gives its collectives their algorithms, and nothing else.
 *
 * @param change of the programs that the model records
 * @throws InputError MODEL0xx where the model refuses the number of ranks, and for what is wrong with it
 */
export function modelSubject(
  model: ProgramModel,
  ranks: number,
  options: MachineOptions,
  change: (programs: readonly Recorded[]) => readonly Recorded[] = (programs) => programs,
): Subject {
  const collectives = options.machine === undefined ? 'logarithmic' : readTarget(options).collectives;
  const programs = change(model.record(ranks));
  const made = new Map<SendProtocol, ModelPlay>();
  const play = (sends: SendProtocol): ModelPlay => {
    let known = made.get(sends);
    if (known === undefined) {
      known = new ModelPlay(programs, ranks, collectives, sends);
      made.set(sends, known);
    }
    return known;
  };
  const { world } = play('rendezvous').program;
  let suspected: Suspicions | undefined;
  return {
    ranks,
    parameters: model.params as Subject['parameters'],
    collectives: world.statements.some(({ statement: s }) => s.kind === 'collective' || s.kind === 'fence')
      ? collectives
      : undefined,
    choices: world.statements
      .filter(({ statement: s }) => isWild(s) || LOOKS.has(s.kind) || s.kind === 'chance' || s.kind === 'repeat')
      .map(told),
    suspicions: () => {
      suspected ??= suspicions(programs, world.statements, toldOfRank);
      return suspected;
    },
    withSends: play,
    close: () => {},
  };
}

class ModelPlay implements Playable {
  readonly program: ProgramNet;
  readonly net: Playable['net'];
  readonly matches: readonly string[] = ['match', 'matchWild'];
  readonly wildMatch: string = 'matchWild';
  readonly keepsOrder: boolean;
  readonly #ranks: number;
  readonly #looks: readonly string[];

  constructor(programs: readonly Recorded[], ranks: number, collectives: CollectiveSelector, sends: SendProtocol) {
    this.#ranks = ranks;
    this.program = programNet(programs, collectives, (pairs) => untimedMachine(ranks, pairs.from.length, sends));
    this.net = this.program.net;
    this.keepsOrder = hasOnePattern(this.program.world.statements);
    this.#looks = this.program.world.statements
      .filter(({ statement }) => LOOKS.has(statement.kind))
      .map(({ label }) => `${label} `);
  }

  /** Statements that look see what is complete; a receive with a wildcard takes one of several. All else nobody can be before. */
  canHasten({ name, outputs }: Transition): boolean {
    if (name === this.wildMatch) return false;
    if (this.#looks.length === 0) return true;
    const completes = outputs.some(({ place }) => place === 'completed');
    const shared = name === 'deliver' || name.startsWith('collective ');
    return !(completes && shared) && !this.#looks.some((label) => name.startsWith(label));
  }

  blocked(marking: Marking): ReturnType<Playable['blocked']> {
    return stuckRanks(this.program, marking, { since: new Float64Array(this.#ranks) });
  }

  unmatched(marking: Marking): Unmatched[] {
    const { tags } = this.program.world;
    const ends = this.program.world.pairEnds();
    const groups = new Map<string, { -readonly [K in keyof Unmatched]: Unmatched[K] }>();
    const note = (kind: Unmatched['kind'], rank: number, peer: number | null, t: number | null): void => {
      if (t !== null && tags.key(t, 2) === 1) return;
      const tag = t === null ? null : tags.key(t, 1);
      const key = [kind, rank, peer, tag].join();
      const group = groups.get(key);
      if (group !== undefined) group.count++;
      else groups.set(key, { kind, rank, peer, tag, count: 1, at: this.#lines(kind, rank, peer, tag) });
    };
    this.#each(marking, 'sends', (v) => note('send', ends.from[v('p')]!, ends.to[v('p')]!, v('t')));
    this.#each(marking, 'wildSends', (v) => note('send', v('s'), v('d'), v('t')));
    this.#each(marking, 'receives', (v) => note('receive', ends.to[v('p')]!, ends.from[v('p')]!, v('t')));
    this.#each(marking, 'wildReceives', (v) =>
      note('receive', v('d'), v('s') < 0 ? null : v('s'), v('t') < 0 ? null : v('t')),
    );
    return [...groups.values()].sort((a, b) => (a.kind === b.kind ? a.rank - b.rank : a.kind < b.kind ? 1 : -1));
  }

  waiting(marking: Marking): Map<number, number> {
    const found = new Map<number, number>();
    const { to } = this.program.world.pairEnds();
    const note = (rank: number): void => void found.set(rank, (found.get(rank) ?? 0) + 1);
    this.#each(marking, 'sends', (v) => note(to[v('p')]!));
    this.#each(marking, 'wildSends', (v) => note(v('d')));
    return found;
  }

  isInOrder(): boolean {
    return true;
  }

  check(marking: Marking): void {
    const fault = faultOf(this.program, marking);
    if (fault !== undefined) throw fault;
  }

  told(step: NamedStep): string | undefined {
    if (step.transition === this.wildMatch) {
      const { receive, message } = this.match(step).words();
      return `${receive} takes the message of ${message}`;
    }
    const one = this.program.world.statements.find(({ label }) => step.transition.startsWith(`${label} `));
    if (one === undefined) return undefined;
    const { statement, label } = one;
    if (!LOOKS.has(statement.kind) && statement.kind !== 'chance' && statement.kind !== 'repeat') return undefined;
    return `rank ${step.binding[RANK]}: ${lineOf(one)}: ${step.transition.slice(label.length + 1)}`;
  }

  match({ binding }: NamedStep): ReturnType<Playable['match']> {
    const { world } = this.program;
    const { from, to } = world.pairEnds();
    const pair = binding['p']!;
    const tag = world.tags.key(binding['t']!, 1);
    const [rank, sender] = [to[pair]!, from[pair]!];
    const lines = (kind: Unmatched['kind'], own: number, peer: number | null): string =>
      this.#lines(kind, own, peer, tag)
        .map(({ file, line }) => `${short(file)}:${line}`)
        .join(' or ');
    const key = (names: readonly string[]): string => names.map((name) => binding[name]).join();
    return {
      receive: key(['d', 'x', 's2', 't2', 'a']),
      message: key(['p', 't', 'q', 'b', 'v', 'y']),
      words: () => ({
        receive: `rank ${rank}: receive at ${lines('receive', rank!, null)}`,
        message: `rank ${sender}, sent at ${lines('send', sender!, rank!)}`,
      }),
    };
  }

  neverDone(fired: (transition: string) => boolean): Choice[] {
    const names = this.net.transitions.map((t) => t.name);
    return this.program.world.statements
      .filter(({ statement: s, label }) => {
        if (CONTROL.has(s.kind)) return false;
        return !names.some(
          (n) => (n === label || n.startsWith(`${label} `)) && !/ (?:to none|faults)$/.test(n) && fired(n),
        );
      })
      .map(told);
  }

  /** The lines that a message or receive can come from, as far as the statements say it without being run. */
  #lines(kind: Unmatched['kind'], rank: number, peer: number | null, tag: number | null): Choice[] {
    const may = (given: unknown, value: number | null): boolean =>
      typeof given !== 'number' || value === null || given === value;
    const fitting = this.program.world.statements.filter((one) => {
      const s = one.statement;
      if (!(one as Shaped).ranks(rank)) return false;
      if (kind === 'send') return s.kind === 'send' && may(s.to, peer) && may(s.tag ?? 0, tag);
      return s.kind === 'recv' && may(s.tag ?? 0, tag) && (peer === null || may(s.from, peer));
    });
    return fitting.map(toldOfRank);
  }

  #each(marking: Marking, place: string, tell: (value: (field: string) => number) => void): void {
    const p = this.net.places.find((x) => x.name === place);
    if (p === undefined) return;
    const at = new Map(p.fields.map((f, k) => [f.name, k]));
    for (const { values } of marking.tokens(place)) tell((field) => values[at.get(field)!]!);
  }
}

/**
 * Whether order cannot be lost where it counts: all receives of a program with wildcards take any tag or all name one, and of
 * those that stay open while others are posted there is one kind.
 */
function hasOnePattern(statements: readonly Told[]): boolean {
  const wild = statements.filter(({ statement }) => isWild(statement));
  if (wild.length === 0) return true;
  const receives = statements.map((one) => one.statement).filter((s) => s.kind === 'recv');
  const anyTag = receives.some((s) => s.tag === ANY);
  const tags = new Set(statements.flatMap(({ statement: s }) => (s.kind === 'send' ? [s.tag ?? 0] : [])));
  if (anyTag && tags.size > 1) return false;
  if (receives.every((s) => s.request === undefined)) return true;
  return new Set(receives.map((s) => `${String(s.from)} ${String(s.tag ?? 0)}`)).size === 1;
}

/** An operation of no rank in particular: of coupled models with the name of its own, `ocean.send`. */
function told(one: Told): Choice {
  const prefix = one.label.includes('.') ? one.label.slice(0, one.label.indexOf('.') + 1) : '';
  const { operation, ...where } = toldOfRank(one);
  return { operation: `${prefix}${operation}`, ...where };
}

/** An operation of ranks that are named beside it, which say whose it is: `send`, as of a rank that waits. */
function toldOfRank({ statement }: Told): Choice {
  const { file = '', line = 0 } = statement.site.place;
  return { operation: labelOf(statement), file: fromHere(file), line };
}

function lineOf(one: Told): string {
  const { operation, file, line } = told(one);
  return `${operation} (${short(file)}:${line})`;
}

function short(file: string): string {
  return file.split(/[\\/]/).at(-1)!;
}
