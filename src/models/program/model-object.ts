import { fail, type Place, shown } from '../../base/problem.ts';
import { type Adjustable, checkedParameters, type Parameters, type Widened } from '../parameters.ts';
import { isCount, MAX_RANKS, nearestAllowed } from './allowed-ranks.ts';
import type { RankRange } from './record/communicator.ts';
import { alone, type Position } from './record/coupling.ts';
import type { ColouredInterface, Interface } from './record/labels.ts';
import type { Recorded } from './record/recorder.ts';
import type { Variables } from './record/variables.ts';

/** Marks models; shared by all copies of the package. */
const BRAND: unique symbol = Symbol.for('foretoken.model') as never;
/** Version of the model object. Copies of the package accept each other's models only if it is equal. */
const FORM = 2;

/** A model of a parallel program with the values of its parameters; made by `spmd`, `mpmd` or `compose`. */
export interface ProgramModel<P = Parameters, V = Variables, I = Interface> {
  /** Name of the model. */
  readonly name: string;
  /** Current parameter values. */
  readonly params: Readonly<Widened<P>>;
  /** Default ranks and parameters of a verification. */
  readonly verifyWith: Readonly<Record<string, unknown>>;
  /**
   * The number of ranks if only one is possible (coupled models whose parts all have a fixed number); otherwise
   * undefined.
   */
  readonly ranks: number | undefined;
  /** File that defines the model, if known. */
  readonly file: string | undefined;
  /** The labels that other modules can be connected to, with the colour sets of the values they carry. */
  readonly interface: ColouredInterface;
  /** True if the model runs on this number of ranks according to its `ranks` rule. */
  allows(ranks: number): boolean;
  /**
   * The same model with other values of some parameters.
   *
   * @throws InputError MODEL005 for unknown parameters and values of another type
   */
  with(params: Partial<Widened<P>>): ProgramModel<P, V, I>;
  /**
   * Records the program of each part for a number of ranks; a model without parts has one.
   *
   * @throws InputError MODEL004 for a number of ranks that the model does not run on, and errors of `build`
   */
  record(ranks: number, most?: number): readonly Recorded[];
  /** Never set; carries only the types of the variables. */
  readonly vars?: V;
  /** Never set; carries only the types of the labels. */
  readonly labels?: I;
}

/** How a kind of model is recorded. */
export interface Definition extends Adjustable {
  readonly verifyWith: Readonly<Record<string, unknown>>;
  readonly ranks?: number | undefined;
  /** Where the model is defined. */
  readonly place: Place;
  readonly interface: ColouredInterface;
  /** Reason why a number of ranks is not allowed; undefined if it is. */
  refusal(ranks: number, params: Parameters): string | undefined;
  /** Ranks of the world that can use a label, for a model of `ranks` ranks from `first`. */
  ranksOf(label: string, ranks: number, params: Parameters, first: number): readonly RankRange[];
  record(ranks: number, params: Parameters, position: Position): readonly Recorded[];
}

/** The part of a model that only compositions use. */
interface Internal {
  ranksOf(label: string, ranks: number, first: number): readonly RankRange[];
  recordAt(ranks: number, position: Position): readonly Recorded[];
}

/** Composes parts: their programs at a position, and the ranks of a label. */
export const internal = (model: ProgramModel): Internal => model as unknown as Internal;

/** The model of a definition. */
export function modelOf<P, V, I>(d: Definition, params: Parameters = d.params): ProgramModel<P, V, I> {
  const model = {
    [BRAND]: FORM,
    name: d.name,
    params: Object.freeze({ ...params }),
    verifyWith: d.verifyWith,
    ranks: d.ranks,
    file: d.place.file,
    interface: d.interface,
    choices: (param: string) => d.choices?.(param),
    allows: (ranks: number) => isCount(ranks) && d.refusal(ranks, params) === undefined,
    with: (given: Parameters) => modelOf<P, V, I>(d, { ...params, ...checkedParameters(d, given) }),
    record: (ranks: number, most: number = MAX_RANKS) => {
      if (!isCount(ranks, most)) fail('MODEL004', `ranks: expected an integer from 1 to ${most}, got ${shown(ranks)}`);
      const refusal = d.refusal(ranks, params);
      if (refusal !== undefined) fail('MODEL004', `${refusal}${nearestAllowed(model, ranks)}`, d.place);
      return d.record(ranks, params, alone(d.name, ranks));
    },
    ranksOf: (label: string, ranks: number, first: number) => d.ranksOf(label, ranks, params, first),
    recordAt: (ranks: number, position: Position) => d.record(ranks, params, position),
  };
  return model as unknown as ProgramModel<P, V, I>;
}

/** True if a value is a model of this version. */
export function isModel(value: unknown): value is ProgramModel {
  return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === FORM;
}
