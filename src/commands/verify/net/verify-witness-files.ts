import { jsonText, plainJson } from '../../../base/spelled-out.ts';
import { ChromeTrace } from '../../../trace/chrome.ts';
import { writeWhole } from '../../output.ts';
import type {
  PropertyResult,
  VerificationDocument,
  WitnessesDocument,
  WitnessSequence,
  WitnessStep,
} from './verification.ts';

type Shown = PropertyResult & { readonly witness: NonNullable<PropertyResult['witness']> };

function shown(document: VerificationDocument): Shown[] {
  return document.properties.filter((p): p is Shown => p.witness !== undefined);
}

/**
 * Writes the firing sequences of a verification as JSON, for `replay(net, sequences[k].steps)`.
 *
 * @throws InputError APP006 if the file cannot be written
 */
export function writeWitnesses(path: string, document: VerificationDocument): void {
  const sequences = shown(document).map(
    ({ id, property, verdict, witness }): WitnessSequence => ({ id, property, verdict, ...witness }),
  );
  const head: Omit<WitnessesDocument, 'sequences'> = {
    format: 'foretoken',
    version: 1,
    kind: 'witnesses',
    product: document.product,
    inputs: document.inputs,
  };
  const lines = sequences.map((s) => {
    const { steps, ...rest } = s;
    const all = steps.map((step) => `      ${jsonText(step)}`).join(',\n');
    return `    ${jsonText(rest).slice(0, -1)},"steps":[${all === '' ? '' : `\n${all}\n    `}]}`;
  });
  const body = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  writeWhole(path, `${plainJson(JSON.stringify(head, undefined, 2)).slice(0, -2)},\n  "sequences": ${body}\n}\n`);
}

/**
 * Writes the first firing sequence as a Chrome trace. Each transition, and each place with service, has a line, in the order
 * of first steps. Each step takes one second, because a sequence has no times; timed firings extend from start to end.
 *
 * @throws InputError OUT001 if the file cannot be written
 */
export function writeWitnessTrace(path: string, document: VerificationDocument): void {
  const steps = shown(document)[0]?.witness.steps ?? [];
  const trace = new ChromeTrace(path);
  try {
    const slices = slicesOf(steps);
    const lines = [...new Map(slices.map(({ node, lane }) => [`${node} ${lane}`, { node, lane }])).entries()];
    const numbers = new Map(lines.map(([key], k) => [key, k]));
    for (const [k, [, { node, lane }]] of lines.entries()) trace.thread(k, lane === 0 ? node : `${node} (${lane + 1})`);
    for (const { step, node, lane, from, to } of slices)
      trace.slice(numbers.get(`${node} ${lane}`)!, [node, ...values(step)].join(' '), step.kind, from, to, {
        step: from + 1,
      });
    trace.close();
  } catch (e) {
    trace.abort();
    throw e;
  }
}

interface Slice {
  readonly step: WitnessStep;
  readonly node: string;
  readonly lane: number;
  readonly from: number;
  to: number;
}

/** Converts steps to slices; overlapping firings of one transition get separate lanes. */
function slicesOf(steps: readonly WitnessStep[]): Slice[] {
  const slices: Slice[] = [];
  const open: Slice[] = [];
  steps.forEach((step, k) => {
    const { kind, node } = step;
    if (kind === 'end') {
      const at = open.findIndex((s) => s.node === node && String(values(s.step)) === String(values(step)));
      const [slice] = open.splice(at, 1);
      slice!.to = k + 1;
      return;
    }
    const taken = open.filter((s) => s.node === node).map((s) => s.lane);
    let lane = 0;
    while (taken.includes(lane)) lane++;
    const slice = { step, node, lane, from: k, to: kind === 'start' ? steps.length : k + 1 };
    slices.push(slice);
    if (kind === 'start') open.push(slice);
  });
  return slices;
}

function values({ binding }: WitnessStep): string[] {
  return Object.entries(binding)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
}
