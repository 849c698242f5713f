import { andMore } from '../../../base/listing.ts';
import { documentJson } from '../../../report/document-json.ts';
import { heading } from '../../../report/heading.ts';
import { pageOf } from '../../../report/page.ts';
import { type Style, styleOf, type ViewOptions } from '../../../report/style.ts';
import { table } from '../../../report/table.ts';
import { printable, prose, wrapped } from '../../../report/text.ts';
import { counted, formatCount, formatSeconds } from '../../../report/units.ts';
import type { Interval } from '../../exact/exact-parts.ts';
import { figureColumns, percent, rest, timeTable } from '../../exact/figure-text.ts';
import { assumedLine, subjectWords } from '../../exact/subject-text.ts';
import type { SteadyDocument, SteadySimulation } from '../steady-result.ts';
import { boundsAnswer, boundsSections, comparedSections } from './bounds-view.ts';
import { fragments, keyFactors, queues } from './key-factors.ts';

/** Maximum number of places, and of transitions, listed. */
const MAX_ROWS = 40;
/** Maximum number of figures named that have no interval. */
const MAX_NAMED = 12;
/** Maximum number of components listed. */
const MAX_COMPONENTS = 10;

/**
 * Renders the output of `foretoken steady`: figures of places and transitions with the half-widths of their proved intervals. No
 * line is wider than `width`; without `colour` there are no escape sequences, without `unicode` only ASCII.
 */
export function renderSteady(document: SteadyDocument, options: ViewOptions): string {
  const style = styleOf(options);
  const top = [...answer(document, style), ...setting(document, style)];
  if (document.methods !== undefined) return pageOf([top, ...comparedSections(document, style)]);
  if (document.method === 'bounds') return pageOf([top, ...boundsSections(document, style)]);
  const sections = [
    top,
    places(document, style),
    transitions(document, style),
    rewards(document, style),
    keyFactors(document, style),
    fragments(document, style),
    queues(document, style),
    absorption(document, style),
    reached(document, style),
    components(document, style),
    withoutInterval(document, style),
  ];
  return pageOf(sections);
}

const WHY: Readonly<Record<NonNullable<SteadyDocument['truncation']>, string>> = {
  states: 'the state limit was reached',
  memory: 'the memory limit was reached',
  time: 'the time limit was reached',
  interrupted: 'it was interrupted',
  firings: 'the limit of firings was reached',
  unsteady: 'tokens grow without end: there is no steady state',
  dead: 'the net ends in a dead marking',
  ends: 'runs end in different sets of markings',
};

function answer(document: SteadyDocument, style: Style): string[] {
  const { complete, truncation, states, places, transitions, options, simulation, erlang, open } = document;
  if (document.methods !== undefined || document.method === 'bounds') {
    const { text, isAlarm } = boundsAnswer(document);
    return prose(printable(text, style.unicode), style.width).map(isAlarm ? style.alarm : style.bold);
  }
  if (complete && erlang?.largestChange != null) {
    const { stages, double, largestChange } = erlang;
    const text = `APPROXIMATION: deterministic delays are Erlang delays of ${counted(double, 'stage')}; against ${counted(stages, 'stage')}, no figure changes by more than ${percent(largestChange)}`;
    return prose(text, style.width).map(style.bold);
  }
  if (complete && simulation !== undefined && document.runTime?.because !== undefined && simulation.replications === 1)
    return [style.bold('Every run is the same: figures of one run, restarted at each end')];
  if (complete && simulation !== undefined) {
    const { confidence, precision, firings } = simulation;
    const text = `Simulated, ${formatCount(firings)} firings: with ${percent(confidence)} confidence each figure is known to ${percent(precision)}`;
    return prose(text, style.width).map(style.bold);
  }
  if (complete) {
    const what =
      options['at'] === undefined
        ? document.runTime === undefined
          ? 'Steady state'
          : 'Steady state, restarted at each end,'
        : `After ${style.units(formatSeconds(Number(options['at'])))}, chain`;
    const isPartly = [...places, ...transitions].some(({ certainty }) => certainty === 0);
    const proof = isPartly
      ? `intervals of figures named by --reward only, as '#${places[0]?.name ?? 'place'}'`
      : 'every interval is proved and narrow';
    const ends =
      options['at'] === undefined && transitions.length > 0 && transitions.every((t) => t.throughput === 0)
        ? 'the net ends, and figures are those of its ends; '
        : '';
    return prose(`${what} of ${counted(states, 'state')}: ${ends}${proof}`, style.width).map(style.bold);
  }
  const why = truncation === undefined ? '' : `, because ${WHY[truncation]}`;
  if (simulation !== undefined) {
    const { figures, widest } = places.length === 0 ? { figures: 'no figures' } : unknownFigures(document, simulation);
    const advice =
      truncation === 'dead' || truncation === 'ends' ? `: ${replicationsFor(document, simulation)}` : widest;
    const text = printable(`INCOMPLETE: ${figures}${why}${advice ?? ''}`, style.unicode);
    return prose(text, style.width).map(style.alarm);
  }
  if (open?.because !== undefined) {
    const text = `NO INTERVALS (${open.because}): figures are those of a net with room for ${counted(open.capacity, 'token')}`;
    return prose(printable(text, style.unicode), style.width).map(style.alarm);
  }
  const text =
    places.length === 0
      ? `NO FIGURES${why}: ${counted(states, 'state')} found`
      : erlang !== undefined
        ? `INCOMPLETE: some figures of the approximation have wide intervals themselves${why}`
        : `INCOMPLETE: some intervals are wide${why}; all of them contain the exact value${open === undefined ? '' : '. A larger --capacity makes them narrower'}`;
  return prose(text, style.width).map(style.alarm);
}

/** Reasons for which a figure has no interval, although it is known. */
const SAME = new Set(['the same in every batch', 'the same in every run']);

/** Growth of a run between two looks at its intervals: they must be narrow at two looks. */
const CONFIRMED = 1.5;

/**
 * How many of the figures that a simulation is to find are not known to its precision, and the widest of them with the firings that
 * it takes: the half-width falls with their square root.
 */
function unknownFigures(
  { places, transitions, rewards }: SteadyDocument,
  { precision, firings }: SteadySimulation,
): { readonly figures: string; readonly widest?: string } {
  const all = rewards ?? [
    ...places.map((p) => ({ ...p, name: `tokens of ${p.name}` })),
    ...transitions.map((t) => ({ ...t, name: `firings of ${t.name}`, mean: t.throughput })),
  ];
  const goal = precision / (1 + precision);
  const share = ({ mean, halfWidth }: (typeof all)[number]): number => (halfWidth ?? Number.NaN) / Math.abs(mean);
  const unknown = all.filter((f) => !(share(f) <= goal) && f.halfWidth !== 0 && !SAME.has(f.because ?? ''));
  if (unknown.length === 0)
    return {
      figures: `every figure seems to be known to ${percent(precision)}, but a longer run has not confirmed it`,
    };
  const figures = `${formatCount(unknown.length)} of ${counted(all.length, 'figure')} ${unknown.length === 1 ? 'is' : 'are'} not known to ${percent(precision)}`;
  const wide = unknown.filter((f) => Number.isFinite(share(f))).sort((a, b) => share(b) - share(a))[0];
  if (wide === undefined) return { figures };
  const needed = Number((CONFIRMED * firings * (share(wide) / goal) ** 2).toPrecision(1));
  return {
    figures,
    widest: `; the widest, ${wide.name}, is known to ${percent(share(wide))} and takes ${unknown.every((f) => f.halfWidth !== null) ? 'about' : 'at least'} ${formatCount(needed)} firings`,
  };
}

/** Advice for a net that ends: the number of runs decides the precision, not their length. */
function replicationsFor(
  { places, rewards = places }: SteadyDocument,
  { replications, precision }: SteadySimulation,
): string {
  if (replications === 1) return '--replications 100 shows how often runs end in which marking';
  const goal = precision / (1 + precision);
  // In units of the requested half-width.
  const widest = rewards.reduce(
    (most, { mean, halfWidth }) => (halfWidth === null ? most : Math.max(most, halfWidth / (goal * Math.abs(mean)))),
    0,
  );
  const needed = replications * widest ** 2;
  return `${percent(precision)} takes about ${formatCount(Number(needed.toPrecision(2)))} replications`;
}

const SOLVERS: Readonly<Record<NonNullable<SteadyDocument['solver']>, string>> = {
  elimination: 'Markov chain, by elimination',
  iteration: 'Markov chain, by iteration',
  uniformisation: 'Markov chain, by uniformisation',
};

function setting(document: SteadyDocument, style: Style): string[] {
  const { inputs, options, solver, states, vanishing, seconds, simulation, reason, open, lumped } = document;
  const run = simulation === undefined ? '' : style.units(formatSeconds(simulation.time.value));
  const pieces = [
    ...subjectWords(options, inputs.machine),
    simulation === undefined || document.methods !== undefined ? '' : `simulation of ${run}, because ${reason}`,
    document.method === 'bounds'
      ? `${document.runTime === undefined ? 'linear programs' : 'laws of work and span'}, because ${reason}`
      : '',
    solver === null ? '' : SOLVERS[solver],
    solver === null ? '' : counted(states, 'state'),
    lumped === undefined ? '' : `solved as ${formatCount(lumped.states)} by symmetric colours`,
    open === undefined ? '' : `${open.places.join(', ')} cut at ${counted(open.capacity, 'token')}`,
    vanishing === 0 ? '' : `${formatCount(vanishing)} vanishing`,
    style.units(formatSeconds(seconds)),
  ];
  const text = pieces.filter((piece) => piece !== '').map((piece) => printable(piece, style.unicode));
  return [
    ...assumedLine(options).flatMap((line) => prose(line, style.width)),
    ...wrapped(text.join(style.dot), style.width, style.dot),
  ];
}

function places(document: SteadyDocument, style: Style): string[] {
  const { places: all } = document;
  if (all.length === 0) return [];
  const shown = all.slice(0, MAX_ROWS);
  const lines = table(
    [
      { head: 'place', cells: shown.map((p) => p.name) },
      ...figureColumns(
        'mean tokens',
        shown.map((p) => [p.mean, p]),
        document,
        style,
      ),
    ],
    style,
  );
  return [...lines, ...rest(all.length - shown.length, 'place')];
}

function transitions(document: SteadyDocument, style: Style): string[] {
  const { transitions: all } = document;
  if (all.length === 0) return [];
  const shown = all.slice(0, MAX_ROWS);
  const lines = table(
    [
      { head: 'transition', cells: shown.map((t) => t.name) },
      ...figureColumns(
        'firings/s',
        shown.map((t) => [t.throughput, t]),
        document,
        style,
      ),
      ...figureColumns(
        'enabled',
        shown.map((t) => [t.enabledProbability, t.enabled]),
        document,
        style,
      ),
    ],
    style,
  );
  return [...lines, ...rest(all.length - shown.length, 'transition')];
}

const UNTIL = { end: 'until the end', reach: 'until reached' } as const;

function rewards(document: SteadyDocument, style: Style): string[] {
  const { rewards: all = [], options } = document;
  if (all.length === 0) return [];
  const totals = (all[0]!.accumulated ?? []).map(({ until }, k) =>
    figureColumns(
      until === 'time' ? `until ${options['at']} s` : UNTIL[until],
      all.map(({ accumulated }) => [accumulated![k]!.value, accumulated![k]!]),
      document,
      style,
    ),
  );
  return table(
    [
      { head: 'reward', cells: all.map((r) => r.name) },
      ...figureColumns(
        'mean',
        all.map((r) => [r.mean, r]),
        document,
        style,
      ),
      ...totals.flat(),
    ],
    style,
  );
}

function absorption(document: SteadyDocument, style: Style): string[] {
  const { absorption: found } = document;
  return found === undefined
    ? []
    : timeTable(found, { head: 'time until the end', verb: 'have ended' }, document, style);
}

/** The probability that a formula ever holds, and the time until it first does. */
function reached(document: SteadyDocument, style: Style): string[] {
  const { reach } = document;
  if (reach === undefined) return [];
  const { formula, probability, probabilityInterval, until, mean, variance, varianceInterval } = reach;
  const rows = [
    { name: 'ever', value: probability, error: probabilityInterval },
    ...(until === undefined ? [] : [{ name: `until ${until.time} s`, value: until.probability, error: until }]),
  ];
  const chances = table(
    [
      { head: printable(formula, style.unicode), cells: rows.map((row) => row.name) },
      ...figureColumns(
        'probability',
        rows.map((row) => [row.value, row.error]),
        document,
        style,
      ),
    ],
    style,
  );
  if (mean === undefined || variance === undefined || varianceInterval === undefined) return chances;
  const { halfWidth: half = null, lower = null, upper = null, certainty = 1 } = reach;
  const found = { ...reach, mean, variance, varianceInterval, halfWidth: half, lower, upper, certainty };
  const head = probability === 1 ? 'time until then' : 'time until then, if ever';
  const { quantiles = [] } = reach;
  return [...chances, '', ...timeTable({ ...found, quantiles }, { head, verb: 'have reached it' }, document, style)];
}

function components(document: SteadyDocument, style: Style): string[] {
  const { components: all } = document;
  if (all.length < 2) return [];
  const shown = all.slice(0, MAX_COMPONENTS);
  return [
    heading('Components', `: ${formatCount(all.length)} sets of states that are never left`, style),
    ...table(
      [
        { head: 'states', cells: shown.map((c) => formatCount(c.states)), right: true },
        ...figureColumns(
          'probability',
          shown.map((c) => [c.probability, c]),
          document,
          style,
        ),
      ],
      style,
    ),
    ...rest(all.length - shown.length, 'component'),
  ];
}

/** The figures that have no interval, by reason. */
function withoutInterval(document: SteadyDocument, style: Style): string[] {
  const { places, transitions, rewards = [] } = document;
  const reasons = new Map<string, string[]>();
  const add = (name: string, { because }: Interval): void => {
    if (because !== undefined) reasons.set(because, [...(reasons.get(because) ?? []), name]);
  };
  // The first line says why.
  if (document.open?.because !== undefined) return [];
  for (const p of places) add(p.name, p);
  for (const t of transitions) {
    add(t.name, t);
    add(`${t.name} (enabled)`, t.enabled);
  }
  for (const r of rewards) add(r.name, r);
  return [...reasons].flatMap(([because, names]) => {
    const listed = names.slice(0, MAX_NAMED).map((name) => printable(name, style.unicode));
    const more = names.length > MAX_NAMED ? `, ${andMore(names.length - MAX_NAMED)}` : '';
    return prose(`No interval (${because}): ${listed.join(', ')}${more}`, style.width);
  });
}

/** All keys of the document in file order; the type ensures that none is missing. */
const keyOrder: Readonly<Record<keyof SteadyDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  method: true,
  reason: true,
  solver: true,
  complete: true,
  truncation: true,
  inputs: true,
  options: true,
  erlang: true,
  open: true,
  lumped: true,
  simulation: true,
  cycles: true,
  methods: true,
  states: true,
  vanishing: true,
  residual: true,
  places: true,
  transitions: true,
  rewards: true,
  runTime: true,
  parallelism: true,
  fragments: true,
  nodes: true,
  balance: true,
  resources: true,
  absorption: true,
  reach: true,
  components: true,
  seconds: true,
  warnings: true,
};

/** The document as JSON text, in the same format as other results. */
export function steadyJson(document: SteadyDocument): string {
  return documentJson(document, Object.keys(keyOrder) as (keyof SteadyDocument)[]);
}
