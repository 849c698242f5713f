import type { verify } from '../app/verify/verify.ts';

type Document = ReturnType<typeof verify>;
export type Result = Document['properties'][number];
type Witness = NonNullable<Result['witness']>;
type WitnessStep = Witness['steps'][number];

/** Maximum number of steps shown; of longer witnesses the first and the last ones. */
const MAX_STEPS = 40;

const WORDS = { fire: '', start: 'start of ', end: 'end of ', serve: 'served in ' } as const;

/** A witness as lines: `  2. take (x=3): buffer −1, hand[3] +1`. */
export function witnessLines({ steps, loop, shows, shortest, delays }: Witness): string[] {
  const length = `${steps.length} step${steps.length === 1 ? '' : 's'}`;
  const head =
    steps.length === 0
      ? 'in the initial marking'
      : `after ${length}${shortest ? ' (a shortest sequence)' : ''}${
          loop === undefined ? '' : `, of which those from step ${loop + 1} repeat forever`
        }`;
  const lines = steps.map((step, k) => `  ${k + 1}. ${stepText(step)}`);
  const cut =
    lines.length <= MAX_STEPS
      ? lines
      : [...lines.slice(0, MAX_STEPS / 2), `  … ${lines.length - MAX_STEPS} more`, ...lines.slice(-MAX_STEPS / 2)];
  return [`${head}: ${shows}`, ...cut, ...(delays === undefined ? [] : [delaysText(delays)])];
}

/** Verdict of the delays on this order of steps; other orders may reach the same marking. */
function delaysText({ permitted, reason }: NonNullable<Witness['delays']>): string {
  if (permitted === 'no') return `the delays rule out this order: ${reason}; another order may still be possible`;
  return `the delays ${permitted === 'yes' ? 'permit' : 'may or may not permit'} this order: ${reason}`;
}

/** A step with the changes it makes. */
export function stepText({ kind, node, binding, changes }: WitnessStep): string {
  const values = Object.entries(binding).map(([name, value]) => `${name}=${value}`);
  const given = values.length === 0 ? '' : ` (${values.join(', ')})`;
  const changed = changes.map(
    ({ place, colour, by }) =>
      `${place}${colour.length === 0 ? '' : `[${colour.join(', ')}]`} ${by > 0 ? '+' : '−'}${Math.abs(by)}`,
  );
  return `${WORDS[kind]}${node}${given}${changed.length === 0 ? '' : `: ${changed.join(', ')}`}`;
}
