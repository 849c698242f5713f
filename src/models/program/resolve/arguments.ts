import { fail, quote, withArticle } from '../../../base/problem.ts';
import type { Noise } from '../../../base/random/noise.ts';
import { domainOf } from '../../../net/functions/read-tree.ts';
import {
  amountRule,
  countRule,
  logarithmRule,
  NO_PEER,
  peerRule,
  probabilityRule,
  tagRule,
  variableRule,
} from '../net/rules.ts';
import { ANY } from '../record/builder-types.ts';
import type { Statement } from '../record/statement.ts';
import { Argument, type Rule } from './argument.ts';
import type { CollectiveRows } from './collective-rows.ts';
import { isWild, labelOf, type Shape, type Shaped } from './shape.ts';
import { type Closure, RANK } from './state.ts';
import type { World } from './world.ts';

/** Arguments of a statement by name. */
export type Arguments = Readonly<Record<string, Argument>>;

/** Carried values are encoded as one mixed-radix number; each variable has one digit. */
export interface CarryDigit {
  readonly name: string;
  readonly stride: number;
  /** Number of digit values: 0 means not carried, values count from 1. */
  readonly size: number;
  readonly low: number;
}

/**
 * Digits of the carried values. A variable name means the same in all coupled programs.
 *
 * @throws InputError MODEL024 for unbounded variables, and for different bounds in two programs
 */
export function carryDigits(shapes: readonly Shape[]): CarryDigit[] {
  const found = new Map<string, { low: number; size: number }>();
  for (const shape of shapes)
    for (const [s] of shape.of) {
      if (s.kind !== 'send') continue;
      for (const name of Object.keys(s.carry)) {
        const set = shape.context.sets[name]!;
        if (set.kind !== 'range')
          fail(
            'MODEL024',
            `messages cannot carry variable "${name}", which has no bound: use range(low, high) or counter(most)`,
            s.site.place,
          );
        const size = set.high - set.low + 2;
        const known = found.get(name);
        if (known !== undefined && (known.low !== set.low || known.size !== size))
          fail('MODEL024', `variable "${name}" has a different range in another program`, s.site.place);
        found.set(name, { low: set.low, size });
      }
    }
  let stride = 1;
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { low, size }]) => {
      const digit = { name, stride, size, low };
      stride *= size;
      if (stride > 2 ** 52) fail('MODEL024', 'messages carry more than 2^52 different values');
      return digit;
    });
}

/** True if a rank of the world may receive with wildcards. */
export function wildReceivers(shapes: readonly Shape[]): (rank: number) => boolean {
  const wild = shapes.flatMap((shape) => [...shape.of.values()].filter((s) => isWild(s.statement)));
  const known = new Map<number, boolean>();
  return (rank) => {
    let found = known.get(rank);
    if (found === undefined) {
      found = wild.some((s) => s.ranks(rank));
      known.set(rank, found);
    }
    return found;
  };
}

/** Inputs of {@link argumentsOf}. */
export interface ArgumentParts {
  readonly shape: Shape;
  readonly world: World;
  readonly rows: CollectiveRows;
  readonly digits: readonly CarryDigit[];
  readonly isWildReceiver: (rank: number) => boolean;
  /** True if any rank is a wildcard receiver. */
  readonly anyWild: boolean;
  /** Number that separates the messages of each collective call from others: see {@link CollectiveRows.first}. */
  readonly callNumbers: ReadonlyMap<Statement, number>;
  /** Noise of the machine. */
  readonly noise: Noise | undefined;
}

/** Rules whose numbers need not be integers. */
const REAL: ReadonlySet<Rule> = new Set([amountRule, logarithmRule, probabilityRule]);

/** Arguments of every statement. Assigns numbers to pairs, tags and collective steps on first use. */
export function argumentsOf(parts: ArgumentParts): Map<Statement, Arguments> {
  const all = new Map<Statement, Arguments>();
  for (const [s, shaped] of parts.shape.of) all.set(s, ofStatement(parts, s, shaped));
  return all;
}

function ofStatement(parts: ArgumentParts, s: Statement, shaped: Shaped): Arguments {
  const { shape, world, rows, digits, isWildReceiver, anyWild, noise, callNumbers } = parts;
  const { sets } = shape.context;
  const make = (what: string, value: unknown, rule: Rule, table = what, only?: Int32Array): Argument =>
    new Argument(shape.context, {
      value,
      rule,
      what: `${what} of ${withArticle(labelOf(s))}`,
      name: `${shaped.label}.${table}`,
      site: s.site,
      ranks: shaped.ranks,
      integer: !REAL.has(rule),
      only,
    });
  /**
   * An argument that depends on the peer. Evaluated only for ranks that reach the statement: other pairs would need
   * routes for nothing.
   */
  const ofPeer = (what: string, value: unknown, rule: Rule, table = what): Argument =>
    make(what, dependent(value), rule, table, coming(shaped, world.ranks));
  /** The peer as the number of the (source, destination) pair. */
  const pair = (what: string, value: unknown, comm: Parameters<typeof peerRule>[0], out: boolean): Argument => {
    const rule = peerRule(comm, (own, peer) => {
      const number = out ? world.pair(own, peer) : world.pair(peer, own);
      return number ?? `rank ${peer}: its route was unknown when the net was built`;
    });
    const made = ofPeer(what, value, rule);
    if (made.called) allPairs(world, shape, s, what);
    return made;
  };
  switch (s.kind) {
    case 'compute': {
      const made: Record<string, Argument> = {};
      if (s.flops !== undefined) made['flops'] = make('flops', s.flops, amountRule);
      if (s.seconds !== undefined) made['seconds'] = make('seconds', s.seconds, amountRule);
      if (s.bytes !== undefined) made['bytes'] = make('bytes', s.bytes, amountRule);
      const time = s.flops ?? s.seconds;
      if (time !== undefined && (s.noise ?? noise)?.kind === 'lognormal')
        made['logarithm'] = make(s.flops === undefined ? 'ln seconds' : 'ln flops', time, logarithmRule);
      return made;
    }
    case 'file':
      return { bytes: make('bytes', s.bytes, amountRule) };
    case 'sleep':
      return {
        seconds: make('seconds', s.seconds, amountRule),
        ...(s.noise?.kind === 'lognormal' ? { logarithm: make('ln seconds', s.seconds, logarithmRule) } : {}),
      };
    case 'send': {
      const receiver: Rule = peerRule(s.comm, (_, peer) => Number(isWildReceiver(peer)));
      return {
        pair: pair('to', s.to, s.comm, true),
        tag: make(
          'tag',
          s.tag,
          tagRule((tag) => world.tag(s.comm.number, tag, false)),
        ),
        bytes: make('bytes', s.bytes, countRule),
        ...(anyWild ? { wild: ofPeer('to', s.to, receiver, 'wild') } : {}),
        ...(digits.length === 0 ? {} : { carry: make('carry', collected(s.carry), carryRule(shape, digits)) }),
      };
    }
    case 'recv':
    case 'probe': {
      const tag =
        s.tag === ANY
          ? make('tag', NO_PEER, () => NO_PEER)
          : make(
              'tag',
              s.tag,
              tagRule((t) => world.tag(s.comm.number, t, false)),
            );
      if (s.from === ANY) return { tag };
      if (isWild(s))
        return {
          tag,
          source: ofPeer(
            'from',
            s.from,
            peerRule(s.comm, (_, peer) => peer),
          ),
        };
      const receiver: Rule = (_, state) => Number(isWildReceiver(state[RANK]!));
      return {
        tag,
        pair: pair('from', s.from, s.comm, false),
        ...(anyWild || (s.kind === 'probe' && s.into.source !== undefined)
          ? {
              source: ofPeer(
                'from',
                s.from,
                peerRule(s.comm, (_, peer) => peer),
                'source',
              ),
              wild: make('from', () => 0, receiver, 'wild'),
            }
          : {}),
      };
    }
    case 'put':
    case 'get':
      return {
        pair: pair(s.kind === 'put' ? 'to' : 'from', s.peer, s.comm, s.kind === 'put'),
        bytes: make('bytes', s.bytes, countRule),
      };
    case 'fence':
      return { row: make('fence', () => ({}), collectiveRule(rows, s.comm, 'barrier', callNumbers.get(s)!)) };
    case 'collective': {
      sameRoot(s, make('root', s.args['root'] ?? 0, countRule, 'root'), world.ranks);
      const made = make('call', collected(s.args), collectiveRule(rows, s.comm, s.call, callNumbers.get(s)!));
      return { row: made };
    }
    case 'let': {
      const set = sets[s.variable]!;
      const high = set.kind === 'range' ? set.high : undefined;
      return { value: make(s.variable, s.value, variableRule(shape.program.variables[s.variable]!, high)) };
    }
    case 'chance':
    case 'repeat':
      return { probability: make('probability', s.probability, probabilityRule) };
    default:
      return {};
  }
}

const COMING = new WeakMap<Shaped['ranks'], Int32Array>();

/** Ranks that can reach a statement, ascending. O(ranks) once per block of statements. */
function coming({ ranks }: Shaped, world: number): Int32Array {
  let found = COMING.get(ranks);
  if (found === undefined) {
    found = Int32Array.from({ length: world }, (_, rank) => rank).filter(ranks);
    COMING.set(ranks, found);
  }
  return found;
}

/** A constant peer as a function: the pair depends on the own rank. */
function dependent(value: unknown): unknown {
  return typeof value === 'function' ? value : () => value;
}

/**
 * Rejects a root that differs between the ranks of a group, if it depends only on the rank.
 *
 * @throws InputError MODEL027
 */
function sameRoot(
  { site, comm, call }: Extract<Statement, { kind: 'collective' }>,
  root: Argument,
  ranks: number,
): void {
  if (root.reads.length !== 1 || root.reads[0] !== RANK) return;
  const roots = new Map<number, { root: number; rank: number }>();
  for (let rank = 0; rank < ranks; rank++) {
    if (!comm.has(rank)) continue;
    const leader = comm.worldRank(rank, 0)!;
    const own = root.numberAt({ [RANK]: rank });
    const known = roots.get(leader);
    if (known === undefined) roots.set(leader, { root: own, rank });
    else if (known.root !== own)
      fail(
        'MODEL027',
        `the root of a ${call} is ${known.root} on rank ${known.rank} and ${own} on rank ${rank}: all ranks must use the same root`,
        site.place,
      );
  }
}

/** The arguments of a collective as one function of the state; returns all of them by name. */
function collected(args: Readonly<Record<string, unknown>>): Closure {
  return ((s: never) =>
    Object.fromEntries(
      Object.entries(args).map(([name, value]) => [name, typeof value === 'function' ? value(s) : value]),
    )) as Closure;
}

function carryRule(shape: Shape, digits: readonly CarryDigit[]): Rule {
  return (value, state) => {
    let number = 0;
    for (const { name, stride, low } of digits) {
      const given = (value as Record<string, unknown>)[name];
      if (given === undefined) continue;
      const set = shape.context.sets[name]!;
      const of = variableRule(shape.program.variables[name]!, set.kind === 'range' ? set.high : undefined)(
        given,
        state,
      );
      if (typeof of === 'string') return `${name}: ${of}`;
      number += (of - low + 1) * stride;
    }
    return number;
  };
}

function collectiveRule(
  rows: CollectiveRows,
  comm: Parameters<typeof peerRule>[0],
  kind: Parameters<CollectiveRows['first']>[2],
  callNumber: number,
): Rule {
  return (value, state) => {
    const args = value as Record<string, unknown>;
    for (const [name, amount] of Object.entries(args)) {
      const list = Array.isArray(amount) ? amount : [amount];
      for (const one of list) {
        const verdict = name === 'flops' ? amountRule(one, state) : countRule(one, state);
        if (typeof verdict === 'string') return `${name}: ${verdict}`;
      }
    }
    return rows.first(state[RANK]!, comm, kind, args, callNumber);
  };
}

/** Maximum number of pairs of ranks for a program whose peers are known only at run time. */
const MAX_PAIRS = 2 ** 22;

/** Assigns numbers to all pairs of ranks, for peers known only at run time. */
function allPairs(world: World, { program, context }: Shape, s: Statement, what: string): void {
  const { ranks } = world;
  if (ranks * ranks > MAX_PAIRS) {
    const unbounded = Object.entries(context.sets)
      .filter(([name, set]) => domainOf({ name, term: { op: 'var', name }, set }).size === Number.POSITIVE_INFINITY)
      .map(([name]) => quote(name));
    const why =
      unbounded.length > 0
        ? `the bound of ${unbounded.join(', ')} is not known; give the counter a bound, as in counter(63)`
        : `the variables that it reads have more than ${context.limit} values together, the largest table of a peer; use fewer ranks, or variables with fewer values`;
    fail(
      'MODEL025',
      `${what} of ${withArticle(labelOf(s))} in ${program.name} has no table, and ${ranks} ranks have too many pairs: ${why}`,
      s.site.place,
    );
  }
  for (let from = 0; from < ranks; from++) for (let to = 0; to < ranks; to++) world.pair(from, to);
}
