import type { Style } from './style.ts';
import { clipped, printable, prose } from './text.ts';
import { counted, formatCount } from './units.ts';
import type { PropertyResult, Witness, WitnessStep } from './verification.ts';

/** Steps shown at the beginning and end of a longer sequence. */
const FIRST = 20;
const LAST = 20;

/** Renders a firing sequence: steps with bindings and marking changes, what it demonstrates, and the command that repeats it. */
export function witnessLines({ id, repeat }: PropertyResult, witness: Witness, style: Style): string[] {
  const { steps, loop, shows, shortest, delays } = witness;
  const clean = (text: string): string => printable(text, style.unicode);
  const length = `${counted(steps.length, 'step')}${shortest ? ', shortest' : ''}`;
  const digits = String(steps.length).length;
  const lines = [style.bold(clipped(clean(`${id}: ${length}`), style.width, style.more))];
  steps.forEach((step, k) => {
    const cut = steps.length > FIRST + LAST + 1;
    if (cut && k === FIRST)
      lines.push(`${' '.repeat(digits + 2)}${style.more} ${formatCount(steps.length - FIRST - LAST)} steps`);
    if (cut && k >= FIRST && k < steps.length - LAST) return;
    const again = loop === k ? (loop === steps.length ? '' : 'repeated from here: ') : '';
    const text = clean(`${again}${stepText(step)}`);
    lines.push(clipped(`${String(k + 1).padStart(digits + 1)} ${text}`, style.width, style.more));
  });
  lines.push(...prose(clean(shows), style.width - digits - 2).map((line) => `${' '.repeat(digits + 2)}${line}`));
  if (delays !== undefined) {
    const words = {
      yes: 'The delays permit this order',
      no: 'The delays rule out this order',
      unknown: 'The delays may or may not permit this order',
    };
    const others = delays.permitted === 'no' ? ' Another order may still be possible.' : '';
    lines.push(...prose(clean(`${words[delays.permitted]}: ${delays.reason}.${others}`), style.width));
  }
  if (repeat !== undefined) lines.push(style.dim(clean(`again: ${style.runner}${repeat}`)));
  return lines;
}

/** `FF1a x=0: Think[0] −1, Catch1[0] +1`. */
function stepText({ kind, node, binding, changes }: WitnessStep): string {
  const how = { fire: '', start: 'start ', end: 'end ', serve: 'serve ' }[kind];
  const values = Object.entries(binding).map(([name, value]) => `${name}=${value}`);
  const what = changes.map(({ place, colour, by }) => {
    const of = colour.length === 0 ? '' : `[${colour.join(', ')}]`;
    return `${place}${of} ${by > 0 ? '+' : '-'}${Math.abs(by)}`;
  });
  return `${how}${[node, ...values].join(' ')}${what.length === 0 ? '' : `: ${what.join(', ')}`}`;
}
