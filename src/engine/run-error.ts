import { fail } from '../base/problem.ts';
import { MAX_TOKENS } from './emit/capacity.ts';
import type { Emission } from './emit/emission.ts';
import { MAX_WORDS } from './limits.ts';

/** Throws the error of a failed check of generated code, with the names of the net; `d` are the details that the code passed. */
export function runError(e: Emission, code: string, d: readonly number[]): never {
  const transition = (k: number): string => e.plans[k]!.transition.name;
  const place = (k: number): string => e.layouts[k]!.place.name;
  switch (code) {
    case 'RUN002': {
      const p = e.layouts[d[1]!]!;
      const field = p.place.fields[d[2]!]!;
      const { low, high } = p.ranges[d[2]!]!;
      return fail(
        code,
        `field "${field.name}" of place "${p.place.name}" would be ${d[3]}, outside ${field.colour} (${low} … ${high})`,
        { part: `transition ${transition(d[0]!)}` },
      );
    }
    case 'RUN003':
      return fail(code, `index ${d[1]} is outside 0 … ${d[2]! - 1}`, { part: `table ${e.net.tables[d[0]!]!.name}` });
    case 'RUN004':
      return fail(
        code,
        `a ${d[0]! < 0 ? 'service time' : 'delay'} of ${d[1]} s: expected a number >= 0 with a finite end time`,
        { part: d[0]! < 0 ? `place ${place(d[2]!)}` : `transition ${transition(d[0]!)}` },
      );
    case 'RUN005':
      return fail(
        code,
        `a count of ${d[2]} on the arc to ${place(d[1]!)}: expected an integer from 0 to ${MAX_TOKENS}`,
        { part: `transition ${transition(d[0]!)}` },
      );
    case 'RUN006':
      return fail(
        code,
        `a token demands amount ${d[1]}, weight ${d[2]}, bound ${d[3]}: expected amount >= 0, weight and bound > 0, and rates within the range of a double`,
        { part: `place ${place(d[0]!)}` },
      );
    case 'RUN007':
      return fail(code, `route ${d[1]} is not in the routes table`, { part: `place ${place(d[0]!)}` });
    case 'RUN008':
      return fail(
        code,
        d[2] === 1
          ? `its weight and the competing weights add up to ${d[1]}: expected a finite sum`
          : `a weight of ${d[1]}: expected a positive finite number`,
        {
          part: `transition ${transition(d[0]!)}`,
        },
      );
    case 'RUN014':
      return fail(code, `a token has the priority ${d[1]}: expected a number`, { part: `place ${place(d[0]!)}` });
    case 'RUN015':
      return fail(code, `draws for process ${d[1]}: expected an integer <= 2^53`, {
        part: `transition ${transition(d[0]!)}`,
      });
    case 'RUN013':
      return fail(code, `the tokens of the net take more than ${MAX_WORDS * 4} bytes`, {
        part: `place ${place(d[0]!)}`,
      });
    default:
      return fail('RUN009', 'did not return a number', {
        part: `function ${e.net.functions![d[0]!]!.name}`,
      });
  }
}

/** Throws RUN013: there is more of something than is kept in memory. */
export function tooMany(part: string, what: string): never {
  return fail('RUN013', `more than ${what}: shorten the run or reduce the model`, { part });
}

/** Codes of the errors that end a run, for the table of errors. */
export const RUN_CODES: readonly { readonly code: string; readonly meaning: string; readonly example: string }[] = [
  {
    code: 'RUN001',
    meaning: 'More steps at one instant than allowed: usually an endless cycle without delay.',
    example: 'a transition that takes a token and puts it back at once',
  },
  {
    code: 'RUN002',
    meaning: 'A value is outside the colour set of its field.',
    example: 'i + 1 at the end of a range 0 … 9',
  },
  { code: 'RUN003', meaning: 'A table index is out of range.', example: 'times[9] in a table of five' },
  {
    code: 'RUN004',
    meaning: 'A delay or service time is negative, NaN, or ends at infinity, or a distribution has invalid parameters.',
    example: 'delay −1; exponential of rate 0',
  },
  { code: 'RUN005', meaning: 'A count is not an integer from 0 to 10⁶.', example: 'a count of 0.5' },
  { code: 'RUN006', meaning: 'A demand on a max-min service is out of range.', example: 'a weight of 0' },
  { code: 'RUN007', meaning: 'A route is not in the routes table.', example: 'route 7 of a table of four' },
  {
    code: 'RUN008',
    meaning: 'A weight is not a positive finite number, or a sum of weights is not finite.',
    example: 'a weight of 0',
  },
  {
    code: 'RUN009',
    meaning: 'A function returned a value of the wrong type.',
    example: 'Math.log(-1)',
  },
  {
    code: 'RUN010',
    meaning: 'A saved run belongs to another net or version.',
    example: 'resuming a run after the net was changed',
  },
  { code: 'RUN011', meaning: 'The net is too large to compile.', example: 'a million places' },
  {
    code: 'RUN012',
    meaning: 'An observer runs or saves the run that it observes.',
    example: 'an observer that calls run()',
  },
  {
    code: 'RUN013',
    meaning: 'A memory limit is exceeded: 2 GiB of tokens, 2^23 tokens waiting for a server, 2^22 race clocks.',
    example: 'an unbounded source, run for a billion steps',
  },
  {
    code: 'RUN014',
    meaning: 'The priority of a token is NaN.',
    example: 'the priority k / k of a token with k = 0',
  },
  {
    code: 'RUN015',
    meaning: 'The process of a draw is not an integer <= 2^53.',
    example: 'the process k % 0',
  },
  {
    code: 'RUN016',
    meaning: 'A figure of a result exceeds the range of a double.',
    example: 'three computations of 1e308 flops on one host',
  },
];
