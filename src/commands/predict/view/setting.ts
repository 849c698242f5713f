import type { Style } from '../../../report/style.ts';
import { printable, wrapped } from '../../../report/text.ts';
import { counted, formatBytes } from '../../../report/units.ts';
import { ASSUMED, modelName, PARAMETER } from '../../exact/subject-text.ts';
import type { PredictionDocument } from '../prediction.ts';

/** The inputs of a prediction: model, network model, protocol, placement, machine, ranks, and all other options. */
export function setting(
  { inputs, options, figures, machine: description }: PredictionDocument,
  style: Style,
): string[] {
  const {
    model,
    ranks,
    networkModel,
    collectives,
    placement,
    eagerBelow,
    detachedBelow,
    net,
    builtIn,
    assumed,
    derivedTypeBytes,
    exact: _,
    ...others
  } = options;
  const isParameter = ([key]: readonly [string, unknown]): boolean => model !== undefined && key.startsWith(PARAMETER);
  const all = Object.entries(others);
  const actions = figures.actions === undefined ? '' : counted(figures.actions.value, 'action');
  const on =
    assumed === 'machine' || builtIn === undefined
      ? machineName(inputs.machine?.path, builtIn, description)
      : `built-in machine ${builtIn}`;
  // An assumed machine comes first: later, a long list of parameters could move it to another line.
  const isAssumed = on.startsWith(ASSUMED);
  const pieces = [
    isAssumed ? on : '',
    model === undefined ? '' : modelName(model, all.filter(isParameter)),
    networkModel === undefined ? '' : String(networkModel),
    protocol(eagerBelow, detachedBelow),
    placementName(inputs.hostfile?.path, placement),
    isAssumed ? '' : on,
    net === undefined ? '' : `net ${net}`,
    ranks === undefined || ranks === 0 ? '' : counted(Number(ranks), 'rank'),
    actions,
    collectives === undefined ? '' : `collectives ${collectives}`,
    derivedTypeBytes === undefined ? '' : sizesOf(derivedTypeBytes),
    ...all.filter((entry) => !isParameter(entry)).map(([key, value]) => `${key} ${value}`),
  ];
  const text = pieces.filter((piece) => piece !== '').map((piece) => printable(piece, style.unicode));
  return text.length === 0 ? [] : wrapped(text.join(style.dot), style.width, style.dot);
}

/** The placement: a hostfile, a rule of one word, or a complete phrase. */
function placementName(hostfile: string | undefined, placement: string | number | undefined): string {
  if (hostfile !== undefined) return `placement ${hostfile}`;
  const text = String(placement ?? '');
  return /^\w+$/.test(text) ? `placement ${text}` : text;
}

/** Sizes of derived datatypes. */
function sizesOf(bytes: string | number): string {
  return typeof bytes === 'number'
    ? `derived datatypes of ${bytes} B`
    : `bytes of derived datatypes ${bytes.replaceAll(',', ', ')}`;
}

/** A machine's path or name. A built-in that the user did not choose is marked as assumed. */
function machineName(
  path: string | undefined,
  builtIn: string | number | undefined,
  description: PredictionDocument['machine'],
): string {
  if (path !== undefined) return path;
  if (builtIn !== undefined) return `${ASSUMED} machine ${builtIn}`;
  return typeof description?.['name'] === 'string' ? `machine ${description['name']}` : '';
}

/** Message sizes below which sends are eager or detached; `rendezvous` if none are. */
function protocol(eagerBelow: string | number | undefined, detachedBelow: string | number | undefined): string {
  const below = (name: string, limit: string | number | undefined): string[] => {
    if (typeof limit !== 'number' || limit <= 0) return [];
    return [Number.isFinite(limit) ? `${name} below ${formatBytes(limit)}` : `${name} always`];
  };
  if (eagerBelow === undefined && detachedBelow === undefined) return '';
  // An eager send never waits, so detached sends are mentioned only above the eager limit.
  const more = Number(detachedBelow) > Number(eagerBelow ?? 0) ? below('detached', detachedBelow) : [];
  return [...below('eager', eagerBelow), ...more].join(', ') || 'rendezvous';
}
