import { and, dead, EF, ge, gt, lt, not, or, tokens } from '../../analysis/properties/build.ts';
import type { Formula } from '../../analysis/properties/property.ts';
import type { ExploreOptions } from '../../analysis/space/state-space.ts';
import { checkShapes, type ShapeFinding } from '../../analysis/structure/shapes/check-shapes.ts';
import { type PlainMatrix, placeShapes, plainMatrix } from '../../analysis/structure/shapes/plain-matrix.ts';
import type { Net } from '../../net/net.ts';
import { type NodeShapes, type PlaceShape, sideOf } from '../../net/shapes/node-shapes.ts';
import { assertValid } from '../../net/validation/validate.ts';
import type { PropertyResult, Witness } from '../../report/verification.ts';
import { verify } from './verify.ts';

/** Limits of the state space that findings are asked of; default a million states. */
export type VerifyShapesOptions = Pick<ExploreOptions, 'maxStates' | 'memory' | 'seconds' | 'workers' | 'cancelled'>;

/** A finding of the incidence matrix, and what became of it. */
export interface VerifiedShape extends ShapeFinding {
  readonly status: 'suspected' | 'confirmed' | 'refuted';
  /**
   * What confirms or refutes it. `state equation`: by the turns that are given, no run comes to its end with every message
   * taken. `invariant`: by the structure of the net, without its states.
   */
  readonly by?: 'state equation' | 'invariant' | 'state space';
  /** Why it stays a suspicion. */
  readonly reason?: string;
  /** A run that shows it, confirmed by an independent replay. */
  readonly witness?: Witness;
}

export interface ShapeVerification {
  readonly findings: readonly VerifiedShape[];
  /** Message places of which the turns do not say that all that comes is taken, nor that it is not. */
  readonly open: readonly string[];
}

const MAX_STATES = 1e6;

/**
 * Verifies a program's net by its incidence matrix: compares the arcs of every place and transition with the shape of its kind,
 * and asks of what does not fit whether a run shows it:
 *
 * - `unsafe place`: it comes to hold two tokens (a resource: more than at first, or fewer where nothing can happen)
 * - `lost message`: a message comes
 * - `receive that nothing sends to`: one who takes it lacks nothing else
 * - `unmatched counts`: where nothing can happen any more, something is left or still waited for
 * - `transition shape`: some place of control comes to hold two tokens, or nothing can happen any more though not all that
 *   should end has ended, or something besides is left
 *
 * Where no run shows it, it is refuted: another shape does the same. A limit leaves it suspected.
 *
 * @throws InputError STR003 nets with colours, names that the net does not have; NET… an invalid net
 */
export function verifyShapes(net: Net, shapes: NodeShapes = {}, options: VerifyShapesOptions = {}): ShapeVerification {
  assertValid(net);
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

/** The markings in which a finding does harm. */
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

/** Some transition that takes of the place has everything else that it takes. */
function waitsFor(place: string, { takes, inputs }: PlainMatrix): Formula {
  return or(
    ...[...takes.get(place)!.keys()].map((t) =>
      and(...[...inputs.get(t)!].filter(([p]) => p !== place).map(([p, n]) => ge(tokens(p), n))),
    ),
  );
}

/** All that should end has ended, and nothing is on its way. A net without an end never has. */
function ended(shapes: ReadonlyMap<string, PlaceShape>): Formula {
  const ends = [...shapes].filter(([, { kind }]) => kind === 'end').map(([p]) => p);
  if (ends.length === 0) return { op: 'false' };
  const others = [...shapes].filter(([, s]) => s.kind !== 'end' && sideOf(s) !== undefined).map(([p]) => p);
  return and(...ends.map((p) => ge(tokens(p), 1)), lt(tokens(...others), 1));
}
