import type { Relaxation } from '../../analysis/petri/petri.ts';
import { Budget } from '../../analysis/space/budget.ts';
import { checkLimits } from '../../analysis/space/check-limits.ts';
import { type LinearSolver, linearProgramText } from '../../analysis/structure/linear-program.ts';
import {
  hasOpenBounds,
  MAX_PROGRAM_ENTRIES,
  programEntries,
  structureOf,
  withSolver,
} from '../../analysis/structure/structure.ts';
import { given as selected } from '../../base/given.ts';
import { fail, quote, shown } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { counted } from '../../report/units.ts';
import { spaceInput } from '../explore/explore-input.ts';
import { checkOptions } from '../inputs/check-options.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import { filesOfInput } from '../inputs/local-modules.ts';
import { aboutFile } from '../inputs/net-file.ts';
import type { PooledModel, RankedModel } from '../inputs/option-rows.ts';
import { machineFiles } from '../inputs/target.ts';
import { structureDocument } from './structure-document.ts';
import { STRUCTURE_ROWS, type StructureOptions, type StructureOptionsOf } from './structure-options.ts';
import type { StructureDocument } from './structure-result.ts';
import { targetsOf, unreachableTargets } from './structure-targets.ts';

/** Time of the parts that no limit ends, and of showing the result, as a multiple of the time to read the input. */
const RESULT_SHARE = 1;

/**
 * Analyses the structure of a net and proves properties of all reachable markings without exploring them: semiflows, siphons
 * and traps, classes, bounds of places with certificates, unreachable targets. The net is given directly, as a file, or as a
 * model. If the optional package `highs` is installed, linear programs improve the bounds.
 *
 * @throws InputError STR001 limits, PROP001 … targets, UNF001 … nets that cannot be unfolded, and all problems of reading
 */
export async function structure<I extends string | Net | RankedModel | PooledModel>(
  input: I,
  options?: StructureOptionsOf<I>,
): Promise<StructureDocument> {
  return structureAny(input, options);
}

/** @param load imports model modules, default `import` */
export async function structureAny(
  input: unknown,
  options: StructureOptions = {},
  load?: Import,
): Promise<StructureDocument> {
  const called = performance.now();
  const opened = await openInput('structure', input, load);
  checkOptions('structure', STRUCTURE_ROWS, opened, options);
  checkValues(options);
  const begun = performance.now();
  const whole = Budget.of(options);
  let budget = whole;
  let truncation: StructureDocument['truncation'];
  // All parts of the analysis end for the same reason: the first one.
  const stop = (): boolean => {
    truncation ??= budget.exceeded;
    return truncation !== undefined;
  };
  const subject = spaceInput(opened, options);
  budget = whole.keeping(RESULT_SHARE * (performance.now() - begun));
  const targets = targetsOf(subject.net, options.unreachable ?? []);
  const run = <T>(part: () => T): T => aboutFile(subject.file, part);
  options.analysing?.();
  const limits = {
    stop,
    relaxed: true,
    ...(options.sets === undefined ? {} : { sets: options.sets }),
  };
  let found = run(() => structureOf(subject.net, limits));
  let answers = unreachableTargets(found, targets, undefined);
  const isTooLarge = programEntries(found.petri) > MAX_PROGRAM_ENTRIES;
  const open = hasOpenBounds(found) || answers.some((t) => t.unreachable === null);
  // Loading it takes longer than analysing most nets.
  const wanted = open && !isTooLarge && options.linearPrograms !== false;
  const isLate = wanted && stop();
  const solver = wanted && !isLate ? await linearSolver(() => budget.secondsLeft) : undefined;
  if (solver !== undefined) {
    found = run(() => withSolver(found, solver, stop));
    answers = unreachableTargets(
      found,
      targets,
      stop() ? undefined : (program) => (stop() ? undefined : solver(program)),
    );
  }
  return {
    ...structureDocument(found),
    ...(truncation === undefined ? {} : { truncation }),
    inputs: filesOfInput(opened.path, machineFiles(options)),
    options: { ...subject.options, ...(options.sets === undefined ? {} : { sets: options.sets }) },
    ...(answers.length === 0 ? {} : { unreachable: answers }),
    solver:
      solver !== undefined
        ? 'highs'
        : isLate
          ? 'skipped'
          : reasonWithout(open, options.linearPrograms !== false, isTooLarge),
    seconds: (performance.now() - (options.begun ?? called)) / 1000,
    warnings: [...subject.warnings, ...(found.petri.relaxed === undefined ? [] : relaxedWords(found.petri.relaxed))],
  };
}

/** Parts that the analysed net leaves out. Its proofs hold, because it has all markings of the given net. */
const relaxedWords = ({ unordered, omitted }: Relaxation): string[] => [
  ...(unordered.length === 0
    ? []
    : [
        `${unordered.map((place) => quote(place)).join(', ')}: tokens of several colours are analysed without their order. Every proof holds; the net may have fewer markings than the analysed one`,
      ]),
  ...(omitted === undefined
    ? []
    : [
        `${counted(omitted.bindings, 'binding')} left out, because a run would end with an error there; every proof holds for all markings before such an error. The first: ${omitted.first}`,
      ]),
];

function reasonWithout(open: boolean, wanted: boolean, isTooLarge: boolean): StructureDocument['solver'] {
  if (!open) return 'not needed';
  if (!wanted) return 'off';
  return isTooLarge ? 'too large' : 'absent';
}

/** @throws InputError STR001, EXPL005 */
function checkValues({ sets, unreachable, seconds, memory }: StructureOptions): void {
  checkLimits(selected({ seconds, memory }, ['seconds', 'memory']));
  if (sets !== undefined && !(Number.isSafeInteger(sets) && sets > 0))
    fail('STR001', `sets: expected an integer >= 1, got ${shown(sets)}`, { part: 'structure' });
  if (unreachable !== undefined && !Array.isArray(unreachable))
    fail('STR001', `unreachable: expected a list of targets, got ${shown(unreachable)}`, { part: 'structure' });
}

/** Maximum number of pivots per program. Unlike a time limit, it is the same on every computer. */
const MAX_PIVOTS = 100_000;

/** The part of the package `highs` that is used. */
interface Highs {
  solve(
    program: string,
    options: Readonly<Record<string, number | boolean | string>>,
  ): {
    readonly Status: string;
    readonly Columns: Readonly<Record<string, { readonly Primal?: number }>>;
  };
}

/**
 * Loads HiGHS (Huangfu & Hall 2018) from the optional package `highs`; undefined if it is not installed. Takes about 0.2 s
 * once.
 */
export async function linearSolver(
  secondsLeft: () => number = () => Number.POSITIVE_INFINITY,
): Promise<LinearSolver | undefined> {
  let highs: Highs;
  try {
    const { default: load } = (await import('highs')) as unknown as { readonly default: () => Promise<Highs> };
    highs = await load();
  } catch {
    return undefined;
  }
  return (program) => {
    const { Status, Columns } = solved(highs, linearProgramText(program), secondsLeft());
    if (Status !== 'Optimal') return undefined;
    return Float64Array.from({ length: program.variables }, (_, v) => Columns[`x${v}`]?.Primal ?? 0);
  };
}

function solved(highs: Highs, text: string, seconds: number): ReturnType<Highs['solve']> {
  try {
    const limit = Number.isFinite(seconds) ? { time_limit: seconds } : {};
    return highs.solve(text, { output_flag: false, simplex_iteration_limit: MAX_PIVOTS, solver: 'simplex', ...limit });
  } catch {
    // A failing solver gives no answer. Results are checked exactly elsewhere, so correctness does not depend on the solver.
    return { Status: 'Failed', Columns: {} };
  }
}
