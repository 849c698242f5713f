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
      return fail(code, `index ${d[1]} lies outside 0 … ${d[2]! - 1}`, { part: `table ${e.net.tables[d[0]!]!.name}` });
    case 'RUN004':
      return fail(
        code,
        `a ${d[0]! < 0 ? 'service time' : 'delay'} of ${d[1]} s: a number from 0 on is expected, and an end that is finite`,
        { part: d[0]! < 0 ? `place ${place(d[2]!)}` : `transition ${transition(d[0]!)}` },
      );
    case 'RUN005':
      return fail(
        code,
        `a count of ${d[2]} on the arc to ${place(d[1]!)}: a whole number from 0 to ${MAX_TOKENS} is expected`,
        { part: `transition ${transition(d[0]!)}` },
      );
    case 'RUN006':
      return fail(
        code,
        `a token asks for amount ${d[1]}, weight ${d[2]}, bound ${d[3]}: positive numbers are expected (amount 0 … ), of which a double can hold the rates`,
        { part: `place ${place(d[0]!)}` },
      );
    case 'RUN007':
      return fail(code, `route ${d[1]} is not in the table of routes`, { part: `place ${place(d[0]!)}` });
    case 'RUN008':
      return fail(
        code,
        d[2] === 1
          ? `its weight and those that compete with it add up to ${d[1]}: a finite sum is expected`
          : `a weight of ${d[1]}: a positive finite number is expected`,
        {
          part: `transition ${transition(d[0]!)}`,
        },
      );
    case 'RUN014':
      return fail(code, `a token has the priority ${d[1]}: a number is expected`, { part: `place ${place(d[0]!)}` });
    case 'RUN015':
      return fail(code, `draws for process ${d[1]}: a whole number of at most 2^53 is expected`, {
        part: `transition ${transition(d[0]!)}`,
      });
    case 'RUN013':
      return fail(code, `the tokens of the net take more than ${MAX_WORDS * 4} bytes`, {
        part: `place ${place(d[0]!)}`,
      });
    default:
      return fail('RUN009', 'returned no number', {
        part: `function ${e.net.functions![d[0]!]!.name}`,
      });
  }
}

/** Throws RUN013: there is more of something than is kept in memory. */
export function tooMany(part: string, what: string): never {
  return fail('RUN013', `more than ${what}: fewer are expected, or a shorter run`, { part });
}

/** Codes of the errors that end a run, for the table of errors. */
export const RUN_CODES: readonly { readonly code: string; readonly meaning: string; readonly example: string }[] = [
  {
    code: 'RUN001',
    meaning: 'more steps at one instant than allowed: an endless cycle without delay',
    example: 'a transition that takes a token and puts it back at once',
  },
  {
    code: 'RUN002',
    meaning: 'a value outside the colour set of its field',
    example: 'i + 1 at the end of a range 0 … 9',
  },
  { code: 'RUN003', meaning: 'an index outside a table', example: 'times[9] in a table of five' },
  {
    code: 'RUN004',
    meaning:
      'a delay or service time that is negative, no number, or ends at infinity; parameters that make no distribution',
    example: 'delay −1; exponential of rate 0',
  },
  { code: 'RUN005', meaning: 'a count that is no whole number from 0 to 10⁶', example: 'a count of 0.5' },
  { code: 'RUN006', meaning: 'a demand on a max-min service that is out of range', example: 'a weight of 0' },
  { code: 'RUN007', meaning: 'a route that is not in the table of routes', example: 'route 7 of a table of four' },
  {
    code: 'RUN008',
    meaning: 'a weight that is no positive finite number, or weights whose sum is not finite',
    example: 'a weight of 0',
  },
  {
    code: 'RUN009',
    meaning: 'a function that returned no number, or not one of the kind that is expected',
    example: 'Math.log(-1)',
  },
  {
    code: 'RUN010',
    meaning: 'a saved run that belongs to another net or version',
    example: 'resuming a run after the net was changed',
  },
  { code: 'RUN011', meaning: 'a net too large to be compiled', example: 'a million places' },
  {
    code: 'RUN012',
    meaning: 'a game that is run or saved by one of its own observers',
    example: 'an observer that calls game.run',
  },
  {
    code: 'RUN013',
    meaning: 'more than is kept in memory: 2 GiB of tokens, 2^23 tokens that wait for a server, 2^22 clocks of races',
    example: 'a source that nothing holds back, run for a billion steps',
  },
  {
    code: 'RUN014',
    meaning: 'a priority of a token that is no number',
    example: 'the priority k / k of a token with k = 0',
  },
  {
    code: 'RUN015',
    meaning: 'a draw for a process that is no whole number of at most 2^53',
    example: 'the process k % 0',
  },
  {
    code: 'RUN016',
    meaning: 'a figure of a result that exceeds the range of a double',
    example: 'three computations of 1e308 flops on one host',
  },
];
