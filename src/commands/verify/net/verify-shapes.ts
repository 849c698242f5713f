import { and, dead, EF, ge, gt, lt, not, or, tokens } from '../../../analysis/properties/build.ts';
import type { Formula } from '../../../analysis/properties/property.ts';
import type { ExploreOptions } from '../../../analysis/space/state-space.ts';
import { checkShapes, type ShapeFinding } from '../../../analysis/structure/shapes/check-shapes.ts';
import { type PlainMatrix, placeShapes, plainMatrix } from '../../../analysis/structure/shapes/plain-matrix.ts';
import { assertOptions, type Demand } from '../../../base/options.ts';
import type { Net } from '../../../net/net.ts';
import { type NodeShapes, type PlaceShape, sideOf } from '../../../net/shapes/node-shapes.ts';
import { assertValid } from '../../../net/validation/validate.ts';
import type { PropertyResult, Witness } from './verification.ts';
import { verify } from './verify.ts';

/** Limits of the state-space exploration; default 10⁶ states. */
export type VerifyShapesOptions = Pick<ExploreOptions, 'maxStates' | 'memory' | 'seconds' | 'workers' | 'cancelled'>;

/** A finding of the incidence matrix, and its verification. */
export interface VerifiedShape extends ShapeFinding {
  /** Outcome of the verification; `suspected` if it is undecided. */
  readonly status: 'suspected' | 'confirmed' | 'refuted';
  /**
   * Method that confirmed or refuted the finding. `state equation`: with the given iteration counts, no run ends with every
   * message received. `invariant`: the structure of the net, without its states.
   */
  readonly by?: 'state equation' | 'invariant' | 'state space';
  /** Reason why it remains suspected. */
  readonly reason?: string;
  /** A run that shows the error, confirmed by an independent replay. */
  readonly witness?: Witness;
}

/** Result of `verifyShapes`. */
export interface ShapeVerification {
  /** Deviations from the expected shapes, each with its verification. */
  readonly findings: readonly VerifiedShape[];
  /** Message places for which the iteration counts do not determine if all messages are received. */
  readonly open: readonly string[];
}

const MAX_STATES = 1e6;
/** Types of the options; `verify` checks their ranges. */
const LIMITS = {
  maxStates: 'any',
  memory: 'any',
  seconds: 'any',
  workers: 'any',
  cancelled: 'a function',
} satisfies Record<keyof VerifyShapesOptions, Demand>;

/**
 * Verifies a program's net by its incidence matrix. Compares the arcs of every place and transition with the shape of its
 * kind, then searches the state space for a run that shows each deviation as an error:
 *
 * - `unsafe place`: the place holds two tokens (a resource: more than initially, or fewer in a dead marking)
 * - `lost message`: a message arrives
 * - `receive that nothing sends to`: a receiving transition lacks only the message
 * - `unmatched counts`: in a dead marking, a message is left or still waited for
 * - `transition shape`: a control place holds two tokens, or in a dead marking not every process has ended or another token
 *   is left
 *
 * A finding that no run shows is refuted: the deviating shape is harmless. If a limit is reached, it remains suspected.
 *
 * @throws InputError STR003 for nets with colours and for unknown names; NET… for an invalid net
 */
export function verifyShapes(net: Net, shapes: NodeShapes = {}, options: VerifyShapesOptions = {}): ShapeVerification {
  assertValid(net);
  assertOptions('verifyShapes', options, LIMITS, 'APP060');
  const { findings, open } = checkShapes(net, shapes);
  const matrix = plainMatrix(net);
  const places = placeShapes(net, shapes);
  const asked = findings.flatMap((f, k) =>
    f.proved ? [] : [{ id: String(k), property: EF(shows(f, matrix, places)) }],
  );
  const answers = new Map<string, PropertyResult>();
  if (asked.length > 0)
    for (const answer of verify(net, asked, { maxStates: MAX_STATES, ...options }).properties)
      answers.set(answer.id, answer);
  return { findings: findings.map((f, k) => settled(f, answers.get(String(k)))), open };
}

function settled(finding: ShapeFinding, answer: PropertyResult | undefined): VerifiedShape {
  if (answer === undefined) return { ...finding, status: 'confirmed', by: 'state equation' };
  const { verdict, certificate, witness, reason } = answer;
  if (verdict === null) return { ...finding, status: 'suspected', ...(reason === undefined ? {} : { reason }) };
  return {
    ...finding,
    status: verdict === true ? 'confirmed' : 'refuted',
    by: certificate?.kind === 'structure' ? 'invariant' : 'state space',
    ...(witness === undefined ? {} : { witness }),
  };
}

/** Formula of the markings that show a finding as an error. */
function shows(f: ShapeFinding, matrix: PlainMatrix, shapes: ReadonlyMap<string, PlaceShape>): Formula {
  const [place] = f.places as [string];
  switch (f.kind) {
    case 'unsafe place': {
      const initial = matrix.initial.get(place)!;
      if (shapes.get(place)!.kind !== 'resource') return ge(tokens(place), 2);
      return or(gt(tokens(place), initial), and(dead, lt(tokens(place), initial)));
    }
    case 'lost message':
      return ge(tokens(place), 1);
    case 'receive that nothing sends to':
      return waitsFor(place, matrix);
    case 'unmatched counts':
      return and(dead, or(ge(tokens(...f.places), 1), ...f.places.map((p) => waitsFor(p, matrix))));
    case 'transition shape': {
      const control = [...shapes].filter(([, shape]) => sideOf(shape) === 'control').map(([p]) => p);
      return or(...control.map((p) => ge(tokens(p), 2)), and(dead, not(ended(shapes))));
    }
  }
}

/** Some output transition of the place has all its other input tokens. */
function waitsFor(place: string, { takes, inputs }: PlainMatrix): Formula {
  return or(
    ...[...takes.get(place)!.keys()].map((t) =>
      and(...[...inputs.get(t)!].filter(([p]) => p !== place).map(([p, n]) => ge(tokens(p), n))),
    ),
  );
}

/** All end places are marked and no other token is left. False for nets without end places. */
function ended(shapes: ReadonlyMap<string, PlaceShape>): Formula {
  const ends = [...shapes].filter(([, { kind }]) => kind === 'end').map(([p]) => p);
  if (ends.length === 0) return { op: 'false' };
  const others = [...shapes].filter(([, s]) => s.kind !== 'end' && sideOf(s) !== undefined).map(([p]) => p);
  return and(...ends.map((p) => ge(tokens(p), 1)), lt(tokens(...others), 1));
}
