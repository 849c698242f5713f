import { fail, quote, shown } from '../../../base/problem.ts';
import { Site } from '../../site.ts';
import { ANY } from './builder-types.ts';
import type { Link } from './coupling.ts';
import type { Label } from './labels.ts';
import { type Methods, NOTHING, type Options, type Recording } from './recording.ts';
import type { Block, Into, Statement } from './statement.ts';
import { type Variable, valueIn } from './variables.ts';

/** A builder function; its call site is the place of the statement. */
type Above = (...a: never[]) => unknown;

/** Builder methods for labels of the module's interface; messages take a label as an option. */
export function labelMethods(recording: Recording): Methods {
  const methods = {
    partners(name: string): number {
      const { link } = recording.messages(name, 'partners', methods.partners);
      return link === undefined ? 1 : partnersOf(recording, link);
    },
    meet(name: string): void {
      const above = methods.meet;
      const { link } = recording.label(name, 'phase', 'meet', above);
      const comm = link?.kind === 'phase' ? link.comm : recording.world;
      recording.add({ kind: 'collective', call: 'barrier', args: {}, comm, request: undefined, site: new Site(above) });
    },
    hold(name: string, body: () => unknown): void {
      const above = methods.hold;
      const { label, link } = recording.label(name, 'resource', 'hold', above);
      const site = new Site(above);
      const resource =
        link?.kind === 'resource' ? link.resource : { name: recording.ownName(name), units: label.units };
      const held = recording.block(body, site);
      recording.add({ kind: 'acquire', resource, site });
      for (const s of held.statements) recording.add(s);
      recording.add({ kind: 'release', resource, site });
    },
  };
  return methods;
}

/** Number of ranks of the module at the other end of a link. */
function partnersOf(recording: Recording, link: Link): number {
  return 'comm' in link ? link.comm.sizeOf(recording.first) : 0;
}

/**
 * Options of a send or receive with its label replaced by a communicator and a peer. Without a link the operation has no
 * peer: it is complete at once.
 *
 * @throws InputError MODEL036 for a wrong label, carried values that it does not declare, and a send that needs `to`
 */
export function connected(
  recording: Recording,
  call: string,
  { label: name, ...options }: Options,
  above: Above,
): { readonly options: Options; readonly open: Label | undefined } {
  if (name === undefined) return { options, open: undefined };
  const refuse = (message: string): never =>
    fail('MODEL036', `${call} of label ${shown(name)}: ${message}`, new Site(above).place);
  const isSend = call === 'send' || call === 'isend';
  const { label, link } = recording.label(name, isSend ? 'sends' : 'receives', call, above);
  if (options['comm'] !== undefined) refuse('comm is given, too: expected a label or a communicator');
  const into = (options['into'] ?? {}) as { readonly carry?: unknown };
  const used = isSend ? Object.keys((options['carry'] ?? {}) as object) : Array.isArray(into.carry) ? into.carry : [];
  checkCarried(label, used, isSend, refuse);
  if (link === undefined || !('comm' in link))
    return { options: { ...options, [isSend ? 'to' : 'from']: null }, open: label };
  const { comm } = link;
  const partners = partnersOf(recording, link);
  if (isSend && !('to' in options)) {
    if (partners !== 1 && partners !== recording.size) {
      const own = recording.ownName(String(name));
      const partner = 'ends' in link ? link.ends.find((end) => end !== own) : undefined;
      refuse(
        `to is missing in ${quote(own)}: expected a rank of the ${partners} ranks of its partner${partner === undefined ? '' : `, ${quote(partner)}`}. It may be left out if the partner has one rank, or as many as this module (${recording.size})`,
      );
    }
    return { options: { ...options, to: partners === 1 ? 0 : ownRank, comm }, open: undefined };
  }
  const from = partners === 1 ? 0 : ANY;
  return { options: { ...(isSend ? {} : { from }), ...options, comm }, open: undefined };
}

const ownRank = (s: { readonly rank: number }): number => s.rank;

function checkCarried(
  label: Label,
  used: readonly unknown[],
  isSend: boolean,
  refuse: (message: string) => never,
): void {
  const declared = label.carry.length === 0 ? 'no values' : label.carry.join(', ');
  const unknown = used.find((name) => !label.carry.includes(name as string));
  if (unknown !== undefined) refuse(`carries ${declared}, but ${shown(unknown)} is given`);
  const missing = label.carry.find((name) => !used.includes(name));
  if (isSend && missing !== undefined) refuse(`carries ${declared}, but ${shown(missing)} is missing`);
}

/** Maximum number of values of a variable that a message without a known sender can carry. */
const MAX_DRAWN = 64;

/**
 * Statements that give variables the status of a message whose sender is unknown: every possible value of a carried variable
 * is equally probable, source and tag are 0.
 *
 * @throws InputError MODEL036 for a variable with too many values
 */
export function drawn(recording: Recording, into: Into, site: Site): Statement[] {
  const first = [into.source, into.tag].flatMap((variable): Statement[] =>
    variable === undefined ? [] : [{ kind: 'let', variable, value: 0, site }],
  );
  return [
    ...first,
    ...into.carry.flatMap((name) =>
      choice(name, valuesOf(name, recording.variableOf(name), recording.size, site), site),
    ),
  ];
}

function valuesOf(name: string, variable: Variable, size: number, site: Site): unknown[] {
  const { low = 0, high = variable.kind === 'rank' ? size - 1 : Number.POSITIVE_INFINITY } = variable;
  if (high - low < MAX_DRAWN) return Array.from({ length: high - low + 1 }, (_, k) => valueIn(variable, low + k));
  return fail(
    'MODEL036',
    `a message of an open label carries ${shown(name)}: expected at most ${MAX_DRAWN} values, got ${high - low + 1}. Compose the module with a partner that sends it`,
    site.place,
  );
}

function choice(variable: string, [value, ...others]: readonly unknown[], site: Site): Statement[] {
  const set: Statement = { kind: 'let', variable, value, site };
  if (others.length === 0) return [set];
  const block = (...statements: readonly Statement[]): Block => ({ statements });
  const otherwise = block(...choice(variable, others, site));
  return [{ kind: 'chance', probability: 1 / (others.length + 1), holds: block(set), otherwise, site }];
}

/** Adds a statement that completes receives; those of open labels draw what their messages carry. */
export function addCompletion(
  recording: Recording,
  statement: Extract<Statement, { readonly into: Into }>,
  isOpen: boolean,
): void {
  if (!isOpen) {
    recording.add(statement);
    return;
  }
  recording.add({ ...statement, into: NOTHING });
  for (const s of drawn(recording, statement.into, statement.site)) recording.add(s);
}
